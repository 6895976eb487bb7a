#include "ui/traces/latency_painter.h"

#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QFontMetrics>
#include <QPainter>

#include <cmath>

namespace hearth {

namespace {

/// Failed spans stand at the foot of their bar, so that they are seen wherever there are any.
void paintBar(QPainter &painter, const LatencyScene &scene, std::size_t bin)
{
    const LatencyHistogram &histogram = scene.histogram;
    if (histogram.counts[bin] == 0)
        return;
    const QRectF bar = scene.barOf(bin);
    const bool isChosen = scene.band && scene.isInBand(bin);
    painter.fillRect(bar, isChosen ? theme().accent : mixed(theme().panel, theme().muted, 0.4));
    if (histogram.failed[bin] == 0)
        return;
    const double share =
        static_cast<double>(histogram.failed[bin]) / static_cast<double>(histogram.counts[bin]);
    const double height = std::max(2.0, bar.height() * share);
    painter.fillRect(QRectF(bar.left(), bar.bottom() - height, bar.width(), height), theme().bad);
}

void paintAxis(QPainter &painter, const LatencyScene &scene)
{
    const QFontMetrics metrics = painter.fontMetrics();
    painter.setPen(theme().muted);
    const auto first = static_cast<int>(std::floor(scene.histogram.low / std::log(10.0)));
    const double end = scene.size.width() - LatencyScene::kMargin;
    double free = 0;
    for (int decade = first; decade < 18; ++decade)
        for (const int factor : {1, 2, 5}) {
            const auto ns = static_cast<std::int64_t>(std::llround(factor * std::pow(10.0, decade)));
            const double x = scene.placeOf(ns);
            if (x > end)
                return;
            const QString text = valueText(ns, "nanoseconds");
            const int width = metrics.horizontalAdvance(text);
            if (x < LatencyScene::kMargin || x - width / 2.0 < free || x + width / 2.0 > scene.size.width())
                continue;
            painter.drawText(QPointF(x - width / 2.0, scene.axis() + metrics.ascent() + 2), text);
            free = x + width / 2.0 + metrics.averageCharWidth() * 3;
        }
}

} // namespace

double LatencyScene::placeOf(std::int64_t ns) const
{
    const double place = std::log(static_cast<double>(std::max<std::int64_t>(ns, 1))) - histogram.low;
    return kMargin + place / std::max(histogram.range, 1e-9) * width();
}

std::int64_t LatencyScene::durationAt(int x) const
{
    const double share = std::clamp(static_cast<double>(x - kMargin) / width(), 0.0, 1.0);
    return static_cast<std::int64_t>(
        std::min(std::round(std::exp(histogram.low + share * histogram.range)), 9.2e18));
}

QRectF LatencyScene::barOf(std::size_t bin) const
{
    constexpr int kHeadroom = 6;
    const double step = static_cast<double>(width()) / static_cast<double>(histogram.counts.size());
    const double highest = std::max<double>(1, std::ranges::max(histogram.counts));
    const double share = static_cast<double>(histogram.counts[bin]) / highest;
    const double height = histogram.counts[bin] == 0 ? 0 : std::max(1.0, share * (axis() - kHeadroom));
    return {kMargin + step * static_cast<double>(bin), axis() - height, std::max(1.0, step - 1), height};
}

bool LatencyScene::isInBand(std::size_t bin) const
{
    return band && histogram.beginOf(bin + 1) > band->fromNs && histogram.beginOf(bin) < band->toNs;
}

void paintLatencies(QPainter &painter, const LatencyScene &scene, const QFont &font)
{
    painter.setFont(font);
    if (scene.isEmpty())
        return;
    if (scene.band) {
        const double left = std::max<double>(LatencyScene::kMargin, scene.placeOf(scene.band->fromNs));
        const double right =
            std::min<double>(LatencyScene::kMargin + scene.width(), scene.placeOf(scene.band->toNs));
        painter.fillRect(QRectF(left, 0, std::max(2.0, right - left), scene.axis()), theme().accentFill);
    }
    painter.fillRect(QRectF(LatencyScene::kMargin, scene.axis(), scene.width(), 1), theme().line);
    for (std::size_t bin = 0; bin < scene.histogram.counts.size(); ++bin)
        paintBar(painter, scene, bin);
    paintAxis(painter, scene);
}

} // namespace hearth
