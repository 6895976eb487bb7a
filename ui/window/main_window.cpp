#include "ui/window/main_window.h"

#include "ui/chart/chart_page.h"
#include "ui/code/code_view.h"
#include "ui/commands/palette.h"
#include "ui/commands/step_commands.h"
#include "ui/compare/compare_view.h"
#include "ui/executables/executables_view.h"
#include "ui/flame/flame_page.h"
#include "ui/flamescope/scope_view.h"
#include "ui/inspector/inspector.h"
#include "ui/lens/lens_bar.h"
#include "ui/log/log_model.h"
#include "ui/log/log_view.h"
#include "ui/neighbours/neighbours_view.h"
#include "ui/overview/note_edit.h"
#include "ui/overview/overview_view.h"
#include "ui/records/records_view.h"
#include "ui/sources/sources_panel.h"
#include "ui/table/top_view.h"
#include "ui/table/tree_view.h"
#include "ui/theme/figures.h"
#include "ui/timeline/range_bar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/traces/traces_view.h"
#include "ui/window/start_page.h"
#include "ui/window/status_line.h"
#include "ui/window/top_bar.h"

#include <QAction>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTreeView>
#include <QVBoxLayout>

#include <utility>

namespace hearth {

namespace {

constexpr const char *kGeometryKey = "window/geometry";
constexpr const char *kStateKey = "window/state";
constexpr int kStateVersion = 1;
constexpr int kSourcesWidth = 232;
constexpr int kInspectorWidth = 300;
constexpr int kLogHeight = 180;

} // namespace

MainWindow::MainWindow(LogModel &log, QWidget *parent)
    : QMainWindow(parent), m_commands(*this), m_steps(new StepCommands(m_commands, m_session)),
      m_palette(new Palette(m_commands, m_session, *this)), m_log(log), m_pages(new QStackedWidget(this)),
      m_start(new StartPage(this)), m_lensBar(new LensBar(m_session, this)), m_views(new QTabWidget(this)),
      m_overview(new OverviewView(m_session, this)), m_flames(new FlamePage(m_session, this)),
      m_top(new TopView(m_session, this)), m_tree(new CallTreeView(m_session, this)),
      m_neighbours(new NeighboursView(m_session, this)), m_chart(new ChartPage(m_session, this)),
      m_scope(new ScopeView(m_session, this)), m_traces(new TracesView(m_session, this)),
      m_records(new RecordsView(m_session, this)), m_executables(new ExecutablesView(m_session, this)),
      m_compare(new CompareView(m_session, this)), m_code(new CodeView(m_session, this)),
      m_inspector(new Inspector(m_session, this)), m_sources(new SourcesPanel(m_session, this)),
      m_messages(new MessageBar(this)), m_status(new StatusLine(m_session, this))
{
    setWindowTitle(QStringLiteral("Hearth"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    makeViews();
    makeCommands();
    m_topBar = new TopBar(m_commands, this);
    showRecentFiles();
    setMenuWidget(m_topBar);
    setStatusBar(m_status);
    makeCentre();
    makeDocks();
    connectViews();
    applySettings(Settings::load());
    restoreLayout();
    watchState();
    m_start->setFocus();
}

void MainWindow::makeViews()
{
    m_views->setDocumentMode(true);
    m_views->tabBar()->setDrawBase(false);
    m_views->tabBar()->setExpanding(false);
    // By the first of their names workspaces know them.
    const auto addView = [this](const char *id, QWidget *view, const QString &title) {
        view->setObjectName(QLatin1String(id));
        view->setBackgroundRole(QPalette::Base);
        view->setAutoFillBackground(true);
        m_views->addTab(view, title);
    };
    addView("overview", m_overview, tr("Overview"));
    addView("flames", m_flames, tr("Flame graph"));
    addView("top", m_top, tr("Top functions"));
    addView("tree", m_tree, tr("Call tree"));
    addView("callers", m_neighbours, tr("Callers"));
    addView("chart", m_chart, tr("Time chart"));
    addView("scope", m_scope, tr("FlameScope"));
    addView("traces", m_traces, tr("Traces"));
    addView("logs", m_records, tr("Logs"));
    addView("executables", m_executables, tr("Executables"));
    addView("compare", m_compare, tr("Compare"));
    addView("source", m_code, tr("Source"));
    m_views->setCurrentWidget(m_flames);
}

void MainWindow::makeCentre()
{
    auto *page = new QWidget(this);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_lensBar);
    m_timeline = new TimelineView(m_session, page);
    column->addWidget(m_timeline->rangeBar());
    column->addWidget(m_timeline);
    column->addWidget(m_views, 1);
    m_pages->addWidget(m_start);
    m_pages->addWidget(page);
    auto *centre = new QWidget(this);
    auto *layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_messages);
    layout->addWidget(m_pages, 1);
    setCentralWidget(centre);
}

QDockWidget *MainWindow::makeDock(const QString &id, const QString &title, QWidget *content,
                                  Qt::DockWidgetArea area)
{
    auto *dock = new QDockWidget(title, this);
    dock->setObjectName(id);
    dock->setWidget(content);
    // Docked it needs no title; floating or in a row of tabs the frame around it has one.
    auto *noTitle = new QWidget(dock);
    dock->setTitleBarWidget(noTitle);
    connect(dock, &QDockWidget::topLevelChanged, dock,
            [dock, noTitle](bool isFloating) { dock->setTitleBarWidget(isFloating ? nullptr : noTitle); });
    addDockWidget(area, dock);
    dock->hide();
    return dock;
}

void MainWindow::makeDocks()
{
    m_sourcesDock = makeDock(QStringLiteral("sources"), tr("Sources"), m_sources, Qt::LeftDockWidgetArea);
    m_inspectorDock =
        makeDock(QStringLiteral("inspector"), tr("Inspector"), m_inspector, Qt::RightDockWidgetArea);
    m_logDock =
        makeDock(QStringLiteral("log"), tr("Log"), new LogView(m_log, this), Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

void MainWindow::connectViews()
{
    connect(m_start, &StartPage::openRequested, this, &MainWindow::askForFiles);
    connect(m_start, &StartPage::fileChosen, this,
            [this](const QString &file) { Q_EMIT openRequested({file}); });
    connect(m_start, &StartPage::demoRequested, this, &MainWindow::demoRequested);
    connect(m_start, &StartPage::otherPortRequested, this, &MainWindow::otherPortRequested);
    connect(m_start, &StartPage::recordMachineRequested, m_commands[QStringLiteral("record-machine")],
            &QAction::trigger);
    connect(m_start, &StartPage::recordProcessRequested, this,
            [this] { askForTarget(RecordTarget::Process); });
    connect(m_start, &StartPage::recordCommandRequested, this,
            [this] { askForTarget(RecordTarget::Command); });
    connect(m_topBar, &TopBar::presetChosen, this, &MainWindow::recordPreset);
    connect(m_topBar, &TopBar::openRequested, this, &MainWindow::openRequested);
    connect(m_sources, &SourcesPanel::sourceChosen, this, &MainWindow::dataSetChosen);
    connect(m_sources, &SourcesPanel::closeRequested, this, &MainWindow::dataSetClosed);
    connect(m_status, &StatusLine::cancelRequested, this, &MainWindow::cancelRequested);
    connect(m_status, &StatusLine::lossesRequested, this, &MainWindow::showLosses);
    connect(m_overview, &OverviewView::targetChosen, this, &MainWindow::showTarget);
    connect(m_overview->note(), &NoteEdit::edited, this, &MainWindow::noteEdited);
    connect(m_overview->workspaceNote(), &NoteEdit::edited, this, &MainWindow::workspaceNoteEdited);
    connect(m_status, &StatusLine::symbolsRequested, this,
            [this] { m_views->setCurrentWidget(m_executables); });
    connect(m_executables, &ExecutablesView::placesAdded, this, &MainWindow::symbolPlacesAdded);
    connect(m_executables, &ExecutablesView::serverAllowed, this, &MainWindow::symbolServerAllowed);
    connect(m_executables, &ExecutablesView::lookAgainRequested, this, &MainWindow::symbolsWantedAgain);
    connect(m_steps, &StepCommands::codeRequested, this, &MainWindow::showCode);
    connect(m_neighbours->lines(), &QTableView::activated, this, &MainWindow::showCode);
    connect(m_inspector->source(), &SourcePeek::clicked, this, &MainWindow::showCode);
    connect(m_code, &CodeView::sourceFolderChosen, this, &MainWindow::sourceFolderChosen);
    connect(m_code, &CodeView::failed, this,
            [this](const QString &message) { showMessage(MessageKind::Problem, message); });
    connect(m_steps, &StepCommands::failed, this,
            [this](const QString &message) { showMessage(MessageKind::Problem, message); });
    for (const FlameView *flames : {m_flames->view(), m_traces->flames()})
        connect(flames, &FlameView::menuRequested, this, &MainWindow::showFrameMenu);
    connect(m_palette, &Palette::spansChosen, this, [this] { m_views->setCurrentWidget(m_traces); });
    connect(m_chart->view(), &ChartView::menuRequested, this, &MainWindow::showFrameMenu);
    connect(m_compare, &CompareView::menuRequested, this, &MainWindow::showFrameMenu);
    connect(m_compare, &CompareView::baselineChanged, this, [this] {
        m_views->setTabText(m_views->indexOf(m_compare),
                            m_compare->baseline() ? tr("Compare ●") : tr("Compare"));
    });
    connect(m_compare, &CompareView::dataSetRequested, this, &MainWindow::baselineRequested);
    connect(m_traces, &TracesView::comparisonWanted, this, [this](const Lens &fast) {
        m_compare->compareWith({m_title, m_session.snapshot(), fast}, Normalisation::Requests);
        m_views->setCurrentWidget(m_compare);
    });
    connect(m_records, &RecordsView::spanShown, this, [this] { m_views->setCurrentWidget(m_traces); });
    connect(m_records, &RecordsView::timeShown, this, [this] { m_views->setCurrentWidget(m_flames); });
    connect(m_traces, &TracesView::activated, this, [this] { m_views->setCurrentWidget(m_flames); });
    for (QAbstractItemView *table :
         {static_cast<QAbstractItemView *>(m_top->table()), static_cast<QAbstractItemView *>(m_tree->tree()),
          static_cast<QAbstractItemView *>(m_neighbours->callers()),
          static_cast<QAbstractItemView *>(m_neighbours->callees()),
          static_cast<QAbstractItemView *>(m_neighbours->lines())}) {
        table->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(table, &QWidget::customContextMenuRequested, this, [this, table](const QPoint &position) {
            showFrameMenu(table->viewport()->mapToGlobal(position));
        });
    }
    for (QAbstractItemView *table : {static_cast<QAbstractItemView *>(m_executables->table()),
                                     static_cast<QAbstractItemView *>(m_records->table()),
                                     static_cast<QAbstractItemView *>(m_traces->traces()),
                                     static_cast<QAbstractItemView *>(m_traces->groups())}) {
        table->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(table, &QWidget::customContextMenuRequested, this, [this, table](const QPoint &position) {
            showTableMenu(table->viewport()->mapToGlobal(position));
        });
    }
    connect(m_flames, &FlamePage::matchedChanged, m_status, &StatusLine::setMatched);
    connect(m_top, &TopView::activated, this, [this] { m_views->setCurrentWidget(m_flames); });
}

void MainWindow::showTarget(OverviewTarget target)
{
    switch (target) {
    case OverviewTarget::Flames:
        return m_views->setCurrentWidget(m_flames);
    case OverviewTarget::Callers:
        return m_views->setCurrentWidget(m_neighbours);
    case OverviewTarget::Executables:
        return m_views->setCurrentWidget(m_executables);
    case OverviewTarget::Traces:
        return m_views->setCurrentWidget(m_traces);
    case OverviewTarget::Missing:
        return showLosses();
    }
}

void MainWindow::showLosses()
{
    showMessage(MessageKind::Note, lossLines(m_session.snapshot()->losses).join(QLatin1Char('\n')));
}

void MainWindow::showCode()
{
    m_views->setCurrentWidget(m_code);
    m_code->setFocus();
}

void MainWindow::restoreLayout()
{
    const QSettings settings;
    resize(1440, 900);
    resetLayout();
    restoreGeometry(settings.value(QLatin1String(kGeometryKey)).toByteArray());
    restoreState(settings.value(QLatin1String(kStateKey)).toByteArray(), kStateVersion);
    if (m_pages->currentWidget() == m_start)
        setDocksVisible(false);
}

void MainWindow::resetLayout()
{
    for (QDockWidget *dock : {m_sourcesDock, m_inspectorDock, m_logDock})
        dock->setFloating(false);
    addDockWidget(Qt::LeftDockWidgetArea, m_sourcesDock);
    addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);
    addDockWidget(Qt::BottomDockWidgetArea, m_logDock);
    setDocksVisible(m_pages->currentWidget() != m_start);
    m_logDock->hide();
    resizeDocks({m_sourcesDock, m_inspectorDock}, {kSourcesWidth, kInspectorWidth}, Qt::Horizontal);
    resizeDocks({m_logDock}, {kLogHeight}, Qt::Vertical);
}

void MainWindow::setDocksVisible(bool isVisible)
{
    m_sourcesDock->setVisible(isVisible);
    m_inspectorDock->setVisible(isVisible);
}

void MainWindow::showDataSet(std::shared_ptr<const Snapshot> snapshot, const QString &title, const Lens &lens)
{
    setDataSetTitle(title);
    const bool isFirst = m_pages->currentWidget() == m_start;
    m_pages->setCurrentIndex(1);
    if (isFirst) {
        setDocksVisible(true);
        resizeDocks({m_sourcesDock, m_inspectorDock}, {kSourcesWidth, kInspectorWidth}, Qt::Horizontal);
        m_flames->view()->setFocus();
    }
    m_session.showDataSet(std::move(snapshot), lens);
}

void MainWindow::setDataSetTitle(const QString &title)
{
    m_title = title;
    m_compare->setDataSetTitle(title);
    m_overview->setDataSetTitle(title);
    showTitle();
}

void MainWindow::setWorkspace(const QString &name, bool isChanged)
{
    if (name == m_workspace && isChanged == m_isChanged)
        return;
    m_workspace = name;
    m_isChanged = isChanged;
    showTitle();
    setWindowModified(isChanged);
}

/// "cpu.pb.gz – shop – Hearth", with the platform's marker where something is not saved.
void MainWindow::showTitle()
{
    QStringList parts{m_title, m_workspace, QStringLiteral("Hearth")};
    parts.removeAll(QString());
    if (m_isChanged)
        parts.front() += QStringLiteral("[*]");
    setWindowTitle(parts.join(QStringLiteral(" – ")));
}

void MainWindow::setNotes(const QString &ofDataSet, const QString &ofWorkspace)
{
    m_overview->setNotes(ofDataSet, ofWorkspace, !m_workspace.isEmpty());
}

void MainWindow::showNothing()
{
    setDataSetTitle({});
    setDocksVisible(false);
    m_pages->setCurrentWidget(m_start);
}

void MainWindow::setDataSets(const QList<DataSource> &dataSets, const QString &current)
{
    m_sources->setSources(dataSets, current);
    m_compare->setDataSets(dataSets, current);
    showRecentFiles();
}

void MainWindow::showRecentFiles()
{
    m_topBar->setRecentFiles(recentFiles());
    m_start->setRecentFiles(recentFiles());
}

void MainWindow::compareWith(std::shared_ptr<const Snapshot> snapshot, const QString &title,
                             const QString &id)
{
    m_compare->compareWith({title, std::move(snapshot), std::nullopt, id});
    m_views->setCurrentWidget(m_compare);
}

void MainWindow::setProgress(const QString &text)
{
    m_status->setProgress(text);
}

void MainWindow::setSymbolProgress(const QString &text)
{
    m_executables->setProgress(text);
}

void MainWindow::showMessage(MessageKind kind, const QString &text)
{
    m_messages->show(kind, text);
    m_log.add(kind == MessageKind::Problem ? LogLevel::Problem : LogLevel::Note, tr("window"), text);
}

void MainWindow::setListening(const QString &address, const QString &text, bool isListening)
{
    m_topBar->setListening(text, isListening);
    m_start->setListening(address, isListening ? QString() : text);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    QStringList files;
    for (const QUrl &url : event->mimeData()->urls())
        if (url.isLocalFile())
            files += url.toLocalFile();
    if (files.isEmpty())
        return;
    event->acceptProposedAction();
    Q_EMIT openRequested(files);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    QSettings settings;
    settings.setValue(QLatin1String(kGeometryKey), saveGeometry());
    if (m_pages->currentWidget() != m_start)
        settings.setValue(QLatin1String(kStateKey), saveState(kStateVersion));
    QMainWindow::closeEvent(event);
    Q_EMIT closed();
}

} // namespace hearth
