#include "model/lens/lens_steps.h"
#include "model/lens/span_steps.h"
#include "ui/chart/chart_page.h"
#include "ui/commands/key_overview.h"
#include "ui/commands/palette.h"
#include "ui/commands/step_commands.h"
#include "ui/compare/compare_view.h"
#include "ui/executables/executables_view.h"
#include "ui/export/ask_where.h"
#include "ui/flame/flame_page.h"
#include "ui/lens/lens_bar.h"
#include "ui/neighbours/neighbours_view.h"
#include "ui/records/records_view.h"
#include "ui/settings/settings_dialog.h"
#include "ui/table/top_view.h"
#include "ui/table/tree_view.h"
#include "ui/theme/function_names.h"
#include "ui/timeline/timeline_view.h"
#include "ui/traces/traces_view.h"
#include "ui/window/main_window.h"
#include "ui/window/start_page.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTreeView>

#include <utility>

// What can be done in the window, with its keys. The steps on functions are in ui/commands/step_commands.cpp.

namespace hearth {

void MainWindow::makeCommands()
{
    makeFileCommands();
    makeRecordCommands();
    makeViewCommands();
    makeExportCommands();
    makeFlameCommands();
    makeTimeCommands();
    makeTraceCommands();
    makeCompareCommands();
    makeThemeCommands();
}

void MainWindow::makeFileCommands()
{
    const QString group = tr("Hearth");
    m_commands.add(QStringLiteral("open"), group, tr("Open files…"), {QKeySequence(Qt::CTRL | Qt::Key_O)},
                   [this] { askForFiles(); });
    m_commands.add(QStringLiteral("save"), group, tr("Save the data set as…"),
                   {QKeySequence(Qt::CTRL | Qt::Key_S)},
                   [this] { askWhereToSave(Lens(), tr("Save the data set")); });
    m_commands.add(QStringLiteral("save-part"), group, tr("Save what is in view as…"),
                   {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)},
                   [this] { askWhereToSave(m_session.lens(), tr("Save what is in view")); });
    m_commands.add(QStringLiteral("open-workspace"), group, tr("Open workspace…"),
                   {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O)}, [this] { askForWorkspace(); });
    m_commands.add(QStringLiteral("save-workspace"), group, tr("Save workspace"),
                   {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_S)}, [this] { saveWorkspace(); });
    m_commands.add(QStringLiteral("save-workspace-as"), group, tr("Save workspace as…"),
                   {QKeySequence(Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_S)},
                   [this] { askWhereToSaveWorkspace(); });
    m_commands.add(QStringLiteral("open-demo"), group, tr("Open the demo"), {},
                   [this] { Q_EMIT demoRequested(); });
    m_commands.add(QStringLiteral("new-window"), group, tr("New window"),
                   {QKeySequence(Qt::CTRL | Qt::Key_N)}, [this] { Q_EMIT newWindowRequested(); });
    m_commands.add(QStringLiteral("help-sending"), group, tr("How to send data here"), {},
                   [this] { showSendingHelp(); });
    m_commands.add(QStringLiteral("go-to"), group, tr("Go to function, thread, command"),
                   {QKeySequence(Qt::CTRL | Qt::Key_P)}, [this] { m_palette->open(); });
    m_commands.add(QStringLiteral("commands"), group, tr("Commands"),
                   {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), QKeySequence(Qt::Key_F1)},
                   [this] { m_palette->open(QStringLiteral("> ")); });
    m_commands.add(QStringLiteral("key-overview"), group, tr("Keys"), {QKeySequence(Qt::Key_Question)},
                   [this] { new KeyOverview(m_commands, *this); });
    m_commands.add(QStringLiteral("settings"), group, tr("Settings…"),
                   {QKeySequence(Qt::CTRL | Qt::Key_Comma)}, [this] { showSettings(); });
    m_commands.add(QStringLiteral("close-window"), group, tr("Close window"),
                   {QKeySequence(Qt::CTRL | Qt::Key_W)}, [this] { close(); });
    m_commands.add(QStringLiteral("quit"), group, tr("Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)},
                   [] { QApplication::closeAllWindows(); });
}

void MainWindow::makeViewCommands()
{
    const QString group = tr("Views");
    constexpr int kKeys = 9; // 0 shows all of the flame graph
    for (int i = 0; i < m_views->count(); ++i)
        m_commands.add(QStringLiteral("view-%1").arg(i + 1), group, m_views->tabText(i),
                       i < kKeys ? QList<QKeySequence>{Qt::Key(Qt::Key_1 + i)} : QList<QKeySequence>(),
                       [this, i] {
                           m_views->setCurrentIndex(i);
                           m_views->currentWidget()->setFocus();
                       });
    m_commands.add(QStringLiteral("search"), group, tr("Search"), {QKeySequence(Qt::CTRL | Qt::Key_F)},
                   [this] { search(); });
    m_commands.add(QStringLiteral("edit-lens"), group, tr("Filter"), {QKeySequence(Qt::Key_Slash)},
                   [this] { m_lensBar->edit()->setFocus(); });
    m_commands.add(QStringLiteral("edit-lens-text"), group, tr("Edit the whole lens as text"),
                   {QKeySequence(Qt::CTRL | Qt::Key_L)}, [this] { m_lensBar->editText(); });
    const auto addCopy = [&](const QString &id, const QString &text, const QList<QKeySequence> &keys,
                             QString (*textOf)(const CopiedTable &)) {
        m_commands.add(id, group, text, keys, [this, textOf] { copyTables(textOf); });
    };
    addCopy(QStringLiteral("copy-table"), tr("Copy the table"),
            {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C)}, asTsv);
    addCopy(QStringLiteral("copy-table-text"), tr("Copy the table as text"), {}, asText);
    addCopy(QStringLiteral("copy-table-markdown"), tr("Copy the table as Markdown"), {}, asMarkdown);
    addCopy(QStringLiteral("copy-table-json"), tr("Copy the table as JSON"), {}, asJson);
    const auto addToggle = [&](const QString &id, const QString &text, const QKeySequence &keys,
                               QDockWidget *MainWindow::*dock) {
        m_commands.add(id, group, text, {keys},
                       [this, dock] { (this->*dock)->setVisible(!(this->*dock)->isVisible()); });
    };
    addToggle(QStringLiteral("show-sources"), tr("Sources and attributes"), Qt::Key_F9,
              &MainWindow::m_sourcesDock);
    addToggle(QStringLiteral("show-inspector"), tr("Inspector"), Qt::Key_F10, &MainWindow::m_inspectorDock);
    addToggle(QStringLiteral("show-log"), tr("Log"), Qt::Key_F12, &MainWindow::m_logDock);
    m_commands.add(QStringLiteral("show-senders"), group, tr("Senders and requests"), {Qt::Key_F11},
                   [this] { Q_EMIT sendersRequested(); });
    m_commands.add(QStringLiteral("reset-layout"), group, tr("Put the panels back"), {},
                   [this] { resetLayout(); });
}

void MainWindow::makeFlameCommands()
{
    const QString group = tr("Flame graph");
    FlameView *view = m_flames->view();
    m_commands.add(QStringLiteral("fit-all"), group, tr("Show all"), {QKeySequence(Qt::Key_0)},
                   [view] { view->zoomTo(TreeShape::kRoot); });
    m_commands.add(QStringLiteral("zoom-back"), group, tr("Zoom back"),
                   {QKeySequence(Qt::ALT | Qt::Key_Left)}, [view] { view->zoomBack(); });
    m_commands.add(QStringLiteral("zoom-forward"), group, tr("Zoom forward"),
                   {QKeySequence(Qt::ALT | Qt::Key_Right)}, [view] { view->zoomForward(); });
    m_commands.add(QStringLiteral("next-match"), group, tr("Next match"), {QKeySequence(Qt::Key_F3)},
                   [view] { view->selectMatch(true); });
    m_commands.add(QStringLiteral("previous-match"), group, tr("Previous match"),
                   {QKeySequence(Qt::SHIFT | Qt::Key_F3)}, [view] { view->selectMatch(false); });
}

void MainWindow::makeTimeCommands()
{
    const QString group = tr("Time");
    m_commands.add(QStringLiteral("range-zoom"), group, tr("Zoom the timeline to the range"),
                   {QKeySequence(Qt::Key_Z)}, [this] { m_timeline->zoomToRange(); });
    m_commands.add(QStringLiteral("range-clear"), group, tr("All of the time"),
                   {QKeySequence(Qt::SHIFT | Qt::Key_Z)}, [this] {
                       m_timeline->clearRange();
                       m_timeline->zoomOut(0);
                   });
    m_commands.add(QStringLiteral("range-begin"), group, tr("The range begins at the mouse"),
                   {QKeySequence(Qt::Key_BracketLeft)}, [this] { m_timeline->setRangeEdge(false); });
    m_commands.add(QStringLiteral("range-end"), group, tr("The range ends at the mouse"),
                   {QKeySequence(Qt::Key_BracketRight)}, [this] { m_timeline->setRangeEdge(true); });
    m_commands.add(QStringLiteral("go-to-timeline"), group, tr("Go to the timeline"),
                   {QKeySequence(Qt::Key_T)}, [this] { m_timeline->setFocus(); });
    m_commands.add(QStringLiteral("follow"), group, tr("Follow the newest data"), {},
                   [this] { m_timeline->follow(true); });
    m_commands.add(QStringLiteral("pause"), group, tr("Pause live data, or go on"),
                   {QKeySequence(Qt::Key_Space)}, [this] { m_session.setPaused(!m_session.isPaused()); });
}

void MainWindow::makeTraceCommands()
{
    const QString group = tr("Traces");
    m_commands.add(QStringLiteral("spans-of"), group, tr("Spans that ran the selected function"),
                   {QKeySequence(Qt::Key_S)}, [this] { showSpansOfSelection(); });
    m_commands.add(QStringLiteral("next-error"), group, tr("Next span with an error"),
                   {QKeySequence(Qt::Key_F8)}, [this] { m_traces->selectFailed(true); });
    m_commands.add(QStringLiteral("previous-error"), group, tr("Previous span with an error"),
                   {QKeySequence(Qt::SHIFT | Qt::Key_F8)}, [this] { m_traces->selectFailed(false); });
}

void MainWindow::makeCompareCommands()
{
    const QString group = tr("Compare");
    m_commands.add(QStringLiteral("compare-keep"), group, tr("Keep what is looked at as the baseline"),
                   {QKeySequence(Qt::Key_B)}, [this] { m_compare->keepView(); });
    m_commands.add(QStringLiteral("compare-swap"), group, tr("Swap both sides"), {QKeySequence(Qt::Key_X)},
                   [this] { m_compare->swap(); });
}

/// From code to spans: of these alone, so that what is listed is what ran it.
void MainWindow::showSpansOfSelection()
{
    const auto entry = m_session.selectedEntry();
    if (!entry)
        return;
    const Entry &selected = m_session.evaluation()->tree->entries()[*entry];
    Lens lens = keepStacksThrough(withoutSpanChoice(m_session.lens()), {selected.name, selected.binary});
    lens.noChildren = true;
    m_session.setLens(std::move(lens));
    m_traces->showTraces(true);
    m_views->setCurrentWidget(m_traces);
}

void MainWindow::makeThemeCommands()
{
    const QString group = tr("Theme");
    const auto addTheme = [&](const QString &id, const QString &text, std::optional<ThemeKind> kind) {
        m_commands.add(id, group, text, {}, [this, kind] { chooseTheme(kind); })->setCheckable(true);
    };
    addTheme(QStringLiteral("theme-system"), tr("As the system"), std::nullopt);
    addTheme(QStringLiteral("theme-light"), tr("Light"), ThemeKind::Light);
    addTheme(QStringLiteral("theme-dark"), tr("Dark"), ThemeKind::Dark);
    addTheme(QStringLiteral("theme-contrast"), tr("High contrast"), ThemeKind::HighContrast);
}

void MainWindow::chooseTheme(std::optional<ThemeKind> theme)
{
    Settings settings = Settings::load();
    settings.theme = theme;
    settings.save();
    for (QWidget *window : QApplication::topLevelWidgets())
        if (auto *other = qobject_cast<MainWindow *>(window))
            other->applySettings(settings);
}

void MainWindow::applySettings(const Settings &settings)
{
    const ThemeKind kind = settings.theme.value_or(systemTheme());
    if (theme().kind != kind)
        applyTheme(kind);
    m_commands[QStringLiteral("theme-system")]->setChecked(!settings.theme);
    m_commands[QStringLiteral("theme-light")]->setChecked(settings.theme == ThemeKind::Light);
    m_commands[QStringLiteral("theme-dark")]->setChecked(settings.theme == ThemeKind::Dark);
    m_commands[QStringLiteral("theme-contrast")]->setChecked(settings.theme == ThemeKind::HighContrast);
    showNames(settings.names);
    for (auto *view : findChildren<QAbstractItemView *>())
        view->viewport()->update();
    for (auto chosen = settings.keys.begin(); chosen != settings.keys.end(); ++chosen)
        if (m_commands.has(chosen.key()))
            m_commands.setKeys(chosen.key(), chosen.value());
    m_flames->setGrowsUp(settings.growsUp);
    for (FlameView *view : {m_flames->view(), m_traces->flames(), m_compare->flames()})
        view->setAnimated(!settings.reducedMotion);
}

/// Where a view is searched; null if it has nothing of the kind.
QLineEdit *MainWindow::searchOf(const QWidget *view) const
{
    return view == m_flames    ? m_flames->search()
           : view == m_top     ? m_top->filter()
           : view == m_chart   ? m_chart->search()
           : view == m_traces  ? m_traces->search()
           : view == m_records ? m_records->filter()
           : view == m_compare ? m_compare->search()
                               : nullptr;
}

void MainWindow::search()
{
    if (searchOf(m_views->currentWidget()) == nullptr)
        m_views->setCurrentWidget(m_flames);
    QLineEdit *edit = searchOf(m_views->currentWidget());
    edit->setFocus();
    edit->selectAll();
}

void MainWindow::askForFiles()
{
    const QString folderKey = QStringLiteral("folder");
    const QStringList files = QFileDialog::getOpenFileNames(
        this, tr("Open profiles"), QSettings().value(folderKey).toString(),
        tr("Profiles, workspaces (*.hearth *.pb.gz *.pb *.pprof *.otlp *.otlp.gz *.folded *.collapsed *.txt "
           "*.gz *.zst "
           "*.bin *.json *.jsonl *.data *.jfr *.cpuprofile *.heapprofile *.prof *.heap callgrind.out.* "
           "massif.out.* heaptrack.*);;All files (*)"));
    if (files.isEmpty())
        return;
    QSettings().setValue(folderKey, QFileInfo(files.first()).absolutePath());
    Q_EMIT openRequested(files);
}

void MainWindow::askForWorkspace()
{
    const QString folderKey = QStringLiteral("folder");
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Open a workspace"), QSettings().value(folderKey).toString(),
                                     tr("Workspaces (*.hearth);;All files (*)"));
    if (file.isEmpty())
        return;
    QSettings().setValue(folderKey, QFileInfo(file).absolutePath());
    Q_EMIT openRequested({file});
}

void MainWindow::saveWorkspace()
{
    if (m_workspace.isEmpty())
        return askWhereToSaveWorkspace();
    Q_EMIT saveWorkspaceRequested({});
}

void MainWindow::askWhereToSaveWorkspace()
{
    QString file =
        askWhereToWrite(this, tr("Save the workspace"), m_workspace.isEmpty() ? m_title : m_workspace,
                        tr("Workspaces (*.hearth)"));
    if (file.isEmpty())
        return;
    if (!file.endsWith(QLatin1String(".hearth")))
        file += QLatin1String(".hearth");
    Q_EMIT saveWorkspaceRequested(file);
}

void MainWindow::askWhereToSave(const Lens &lens, const QString &question)
{
    if (!m_session.snapshot())
        return showMessage(MessageKind::Note, tr("There is nothing to be saved yet."));
    const QString file = askWhereToWrite(
        this, question, m_title,
        tr("OTLP (*.otlp.zst *.otlp.gz *.otlp);;pprof (*.pb.gz);;folded stacks (*.folded);;speedscope "
           "(*.speedscope.json);;Firefox Profiler (*.firefox.json)"));
    if (!file.isEmpty())
        Q_EMIT saveRequested(lens, file);
}

void MainWindow::showSettings()
{
    auto *dialog = new SettingsDialog(m_commands, this);
    connect(dialog, &SettingsDialog::settingsChanged, this, &MainWindow::applySettings);
    connect(dialog, &SettingsDialog::settingsChanged, this, &MainWindow::symbolSettingsChanged);
    dialog->open();
}

/// The start page again, until data is looked at.
void MainWindow::showSendingHelp()
{
    const bool isShown = m_pages->currentWidget() == m_start;
    if (!m_session.snapshot())
        return;
    m_pages->setCurrentIndex(isShown ? 1 : 0);
}

QList<CopiedTable> MainWindow::shownTables() const
{
    const QWidget *view = m_views->currentWidget();
    if (view == m_top)
        return {copyOf(*m_top->table())};
    if (view == m_tree)
        return {copyOf(*m_tree->tree())};
    if (view == m_executables)
        return {copyOf(*m_executables->table())};
    if (view == m_records)
        return {copyOf(*m_records->table())};
    if (view == m_compare && m_compare->table()->isVisible())
        return {copyOf(*m_compare->table())};
    if (view == m_traces)
        return {copyOf(m_traces->traces()->isVisible() ? *m_traces->traces() : *m_traces->groups())};
    QList<CopiedTable> tables;
    if (view == m_neighbours)
        for (const QTableView *table :
             {m_neighbours->callers(), m_neighbours->callees(), m_neighbours->lines()})
            tables += copyOf(*table);
    return tables;
}

void MainWindow::copyTables(QString (*textOf)(const CopiedTable &))
{
    QStringList texts;
    for (const CopiedTable &table : shownTables())
        texts += textOf(table);
    if (texts.isEmpty())
        return showMessage(MessageKind::Note,
                           tr("There is no table in this view; its stacks can be copied."));
    QApplication::clipboard()->setText(texts.join(QLatin1Char('\n')));
}

void MainWindow::showFrameMenu(const QPoint &globalPosition)
{
    QMenu menu;
    m_steps->fillMenu(menu);
    menu.addSeparator();
    m_commands.fill(menu, {QStringLiteral("spans-of")});
    if (!shownTables().isEmpty()) {
        menu.addSeparator();
        m_commands.fill(menu, {QStringLiteral("copy-table"), QStringLiteral("copy-table-text"),
                               QStringLiteral("copy-table-markdown"), QStringLiteral("copy-table-json"),
                               QStringLiteral("save-table")});
    }
    menu.addSeparator();
    m_commands.fill(menu, {QStringLiteral("save-flames"), QStringLiteral("copy-picture")});
    menu.exec(globalPosition);
}

/// Of tables whose rows are no functions.
void MainWindow::showTableMenu(const QPoint &globalPosition)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (m_views->currentWidget() == m_executables)
        m_executables->fillMenu(*menu);
    m_commands.fill(*menu, {QStringLiteral("copy-table"), QStringLiteral("copy-table-text"),
                            QStringLiteral("copy-table-markdown"), QStringLiteral("copy-table-json"),
                            QStringLiteral("save-table"), QStringLiteral("copy-picture")});
    menu->popup(globalPosition);
}

} // namespace hearth
