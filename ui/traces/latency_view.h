#pragma once

#include "ui/traces/latency_painter.h"

#include <QWidget>

namespace hearth {

/// How long spans lasted, with a brush: dragging chooses a band of durations.
class LatencyView : public QWidget {
    Q_OBJECT

public:
    explicit LatencyView(QWidget *parent = nullptr);

    static constexpr std::size_t kBins = 80;

    const LatencyScene &scene() const { return m_scene; }
    void show(LatencyHistogram histogram, std::optional<LatencyBand> band);

    QSize sizeHint() const override { return {420, 130}; }

Q_SIGNALS:
    void bandChosen(const hearth::LatencyBand &band);
    void bandCleared();

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void setBand(std::optional<LatencyBand> band);
    void moveEdge(int bins, bool isEnd);
    QString toolTipAt(const QPoint &position) const;

    LatencyScene m_scene;
    std::optional<int> m_pressedAt;
    bool m_isDragging = false;
};

} // namespace hearth
