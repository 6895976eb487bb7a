#pragma once

#include "ui/record/record_choice.h"
#include "ui/record/record_rights.h"

#include <QDialog>

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;

namespace hearth {

class ProcessPicker;

/// What to record, and how. Begins with what was recorded last; Enter starts.
class RecordDialog : public QDialog {
    Q_OBJECT

public:
    RecordDialog(const RecordRights &rights, QWidget *parent = nullptr);

    RecordChoice choice() const;
    void setChoice(const RecordChoice &choice);
    void setTarget(RecordTarget target);

    ProcessPicker *processes() const { return m_processes; }
    QLineEdit *command() const { return m_command; }
    QLineEdit *directory() const { return m_directory; }
    QLineEdit *cgroup() const { return m_cgroup; }
    QSpinBox *frequency() const { return m_frequency; }
    QCheckBox *offCpu() const { return m_offCpu; }
    QComboBox *presets() const { return m_presets; }
    QPushButton *recordButton() const { return m_record; }
    QPushButton *targetButton(RecordTarget target) const;

    /// Remembers the choice under a name.
    void savePreset(const QString &name);

Q_SIGNALS:
    void recordRequested(const RecordChoice &choice);

private:
    QWidget *makePresets();
    QWidget *makeTargets();
    QWidget *makePages();
    QWidget *makeCommandPage();
    QWidget *makeCgroupPage();
    QLayout *makeOptions();
    QWidget *makeRights(const RecordRights &rights);
    QLayout *makeButtons();
    void fillPresets(const QString &current);
    void usePreset();
    QString usedPreset() const;
    void askForPresetName();
    void removePreset();
    void showProblem();
    void record();

    QComboBox *m_presets;
    QPushButton *m_removePreset;
    QButtonGroup *m_targets;
    QStackedWidget *m_pages;
    ProcessPicker *m_processes;
    QLineEdit *m_command;
    QLineEdit *m_directory;
    QLineEdit *m_cgroup;
    QSpinBox *m_frequency;
    QCheckBox *m_offCpu;
    QCheckBox *m_names;
    QLabel *m_problem;
    QPushButton *m_record;
};

} // namespace hearth
