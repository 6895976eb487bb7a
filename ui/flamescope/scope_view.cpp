#include "ui/flamescope/scope_view.h"

#include "model/views/time_range.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <array>
#include <utility>

namespace hearth {

namespace {

constexpr std::size_t kMostRows = 50;

} // namespace

ScopeView::ScopeView(Session &session, QWidget *parent) : QWidget(parent), m_session(session)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setCursor(Qt::CrossCursor);
    setAccessibleName(tr("FlameScope"));
    connect(&session, &Session::snapshotChanged, this, &ScopeView::takeSnapshot);
    connect(&session, &Session::lensChanged, this, [this] {
        showBrush();
        make();
    });
}

void ScopeView::takeSnapshot()
{
    if (!m_session.evaluation()) { // another data set
        m_scene = ScopeScene();
        m_scene.size = size();
        m_madeOf = nullptr;
    } else if (m_worker.isBusy()) {
        m_isOutdated = true; // what is being summed comes to its end: data may arrive faster
        return;
    }
    make();
}

/// On the worker, and only while somebody looks.
void ScopeView::make()
{
    m_isStale = !isVisible() || !m_session.snapshot();
    if (m_isStale)
        return;
    Lens lens = m_session.lens();
    lens.time = {}; // is chosen here
    if (m_madeOf == m_session.snapshot() && m_madeFor == lens)
        return;
    m_madeOf = m_session.snapshot();
    m_madeFor = lens;
    m_worker.run([this, snapshot = m_madeOf, lens](const std::stop_token &stop) -> Worker::Delivery {
        const auto scope = flameScopeOf(snapshot, lens, kMostRows, stop);
        if (scope && !*scope)
            return nullptr;
        return [this, scope] { take(scope); };
    });
}

void ScopeView::take(const Result<std::shared_ptr<const FlameScope>> &scope)
{
    m_problem = scope ? QString() : QString::fromStdString(scope.error().message);
    m_scene.scope = scope ? *scope : nullptr;
    m_scene.first.reset();
    m_scene.current.reset();
    showBrush();
    if (std::exchange(m_isOutdated, false))
        make();
}

void ScopeView::showBrush()
{
    m_scene.brushed.reset();
    if (m_session.snapshot() && !m_session.lens().time.isEverything())
        m_scene.brushed = resolve(m_session.lens().time, *m_session.snapshot());
    update();
}

QString ScopeView::message() const
{
    if (!m_problem.isEmpty() || !m_scene.scope)
        return m_problem;
    if (m_scene.scope->untimed > 0 && m_scene.isEmpty())
        return tr("The %1 samples of this data have no times, so nobody can say when they were taken.\n"
                  "The other views work without.")
            .arg(countText(m_scene.scope->untimed));
    return m_scene.isEmpty() ? tr("There are no samples.") : QString();
}

void ScopeView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    if (const QString text = message(); !text.isEmpty()) {
        painter.setPen(theme().muted);
        painter.drawText(rect().adjusted(40, 0, -40, 0), Qt::AlignCenter | Qt::TextWordWrap, text);
    }
    paintScope(painter, m_scene, font());
    if (hasFocus()) {
        painter.setPen(theme().accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void ScopeView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_scene.size = size();
}

void ScopeView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_isStale)
        make();
}

void ScopeView::leaveEvent(QEvent *event)
{
    QWidget::leaveEvent(event);
    m_scene.current.reset();
    update();
}

// ---- choosing a range

/// The first end waits for the second; they may come in either order.
void ScopeView::takeEnd(std::size_t cell)
{
    if (!m_scene.first) {
        m_scene.first = cell;
        return update();
    }
    const std::size_t first = *std::exchange(m_scene.first, std::nullopt);
    const auto dataSet = timeSpanOf(*m_session.snapshot());
    if (!dataSet)
        return;
    const FlameScope &scope = *m_scene.scope;
    Lens lens = m_session.lens();
    lens.time =
        timeTermOf({scope.beginOf(std::min(first, cell)), scope.beginOf(std::max(first, cell) + 1) - 1},
                   *dataSet, scope.cellNs() / 100);
    m_session.setLens(std::move(lens));
    update();
}

void ScopeView::mousePressEvent(QMouseEvent *event)
{
    const auto cell = m_scene.cellAt(event->position());
    if (event->button() != Qt::LeftButton || !cell)
        return;
    m_pressedAt = event->position();
    m_scene.current = cell;
    takeEnd(*cell);
}

void ScopeView::mouseMoveEvent(QMouseEvent *event)
{
    const auto cell = m_scene.cellAt(event->position());
    if (cell == m_scene.current)
        return;
    m_scene.current = cell;
    update();
}

/// Where a drag ends is its second end.
void ScopeView::mouseReleaseEvent(QMouseEvent *event)
{
    constexpr double kDragDistance = 4;
    const auto pressedAt = std::exchange(m_pressedAt, std::nullopt);
    const auto cell = m_scene.cellAt(event->position());
    if (!pressedAt || !cell || !m_scene.first)
        return;
    if ((event->position() - *pressedAt).manhattanLength() > kDragDistance && *cell != *m_scene.first)
        takeEnd(*cell);
}

void ScopeView::moveCurrent(int columns, int rows)
{
    if (m_scene.isEmpty())
        return;
    const auto count = static_cast<std::int64_t>(m_scene.scope->cells.size());
    const auto perColumn = static_cast<std::int64_t>(m_scene.scope->rows);
    const std::int64_t from = m_scene.current ? static_cast<std::int64_t>(*m_scene.current) : 0;
    const std::int64_t to = from + columns * perColumn + rows;
    if (to >= 0 && to < count)
        m_scene.current = static_cast<std::size_t>(to);
    setAccessibleDescription(tr("%1, %2").arg(
        valueText(m_scene.scope->beginOf(*m_scene.current) - m_scene.scope->all.begin, "nanoseconds"),
        valueText(m_scene.scope->cells[*m_scene.current], m_scene.scope->series.unit)));
    update();
}

void ScopeView::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return moveCurrent(-1, 0);
    case Qt::Key_Right:
        return moveCurrent(1, 0);
    case Qt::Key_Up:
        return moveCurrent(0, 1);
    case Qt::Key_Down:
        return moveCurrent(0, -1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_scene.current)
            takeEnd(*m_scene.current);
        return;
    case Qt::Key_Escape: {
        if (std::exchange(m_scene.first, std::nullopt))
            return update();
        Lens lens = m_session.lens();
        lens.time = {};
        return m_session.setLens(std::move(lens));
    }
    default:
        QWidget::keyPressEvent(event);
    }
}

bool ScopeView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QString text;
    if (const auto cell = m_scene.cellAt(help->pos())) {
        const FlameScope &scope = *m_scene.scope;
        text = tr("%1 in %2, %3 after the start\nA column is %4. Two clicks or a drag choose a range, Esc "
                  "shows all")
                   .arg(valueText(scope.cells[*cell], scope.series.unit),
                        valueText(static_cast<std::int64_t>(scope.cellNs()), "nanoseconds"),
                        valueText(std::max<std::int64_t>(0, scope.beginOf(*cell) - scope.all.begin),
                                  "nanoseconds"),
                        valueText(scope.columnNs, "nanoseconds"));
    }
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

} // namespace hearth
