#include "app/window/application.h"

#include "app/demo/demo.h"
#include "app/window/sent_requests.h"
#include "ingest/journal/journal.h"
#include "model/store/store.h"
#include "ui/code/code_view.h"
#include "ui/senders/request_pane.h"
#include "ui/senders/senders_view.h"
#include "ui/settings/settings.h"
#include "ui/theme/figures.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QFileInfo>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

constexpr int kBeforeCheckMs = 50;

/// Folders and programs hold no profiles, but names for them.
bool hasSymbols(const QString &path)
{
    if (QFileInfo(path).isDir())
        return true;
    QFile file(path);
    return QFileInfo(path).isFile() && file.open(QIODevice::ReadOnly) &&
           file.read(4) == QByteArray("\x7f"
                                      "ELF",
                                      4);
}

bool isEmpty(const Snapshot &snapshot)
{
    return snapshot.sampleCount() == 0 && snapshot.spans.rows == 0 && snapshot.logs.rows == 0 &&
           snapshot.points.rows == 0;
}

} // namespace

Application::Application(SingleInstance &instance, Address address, LaunchPlaces places)
    : m_instance(instance), m_address(std::move(address)), m_desk(m_dataSets, m_loader)
{
    m_recorder = std::make_unique<Recorder>(m_dataSets, m_symbols, std::move(places));
    connect(&m_loader, &FileLoader::loaded, this, &Application::addFile);
    connect(&m_loader, &FileLoader::partLoaded, this, &Application::takePart);
    connect(&m_loader, &FileLoader::finished, this, &Application::leavePart);
    connect(&m_loader, &FileLoader::failed, this, [this](const QString &message) {
        if (m_desk.isOpening())
            m_desk.complain(message);
        else if (!m_windows.empty())
            front()->showMessage(MessageKind::Problem, message);
    });
    connect(&m_loader, &FileLoader::progress, this, [this](const QString &text) {
        for (const Window &window : m_windows)
            window.window->setProgress(text);
    });
    connect(&m_saver, &FileSaver::saved, this, [this](const QString &file) {
        addRecentFile(file);
        m_log.add(LogLevel::Note, tr("files"), tr("saved %1").arg(file));
        if (!m_windows.empty())
            front()->messages()->show(MessageKind::Note, tr("Saved as %1.").arg(file));
        takeSaved(file);
    });
    connect(&m_saver, &FileSaver::failed, this, [this](const QString &message) {
        m_beside.clear();
        if (!m_windows.empty())
            front()->showMessage(MessageKind::Problem, message);
    });
    connect(&m_port, &LivePort::updated, this, &Application::takeLive);
    connect(&m_port, &LivePort::counted, this, [this](const QString &rate) {
        m_rate = rate;
        showListening();
    });
    connect(&m_dataSets, &DataSets::listChanged, this, &Application::listSources);
    connect(&m_dataSets, &DataSets::dataChanged, this, &Application::takeUpdate);
    connect(&m_instance, &SingleInstance::filesReceived, this, &Application::receiveFiles);
    connect(&m_desk, &WorkspaceDesk::sourcesRead, this, &Application::finishWorkspace);
    connect(&m_dataSets, &DataSets::listChanged, &m_workspaceCheck, qOverload<>(&QTimer::start));
    connect(&m_workspaceCheck, &QTimer::timeout, this, &Application::checkWorkspace);
    m_workspaceCheck.setSingleShot(true);
    m_workspaceCheck.setInterval(kBeforeCheckMs);
    connectSources();
    connectSymbols();
    connectRecorder();
}

Application::~Application()
{
    m_port.stop();
    for (const Window &window : std::exchange(m_windows, {}))
        delete window.window;
}

void Application::start(const QStringList &files)
{
    addWindow()->show();
    QTimer::singleShot(0, this, [this, files] {
        listen(m_address);
        if (!files.isEmpty())
            open(files);
        else
            offerEarlierRuns();
        if (const QString problem = m_instance.listen(); !problem.isEmpty())
            m_log.add(LogLevel::Note, tr("files"),
                      tr("later calls of hearth FILE open a window of their own: %1").arg(problem));
    });
}

MainWindow *Application::addWindow()
{
    auto *window = new MainWindow(m_log);
    m_windows.push_back({window, {}});
    connect(window, &MainWindow::openRequested, this, &Application::open);
    connect(window, &MainWindow::saveRequested, this,
            [this, window](const Lens &lens, const QString &file) { save(window, lens, file); });
    connect(window, &MainWindow::demoRequested, this, &Application::openDemo);
    connect(window, &MainWindow::cancelRequested, this, [this] {
        m_loader.cancel();
        m_desk.cancel();
    });
    connectWorkspace(window);
    connect(window, &MainWindow::dataSetChosen, this, [this, window](const QString &id) {
        if (Window *known = find(window))
            show(*known, id);
    });
    connect(window, &MainWindow::baselineRequested, this, [this, window](const QString &id) {
        if (const DataSets::DataSet *dataSet = m_dataSets.find(id))
            window->compareWith(dataSet->snapshot, dataSet->title, id);
    });
    connect(window, &MainWindow::dataSetClosed, this, &Application::close);
    connect(window, &MainWindow::otherPortRequested, this,
            [this] { listen({.host = "localhost", .port = 0, .path = {}}); });
    connect(window, &MainWindow::symbolPlacesAdded, this, &Application::addSymbolPlaces);
    connect(window, &MainWindow::symbolServerAllowed, this, &Application::addSymbolServer);
    connect(window, &MainWindow::symbolsWantedAgain, this,
            [this, window](const std::vector<BinaryId> &binaries) {
                if (const Window *known = find(window))
                    m_symbols.lookAgain(known->shown, binaries);
            });
    connect(window, &MainWindow::symbolSettingsChanged, this, &Application::applySymbolSettings);
    connect(window, &MainWindow::sourceFolderChosen, &m_sources, &SourceSearch::findIn);
    window->code()->setReader(m_sources.reader());
    connect(window, &MainWindow::recordRequested, this, &Application::record);
    connect(window, &MainWindow::stopRecordingRequested, m_recorder.get(), &Recorder::stop);
    connect(window, &MainWindow::newWindowRequested, this, [this, window] {
        const Window *from = find(window);
        const QString shown = from != nullptr ? from->shown : QString();
        addWindow()->show();
        if (!shown.isEmpty())
            show(m_windows.back(), shown);
    });
    connect(window, &MainWindow::closed, this, [this, window] {
        forget(window);
        window->deleteLater();
    });
    connect(window, &MainWindow::sendersRequested, this, &Application::showSenders);
    window->setRecordRights(m_recorder->rights());
    listSources();
    showListening();
    return window;
}

void Application::forget(const QObject *window)
{
    std::erase_if(m_windows, [window](const Window &known) { return known.window == window; });
}

Application::Window *Application::find(const QObject *window)
{
    const auto found =
        std::ranges::find_if(m_windows, [window](const Window &known) { return known.window == window; });
    return found == m_windows.end() ? nullptr : &*found;
}

/// The window that the user looks at, as far as can be told.
MainWindow *Application::front() const
{
    for (const Window &window : m_windows)
        if (window.window->isActiveWindow())
            return window.window;
    return m_windows.back().window;
}

void Application::open(const QStringList &paths)
{
    QStringList files;
    QStringList programs;
    QStringList workspaces;
    for (const QString &path : paths)
        (hasSymbols(path) ? programs : isWorkspace(path) ? workspaces : files) += path;
    if (!programs.isEmpty())
        addSymbolPlaces(programs);
    if (!workspaces.isEmpty()) {
        m_afterwards = files;
        return openWorkspace(workspaces.last());
    }
    if (files.isEmpty())
        return;
    m_log.add(LogLevel::Note, tr("files"), tr("opening %1").arg(files.join(QStringLiteral(", "))));
    leavePart();
    m_loader.load(files);
}

/// What was received before a crash is in the journal.
void Application::offerEarlierRuns()
{
    const std::vector<UnfinishedRun> runs = unfinishedRuns(journalDirectory());
    QStringList segments;
    std::uint64_t bytes = 0;
    for (const UnfinishedRun &run : runs) {
        bytes += run.bytes;
        for (const std::filesystem::path &segment : run.segments)
            segments += QString::fromStdString(segment.string());
    }
    if (segments.isEmpty())
        return;
    front()->messages()->show(
        MessageKind::Note,
        tr("Hearth did not end as it should last time. What it had received is still there, %1.")
            .arg(bytesText(bytes)),
        tr("Open it"), [this, runs, segments] {
            leavePart();
            m_loader.loadRun(segments, tr("Earlier run"));
            std::ranges::for_each(runs, markFinished);
        });
}

/// What the window shows, as it is now.
void Application::save(const MainWindow *window, const Lens &lens, const QString &file)
{
    const Window *known = find(window);
    const DataSets::DataSet *dataSet = known != nullptr ? m_dataSets.find(known->shown) : nullptr;
    if (dataSet != nullptr && lens == Lens())
        m_saving[file] = {dataSet->id, dataSet->snapshot->sampleCount()};
    if (dataSet != nullptr)
        m_saver.save(dataSet->snapshot, lens, file);
}

void Application::openDemo()
{
    const auto store = std::make_shared<Store>();
    store->append(demoBatch());
    store->publish();
    addUnfiled(store, tr("Demo"));
}

/// What is in no file, and does not touch what is being read.
void Application::addUnfiled(const std::shared_ptr<Store> &store, const QString &title)
{
    const QString id = m_dataSets.add(title, {}, false, store->snapshot());
    m_symbols.add(id, store);
    show(*find(front()), id);
    if (const Losses &losses = store->snapshot()->losses; losses.any())
        front()->showMessage(MessageKind::Note, lossLines(losses).join(QLatin1Char('\n')));
}

void Application::showSenders()
{
    if (!m_senders) {
        m_senders = std::make_unique<SendersView>();
        m_sendersFeed.fill(m_senders.get());
        RequestPane *request = m_senders->request();
        connect(request, &RequestPane::openRequested, this, &Application::openRequest);
        connect(request, &RequestPane::saveRequested, this,
                [this](const RequestRow &row, const QString &file) {
                    m_saver.save(std::static_pointer_cast<const RecentRequest>(row.identity)->body, file);
                });
    }
    m_senders->show();
    m_senders->raise();
    m_senders->activateWindow();
}

/// What it brought, apart from everything else that arrived.
void Application::openRequest(const RequestRow &request)
{
    const auto store = dataSetOf(*std::static_pointer_cast<const RecentRequest>(request.identity));
    if (!store)
        return front()->showMessage(MessageKind::Problem, QString::fromStdString(store.error().message));
    addUnfiled(*store, tr("Request of %1").arg(request.time.toString(QStringLiteral("HH:mm:ss.zzz"))));
}

/// The first part of a file opens the data set that the others go on with.
void Application::takePart(const std::shared_ptr<const Snapshot> &snapshot, const QString &title)
{
    if (m_dataSets.find(m_loading) != nullptr)
        return m_dataSets.update(m_loading, snapshot);
    m_loading = m_dataSets.addGrowing(title, snapshot);
    showRead(m_loading);
}

/// What has been read is looked at, but for sources of a workspace that are behind another.
void Application::showRead(const QString &id)
{
    m_desk.take(id);
    const auto &shown = m_desk.opened().shown;
    const bool isWanted = !m_desk.isOpening() || !shown || m_desk.idOf(*shown) == id;
    if (isWanted && !m_windows.empty())
        show(*find(front()), id);
}

/// Nothing more comes of what is being read.
void Application::leavePart()
{
    const QString id = std::exchange(m_loading, {});
    if (const DataSets::DataSet *dataSet = m_dataSets.find(id))
        finish(id, FileLoader::partOf(dataSet->title), tr("was not read to its end"));
}

void Application::finish(const QString &id, const QString &title, const QString &toolTip)
{
    m_dataSets.finish(id, title, toolTip);
    for (const Window &window : m_windows)
        if (window.shown == id)
            window.window->setDataSetTitle(title);
}

void Application::addFile(const std::shared_ptr<Store> &store, const QString &title,
                          const std::vector<SourceFile> &files)
{
    const auto snapshot = store->snapshot();
    QStringList paths;
    for (const SourceFile &file : files)
        paths += file.path;
    if (!m_desk.isOpening())
        std::ranges::for_each(paths, addRecentFile);
    QString id = std::exchange(m_loading, {});
    if (m_dataSets.find(id) != nullptr) {
        m_dataSets.update(id, snapshot);
        finish(id, title, paths.join(QLatin1Char('\n')));
    } else {
        id = m_dataSets.add(title, paths.join(QLatin1Char('\n')), false, snapshot);
        showRead(id);
    }
    m_desk.takeFiles(id, files);
    m_symbols.add(id, store);
    if (m_windows.empty())
        return;
    if (snapshot->losses.any() && m_desk.isOpening())
        m_desk.complain(title + QStringLiteral(": ") + lossLines(snapshot->losses).join(QLatin1Char('\n')));
    else if (snapshot->losses.any())
        front()->showMessage(MessageKind::Note, lossLines(snapshot->losses).join(QLatin1Char('\n')));
}

void Application::show(Window &window, const QString &id)
{
    const DataSets::DataSet *dataSet = m_dataSets.find(id);
    if (dataSet == nullptr || window.shown == id)
        return;
    keepLens(window);
    window.shown = id;
    window.window->setDataSets(m_dataSets.sources(), id);
    window.window->showDataSet(dataSet->snapshot, dataSet->title, dataSet->lens);
    window.window->session().setLive(dataSet->isLive);
    showNotes();
}

/// Of each data set its own is kept.
void Application::keepLens(const Window &window)
{
    m_dataSets.setLens(window.shown, window.window->session().lens());
}

void Application::showNotes()
{
    for (const Window &window : m_windows)
        if (const DataSets::DataSet *dataSet = m_dataSets.find(window.shown))
            window.window->setNotes(dataSet->note, m_desk.note());
}

/// Windows that look at it go on to another; without one they go back to the start.
void Application::close(const QString &id)
{
    if (id == m_live)
        return; // it is there as long as the port is
    if (id == m_loading && !id.isEmpty()) {
        m_loading.clear();
        m_loader.giveUp();
    }
    m_symbols.remove(id);
    m_recorder->forget(id);
    m_dataSets.remove(id);
    for (Window &window : m_windows) {
        if (window.shown != id)
            continue;
        window.shown.clear();
        if (m_dataSets.all().empty())
            window.window->showNothing();
        else
            show(window, m_dataSets.all().back().id);
    }
    listSources();
}

void Application::listSources()
{
    for (const Window &window : m_windows)
        window.window->setDataSets(m_dataSets.sources(), window.shown);
}

/// The first data that arrives is shown where there is nothing else to see.
void Application::takeLive()
{
    const auto snapshot = m_port.snapshot();
    if (!snapshot || isEmpty(*snapshot))
        return;
    m_symbols.follow(m_live, snapshot);
    if (!m_live.isEmpty())
        return m_dataSets.update(m_live, snapshot);
    m_live = m_dataSets.add(tr("Live :%1").arg(m_port.address().section(QLatin1Char(':'), -1)),
                            tr("Listening on %1").arg(m_port.address()), true, snapshot);
    m_symbols.add(m_live, [this](SymbolUpdate update) { m_port.apply(std::move(update)); });
    m_symbols.follow(m_live, snapshot);
    m_log.add(LogLevel::Note, tr("port"), tr("the first data arrived"));
    for (Window &window : m_windows)
        if (window.shown.isEmpty())
            show(window, m_live);
}

void Application::takeUpdate(const QString &id)
{
    for (const Window &window : m_windows)
        if (window.shown == id)
            window.window->session().updateDataSet(m_dataSets.find(id)->snapshot);
}

void Application::connectSymbols()
{
    applySymbolSettings();
    connect(&m_symbols, &SymbolSearch::named, &m_dataSets, &DataSets::update);
    connect(&m_symbols, &SymbolSearch::lookedAt, this, [this](const QString &text, bool isFound) {
        m_log.add(isFound ? LogLevel::Detail : LogLevel::Note, tr("symbols"), text);
    });
    connect(&m_symbols, &SymbolSearch::progressChanged, this, [this](const QString &text) {
        for (const Window &window : m_windows)
            window.window->setSymbolProgress(text);
    });
}

void Application::connectRecorder()
{
    connect(m_recorder.get(), &Recorder::stateChanged, this, [this](const RecordingState &state) {
        for (const Window &window : m_windows)
            window.window->setRecording(state);
    });
    connect(m_recorder.get(), &Recorder::dataSetMade, this, [this](const QString &id) {
        if (!m_windows.empty())
            show(*find(front()), id);
    });
    connect(m_recorder.get(), &Recorder::finished, this, &Application::finishRecording);
    connect(m_recorder.get(), &Recorder::noted, this, [this](const QString &text) {
        if (!m_windows.empty())
            front()->showMessage(MessageKind::Note, text);
    });
    connect(m_recorder.get(), &Recorder::failed, this, &Application::explainFailure);
}

void Application::record(const RecordChoice &choice)
{
    m_log.add(LogLevel::Note, tr("record"), tr("recording %1").arg(targetText(choice)));
    if (!m_windows.empty())
        front()->messages()->hide();
    m_recorder->start(choice, m_port.address());
}

void Application::finishRecording(const QString &id)
{
    const DataSets::DataSet &dataSet = *m_dataSets.find(id);
    m_log.add(LogLevel::Note, tr("record"), dataSet.title);
    for (const Window &window : m_windows) {
        if (window.shown != id)
            continue;
        window.window->session().setLive(false);
        window.window->setDataSetTitle(dataSet.title);
    }
}

/// Says why, and offers the one thing to do.
void Application::explainFailure(const RecordingFailure &failure, const RecordChoice &choice)
{
    const QString text = QString::fromStdString(failure.text);
    m_log.add(LogLevel::Problem, tr("record"), text);
    if (m_windows.empty())
        return;
    MessageBar *messages = front()->messages();
    switch (failure.remedy) {
    case FailureRemedy::TryAgain:
        return messages->show(MessageKind::Problem, text, tr("Try again"),
                              [this, choice] { record(choice); });
    case FailureRemedy::ChooseTarget:
        return messages->show(MessageKind::Problem, text, tr("Choose what to record…"),
                              [this, choice] { front()->askWhatToRecord(choice); });
    case FailureRemedy::OtherSenders:
        return messages->show(MessageKind::Problem, text, tr("How to send data here"),
                              [this] { front()->commands()[QStringLiteral("help-sending")]->trigger(); });
    case FailureRemedy::CopyCommand:
        break;
    }
    const QString command = QString::fromStdString(failure.command);
    messages->show(MessageKind::Problem, text + QLatin1Char('\n') + command, tr("Copy the command"),
                   [command] { QApplication::clipboard()->setText(command); });
}

void Application::addSymbolPlaces(const QStringList &paths)
{
    Settings settings = Settings::load();
    for (const QString &path : paths)
        if (!settings.symbolPlaces.contains(path))
            settings.symbolPlaces += path;
    settings.save();
    m_log.add(LogLevel::Note, tr("symbols"),
              tr("looking for names in %1").arg(paths.join(QStringLiteral(", "))));
    applySymbolSettings();
}

void Application::addSymbolServer(const QString &server)
{
    Settings settings = Settings::load();
    if (!settings.symbolServers.contains(server))
        settings.symbolServers += server;
    settings.save();
    m_log.add(LogLevel::Note, tr("symbols"), tr("asking %1 for debug information").arg(server));
    applySymbolSettings();
}

void Application::applySymbolSettings()
{
    const Settings settings = Settings::load();
    m_symbols.setPlaces(settings.symbolPlaces, settings.symbolServers);
    m_sources.setPlaces(settings.symbolPlaces, settings.symbolServers, settings.sourcePlaces);
}

void Application::connectSources()
{
    connect(&m_sources, &SourceSearch::readerChanged, this, [this] {
        for (const Window &window : m_windows)
            window.window->code()->setReader(m_sources.reader());
    });
    connect(&m_sources, &SourceSearch::found, this, &Application::addSourcePlace);
    connect(&m_sources, &SourceSearch::failed, this, [this](const QString &message) {
        if (!m_windows.empty())
            front()->showMessage(MessageKind::Problem, message);
    });
}

/// Kept, so that nobody is asked for it again.
void Application::addSourcePlace(const QString &place)
{
    Settings settings = Settings::load();
    if (!settings.sourcePlaces.contains(place))
        settings.sourcePlaces.prepend(place);
    settings.save();
    m_log.add(LogLevel::Note, tr("sources"), tr("looking for sources in %1").arg(place));
    applySymbolSettings();
}

void Application::listen(const Address &address)
{
    m_problem = m_port.listen(address);
    m_log.add(m_problem.isEmpty() ? LogLevel::Note : LogLevel::Problem, tr("port"),
              m_problem.isEmpty() ? tr("listening on %1").arg(m_port.address()) : m_problem);
    m_rate = m_problem.isEmpty() ? tr("waiting") : QString();
    showListening();
}

void Application::showListening()
{
    const QString address = m_port.address();
    for (const Window &window : m_windows)
        if (!m_problem.isEmpty())
            window.window->setListening({}, m_problem, false);
        else if (!address.isEmpty())
            window.window->setListening(address, address + QStringLiteral(" · ") + m_rate, true);
}

void Application::receiveFiles(const QStringList &files)
{
    MainWindow *window = m_windows.empty() ? addWindow() : front();
    window->show();
    window->raise();
    window->activateWindow();
    if (!files.isEmpty())
        open(files);
}

} // namespace hearth
