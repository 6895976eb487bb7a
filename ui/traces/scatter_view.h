#pragma once

#include "model/views/latency_map.h"
#include "ui/traces/latency_painter.h"

#include <QWidget>

#include <optional>

namespace hearth {

/// What the picture of latencies over time is made of, and where in it everything is.
struct ScatterScene {
    LatencyMap map;
    std::optional<LatencyBand> band; ///< of the lens
    QSize size;

    static constexpr int kAxisHeight = 18;
    static constexpr int kScaleWidth = 58; ///< left of it the durations stand
    static constexpr int kMargin = 10;

    int width() const { return std::max(1, size.width() - kScaleWidth - kMargin); }
    int axis() const { return std::max(1, size.height() - kAxisHeight); } ///< its top
    QRectF cell(std::size_t column, std::size_t row) const;
    double heightOf(std::int64_t durationNs) const;
    std::int64_t timeAt(int x) const;
    std::int64_t durationAt(int y) const;
    std::optional<std::size_t> columnAt(int x) const;
    std::optional<std::size_t> rowAt(int y) const;
};

void paintScatter(QPainter &painter, const ScatterScene &scene, const QFont &font);

/// How long spans lasted, by the time at which they began. A click chooses the slowest span there; dragging
/// up or down chooses a band of durations, to the side a range of time, both a rectangle.
class ScatterView : public QWidget {
    Q_OBJECT

public:
    explicit ScatterView(QWidget *parent = nullptr);

    static constexpr std::size_t kColumns = 160;
    static constexpr std::size_t kRows = 40;

    const ScatterScene &scene() const { return m_scene; }
    void show(LatencyMap map, std::optional<LatencyBand> band);

    QSize sizeHint() const override { return {420, 130}; }

Q_SIGNALS:
    void spanChosen(hearth::SpanRow span);
    /// Either may be missing.
    void partChosen(const std::optional<hearth::LatencyBand> &band,
                    const std::optional<hearth::TimeRange> &time);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;

private:
    const LatencyMap::Cell *cellAt(const QPoint &position) const;
    QRect dragged() const;

    ScatterScene m_scene;
    std::optional<QPoint> m_pressedAt;
    QPoint m_position;
};

} // namespace hearth
