#pragma once

#include "ui/traces/waterfall_painter.h"

#include <QAbstractScrollArea>

namespace hearth {

/// A trace, a row for each span. One widget, no object per row.
class WaterfallView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit WaterfallView(QWidget *parent = nullptr);

    const WaterfallScene &scene() const { return m_scene; }
    void show(std::shared_ptr<const SpanStudy> study, std::shared_ptr<const Waterfall> waterfall,
              std::shared_ptr<const std::vector<LogMark>> logs, std::shared_ptr<const TraceSamples> samples);

    /// Selects a row and brings it into view, without saying so.
    void setCurrent(std::optional<std::size_t> row);
    /// Selects the next (or previous) span with an error. @return whether there is another
    bool selectFailed(bool forward);
    /// Shows all of the trace's time.
    void showAll();

Q_SIGNALS:
    void spanChosen(std::size_t row);
    void activated();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    void choose(std::size_t row);
    void moveCurrent(std::int64_t rows);
    void zoomAround(std::int64_t time, double factor);
    void pan(double share);
    void setShown(double begin, double end);
    void fit();
    QString describe(std::size_t row) const;
    QString toolTipOf(std::size_t row) const;

    WaterfallScene m_scene;
    std::optional<QPoint> m_pannedFrom;
};

} // namespace hearth
