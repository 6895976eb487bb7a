#pragma once

#include "ui/commands/commands.h"
#include "ui/record/record_presets.h"
#include "ui/record/record_rights.h"
#include "ui/session/session.h"
#include "ui/settings/settings.h"
#include "ui/sources/sources_model.h"
#include "ui/table/copied_table.h"
#include "ui/window/message_bar.h"
#include "ui/window/window_state.h"

#include <QMainWindow>

class QDockWidget;
class QLineEdit;
class QStackedWidget;
class QTabWidget;

namespace hearth {

class CallTreeView;
class ChartPage;
class CodeView;
class CompareView;
class ExecutablesView;
class FlamePage;
class Inspector;
class LensBar;
class LogModel;
class NeighboursView;
class OverviewView;
enum class OverviewTarget : std::uint8_t;
class Palette;
class RecordDialog;
class RecordsView;
class ScopeView;
class SourcesPanel;
class StartPage;
class StatusLine;
class StepCommands;
class TopBar;
class TimelineView;
class TopView;
class TracesView;
class ViewSaver;

/// One window on one data set. Knows nothing of files and ports: it asks for them by signals.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(LogModel &log, QWidget *parent = nullptr);

    Session &session() { return m_session; }
    Commands &commands() { return m_commands; }
    OverviewView *overview() const { return m_overview; }
    FlamePage *flames() const { return m_flames; }
    TopView *top() const { return m_top; }
    CallTreeView *callTree() const { return m_tree; }
    NeighboursView *neighbours() const { return m_neighbours; }
    ExecutablesView *executables() const { return m_executables; }
    RecordsView *records() const { return m_records; }
    ChartPage *chart() const { return m_chart; }
    ScopeView *scope() const { return m_scope; }
    CompareView *compare() const { return m_compare; }
    CodeView *code() const { return m_code; }
    TracesView *traces() const { return m_traces; }
    TimelineView *timeline() const { return m_timeline; }
    LensBar *lensBar() const { return m_lensBar; }
    SourcesPanel *sources() const { return m_sources; }
    Palette *goTo() const { return m_palette; }
    QTabWidget *views() const { return m_views; }
    MessageBar *messages() const { return m_messages; }

    void showDataSet(std::shared_ptr<const Snapshot> snapshot, const QString &title, const Lens &lens = {});
    /// The start page: the data set that was looked at is gone.
    void showNothing();
    /// What is looked at has another name now.
    void setDataSetTitle(const QString &title);
    /// @param name of the file; empty if there is none yet
    void setWorkspace(const QString &name, bool isChanged);
    /// Of the data set that is looked at, and of the workspace.
    void setNotes(const QString &ofDataSet, const QString &ofWorkspace);
    void askWhereToSaveWorkspace();
    /// How it looks at things, for a workspace.
    WindowState state() const;
    void restore(const WindowState &state);
    /// What is open, and which of them is looked at.
    void setDataSets(const QList<DataSource> &dataSets, const QString &current);
    /// What is under way ("cpu.pb.gz: 128 MB read"); empty when it is over.
    void setProgress(const QString &text);
    /// How far the search for names is; empty when it is over.
    void setSymbolProgress(const QString &text);
    /// What is looked at is compared with this.
    void compareWith(std::shared_ptr<const Snapshot> snapshot, const QString &title, const QString &id = {});
    /// A message that stays until it is closed or replaced.
    void showMessage(MessageKind kind, const QString &text);
    /// @param address what senders are pointed at; empty if nothing listens
    /// @param text "127.0.0.1:11000 · waiting", or why nothing listens
    void setListening(const QString &address, const QString &text, bool isListening);
    void setRecordRights(const RecordRights &rights);
    void setRecording(const RecordingState &state);
    /// Asks what to record. @param choice where it begins
    RecordDialog *askWhatToRecord(const RecordChoice &choice);
    TopBar *topBar() const { return m_topBar; }
    void applySettings(const Settings &settings);

Q_SIGNALS:
    void recordRequested(const RecordChoice &choice);
    void stopRecordingRequested();
    void openRequested(const QStringList &files);
    /// What a lens shows of the data set is to be written, Lens() for all of it; the name tells the format.
    void saveRequested(const Lens &lens, const QString &file);
    /// @param file empty: where it is kept already
    void saveWorkspaceRequested(const QString &file);
    void noteEdited(const QString &note); ///< of the data set that is looked at
    void workspaceNoteEdited(const QString &note);
    void stateChanged(); ///< what state() tells, or the lens
    void demoRequested();
    void cancelRequested();
    void dataSetChosen(const QString &id);
    void dataSetClosed(const QString &id);
    /// What is looked at is to be compared with it.
    void baselineRequested(const QString &id);
    void newWindowRequested();
    /// Who sends to the port, and what, is to be seen.
    void sendersRequested();
    void otherPortRequested();
    void symbolPlacesAdded(const QStringList &paths);
    void symbolServerAllowed(const QString &server);
    /// Of the data set that is shown.
    void symbolsWantedAgain(const std::vector<BinaryId> &binaries);
    void symbolSettingsChanged();
    /// A source file is not where it was compiled; the user says where to look for it.
    void sourceFolderChosen(const QString &wanted, const QString &folder);
    void closed();

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    void makeCentre();
    void makeViews();
    QDockWidget *makeDock(const QString &id, const QString &title, QWidget *content, Qt::DockWidgetArea area);
    void makeDocks();
    void connectViews();
    void showCode();
    void showTarget(OverviewTarget target);
    void showLosses();
    void showTitle();
    void watchState();
    void restorePanel(QDockWidget &dock, const QJsonObject &panel);
    QLineEdit *searchOf(const QWidget *view) const;
    void showRecentFiles();
    void restoreLayout();
    void resetLayout();
    void setDocksVisible(bool isVisible);

    // Commands: window_commands.cpp
    void makeCommands();
    void makeFileCommands();
    void makeViewCommands();
    void makeFlameCommands();
    void makeTimeCommands();
    void makeTraceCommands();
    void makeCompareCommands();
    void showSpansOfSelection();
    void makeThemeCommands();
    void makeRecordCommands();
    void toggleRecording();
    void recordAgain();
    void recordAgainAndCompare();
    void askForTarget(RecordTarget target);
    void recordPreset(const RecordPreset &preset);
    void chooseTheme(std::optional<ThemeKind> theme);
    void search();
    void makeExportCommands();
    void saveFlames(ViewSaver &saver);
    void saveTables(ViewSaver &saver);
    void saveReport(ViewSaver &saver);
    void askForFiles();
    void askForWorkspace();
    void saveWorkspace();
    void askWhereToSave(const Lens &lens, const QString &question);
    void showSettings();
    void showSendingHelp();
    QList<CopiedTable> shownTables() const;
    void copyTables(QString (*textOf)(const CopiedTable &));
    void showFrameMenu(const QPoint &globalPosition);
    void showTableMenu(const QPoint &globalPosition);

    Session m_session;
    Commands m_commands;
    StepCommands *m_steps;
    Palette *m_palette;
    LogModel &m_log;
    TopBar *m_topBar;
    QStackedWidget *m_pages;
    StartPage *m_start;
    LensBar *m_lensBar;
    TimelineView *m_timeline = nullptr;
    QTabWidget *m_views;
    OverviewView *m_overview;
    FlamePage *m_flames;
    TopView *m_top;
    CallTreeView *m_tree;
    NeighboursView *m_neighbours;
    ChartPage *m_chart;
    ScopeView *m_scope;
    TracesView *m_traces;
    RecordsView *m_records;
    ExecutablesView *m_executables;
    CompareView *m_compare;
    CodeView *m_code;
    Inspector *m_inspector;
    SourcesPanel *m_sources;
    MessageBar *m_messages;
    StatusLine *m_status;
    QString m_title;     ///< of the data set
    QString m_workspace; ///< name of its file; empty: none
    bool m_isChanged = false;
    RecordRights m_recordRights;
    RecordingState m_recording;
    QDockWidget *m_sourcesDock = nullptr;
    QDockWidget *m_inspectorDock = nullptr;
    QDockWidget *m_logDock = nullptr;
};

} // namespace hearth
