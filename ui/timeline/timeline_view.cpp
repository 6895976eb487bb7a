#include "ui/timeline/timeline_view.h"

#include "model/views/time_range.h"
#include "ui/flame/flame_painter.h"
#include "ui/theme/theme.h"

#include <QDateTime>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace hearth {

namespace {

constexpr int kLaneHeight = 22;
constexpr int kAxisHeight = 18;
constexpr int kMargin = 10;
constexpr int kNameWidth = 120;
constexpr int kBarWidth = 3;
constexpr std::size_t kMostLanes = 3;
constexpr std::int64_t kSecond = 1'000'000'000;

QString qString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

double placeOf(const TimelineScene &scene, std::int64_t time)
{
    const TimeRange &range = scene.activity->timeline.range;
    const double span = static_cast<double>(range.end) - static_cast<double>(range.begin) + 1;
    const double share = (static_cast<double>(time) - static_cast<double>(range.begin)) / span;
    return scene.left + share * scene.width;
}

/// The step between marks: 1, 2 or 5 of a power of ten, or what clocks are divided into.
std::int64_t stepFor(double span, int width)
{
    constexpr int kNarrowest = 110;
    constexpr std::array<std::int64_t, 13> kClock{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 21600};
    const double wanted = span * kNarrowest / std::max(1, width);
    for (double decade = 1; decade < kSecond; decade *= 10)
        for (const double factor : {1.0, 2.0, 5.0})
            if (decade * factor >= wanted)
                return static_cast<std::int64_t>(decade * factor);
    for (const std::int64_t seconds : kClock)
        if (static_cast<double>(seconds * kSecond) >= wanted)
            return seconds * kSecond;
    return static_cast<std::int64_t>(std::ceil(wanted / 86400e9)) * 86400 * kSecond;
}

/// Times of day where the data has any, else seconds from the start.
QString timeText(std::int64_t time, std::int64_t step)
{
    constexpr std::int64_t kYear1980 = 315'532'800 * kSecond;
    if (time < kYear1980)
        return QString::number(static_cast<double>(time) / 1e9, 'g', 6) + QStringLiteral(" s");
    const QDateTime moment = QDateTime::fromMSecsSinceEpoch(time / 1'000'000);
    return moment.toString(step >= kSecond ? QStringLiteral("HH:mm:ss") : QStringLiteral("HH:mm:ss.zzz"));
}

} // namespace

void paintTimeline(QPainter &painter, const TimelineScene &scene, const QFont &font)
{
    const Activity &activity = *scene.activity;
    const QFontMetrics metrics(font);
    painter.setFont(font);
    for (std::size_t lane = 0; lane < activity.names.size(); ++lane) {
        const int top = kMargin / 2 + static_cast<int>(lane) * kLaneHeight;
        painter.setPen(lane == 0 ? theme().text : theme().muted);
        painter.drawText(QRect(kMargin, top, kNameWidth - 8, kLaneHeight), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(qString(activity.names[lane]), Qt::ElideMiddle, kNameWidth - 8));
        const QColor color = lane == 0 ? mixed(theme().panel, theme().accent, 0.55)
                                       : frameColor(FrameClass(lane % 6), activity.names[lane]);
        const auto &values = activity.timeline.lanes[lane];
        const double barWidth = static_cast<double>(scene.width) / static_cast<double>(values.size());
        for (std::size_t bin = 0; bin < values.size(); ++bin) {
            if (values[bin] <= 0)
                continue;
            const double share = static_cast<double>(values[bin]) / static_cast<double>(activity.peaks[lane]);
            const double height = std::max(1.0, share * (kLaneHeight - 3));
            const double left = scene.left + barWidth * static_cast<double>(bin);
            painter.fillRect(QRectF(left, top + kLaneHeight - height, std::max(1.0, barWidth - 1), height),
                             color);
        }
    }
    const int axis = kMargin / 2 + static_cast<int>(activity.names.size()) * kLaneHeight;
    const TimeRange &range = activity.timeline.range;
    const double span = static_cast<double>(range.end) - static_cast<double>(range.begin) + 1;
    const std::int64_t step = stepFor(span, scene.width);
    painter.setPen(theme().muted);
    for (std::int64_t time = (range.begin / step + 1) * step; time <= range.end; time += step) {
        const QString text = timeText(time, step);
        const int x = static_cast<int>(placeOf(scene, time));
        if (x + metrics.horizontalAdvance(text) <= scene.left + scene.width)
            painter.drawText(x, axis + metrics.ascent() + 1, text);
        if (time > range.end - step)
            break; // before the sum overflows
    }
    if (scene.brushed) {
        const double left =
            std::clamp<double>(placeOf(scene, scene.brushed->begin), scene.left, scene.left + scene.width);
        const double right =
            std::clamp<double>(placeOf(scene, scene.brushed->end), scene.left, scene.left + scene.width);
        QColor fill = theme().accent;
        fill.setAlphaF(0.14F);
        const QRectF box(left, 2, std::max(2.0, right - left), axis - 2);
        painter.fillRect(box, fill);
        painter.setPen(theme().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box);
    }
}

TimelineView::TimelineView(Session &session, QWidget *parent) : QWidget(parent), m_session(session)
{
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::CrossCursor);
    setAccessibleName(tr("Timeline"));
    setToolTip(tr("Drag to look at a range; Esc or a double-click shows all again"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    hide();
    connect(&session, &Session::snapshotChanged, this, [this] { sumUp(); });
    connect(&session, &Session::evaluationChanged, this, [this] { sumUp(); });
    connect(&session, &Session::lensChanged, this, &TimelineView::showBrush);
    sumUp();
}

QSize TimelineView::sizeHint() const
{
    const int lanes = m_scene.activity ? static_cast<int>(m_scene.activity->names.size()) : 1;
    return {400, kMargin + lanes * kLaneHeight + kAxisHeight};
}

/// Sums anew on the worker; the brush alone needs no sums.
void TimelineView::sumUp()
{
    const auto snapshot = m_session.snapshot();
    const auto evaluation = m_session.evaluation();
    if (!snapshot || !evaluation)
        return;
    const int room = isVisible() ? width() : parentWidget()->width();
    const auto bins = static_cast<std::size_t>(std::max(1, (room - kNameWidth - 2 * kMargin) / kBarWidth));
    m_worker.run([this, snapshot, lens = m_session.lens(), series = evaluation->series,
                  bins](const std::stop_token &stop) -> Worker::Delivery {
        auto activity = activityOf(*snapshot, lens, series, bins, kMostLanes, stop);
        if (stop.stop_requested())
            return nullptr;
        return [this,
                activity = activity ? std::make_shared<const Activity>(std::move(*activity)) : nullptr] {
            const bool isTaller =
                activity && (!m_scene.activity || m_scene.activity->names.size() != activity->names.size());
            m_scene.activity = activity;
            setVisible(activity != nullptr);
            if (isTaller) {
                setFixedHeight(sizeHint().height());
                updateGeometry();
            }
            showBrush();
        };
    });
}

void TimelineView::showBrush()
{
    m_scene.left = kNameWidth + kMargin;
    m_scene.width = std::max(1, width() - m_scene.left - kMargin);
    m_scene.brushed.reset();
    if (m_session.snapshot() && !m_session.lens().time.isEverything())
        m_scene.brushed = resolve(m_session.lens().time, *m_session.snapshot());
    update();
}

void TimelineView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    if (m_scene.activity)
        paintTimeline(painter, m_scene, font());
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme().line);
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void TimelineView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    showBrush();
    if (event->oldSize().width() != event->size().width())
        sumUp();
}

std::int64_t TimelineView::timeAt(int x) const
{
    const TimeRange &range = m_scene.activity->timeline.range;
    const double share = std::clamp(static_cast<double>(x - m_scene.left) / m_scene.width, 0.0, 1.0);
    const double span = static_cast<double>(range.end) - static_cast<double>(range.begin) + 1;
    return range.begin + static_cast<std::int64_t>(std::min(span - 1, share * span));
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && m_scene.activity)
        m_pressedAt = event->pos().x();
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    constexpr int kDragDistance = 3;
    if (m_pressedAt && std::abs(event->pos().x() - *m_pressedAt) >= kDragDistance)
        brush(event->pos().x());
}

void TimelineView::mouseReleaseEvent(QMouseEvent *)
{
    m_pressedAt.reset();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *)
{
    Lens lens = m_session.lens();
    lens.time = {};
    m_session.setLens(std::move(lens));
}

void TimelineView::brush(int x)
{
    const auto [left, right] = std::minmax(*m_pressedAt, x);
    propose(timeAt(left), timeAt(right));
}

/// Ranges are in time since the start, which stays readable in the lens's text.
void TimelineView::propose(std::int64_t begin, std::int64_t end)
{
    const TimeRange &all = m_scene.activity->timeline.range;
    // No more digits than a pixel is worth.
    std::int64_t unit = 1;
    while (unit < (all.end - all.begin) / (10 * m_scene.width))
        unit *= 10;
    Lens lens = m_session.lens();
    lens.time.from = TimePoint{TimeBase::Start, (begin - all.begin) / unit * unit};
    lens.time.to = TimePoint{TimeBase::Start, ((end - all.begin) / unit + 1) * unit};
    m_session.dragLens(std::move(lens));
}

/// Arrow keys move the range, with Shift its end; Esc takes it off.
void TimelineView::keyPressEvent(QKeyEvent *event)
{
    const bool isArrow = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if (event->key() == Qt::Key_Escape)
        return mouseDoubleClickEvent(nullptr);
    if (!isArrow || !m_scene.activity)
        return QWidget::keyPressEvent(event);
    const TimeRange &all = m_scene.activity->timeline.range;
    const std::int64_t step = std::max<std::int64_t>(1, (all.end - all.begin) / 100);
    const std::int64_t move = event->key() == Qt::Key_Left ? -step : step;
    TimeRange range = m_scene.brushed.value_or(TimeRange{all.begin, all.begin + 10 * step});
    range.end = std::clamp(range.end + move, all.begin + 1, all.end);
    if ((event->modifiers() & Qt::ShiftModifier) == 0)
        range.begin = std::clamp(range.begin + move, all.begin, range.end);
    propose(range.begin, range.end);
}

} // namespace hearth
