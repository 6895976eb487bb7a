#include "ui/timeline/timeline_view.h"

#include "model/lens/lens_steps.h"
#include "model/views/time_range.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"
#include "ui/timeline/range_bar.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace hearth {

namespace {

constexpr int kBarWidth = 3;
constexpr std::size_t kFewLanes = 3;
constexpr std::size_t kManyLanes = 200;
constexpr std::size_t kMostVisible = 9;  ///< more are scrolled through
constexpr std::size_t kMostTracks = 4;   ///< of metrics
constexpr std::int64_t kShortest = 1000; ///< what can be zoomed to, in nanoseconds

/// No lanes, but an axis: for metrics and log records that came alone.
std::optional<Activity> activityWithoutSamples(const Snapshot &snapshot, const ActivityRequest &request)
{
    const auto all = timeSpanOf(snapshot);
    if (!all)
        return std::nullopt;
    Activity activity;
    activity.all = *all;
    activity.timeline.range = request.range.value_or(*all);
    activity.timeline.bins = request.bins;
    return activity;
}

} // namespace

TimelineView::TimelineView(Session &session, QWidget *parent)
    : QAbstractScrollArea(parent), m_session(session), m_bar(new RangeBar(parent))
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    viewport()->setMouseTracking(true);
    viewport()->setCursor(Qt::CrossCursor);
    verticalScrollBar()->setSingleStep(TimelineScene::kLaneHeight);
    hide();
    connect(&session, &Session::snapshotChanged, this, &TimelineView::takeSnapshot);
    connect(&session, &Session::evaluationChanged, this, &TimelineView::sumUp);
    connect(&session, &Session::lensChanged, this, &TimelineView::showBrush);
    connect(m_bar, &RangeBar::zoomChosen, this, &TimelineView::zoomOut);
    connect(m_bar, &RangeBar::zoomRequested, this, &TimelineView::zoomToRange);
    connect(m_bar, &RangeBar::clearRequested, this, &TimelineView::clearRange);
    connect(m_bar, &RangeBar::followToggled, this, &TimelineView::follow);
    connect(m_bar, &RangeBar::pauseToggled, &session, &Session::setPaused);
    connect(&session, &Session::liveChanged, this, &TimelineView::showBar);
    sumUp();
}

/// Zooms and open lanes are of one data set.
void TimelineView::takeSnapshot()
{
    if (!m_session.evaluation()) {
        m_zooms.clear();
        m_open.clear();
        m_showsAllLanes = false;
        m_scene.current.reset();
    }
    sumUp();
}

TimeRange TimelineView::shown() const
{
    return m_zooms.empty() ? m_scene.activity->all : m_zooms.back();
}

/// Sums on the worker, unless nothing that the sums depend on has changed.
void TimelineView::sumUp()
{
    const auto snapshot = m_session.snapshot();
    const auto evaluation = m_session.evaluation();
    const bool hasRecords = snapshot && (snapshot->points.rows > 0 || snapshot->logs.rows > 0);
    if (!snapshot || (!evaluation && !(hasRecords && snapshot->sampleCount() == 0)))
        return;
    const int room = (isVisible() ? viewport()->width() : parentWidget()->width()) -
                     TimelineScene::kNameWidth - 2 * TimelineScene::kMargin;
    const Lens &lens = m_session.lens();
    SumKey key{snapshot,
               {.series = evaluation ? evaluation->series : SeriesChoice(),
                .range = m_zooms.empty() ? std::nullopt : std::optional(m_zooms.back()),
                .bins = static_cast<std::size_t>(std::max(1, room / kBarWidth)),
                .mostLanes = m_showsAllLanes ? kManyLanes : kFewLanes,
                .open = m_open},
               lens.tags,
               lens.attributes};
    if (key == m_key)
        return;
    m_key = std::move(key);
    m_worker.run([this, snapshot, lens,
                  request = m_key.request](const std::stop_token &stop) -> Worker::Delivery {
        auto activity = snapshot->sampleCount() > 0 ? activityOf(*snapshot, lens, request, stop)
                                                    : activityWithoutSamples(*snapshot, request);
        if (stop.stop_requested())
            return nullptr;
        std::shared_ptr<const TimelineRecords> records;
        if (activity && (snapshot->points.rows > 0 || snapshot->logs.rows > 0)) {
            auto made = timelineRecords(*snapshot, activity->timeline.range, request.bins, kMostTracks, stop);
            if (!made)
                return nullptr;
            records = std::make_shared<const TimelineRecords>(std::move(*made));
        }
        return [this, records,
                activity = activity ? std::make_shared<const Activity>(std::move(*activity)) : nullptr] {
            take(activity, records);
        };
    });
}

void TimelineView::take(std::shared_ptr<const Activity> activity,
                        std::shared_ptr<const TimelineRecords> records)
{
    m_scene.activity = std::move(activity);
    m_scene.records = std::move(records);
    setVisible(m_scene.activity != nullptr);
    if (m_scene.current && m_scene.activity && *m_scene.current >= m_scene.activity->lanes.size())
        m_scene.current.reset();
    fit();
    showBrush();
}

/// As high as its lanes, up to a point.
void TimelineView::fit()
{
    if (!m_scene.activity)
        return;
    const auto visible = static_cast<int>(std::min(m_scene.rows(), kMostVisible));
    const int height =
        m_scene.wholeHeight() - m_scene.heightOfRows() + visible * TimelineScene::kLaneHeight + 1;
    if (height != this->height())
        setFixedHeight(height);
    m_scene.size = viewport()->size();
    verticalScrollBar()->setPageStep(m_scene.size.height());
    verticalScrollBar()->setRange(0, std::max(0, m_scene.wholeHeight() + 1 - m_scene.size.height()));
    m_scene.scrolled = verticalScrollBar()->value();
}

void TimelineView::showBrush()
{
    m_scene.brushed.reset();
    if (m_session.snapshot() && !m_session.lens().time.isEverything())
        m_scene.brushed = resolve(m_session.lens().time, *m_session.snapshot());
    viewport()->update();
    showBar();
}

void TimelineView::showBar()
{
    if (!m_scene.activity) {
        m_bar->hide();
        return;
    }
    m_bar->show({.all = m_scene.activity->all,
                 .zooms = m_zooms,
                 .hasBrush = m_scene.brushed.has_value(),
                 .isLive = m_session.isLive(),
                 .isFollowing = isFollowing(),
                 .isPaused = m_session.isPaused()});
}

bool TimelineView::isFollowing() const
{
    const TimeTerm &time = m_session.lens().time;
    return time.from && time.from->base == TimeBase::End && !time.to;
}

void TimelineView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme().panel);
    if (m_scene.activity)
        paintTimeline(painter, m_scene, font());
    painter.fillRect(QRect(0, viewport()->height() - 1, viewport()->width(), 1), theme().line);
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 2));
        painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
    }
}

void TimelineView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    fit();
    sumUp();
}

void TimelineView::scrollContentsBy(int, int)
{
    m_scene.scrolled = verticalScrollBar()->value();
    viewport()->update();
}

// ---- the range

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_scene.activity)
        return;
    const auto row = m_scene.rowAt(event->pos().y());
    if (event->pos().x() >= m_scene.left())
        m_pressedAt = event->pos().x();
    else if (row)
        clickRow(*row, event->pos().x());
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    constexpr int kDragDistance = 3;
    if (!m_scene.activity)
        return;
    const int x = event->pos().x();
    m_pointedAt = x >= m_scene.left() ? std::optional(m_scene.timeAt(x)) : std::nullopt;
    viewport()->setCursor(m_pointedAt || m_pressedAt ? Qt::CrossCursor : Qt::PointingHandCursor);
    if (!m_pressedAt || std::abs(x - *m_pressedAt) < kDragDistance)
        return;
    const auto [left, right] = std::minmax(*m_pressedAt, x);
    propose(m_scene.timeAt(left), m_scene.timeAt(right));
}

void TimelineView::mouseReleaseEvent(QMouseEvent *)
{
    m_pressedAt.reset();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->pos().x() < m_scene.left() || !m_scene.activity)
        return mousePressEvent(event);
    const bool isInRange = m_scene.brushed && m_scene.brushed->contains(m_scene.timeAt(event->pos().x()));
    isInRange ? zoomToRange() : clearRange();
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    if ((event->modifiers() & Qt::ControlModifier) == 0 || !m_scene.activity)
        return QAbstractScrollArea::wheelEvent(event);
    constexpr double kPerNotch = 1.25;
    const double notches = event->angleDelta().y() / 120.0;
    zoomAround(m_scene.timeAt(static_cast<int>(event->position().x())), std::pow(kPerNotch, -notches));
    event->accept();
}

void TimelineView::propose(std::int64_t begin, std::int64_t end)
{
    const TimeRange &range = m_scene.activity->timeline.range;
    Lens lens = m_session.lens();
    lens.time = timeTermOf({begin, end}, m_scene.activity->all,
                           static_cast<double>(range.end - range.begin) / m_scene.width());
    m_session.dragLens(std::move(lens));
}

void TimelineView::clearRange()
{
    Lens lens = m_session.lens();
    lens.time = {};
    m_session.setLens(std::move(lens));
}

void TimelineView::setRangeEdge(bool isEnd)
{
    if (!m_scene.activity || !m_pointedAt)
        return;
    TimeRange range = m_scene.brushed.value_or(shown());
    (isEnd ? range.end : range.begin) = *m_pointedAt;
    if (range.begin > range.end)
        (isEnd ? range.begin : range.end) = *m_pointedAt;
    propose(range.begin, range.end);
}

void TimelineView::follow(bool isFollowing)
{
    constexpr std::int64_t kUsual = 30'000'000'000;
    Lens lens = m_session.lens();
    lens.time = {};
    if (isFollowing) {
        const std::int64_t length =
            m_scene.brushed ? m_scene.brushed->end - m_scene.brushed->begin + 1 : kUsual;
        lens.time.from = TimePoint{TimeBase::End, length};
    }
    m_session.setLens(std::move(lens));
}

// ---- what part of the time is shown

void TimelineView::zoomToRange()
{
    if (!m_scene.activity || !m_scene.brushed)
        return;
    const TimeRange outer = shown();
    const TimeRange range{std::max(outer.begin, m_scene.brushed->begin),
                          std::min(outer.end, m_scene.brushed->end)};
    if (range.end - range.begin < kShortest || range == outer)
        return;
    m_zooms.push_back(range);
    sumUp();
    showBar();
}

void TimelineView::zoomOut(std::size_t depth)
{
    m_zooms.resize(std::min(depth, m_zooms.size()));
    sumUp();
    showBar();
}

/// What the wheel and keys do is one zoom, however many steps it took.
void TimelineView::setShown(TimeRange range)
{
    const TimeRange &all = m_scene.activity->all;
    range = {std::max(all.begin, range.begin), std::min(all.end, range.end)};
    if (range.end - range.begin < kShortest)
        return;
    m_zooms.clear();
    if (range != all)
        m_zooms.push_back(range);
    sumUp();
    showBar();
}

void TimelineView::zoomAround(std::int64_t time, double factor)
{
    const TimeRange range = shown();
    const auto scaled = [&](std::int64_t edge) {
        return time + static_cast<std::int64_t>(static_cast<double>(edge - time) * factor);
    };
    setShown({scaled(range.begin), scaled(range.end)});
}

void TimelineView::pan(double share)
{
    const TimeRange range = shown();
    const TimeRange &all = m_scene.activity->all;
    const auto wanted = static_cast<std::int64_t>(static_cast<double>(range.end - range.begin) * share);
    const std::int64_t move = std::clamp(wanted, all.begin - range.begin, all.end - range.end);
    setShown({range.begin + move, range.end + move});
}

// ---- lanes

void TimelineView::clickRow(std::size_t row, int x)
{
    if (row >= m_scene.firstTrack())
        return;
    if (row >= m_scene.activity->lanes.size()) {
        m_showsAllLanes = true;
        return sumUp();
    }
    if (m_scene.activity->lanes[row].hasParts && x <= m_scene.mark(row).right())
        toggleLane(row);
    else
        narrowTo(row);
}

void TimelineView::toggleLane(std::size_t lane)
{
    const std::string &name = m_scene.activity->lanes[lane].name;
    if (std::erase(m_open, name) == 0)
        m_open.push_back(name);
    sumUp();
}

/// The samples of one lane alone; the same again shows all.
void TimelineView::narrowTo(std::size_t lane)
{
    const ActivityLane &chosen = m_scene.activity->lanes[lane];
    if (!chosen.key.empty() && !chosen.name.empty())
        m_session.setLens(withAttribute(m_session.lens(), chosen.key, chosen.name));
}

bool TimelineView::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip || !m_scene.activity)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const auto row = m_scene.rowAt(help->pos().y());
    QString text = tr("Drag to look at a range, double-click in it to zoom, Esc shows all again");
    if (row && *row < m_scene.activity->lanes.size() && help->pos().x() < m_scene.left()) {
        const ActivityLane &lane = m_scene.activity->lanes[*row];
        text = qString(lane.name) + QLatin1Char('\n') + valueText(lane.total, m_key.request.series.unit);
        if (!lane.key.empty())
            text += QLatin1Char('\n') + tr("Click shows this %1 alone, and all again").arg(qString(lane.key));
    }
    if (row && *row >= m_scene.firstTrack())
        text = trackText(*row - m_scene.firstTrack(), help->pos().x());
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

/// What a metric measured at a place, or in which range it is.
QString TimelineView::trackText(std::size_t track, int x) const
{
    const MetricTrack &metric = m_scene.records->tracks[track];
    const TimeRange &range = m_scene.activity->timeline.range;
    const double value = metric.values[binOf(range, metric.values.size(), m_scene.timeAt(x))];
    const QString unit = metric.unit.empty() ? QString() : QLatin1Char(' ') + qString(metric.unit);
    const auto figure = [&](double number) { return QString::number(number, 'g', 4) + unit; };
    QString text = qString(metric.name);
    if (x >= m_scene.left() && !std::isnan(value))
        text += QLatin1Char('\n') + figure(value);
    return text + QLatin1Char('\n') + tr("from %1 to %2").arg(figure(metric.low), figure(metric.high));
}

// ---- keys

/// Arrow keys move the range, with Shift its end.
void TimelineView::moveRange(int key, bool isEndAlone)
{
    const TimeRange all = shown();
    const std::int64_t step = std::max<std::int64_t>(1, (all.end - all.begin) / 100);
    const std::int64_t move = key == Qt::Key_Left ? -step : step;
    TimeRange range = m_scene.brushed.value_or(TimeRange{all.begin, all.begin + 10 * step});
    range.end = std::clamp(range.end + move, all.begin + 1, all.end);
    if (!isEndAlone)
        range.begin = std::clamp(range.begin + move, all.begin, range.end);
    propose(range.begin, range.end);
}

void TimelineView::moveLane(int step)
{
    const auto last = static_cast<std::ptrdiff_t>(m_scene.activity->lanes.size()) - 1;
    if (last < 0)
        return;
    const std::ptrdiff_t from = m_scene.current ? static_cast<std::ptrdiff_t>(*m_scene.current) : -1;
    m_scene.current = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(from + step, 0, last));
    const QRect row = m_scene.row(*m_scene.current);
    if (row.top() < 0)
        verticalScrollBar()->setValue(m_scene.scrolled + row.top());
    else if (row.bottom() >= m_scene.axis())
        verticalScrollBar()->setValue(m_scene.scrolled + row.bottom() - m_scene.axis() + 1);
    viewport()->update();
}

/// Keys that mean something here mean that, whatever they do elsewhere in the window.
bool TimelineView::event(QEvent *event)
{
    constexpr std::array kOwn{Qt::Key_W,    Qt::Key_A,     Qt::Key_S,     Qt::Key_D,
                              Qt::Key_Plus, Qt::Key_Minus, Qt::Key_Escape};
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->modifiers() == Qt::NoModifier && std::ranges::find(kOwn, key->key()) != kOwn.end()) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    constexpr double kZoomStep = 1.5;
    constexpr double kPanStep = 0.2;
    if (!m_scene.activity)
        return QAbstractScrollArea::keyPressEvent(event);
    const TimeRange range = m_scene.brushed.value_or(shown());
    const std::int64_t centre = m_pointedAt.value_or(range.begin + (range.end - range.begin) / 2);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        return moveRange(event->key(), (event->modifiers() & Qt::ShiftModifier) != 0);
    case Qt::Key_Up:
        return moveLane(-1);
    case Qt::Key_Down:
        return moveLane(1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return m_scene.current ? narrowTo(*m_scene.current) : zoomToRange();
    case Qt::Key_Plus:
    case Qt::Key_Minus:
        if (m_scene.current &&
            m_scene.activity->lanes[*m_scene.current].isOpen == (event->key() == Qt::Key_Minus))
            toggleLane(*m_scene.current);
        return;
    case Qt::Key_W:
        return zoomAround(centre, 1 / kZoomStep);
    case Qt::Key_S:
        return zoomAround(centre, kZoomStep);
    case Qt::Key_A:
        return pan(-kPanStep);
    case Qt::Key_D:
        return pan(kPanStep);
    case Qt::Key_Escape:
        return m_scene.brushed ? clearRange() : zoomOut(m_zooms.empty() ? 0 : m_zooms.size() - 1);
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

} // namespace hearth
