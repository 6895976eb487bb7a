#pragma once

#include "ui/record/record_presets.h"
#include "ui/record/record_rights.h"

#include <QWidget>

class QLabel;
class QMenu;
class QPushButton;

namespace hearth {

class Commands;

/// The bar at the top: open, record, where Hearth listens, the way into the palette, the menu.
class TopBar : public QWidget {
    Q_OBJECT

public:
    explicit TopBar(const Commands &commands, QWidget *parent = nullptr);

    /// "127.0.0.1:11000 · waiting", or why nothing listens.
    void setListening(const QString &text, bool isListening);
    void setRecentFiles(const QStringList &files);
    void setRecording(const RecordingState &state);
    QPushButton *menuButton() const { return m_menu; }
    QPushButton *recordButton() const { return m_record; }
    QPushButton *stopButton() const { return m_stop; }
    QLabel *recordingText() const { return m_recording; }

Q_SIGNALS:
    void openRequested(const QStringList &files);
    void presetChosen(const RecordPreset &preset);

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    QWidget *makeSearch(const Commands &commands);
    void makeRecording(const Commands &commands);
    void fillRecordMenu();
    void paintRecordingMarks();
    void fillMainMenu(const Commands &commands);

    const Commands &m_commands;
    QPushButton *m_open;
    QPushButton *m_record;
    QPushButton *m_stop;
    QLabel *m_recording; ///< how far it is
    QLabel *m_listening;
    QPushButton *m_menu;
};

} // namespace hearth
