#include "ui/compare/compare_view.h"
#include "ui/record/record_dialog.h"
#include "ui/record/record_presets.h"
#include "ui/window/main_window.h"
#include "ui/window/top_bar.h"

#include <QAction>
#include <QTabWidget>

// Recording, as far as it is the window's: the commands, the dialog, what the bar at the top shows of it.

namespace hearth {

void MainWindow::makeRecordCommands()
{
    const QString group = tr("Record");
    m_commands.add(QStringLiteral("record"), group, tr("Record…"), {QKeySequence(Qt::CTRL | Qt::Key_R)},
                   [this] { toggleRecording(); });
    m_commands.add(QStringLiteral("record-machine"), group, tr("Record this machine now"), {}, [this] {
        RecordChoice choice = lastRecordChoice();
        choice.target = RecordTarget::Machine;
        rememberRecordChoice(choice, {});
        Q_EMIT recordRequested(choice);
    });
    m_commands.add(QStringLiteral("record-again"), group, tr("Record again"),
                   {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)}, [this] { recordAgain(); });
    m_commands.add(QStringLiteral("record-again-compare"), group,
                   tr("Record again, and compare with what is looked at"), {},
                   [this] { recordAgainAndCompare(); });
    m_commands.add(QStringLiteral("stop-recording"), group, tr("Stop recording"), {},
                   [this] { Q_EMIT stopRecordingRequested(); });
    m_commands[QStringLiteral("stop-recording")]->setEnabled(false);
}

/// The key that starts is the key that stops.
void MainWindow::toggleRecording()
{
    if (m_recording.isOn)
        Q_EMIT stopRecordingRequested();
    else
        askWhatToRecord(lastRecordChoice());
}

void MainWindow::recordAgain()
{
    const RecordChoice choice = lastRecordChoice();
    if (problemOf(choice).isEmpty())
        Q_EMIT recordRequested(choice);
    else
        askWhatToRecord(choice);
}

/// Recordings differ in length: what is compared is what a second costs.
void MainWindow::recordAgainAndCompare()
{
    if (m_session.snapshot()) {
        m_compare->compareWith({m_title, m_session.snapshot(), std::nullopt}, Normalisation::Duration);
        m_views->setCurrentWidget(m_compare);
    }
    recordAgain();
}

/// Numbers of processes do not last: which one it is now is asked.
void MainWindow::recordPreset(const RecordPreset &preset)
{
    rememberRecordChoice(preset.choice, preset.name);
    if (preset.choice.target == RecordTarget::Process || !problemOf(preset.choice).isEmpty())
        askWhatToRecord(preset.choice);
    else
        Q_EMIT recordRequested(preset.choice);
}

void MainWindow::askForTarget(RecordTarget target)
{
    RecordChoice choice = lastRecordChoice();
    choice.target = target;
    askWhatToRecord(choice);
}

RecordDialog *MainWindow::askWhatToRecord(const RecordChoice &choice)
{
    auto *dialog = new RecordDialog(m_recordRights, this);
    if (choice != dialog->choice())
        dialog->setChoice(choice);
    connect(dialog, &RecordDialog::recordRequested, this, &MainWindow::recordRequested);
    dialog->open();
    return dialog;
}

void MainWindow::setRecordRights(const RecordRights &rights)
{
    m_recordRights = rights;
}

void MainWindow::setRecording(const RecordingState &state)
{
    m_recording = state;
    m_topBar->setRecording(state);
    m_commands[QStringLiteral("record")]->setText(state.isOn ? tr("Stop recording") : tr("Record…"));
    for (const QString &id : {QStringLiteral("record-machine"), QStringLiteral("record-again"),
                              QStringLiteral("record-again-compare")})
        m_commands[id]->setEnabled(!state.isOn);
    m_commands[QStringLiteral("record")]->setEnabled(!state.isStopping);
    m_commands[QStringLiteral("stop-recording")]->setEnabled(state.isOn && !state.isStopping);
}

} // namespace hearth
