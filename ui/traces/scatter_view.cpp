#include "ui/traces/scatter_view.h"

#include "ui/theme/figures.h"
#include "ui/theme/theme.h"
#include "ui/timeline/time_axis.h"

#include <QFontMetrics>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>
#include <utility>

namespace hearth {

namespace {

constexpr int kDragDistance = 5; ///< in either direction, for a side of the rectangle to count

/// The more spans, the darker, by their logarithm: one alone is seen, too.
void paintCells(QPainter &painter, const ScatterScene &scene)
{
    const LatencyMap &map = scene.map;
    std::uint32_t most = 1;
    for (const LatencyMap::Cell &cell : map.cells)
        most = std::max(most, cell.spans);
    for (std::size_t row = 0; row < map.rows; ++row)
        for (std::size_t column = 0; column < map.columns; ++column) {
            const LatencyMap::Cell &cell = map.at(column, row);
            if (cell.spans == 0)
                continue;
            const double share = std::log2(1.0 + cell.spans) / std::log2(1.0 + most);
            const QColor color = cell.failed > 0 ? theme().bad : theme().accent;
            painter.fillRect(scene.cell(column, row), mixed(theme().panel, color, 0.35 + 0.65 * share));
        }
}

void paintScale(QPainter &painter, const ScatterScene &scene)
{
    const QFontMetrics metrics = painter.fontMetrics();
    painter.setPen(theme().muted);
    int free = scene.axis();
    for (int decade = 0; decade < 19; ++decade) {
        const auto ns = static_cast<std::int64_t>(std::pow(10.0, decade));
        const int y = static_cast<int>(scene.heightOf(ns));
        if (y > scene.axis() || y < metrics.ascent() || y > free)
            continue;
        painter.drawText(QRect(0, y - metrics.height() / 2, ScatterScene::kScaleWidth - 6, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, valueText(ns, "nanoseconds"));
        painter.fillRect(QRect(ScatterScene::kScaleWidth, y, scene.width(), 1), theme().soft);
        free = y - metrics.height();
    }
    for (const TimeMark &mark : timeMarks(scene.map.time, scene.width())) {
        const double share = (static_cast<double>(mark.time) - static_cast<double>(scene.map.time.begin)) /
                             std::max(1.0, static_cast<double>(scene.map.time.end) -
                                               static_cast<double>(scene.map.time.begin));
        const int x = ScatterScene::kScaleWidth + static_cast<int>(share * scene.width());
        if (x + metrics.horizontalAdvance(mark.text) <= scene.size.width())
            painter.drawText(x, scene.axis() + metrics.ascent() + 2, mark.text);
    }
}

} // namespace

QRectF ScatterScene::cell(std::size_t column, std::size_t row) const
{
    const double wide = static_cast<double>(width()) / static_cast<double>(map.columns);
    const double high = static_cast<double>(axis()) / static_cast<double>(map.rows);
    return {kScaleWidth + wide * static_cast<double>(column), axis() - high * static_cast<double>(row + 1),
            std::max(2.0, wide), std::max(2.0, high)};
}

double ScatterScene::heightOf(std::int64_t durationNs) const
{
    const double place = std::log(static_cast<double>(std::max<std::int64_t>(durationNs, 1))) - map.low;
    return axis() - place / std::max(map.range, 1e-9) * axis();
}

std::int64_t ScatterScene::timeAt(int x) const
{
    const double share = std::clamp(static_cast<double>(x - kScaleWidth) / width(), 0.0, 1.0);
    return map.time.begin + static_cast<std::int64_t>(share * (static_cast<double>(map.time.end) -
                                                               static_cast<double>(map.time.begin)));
}

std::int64_t ScatterScene::durationAt(int y) const
{
    const double share = std::clamp(static_cast<double>(axis() - y) / axis(), 0.0, 1.0);
    return static_cast<std::int64_t>(std::min(std::round(std::exp(map.low + share * map.range)), 9.2e18));
}

std::optional<std::size_t> ScatterScene::columnAt(int x) const
{
    if (map.isEmpty() || x < kScaleWidth || x >= kScaleWidth + width())
        return std::nullopt;
    return static_cast<std::size_t>(x - kScaleWidth) * map.columns / static_cast<std::size_t>(width());
}

std::optional<std::size_t> ScatterScene::rowAt(int y) const
{
    if (map.isEmpty() || y < 0 || y >= axis())
        return std::nullopt;
    return static_cast<std::size_t>(axis() - 1 - y) * map.rows / static_cast<std::size_t>(axis());
}

void paintScatter(QPainter &painter, const ScatterScene &scene, const QFont &font)
{
    painter.setFont(font);
    if (scene.map.isEmpty())
        return;
    if (scene.band) {
        const double top = std::clamp<double>(scene.heightOf(scene.band->toNs), 0, scene.axis());
        const double bottom = std::clamp<double>(scene.heightOf(scene.band->fromNs), 0, scene.axis());
        painter.fillRect(QRectF(ScatterScene::kScaleWidth, top, scene.width(), std::max(2.0, bottom - top)),
                         theme().accentFill);
    }
    paintScale(painter, scene);
    painter.fillRect(QRect(ScatterScene::kScaleWidth, scene.axis(), scene.width(), 1), theme().line);
    paintCells(painter, scene);
}

ScatterView::ScatterView(QWidget *parent) : QWidget(parent)
{
    setCursor(Qt::CrossCursor);
    setAccessibleName(tr("Latencies over time"));
    setMinimumHeight(90);
}

void ScatterView::show(LatencyMap map, std::optional<LatencyBand> band)
{
    m_scene.map = std::move(map);
    m_scene.band = band;
    m_scene.size = size();
    update();
}

QRect ScatterView::dragged() const
{
    QRect rect = QRect(*m_pressedAt, m_position).normalized();
    if (rect.width() <= kDragDistance) {
        rect.setLeft(ScatterScene::kScaleWidth);
        rect.setWidth(m_scene.width());
    }
    if (rect.height() <= kDragDistance) {
        rect.setTop(0);
        rect.setHeight(m_scene.axis());
    }
    return rect;
}

void ScatterView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    paintScatter(painter, m_scene, font());
    if (!m_pressedAt || (m_position - *m_pressedAt).manhattanLength() <= kDragDistance)
        return;
    QColor fill = theme().accent;
    fill.setAlphaF(0.14F);
    painter.fillRect(dragged(), fill);
    painter.setPen(theme().accent);
    painter.drawRect(dragged());
}

void ScatterView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_scene.size = size();
}

void ScatterView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || m_scene.map.isEmpty())
        return;
    m_pressedAt = event->pos();
    m_position = event->pos();
}

void ScatterView::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_pressedAt)
        return;
    m_position = event->pos();
    update();
}

void ScatterView::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_pressedAt)
        return;
    m_position = event->pos();
    const QPoint moved = m_position - *m_pressedAt;
    const QRect rect = dragged();
    m_pressedAt.reset();
    update();
    if (moved.manhattanLength() <= kDragDistance) {
        if (const LatencyMap::Cell *cell = cellAt(m_position); cell != nullptr && cell->spans > 0)
            Q_EMIT spanChosen(cell->slowest);
        return;
    }
    std::optional<LatencyBand> band;
    std::optional<TimeRange> time;
    if (std::abs(moved.y()) > kDragDistance) {
        const std::int64_t from = m_scene.durationAt(rect.bottom());
        band = LatencyBand{from, std::max(from + 1, m_scene.durationAt(rect.top()) + 1)};
    }
    if (std::abs(moved.x()) > kDragDistance)
        time = TimeRange{m_scene.timeAt(rect.left()), m_scene.timeAt(rect.right())};
    Q_EMIT partChosen(band, time);
}

const LatencyMap::Cell *ScatterView::cellAt(const QPoint &position) const
{
    const auto column = m_scene.columnAt(position.x());
    const auto row = m_scene.rowAt(position.y());
    return column && row ? &m_scene.map.at(*column, *row) : nullptr;
}

bool ScatterView::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QString text;
    if (const LatencyMap::Cell *cell = cellAt(help->pos()); cell != nullptr && cell->spans > 0) {
        text = tr("%1 spans").arg(countText(cell->spans));
        if (cell->failed > 0)
            text += tr(", %1 with error").arg(countText(cell->failed));
        text += tr("\nA click shows the slowest of them\n");
    }
    QToolTip::showText(help->globalPos(), text + tr("Drag to choose durations, times, or both"), this);
    return true;
}

} // namespace hearth
