#pragma once

#include "app/window/data_sets.h"
#include "app/window/file_loader.h"
#include "app/window/file_saver.h"
#include "app/window/live_port.h"
#include "app/window/recorder.h"
#include "app/window/senders_feed.h"
#include "app/window/single_instance.h"
#include "app/window/source_search.h"
#include "app/window/symbol_search.h"
#include "app/window/workspace_desk.h"
#include "ui/log/log_model.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace hearth {

class MainWindow;
class SendersView;
struct RequestRow;

/// Brings together windows, the files they open and the port.
class Application : public QObject {
    Q_OBJECT

public:
    /// @param address where it listens
    /// @param places where the sampler is
    Application(SingleInstance &instance, Address address, LaunchPlaces places = launchPlaces());
    ~Application() override;

    /// Null until it was wanted.
    SendersView *senders() const { return m_senders.get(); }

    /// Shows a window, then listens and loads: nothing comes before the first picture.
    void start(const QStringList &files);

private:
    struct Window {
        MainWindow *window;
        QString shown; ///< id of the data set; empty: none yet
    };

    MainWindow *addWindow();
    void connectWorkspace(MainWindow *window);
    void forget(const QObject *window);
    Window *find(const QObject *window);
    MainWindow *front() const;

    /// Profiles are shown; programs and folders are looked into for names.
    void open(const QStringList &paths);
    void openDemo();
    void addUnfiled(const std::shared_ptr<Store> &store, const QString &title);
    void showSenders();
    void openRequest(const RequestRow &request);
    void save(const MainWindow *window, const Lens &lens, const QString &file);
    void show(Window &window, const QString &id);
    void showRead(const QString &id);
    void keepLens(const Window &window);
    void showNotes();

    // The workspace: application_workspace.cpp
    Window &workspaceWindow();
    Workspace workspaceNow();
    void openWorkspace(const QString &file);
    void takeUp(Workspace workspace, const QString &file, const QStringList &problems);
    void finishWorkspace();
    void saveWorkspace(MainWindow *window, const QString &file);
    void sayWhatIsLeftOut();
    void saveBeside();
    void takeSaved(const QString &file);
    void checkWorkspace();

    void close(const QString &id);
    void listSources();
    void addFile(const std::shared_ptr<Store> &store, const QString &title,
                 const std::vector<SourceFile> &files);
    void takePart(const std::shared_ptr<const Snapshot> &snapshot, const QString &title);
    void leavePart();
    void finish(const QString &id, const QString &title, const QString &toolTip);
    void takeLive();
    void takeUpdate(const QString &id);

    void listen(const Address &address);
    void showListening();
    void offerEarlierRuns();
    void receiveFiles(const QStringList &files);
    void connectSymbols();
    void applySymbolSettings();
    void connectSources();
    void addSourcePlace(const QString &place);
    void addSymbolPlaces(const QStringList &paths);
    void addSymbolServer(const QString &server);
    void connectRecorder();
    void record(const RecordChoice &choice);
    void finishRecording(const QString &id);
    void explainFailure(const RecordingFailure &failure, const RecordChoice &choice);

    SingleInstance &m_instance;
    Address m_address;
    LogModel m_log;
    DataSets m_dataSets;
    FileLoader m_loader;
    FileSaver m_saver;
    LivePort m_port;
    std::unique_ptr<SendersView> m_senders; ///< a window of its own; null until somebody wants it
    SendersFeed m_sendersFeed{m_port};
    std::unique_ptr<Recorder> m_recorder;
    SourceSearch m_sources;
    WorkspaceDesk m_desk;
    QTimer m_workspaceCheck;              ///< whether it has changed, once for many reasons
    QObject *m_workspaceWindow = nullptr; ///< what a workspace says of windows is of this one, if it is there
    std::optional<std::pair<Workspace, QString>>
        m_before;             ///< what was open before the workspace, and its file
    QStringList m_afterwards; ///< to be opened behind the workspace
    std::map<QString, std::pair<QString, std::uint64_t>> m_saving; ///< by file: data set and its samples
    QStringList m_beside;   ///< data sets to be saved beside the workspace
    SymbolSearch m_symbols; ///< stops before what it fills goes
    std::vector<Window> m_windows;
    QString m_loading; ///< id of the data set that is being read; empty until there is something of it
    QString m_live;    ///< id of the live data set; empty until something arrives
    QString m_problem; ///< why nothing listens
    QString m_rate;    ///< what arrives
};

} // namespace hearth
