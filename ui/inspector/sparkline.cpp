#include "ui/inspector/sparkline.h"

#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

constexpr int kHeight = 36;

} // namespace

Sparkline::Sparkline(QWidget *parent) : QWidget(parent)
{
    setFixedHeight(kHeight);
    setAccessibleName(tr("When it ran"));
}

void Sparkline::setBins(std::vector<std::int64_t> bins)
{
    m_bins = std::move(bins);
    const bool isEmpty = std::ranges::all_of(m_bins, [](std::int64_t bin) { return bin == 0; });
    setVisible(!isEmpty);
    update();
}

void Sparkline::paintEvent(QPaintEvent *)
{
    if (m_bins.empty())
        return;
    QPainter painter(this);
    const auto highest = static_cast<double>(std::max<std::int64_t>(1, std::ranges::max(m_bins)));
    const double step = static_cast<double>(width()) / static_cast<double>(m_bins.size());
    const QColor color = mixed(theme().accent, theme().panel, 0.4);
    for (std::size_t i = 0; i < m_bins.size(); ++i) {
        const double share = std::max(0.0, static_cast<double>(m_bins[i]) / highest);
        // What is not nothing is seen.
        const double size = m_bins[i] > 0 ? std::max(1.0, share * height()) : 0;
        painter.fillRect(
            QRectF(static_cast<double>(i) * step, height() - size, std::max(1.0, step - 1), size), color);
    }
}

} // namespace hearth
