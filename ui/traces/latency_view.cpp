#include "ui/traces/latency_view.h"

#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <utility>

namespace hearth {

LatencyView::LatencyView(QWidget *parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::CrossCursor);
    setAccessibleName(tr("Latencies"));
    setMinimumHeight(90);
}

void LatencyView::show(LatencyHistogram histogram, std::optional<LatencyBand> band)
{
    m_scene.histogram = std::move(histogram);
    if (!m_isDragging)
        m_scene.band = band;
    m_scene.size = size();
    update();
}

void LatencyView::setBand(std::optional<LatencyBand> band)
{
    m_scene.band = band;
    setAccessibleDescription(
        band
            ? tr("%1 to %2").arg(valueText(band->fromNs, "nanoseconds"), valueText(band->toNs, "nanoseconds"))
            : QString());
    update();
}

void LatencyView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    paintLatencies(painter, m_scene, font());
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void LatencyView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_scene.size = size();
}

void LatencyView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && !m_scene.isEmpty())
        m_pressedAt = event->pos().x();
}

void LatencyView::mouseMoveEvent(QMouseEvent *event)
{
    constexpr int kDragDistance = 3;
    if (!m_pressedAt || (!m_isDragging && std::abs(event->pos().x() - *m_pressedAt) < kDragDistance))
        return;
    m_isDragging = true;
    const auto [left, right] = std::minmax({*m_pressedAt, event->pos().x()}); // copies: x() is gone at once
    const std::int64_t from = m_scene.durationAt(left);
    setBand(LatencyBand{from, std::max(from + 1, m_scene.durationAt(right) + 1)});
}

void LatencyView::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !std::exchange(m_pressedAt, std::nullopt))
        return;
    if (std::exchange(m_isDragging, false)) {
        Q_EMIT bandChosen(*m_scene.band);
    } else if (m_scene.band) {
        setBand(std::nullopt);
        Q_EMIT bandCleared();
    }
}

/// Arrows move the end that is shorter, with Shift the longer one; the first brings a band of the slowest
/// tenth.
void LatencyView::keyPressEvent(QKeyEvent *event)
{
    const bool isEnd = (event->modifiers() & Qt::ShiftModifier) != 0;
    if (event->key() == Qt::Key_Left)
        moveEdge(-1, isEnd);
    else if (event->key() == Qt::Key_Right)
        moveEdge(1, isEnd);
    else if (event->key() == Qt::Key_Escape && m_scene.band) {
        setBand(std::nullopt);
        Q_EMIT bandCleared();
    } else
        QWidget::keyPressEvent(event);
}

void LatencyView::moveEdge(int bins, bool isEnd)
{
    if (m_scene.isEmpty())
        return;
    const auto count = static_cast<std::int64_t>(m_scene.histogram.counts.size());
    std::int64_t from = count * 9 / 10;
    std::int64_t to = count;
    if (m_scene.band) {
        from = static_cast<std::int64_t>(m_scene.histogram.binOf(m_scene.band->fromNs));
        to = static_cast<std::int64_t>(m_scene.histogram.binOf(m_scene.band->toNs - 1)) + 1;
        std::int64_t &edge = isEnd ? to : from;
        edge = isEnd ? std::clamp(edge + bins, from + 1, count)
                     : std::clamp(edge + bins, std::int64_t(0), to - 1);
    }
    // The bin at the end holds the longest span: it is in the band.
    const std::int64_t begin = m_scene.histogram.beginOf(static_cast<std::size_t>(from));
    const std::int64_t end = m_scene.histogram.beginOf(static_cast<std::size_t>(to)) + (to == count ? 1 : 0);
    setBand(LatencyBand{begin, std::max(begin + 1, end)});
    Q_EMIT bandChosen(*m_scene.band);
}

QString LatencyView::toolTipAt(const QPoint &position) const
{
    if (m_scene.isEmpty())
        return {};
    const std::size_t bin = m_scene.histogram.binOf(m_scene.durationAt(position.x()));
    QString text = tr("%1 spans of %2 to %3")
                       .arg(countText(m_scene.histogram.counts[bin]),
                            valueText(m_scene.histogram.beginOf(bin), "nanoseconds"),
                            valueText(m_scene.histogram.beginOf(bin + 1), "nanoseconds"));
    if (m_scene.histogram.failed[bin] > 0)
        text += tr(", %1 with error").arg(countText(m_scene.histogram.failed[bin]));
    return text + tr("\nDrag to choose a band, Esc takes it off");
}

bool LatencyView::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), this);
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride) { // Esc is for the band
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Escape && m_scene.band)
            event->accept();
    }
    return QWidget::event(event);
}

} // namespace hearth
