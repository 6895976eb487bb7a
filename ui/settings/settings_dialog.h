#pragma once

#include "ui/settings/settings.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QTableWidget;

namespace hearth {

class Commands;

/// Changes settings as they are chosen; there is nothing to confirm.
class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    SettingsDialog(Commands &commands, QWidget *parent = nullptr);

Q_SIGNALS:
    void settingsChanged(const Settings &settings);

private:
    void makeChoices();
    void makeKeys();
    void fillKeys();
    void take();
    void takeKeys(int row, const QKeySequence &keys);

    Commands &m_commands;
    Settings m_settings;
    QComboBox *m_theme;
    QComboBox *m_names;
    QCheckBox *m_growsUp;
    QCheckBox *m_reducedMotion;
    QSpinBox *m_memory;
    QLineEdit *m_editor;
    QLineEdit *m_symbolPlaces;
    QLineEdit *m_symbolServers;
    QLineEdit *m_sourcePlaces;
    QTableWidget *m_keys;
    QLabel *m_problem;
};

} // namespace hearth
