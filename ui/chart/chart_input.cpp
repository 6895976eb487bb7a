#include "ui/chart/chart_view.h"
#include "ui/theme/figures.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

// What mouse and keys do in the time chart.

namespace hearth {

void ChartView::mousePressEvent(QMouseEvent *event)
{
    if (!m_scene.chart || event->button() != Qt::LeftButton)
        return;
    m_pressedAt = event->pos();
    m_shownAtPress = m_scene.shown;
    m_scrollAtPress = verticalScrollBar()->value();
    m_isDragging = false;
    const bool isInAxis = event->pos().y() < ChartScene::kAxisHeight;
    if (event->pos().x() < m_scene.left())
        m_drag = Drag::None;
    else
        m_drag = isInAxis || (event->modifiers() & Qt::ControlModifier) != 0 ? Drag::Range : Drag::Pan;
}

void ChartView::mouseMoveEvent(QMouseEvent *event)
{
    constexpr int kDragDistance = 3;
    if (!m_scene.chart)
        return;
    const QPoint position = event->pos();
    m_pointedAt = position.x() >= m_scene.left() ? std::optional(m_scene.timeAt(position.x())) : std::nullopt;
    if ((event->buttons() & Qt::LeftButton) == 0) {
        const auto place = m_scene.placeAt(position);
        viewport()->setCursor(position.x() < m_scene.left()            ? Qt::PointingHandCursor
                              : position.y() < ChartScene::kAxisHeight ? Qt::CrossCursor
                                                                       : Qt::ArrowCursor);
        if (place != m_scene.hovered) {
            m_scene.hovered = place;
            viewport()->update();
        }
        return;
    }
    const QPoint moved = position - m_pressedAt;
    m_isDragging = m_isDragging || moved.manhattanLength() > kDragDistance;
    if (!m_isDragging)
        return;
    if (m_drag == Drag::Range)
        return propose(m_pressedAt.x(), position.x());
    if (m_drag != Drag::Pan)
        return;
    verticalScrollBar()->setValue(m_scrollAtPress - moved.y());
    const TimeRange all = this->all();
    const std::int64_t move = std::clamp(static_cast<std::int64_t>(-moved.x() * m_scene.pixelNs()),
                                         all.begin - m_shownAtPress.begin, all.end - m_shownAtPress.end);
    setShown({m_shownAtPress.begin + move, m_shownAtPress.end + move});
}

void ChartView::mouseReleaseEvent(QMouseEvent *event)
{
    if (!m_scene.chart || event->button() != Qt::LeftButton || m_isDragging)
        return;
    if (event->pos().x() < m_scene.left()) {
        if (const auto row = m_scene.rowAt(event->pos().y()))
            toggleLane(*row);
    } else if (const auto place = m_scene.placeAt(event->pos())) {
        choose(*place);
    }
}

/// Shows a box, or the range in the axis, over the whole width.
void ChartView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (!m_scene.chart || event->button() != Qt::LeftButton || event->pos().x() < m_scene.left())
        return;
    m_isDragging = true; // the release that follows chooses nothing
    if (event->pos().y() < ChartScene::kAxisHeight)
        return m_scene.brushed ? setShown(*m_scene.brushed) : showAll();
    if (const auto place = m_scene.placeAt(event->pos())) {
        const ChartBox &box = m_scene.rows[place->row].boxes[place->box];
        const std::int64_t border = (box.end - box.begin) / 20;
        setShown({box.begin - border, box.end + border});
    }
}

void ChartView::wheelEvent(QWheelEvent *event)
{
    constexpr double kPerNotch = 1.25;
    const bool isZoom = (event->modifiers() & Qt::ControlModifier) != 0 ||
                        event->position().y() < ChartScene::kAxisHeight ||
                        verticalScrollBar()->maximum() == 0;
    const bool isPan = (event->modifiers() & Qt::ShiftModifier) != 0 || event->angleDelta().x() != 0;
    if (!m_scene.chart || (!isZoom && !isPan))
        return QAbstractScrollArea::wheelEvent(event);
    const QPoint delta = event->angleDelta();
    if (isPan)
        pan(-(delta.x() != 0 ? delta.x() : delta.y()) / 120.0 * 0.1);
    else
        zoomAround(m_scene.timeAt(static_cast<int>(event->position().x())),
                   std::pow(kPerNotch, -delta.y() / 120.0));
    event->accept();
}

/// Keys that mean something here mean that, whatever they do elsewhere in the window.
bool ChartView::event(QEvent *event)
{
    constexpr std::array kOwn{Qt::Key_W,     Qt::Key_A,      Qt::Key_S,      Qt::Key_D,
                              Qt::Key_Plus,  Qt::Key_Minus,  Qt::Key_Escape, Qt::Key_0,
                              Qt::Key_Comma, Qt::Key_Period, Qt::Key_F3};
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isPlain = (key->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == Qt::NoModifier;
        if (isPlain && std::ranges::find(kOwn, key->key()) != kOwn.end()) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

void ChartView::keyPressEvent(QKeyEvent *event)
{
    constexpr double kZoomStep = 1.5;
    constexpr double kPanStep = 0.2;
    if (!m_scene.chart)
        return QAbstractScrollArea::keyPressEvent(event);
    const TimeRange &range = m_scene.shown;
    const std::int64_t centre = m_pointedAt.value_or(range.begin + (range.end - range.begin) / 2);
    const auto toggle = [this](bool isOpen) {
        const auto row =
            std::ranges::find(m_scene.rows, m_scene.current ? m_scene.current->lane : 0, &ChartRow::lane);
        if (row != m_scene.rows.end() && row->isOpen != isOpen)
            toggleLane(static_cast<std::size_t>(row - m_scene.rows.begin()));
    };
    switch (event->key()) {
    case Qt::Key_W:
        return zoomAround(centre, 1 / kZoomStep);
    case Qt::Key_S:
        return zoomAround(centre, kZoomStep);
    case Qt::Key_A:
    case Qt::Key_Left:
        return pan(-kPanStep);
    case Qt::Key_D:
    case Qt::Key_Right:
        return pan(kPanStep);
    case Qt::Key_Up:
        return moveLane(-1);
    case Qt::Key_Down:
        return moveLane(1);
    case Qt::Key_Comma:
        return stepSample(false);
    case Qt::Key_Period:
        return stepSample(true);
    case Qt::Key_Plus:
        return toggle(true);
    case Qt::Key_Minus:
        return toggle(false);
    case Qt::Key_F3:
        return selectMatch((event->modifiers() & Qt::ShiftModifier) == 0);
    case Qt::Key_0:
        return showAll();
    case Qt::Key_Escape:
        return m_showsAll ? m_session.clearSelection() : showAll();
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void ChartView::contextMenuEvent(QContextMenuEvent *event)
{
    const auto row = m_scene.chart ? m_scene.rowAt(event->pos().y()) : std::nullopt;
    if (!row)
        return;
    if (event->pos().x() < m_scene.left())
        return showLaneMenu(*row, event->globalPos());
    if (const auto place = m_scene.placeAt(event->pos())) {
        m_pressedAt = event->pos();
        choose(*place);
        Q_EMIT menuRequested(event->globalPos());
    }
}

void ChartView::showLaneMenu(std::size_t row, const QPoint &globalPosition)
{
    const ChartRow &shown = m_scene.rows[row];
    const ChartLane &lane = m_scene.laneOf(shown);
    QMenu menu;
    menu.addAction(shown.isPinned ? tr("Unpin") : tr("Pin to the top"), this,
                   [this, row] { togglePin(row); });
    menu.addAction(shown.isOpen ? tr("Close") : tr("Open"), this, [this, row] { toggleLane(row); });
    menu.addAction(tr("Open all lanes"), this, [this] { setAllOpen(true); });
    menu.addAction(tr("Close all lanes"), this, [this] { setAllOpen(false); });
    if (!m_scene.chart->key.empty() && !lane.name.empty()) {
        menu.addSeparator();
        menu.addAction(tr("Only this %1, or all again").arg(qString(m_scene.chart->key)), this,
                       [this, &lane] { narrowTo(lane); });
    }
    menu.exec(globalPosition);
}

bool ChartView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave && m_scene.hovered) {
        m_scene.hovered.reset();
        viewport()->update();
    }
    if (event->type() != QEvent::ToolTip || !m_scene.chart)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QString text;
    if (help->pos().y() < ChartScene::kAxisHeight)
        text = tr("Drag to look at a range, double-click shows it over the whole width");
    else if (const auto place = m_scene.placeAt(help->pos()))
        text = toolTipOf(*place);
    else if (const auto row = m_scene.rowAt(help->pos().y()); row && help->pos().x() < m_scene.left())
        text = qString(m_scene.laneOf(m_scene.rows[*row]).name) + QLatin1Char('\n') +
               valueText(m_scene.laneOf(m_scene.rows[*row]).weight, m_scene.chart->series.unit);
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

QString ChartView::toolTipOf(const ChartPlace &place) const
{
    const ChartRow &row = m_scene.rows[place.row];
    const ChartBox &box = row.boxes[place.box];
    const StackLane &stacks = m_scene.laneOf(row).stacks;
    if (box.isNarrow && box.last - box.first > 1)
        return tr("%1 samples in the width of a pixel: zoom in to see them")
            .arg(countText(box.last - box.first));
    QString text =
        box.node == TreeShape::kRoot ? tr("no stack") : qString(m_scene.chart->entry(box.node).name);
    if (box.isWaiting)
        text = tr("waiting in %1").arg(text);
    const std::size_t first = row.isOpen ? stacks.beginOfBox(box.first, box.level) : box.first;
    return text + QLatin1Char('\n') +
           tr("%1 · %2 samples")
               .arg(valueText(box.end - box.begin, "nanoseconds"), countText(box.last - first));
}

} // namespace hearth
