#pragma once

#include "ui/session/session.h"
#include "ui/timeline/timeline_painter.h"

#include <QAbstractScrollArea>

#include <memory>
#include <optional>
#include <vector>

namespace hearth {

class RangeBar;

/// Activity over time, by process and thread, with a brush: dragging chooses the range that every view
/// follows while it is dragged. Hidden for data without times.
class TimelineView : public QAbstractScrollArea {
    Q_OBJECT

public:
    TimelineView(Session &session, QWidget *parent);

    const TimelineScene &scene() const { return m_scene; }
    /// What belongs above it, if there is anything to show.
    RangeBar *rangeBar() const { return m_bar; }

    /// Shows the chosen range over the whole width, or a part of what is shown.
    void zoomToRange();
    /// @param depth how many of the zooms stay
    void zoomOut(std::size_t depth);
    void clearRange();
    /// Puts the begin or the end of the range where the mouse is.
    void setRangeEdge(bool isEnd);
    /// Keeps the range at the newest data.
    void follow(bool isFollowing);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    /// What the sums were made of.
    struct SumKey {
        std::shared_ptr<const Snapshot> snapshot;
        ActivityRequest request;
        std::vector<TagTerm> tags;
        std::vector<AttributeTerm> attributes;

        bool operator==(const SumKey &) const = default;
    };

    void takeSnapshot();
    void sumUp();
    void take(std::shared_ptr<const Activity> activity, std::shared_ptr<const TimelineRecords> records);
    QString trackText(std::size_t track, int x) const;
    void fit();
    void showBrush();
    void showBar();
    bool isFollowing() const;
    TimeRange shown() const;
    void zoomAround(std::int64_t time, double factor);
    void pan(double share);
    void setShown(TimeRange range);
    void clickRow(std::size_t row, int x);
    void toggleLane(std::size_t lane);
    void narrowTo(std::size_t lane);
    void moveRange(int key, bool isEndAlone);
    void moveLane(int step);
    void propose(std::int64_t begin, std::int64_t end);

    Session &m_session;
    RangeBar *m_bar;
    TimelineScene m_scene;
    SumKey m_key;
    std::vector<TimeRange> m_zooms;
    std::vector<std::string> m_open;
    bool m_showsAllLanes = false;
    std::optional<int> m_pressedAt;
    std::optional<std::int64_t> m_pointedAt;
    Worker m_worker;
};

} // namespace hearth
