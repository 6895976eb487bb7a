#include "ui/flamescope/scope_painter.h"

#include "ui/theme/figures.h"
#include "ui/theme/theme.h"
#include "ui/timeline/time_axis.h"

#include <QFontMetrics>
#include <QImage>
#include <QPainter>

#include <array>
#include <cmath>

namespace hearth {

namespace {

/// Colours from nothing to the most; what is rare is told apart better than what is frequent.
class Heat {
public:
    explicit Heat(std::int64_t peak) : m_peak(static_cast<double>(peak))
    {
        for (std::size_t i = 0; i < m_colors.size(); ++i) {
            const double share = static_cast<double>(i) / static_cast<double>(m_colors.size() - 1);
            m_colors[i] = (share < 0.5 ? mixed(theme().soft, theme().warn, 2 * share)
                                       : mixed(theme().warn, theme().bad, 2 * share - 1))
                              .rgb();
        }
    }

    QRgb of(std::int64_t value) const
    {
        if (value <= 0)
            return theme().panel.rgb();
        const double share = std::sqrt(std::min(1.0, static_cast<double>(value) / m_peak));
        return m_colors[1 + static_cast<std::size_t>(share * static_cast<double>(m_colors.size() - 2))];
    }

private:
    double m_peak;
    std::array<QRgb, 128> m_colors{};
};

/// A pixel for each cell, stretched to the room there is.
void paintCells(QPainter &painter, const ScopeScene &scene)
{
    const FlameScope &scope = *scene.scope;
    const Heat heat(scope.peak);
    QImage image(static_cast<int>(scope.columns), static_cast<int>(scope.rows), QImage::Format_RGB32);
    for (std::size_t row = 0; row < scope.rows; ++row) {
        auto *line = reinterpret_cast<QRgb *>(image.scanLine(static_cast<int>(scope.rows - 1 - row)));
        for (std::size_t column = 0; column < scope.columns; ++column)
            line[column] = heat.of(scope.cells[column * scope.rows + row]);
    }
    painter.drawImage(scene.area(), image);
}

void paintAxes(QPainter &painter, const ScopeScene &scene)
{
    const FlameScope &scope = *scene.scope;
    const QFontMetrics metrics = painter.fontMetrics();
    const QRectF area = scene.area();
    painter.setPen(theme().muted);
    for (int quarter = 0; quarter <= 4; ++quarter) {
        const double y = area.bottom() - area.height() * quarter / 4;
        painter.drawText(QRectF(0, y - metrics.height() / 2.0, ScopeScene::kScaleWidth - 8, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter,
                         valueText(scope.columnNs * quarter / 4, "nanoseconds"));
    }
    const TimeRange range{scope.beginOf(0), scope.beginOf(scope.cells.size())};
    for (const TimeMark &mark : timeMarks(range, static_cast<int>(area.width()))) {
        const double share = (static_cast<double>(mark.time) - static_cast<double>(range.begin)) /
                             (static_cast<double>(range.end) - static_cast<double>(range.begin));
        const double x = area.left() + share * area.width();
        if (x + metrics.horizontalAdvance(mark.text) <= scene.size.width())
            painter.drawText(QPointF(x, area.bottom() + metrics.ascent() + 4), mark.text);
    }
}

/// Cells between two ends, in the order of time: up a column, and on at the bottom of the next.
void paintRange(QPainter &painter, const ScopeScene &scene, std::size_t first, std::size_t last)
{
    const std::size_t rows = scene.scope->rows;
    QColor fill = theme().accent;
    fill.setAlphaF(0.3F);
    for (std::size_t column = first / rows; column <= last / rows; ++column) {
        const std::size_t from = std::max(first, column * rows);
        const std::size_t to = std::min(last, (column + 1) * rows - 1);
        painter.fillRect(scene.rectOf(from).united(scene.rectOf(to)), fill);
    }
}

std::size_t cellOf(const FlameScope &scope, std::int64_t time)
{
    const double since = static_cast<double>(time) - static_cast<double>(scope.beginNs);
    const double cell = std::floor((since + 0.5) / scope.cellNs());
    return static_cast<std::size_t>(std::clamp(cell, 0.0, static_cast<double>(scope.cells.size() - 1)));
}

void paintCurrent(QPainter &painter, const ScopeScene &scene)
{
    painter.setPen(QPen(theme().text, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(scene.rectOf(*scene.current).adjusted(-0.5, -0.5, 0.5, 0.5));
}

} // namespace

QRectF ScopeScene::area() const
{
    return {double(kScaleWidth), double(kMargin), std::max(1.0, double(size.width() - kScaleWidth - kMargin)),
            std::max(1.0, double(size.height() - kAxisHeight - 2 * kMargin))};
}

double ScopeScene::columnWidth() const
{
    return area().width() / static_cast<double>(scope->columns);
}

double ScopeScene::rowHeight() const
{
    return area().height() / static_cast<double>(scope->rows);
}

QRectF ScopeScene::rectOf(std::size_t cell) const
{
    const auto column = static_cast<double>(cell / scope->rows);
    const auto row = static_cast<double>(cell % scope->rows);
    return {area().left() + column * columnWidth(), area().bottom() - (row + 1) * rowHeight(), columnWidth(),
            rowHeight()};
}

std::optional<std::size_t> ScopeScene::cellAt(const QPointF &position) const
{
    if (isEmpty() || !area().contains(position))
        return std::nullopt;
    const auto column = static_cast<std::size_t>((position.x() - area().left()) / columnWidth());
    const auto row = static_cast<std::size_t>((area().bottom() - position.y()) / rowHeight());
    return std::min(column, scope->columns - 1) * scope->rows + std::min(row, scope->rows - 1);
}

void paintScope(QPainter &painter, const ScopeScene &scene, const QFont &font)
{
    if (scene.isEmpty())
        return;
    painter.setFont(font);
    paintCells(painter, scene);
    paintAxes(painter, scene);
    if (scene.first && scene.current)
        paintRange(painter, scene, std::min(*scene.first, *scene.current),
                   std::max(*scene.first, *scene.current));
    else if (scene.brushed)
        paintRange(painter, scene, cellOf(*scene.scope, scene.brushed->begin),
                   cellOf(*scene.scope, scene.brushed->end));
    if (scene.current)
        paintCurrent(painter, scene);
}

} // namespace hearth
