#pragma once

#include "model/views/activity.h"
#include "ui/session/session.h"

#include <QWidget>

#include <memory>
#include <optional>

class QPainter;

namespace hearth {

/// What the timeline's picture is made of.
struct TimelineScene {
    std::shared_ptr<const Activity> activity;
    std::optional<TimeRange> brushed; ///< of the lens
    int left = 0;                     ///< where the lanes' names end and time begins
    int width = 0;
};

void paintTimeline(QPainter &painter, const TimelineScene &scene, const QFont &font);

/// Activity over time with a brush: dragging chooses the range that every view follows while it is dragged.
/// Hidden for data without times.
class TimelineView : public QWidget {
    Q_OBJECT

public:
    TimelineView(Session &session, QWidget *parent);

    QSize sizeHint() const override;
    const TimelineScene &scene() const { return m_scene; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void sumUp();
    void showBrush();
    void brush(int x);
    void propose(std::int64_t begin, std::int64_t end);
    std::int64_t timeAt(int x) const;

    Session &m_session;
    TimelineScene m_scene;
    std::optional<int> m_pressedAt;
    Worker m_worker;
};

} // namespace hearth
