#include "ui/window/main_window.h"

#include "model/lens/lens_text.h"
#include "ui/flame/flame_page.h"
#include "ui/inspector/inspector.h"
#include "ui/lens/lens_bar.h"
#include "ui/table/top_view.h"
#include "ui/table/tree_view.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"
#include "ui/window/start_page.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>

namespace hearth {

namespace {

constexpr const char *kGeometryKey = "window/geometry";
constexpr const char *kStateKey = "window/state";
constexpr const char *kThemeKey = "theme";
constexpr int kFollowSystem = -1;

/// An expression that matches this name and nothing else.
std::string exactly(std::string_view name)
{
    std::string expression = "^";
    for (const char character : name) {
        if (std::string_view("\\^$.|?*+()[]{}").find(character) != std::string_view::npos)
            expression += '\\';
        expression += character;
    }
    return expression + '$';
}

QString megabytes(std::size_t bytes)
{
    return QLocale().toString(qulonglong(bytes >> 20)) + QChar(0x202f) + QStringLiteral("MB");
}

} // namespace

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent), m_pages(new QStackedWidget(this)), m_start(new StartPage(this)),
      m_lensBar(new LensBar(m_session, this)), m_views(new QTabWidget(this)),
      m_flames(new FlamePage(m_session, this)), m_top(new TopView(m_session, this)),
      m_tree(new CallTreeView(m_session, this)), m_inspector(new Inspector(m_session, this)),
      m_listening(new QLabel(this)), m_messageBar(makeMessageBar()), m_progress(new QLabel(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)), m_samples(new QLabel(this)), m_losses(new QLabel(this)),
      m_memory(new QLabel(this))
{
    setWindowTitle(QStringLiteral("Hearth"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);

    m_views->setDocumentMode(true);
    m_views->addTab(m_flames, tr("Flame graph"));
    m_views->addTab(m_top, tr("Top functions"));
    m_views->addTab(m_tree, tr("Call tree"));
    auto *dataPage = new QWidget(this);
    auto *column = new QVBoxLayout(dataPage);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_lensBar);
    column->addWidget(m_views, 1);
    m_pages->addWidget(m_start);
    m_pages->addWidget(dataPage);

    auto *centre = new QWidget(this);
    auto *layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_messageBar);
    layout->addWidget(m_pages, 1);
    setCentralWidget(centre);
    setMenuWidget(makeTopBar());

    auto *inspector = new QDockWidget(tr("Inspector"), this);
    inspector->setObjectName(QStringLiteral("inspector"));
    inspector->setTitleBarWidget(new QWidget(inspector));
    inspector->setWidget(m_inspector);
    m_inspector->setMinimumWidth(260);
    addDockWidget(Qt::RightDockWidgetArea, inspector);
    inspector->hide();

    makeStatusBar();
    makeActions();
    connect(m_start, &StartPage::openRequested, this, &MainWindow::askForFiles);
    connect(m_flames->view(), &FlameView::menuRequested, this, &MainWindow::showFrameMenu);
    connect(m_top, &TopView::activated, this, [this] { m_views->setCurrentWidget(m_flames); });
    connect(&m_session, &Session::evaluationChanged, this, &MainWindow::showStatus);
    connect(&m_session, &Session::evaluationStarted, this, &MainWindow::showStatus);
    connect(&m_session, &Session::snapshotChanged, this, &MainWindow::showStatus);
    showStatus();

    const QSettings settings;
    resize(1440, 900);
    restoreGeometry(settings.value(QLatin1String(kGeometryKey)).toByteArray());
    restoreState(settings.value(QLatin1String(kStateKey)).toByteArray());
    inspector->setVisible(false);
}

QWidget *MainWindow::makeTopBar()
{
    auto *bar = new QWidget(this);
    bar->setBackgroundRole(QPalette::AlternateBase);
    bar->setAutoFillBackground(true);
    bar->setFixedHeight(40);
    auto *open = new QPushButton(tr("Open…"), bar);
    open->setToolTip(tr("Ctrl+O"));
    connect(open, &QPushButton::clicked, this, &MainWindow::askForFiles);
    auto *menuButton = new QPushButton(QStringLiteral("☰"), bar);
    menuButton->setProperty("quiet", true);
    menuButton->setAccessibleName(tr("Menu"));
    auto *menu = new QMenu(menuButton);
    auto *themes = menu->addMenu(tr("Theme"));
    auto *group = new QActionGroup(this);
    const int chosen = QSettings().value(QLatin1String(kThemeKey), kFollowSystem).toInt();
    const std::array<std::pair<QString, int>, 4> choices{
        {{tr("Follow the system"), kFollowSystem},
         {tr("Light"), int(ThemeKind::Light)},
         {tr("Dark"), int(ThemeKind::Dark)},
         {tr("High contrast"), int(ThemeKind::HighContrast)}}};
    for (const auto &[name, kind] : choices) {
        QAction *action = group->addAction(themes->addAction(name));
        action->setCheckable(true);
        action->setChecked(kind == chosen);
        connect(action, &QAction::triggered, this, [this, kind = kind] { setTheme(kind); });
    }
    connect(menu->addAction(tr("Inspector")), &QAction::triggered, this, [this] {
        QWidget *dock = m_inspector->parentWidget();
        dock->setVisible(!dock->isVisible());
    });
    menu->addSeparator();
    connect(menu->addAction(tr("Quit")), &QAction::triggered, this, &QWidget::close);
    menuButton->setMenu(menu);

    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(10, 5, 10, 5);
    layout->setSpacing(8);
    layout->addWidget(open);
    layout->addSpacing(8);
    layout->addWidget(m_listening);
    layout->addStretch();
    layout->addWidget(menuButton);
    return bar;
}

QWidget *MainWindow::makeMessageBar()
{
    auto *bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("message"));
    m_message = new QLabel(bar);
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *close = new QPushButton(QStringLiteral("✕"), bar);
    close->setProperty("quiet", true);
    close->setAccessibleName(tr("Close the message"));
    connect(close, &QPushButton::clicked, bar, &QWidget::hide);
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(12, 4, 6, 4);
    layout->addWidget(m_message, 1);
    layout->addWidget(close, 0, Qt::AlignTop);
    bar->hide();
    return bar;
}

void MainWindow::makeStatusBar()
{
    for (QLabel *label : {m_samples, m_losses, m_progress, m_memory})
        label->setContentsMargins(6, 0, 6, 0);
    m_cancel->setProperty("quiet", true);
    m_cancel->hide();
    connect(m_cancel, &QPushButton::clicked, this, &MainWindow::cancelRequested);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_samples);
    statusBar()->addWidget(m_losses);
    statusBar()->addPermanentWidget(m_progress);
    statusBar()->addPermanentWidget(m_cancel);
    statusBar()->addPermanentWidget(m_memory);
}

QAction *MainWindow::addCommand(const QString &text, const QKeySequence &keys, std::function<void()> run)
{
    auto *action = new QAction(text, this);
    action->setShortcut(keys);
    connect(action, &QAction::triggered, this, std::move(run));
    addAction(action);
    return action;
}

void MainWindow::makeActions()
{
    addCommand(tr("Open…"), QKeySequence::Open, [this] { askForFiles(); });
    addCommand(tr("Undo"), QKeySequence::Undo, [this] { m_session.undo(); });
    addCommand(tr("Redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), [this] { m_session.redo(); });
    addCommand(tr("Edit the lens as text"), QKeySequence(Qt::CTRL | Qt::Key_L),
               [this] { m_lensBar->editText(); });
    addCommand(tr("Search"), QKeySequence::Find, [this] {
        QLineEdit *edit = m_views->currentWidget() == m_top ? m_top->filter() : m_flames->search();
        if (edit == m_flames->search())
            m_views->setCurrentWidget(m_flames);
        edit->setFocus();
        edit->selectAll();
    });
    for (int i = 0; i < m_views->count(); ++i)
        addCommand(m_views->tabText(i), QKeySequence(Qt::ALT | Qt::Key(Qt::Key_1 + i)),
                   [this, i] { m_views->setCurrentIndex(i); });
    addCommand(tr("Quit"), QKeySequence::Quit, [this] { close(); });

    // Single keys work where no text is typed: in the views.
    const auto frameCommand = [this](const QString &text, const QKeySequence &keys,
                                     std::function<void()> run) {
        auto *action = new QAction(text, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, std::move(run));
        m_flames->view()->addAction(action);
        m_top->table()->addAction(action);
        m_tree->addAction(action);
        m_frameActions.push_back(action);
    };
    frameCommand(tr("Only stacks through it"), QKeySequence(Qt::Key_F), [this] { addPathTerm(false); });
    frameCommand(tr("Drop stacks through it"), QKeySequence(Qt::Key_D), [this] { addPathTerm(true); });
    frameCommand(tr("Hide it (merge into callers)"), QKeySequence(Qt::Key_M),
                 [this] { addFrameTerm(FrameTermKind::Hide); });
    frameCommand(tr("Begin stacks at it"), QKeySequence(Qt::SHIFT | Qt::Key_F),
                 [this] { addFrameTerm(FrameTermKind::From); });
    frameCommand(tr("Pivot on it"), QKeySequence(Qt::Key_P), [this] { addFrameTerm(FrameTermKind::Pivot); });
    frameCommand(tr("Call tree bottom-up"), QKeySequence(Qt::Key_I), [this] { toggleInverted(); });
    frameCommand(tr("Copy name"), QKeySequence::Copy, [this] { copyName(); });
    frameCommand(tr("Copy stack"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), [this] { copyStack(); });
}

void MainWindow::showFrameMenu(const QPoint &globalPosition)
{
    const bool isSelected = m_session.selectedEntry().has_value();
    for (QAction *action : m_frameActions)
        action->setEnabled(isSelected || action->shortcut() == QKeySequence(Qt::Key_I));
    QMenu menu;
    menu.addActions(m_frameActions);
    menu.exec(globalPosition);
    for (QAction *action : m_frameActions)
        action->setEnabled(true);
}

void MainWindow::addFrameTerm(FrameTermKind kind)
{
    if (!m_session.selectedEntry())
        return;
    Lens lens = m_session.lens();
    lens.frames.push_back({.kind = kind, .text = exactly(m_session.selectedName().toStdString())});
    m_session.setLens(std::move(lens));
}

void MainWindow::addPathTerm(bool isNegated)
{
    if (!m_session.selectedEntry())
        return;
    Lens lens = m_session.lens();
    lens.paths.push_back({.kind = PathTermKind::Regex,
                          .text = exactly(m_session.selectedName().toStdString()),
                          .isNegated = isNegated});
    m_session.setLens(std::move(lens));
}

void MainWindow::toggleInverted()
{
    m_tree->setInverted(!m_tree->model()->isInverted());
    m_views->setCurrentWidget(m_tree);
}

void MainWindow::copyName()
{
    if (m_session.selectedEntry())
        QApplication::clipboard()->setText(m_session.selectedName());
}

/// From the root to the selected frame, a line each.
QString MainWindow::selectedStack() const
{
    if (m_session.selectedNode().isNone())
        return m_session.selectedName();
    const CallTree &tree = *m_session.evaluation()->tree;
    QStringList names;
    for (NodeId node = m_session.selectedNode(); node != TreeShape::kRoot; node = tree.parent(node)) {
        const std::string_view name = tree.entries()[tree.entryOf(node)].name;
        names.prepend(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
    }
    return names.join(QLatin1Char('\n'));
}

void MainWindow::copyStack()
{
    QApplication::clipboard()->setText(selectedStack());
}

void MainWindow::setTheme(int kind)
{
    QSettings().setValue(QLatin1String(kThemeKey), kind);
    applyTheme(kind == kFollowSystem ? systemTheme() : static_cast<ThemeKind>(kind));
    Q_EMIT m_session.lensChanged(); // chips have colours of their own
    for (QWidget *widget : QApplication::allWidgets())
        widget->update();
}

void MainWindow::showSnapshot(std::shared_ptr<const Snapshot> snapshot, const QString &title)
{
    setWindowTitle(title.isEmpty() ? QStringLiteral("Hearth") : title + QStringLiteral(" – Hearth"));
    const bool isFirst = m_pages->currentWidget() == m_start;
    m_pages->setCurrentIndex(1);
    if (isFirst) {
        m_inspector->parentWidget()->show();
        m_flames->view()->setFocus();
    }
    m_session.setSnapshot(std::move(snapshot));
}

void MainWindow::setProgress(const QString &text)
{
    m_progress->setText(text);
    m_cancel->setVisible(!text.isEmpty());
}

void MainWindow::showMessage(const QString &text, bool isProblem)
{
    const QColor edge = isProblem ? theme().bad : theme().warn;
    m_messageBar->setStyleSheet(
        QStringLiteral("#message { background: %1; border-bottom: 1px solid %2; }")
            .arg(mixed(theme().panel, edge, 0.12).name(), mixed(theme().panel, edge, 0.5).name()));
    m_message->setText(text);
    m_messageBar->show();
}

void MainWindow::setListening(const QString &text, bool isListening)
{
    m_listening->setText(QStringLiteral("<span style='color:%1'>●</span> %2")
                             .arg((isListening ? theme().good : theme().faint).name(), text.toHtmlEscaped()));
    m_start->setListening(isListening ? text.section(QLatin1Char(' '), 0, 0) : QString(),
                          isListening ? QString() : text);
}

void MainWindow::showStatus()
{
    const auto &snapshot = m_session.snapshot();
    if (!snapshot) {
        m_samples->setText(tr("no data yet"));
        m_losses->clear();
        m_memory->clear();
        return;
    }
    const auto &evaluation = m_session.evaluation();
    QString text = tr("%1 samples").arg(QLocale().toString(qulonglong(snapshot->sampleCount())));
    if (m_session.isEvaluating())
        text += tr(" · computing…");
    else if (evaluation)
        text += tr(" · %1 of %2 in view (%3)")
                    .arg(valueText(evaluation->matched, evaluation->series.unit),
                         valueText(evaluation->total, evaluation->series.unit),
                         shareText(static_cast<double>(evaluation->matched),
                                   static_cast<double>(evaluation->total)));
    m_samples->setText(text);
    QStringList losses;
    for (std::size_t kind = 0; kind < kLossKinds; ++kind)
        if (const std::uint64_t count = snapshot->losses.count(static_cast<Loss>(kind)); count > 0) {
            const std::string_view explanation = describe(static_cast<Loss>(kind)).explanation;
            losses += QLocale().toString(qulonglong(count)) + QStringLiteral(" × ") +
                      QString::fromUtf8(explanation.data(), static_cast<qsizetype>(explanation.size()));
        }
    for (const std::string &detail : snapshot->losses.details())
        losses += QString::fromStdString(detail);
    m_losses->setText(losses.isEmpty() ? QString()
                                       : QStringLiteral("<span style='color:%1'>%2</span>")
                                             .arg(theme().warn.name(), tr("something is missing")));
    m_losses->setToolTip(losses.join(QLatin1Char('\n')));
    m_memory->setText(megabytes(snapshot->memory.total()));
    m_memory->setToolTip(
        tr("Samples %1, names and stacks %2")
            .arg(megabytes(snapshot->memory.samples), megabytes(snapshot->memory.dictionary)));
}

void MainWindow::askForFiles()
{
    const QStringList files = QFileDialog::getOpenFileNames(
        this, tr("Open profiles"), QSettings().value(QStringLiteral("folder")).toString(),
        tr("Profiles (*.pb.gz *.pb *.pprof *.otlp *.otlp.gz *.folded *.collapsed *.txt *.gz *.zst "
           "*.bin);;All files (*)"));
    if (files.isEmpty())
        return;
    QSettings().setValue(QStringLiteral("folder"), QFileInfo(files.first()).absolutePath());
    Q_EMIT openRequested(files);
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
    settings.setValue(QLatin1String(kStateKey), saveState());
    QMainWindow::closeEvent(event);
}

} // namespace hearth
