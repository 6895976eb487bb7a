#pragma once

#include "ui/chart/chart_painter.h"
#include "ui/session/session.h"

#include <QAbstractScrollArea>
#include <QSet>

#include <optional>

namespace hearth {

enum class LaneOrder : std::uint8_t { Heaviest, ByName, FirstActive };

/// The stacks of a session on an axis of time, in lanes. Dragging in the axis (or with Ctrl anywhere) chooses
/// the range that every view follows; dragging elsewhere moves what is shown.
class ChartView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit ChartView(Session &session, QWidget *parent = nullptr);

    const ChartScene &scene() const { return m_scene; }
    bool isBusy() const { return m_isStale || m_isOutdated || m_worker.isBusy(); }

    /// What lanes are made by; empty: one for all.
    void setLanesBy(const QString &key);
    void setOrder(LaneOrder order);
    void setAllOpen(bool isOpen);
    void toggleLane(std::size_t row);
    void togglePin(std::size_t row);

    void zoomAround(std::int64_t time, double factor);
    void pan(double share); ///< of what is shown
    void showAll();
    /// The time that there is to be seen; that of the samples if nothing else is said.
    void setBounds(const std::optional<TimeRange> &bounds);
    /// The sample before or behind the current one, in its lane.
    void stepSample(bool forward);

    /// @return why it is no expression; empty if it is one
    QString search(const QString &expression);
    /// Goes to the next sample with a match, lane by lane.
    void selectMatch(bool forward);
    std::size_t matchingEntries() const { return m_matchingEntries; }

Q_SIGNALS:
    void chartChanged();
    void currentChanged();
    void menuRequested(const QPoint &globalPosition);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    enum class Drag : std::uint8_t { None, Range, Pan };
    struct Key {
        std::shared_ptr<const Snapshot> snapshot;
        Lens lens;
        std::string lanesBy;

        bool operator==(const Key &) const = default;
    };

    void takeSnapshot();
    void make();
    void take(std::shared_ptr<const TimeChart> chart, std::shared_ptr<const std::vector<FrameClass>> classes);
    void arrange();
    void layOut();
    TimeRange all() const { return m_bounds.value_or(m_scene.chart->all); }
    void setShown(TimeRange range);
    void showBrush();
    void takeSelection();
    void applySearch();
    void choose(const ChartPlace &place);
    void setCurrent(ChartSample sample);
    void ensureVisible(const ChartSample &sample);
    void moveLane(int step);
    void propose(int fromX, int toX);
    void narrowTo(const ChartLane &lane);
    void showLaneMenu(std::size_t row, const QPoint &globalPosition);
    QString toolTipOf(const ChartPlace &place) const;

    Session &m_session;
    ChartScene m_scene;
    FrameLabels m_labels;
    Key m_key;
    std::string m_lanesBy;
    bool m_isChosen = false; ///< somebody said what lanes are made by
    LaneOrder m_order = LaneOrder::Heaviest;
    QSet<QString> m_open;
    QSet<QString> m_pinned;
    bool m_hasOpened = false; ///< of this data set the first lanes were opened
    std::optional<TimeRange> m_bounds;
    bool m_showsAll = true;
    bool m_isStale = true;
    bool m_isOutdated = false;

    QString m_search;
    std::size_t m_matchingEntries = 0;

    Drag m_drag = Drag::None;
    QPoint m_pressedAt;
    TimeRange m_shownAtPress;
    int m_scrollAtPress = 0;
    bool m_isDragging = false;
    std::optional<std::int64_t> m_pointedAt;
    Worker m_worker;
};

} // namespace hearth
