#include "ui/chart/chart_view.h"

#include "model/lens/lens_steps.h"
#include "model/views/time_range.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace hearth {

namespace {

constexpr double kShortestNs = 1000; ///< what can be zoomed to

} // namespace

ChartView::ChartView(Session &session, QWidget *parent) : QAbstractScrollArea(parent), m_session(session)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Time chart"));
    viewport()->setMouseTracking(true);
    verticalScrollBar()->setSingleStep(ChartScene::kBoxHeight);
    connect(&session, &Session::snapshotChanged, this, &ChartView::takeSnapshot);
    connect(&session, &Session::lensChanged, this, [this] {
        showBrush();
        make();
    });
    connect(&session, &Session::selectionChanged, this, &ChartView::takeSelection);
}

/// What was opened and shown is of one data set.
void ChartView::takeSnapshot()
{
    if (!m_session.evaluation()) {
        m_scene.chart = nullptr;
        m_scene.rows.clear();
        m_scene.current.reset();
        m_scene.hovered.reset();
        m_open.clear();
        m_pinned.clear();
        m_key = {};
        m_hasOpened = false;
        m_isChosen = false;
        m_showsAll = true;
    } else if (m_worker.isBusy()) {
        m_isOutdated = true; // what is being made comes to its end: data may arrive faster
        return;
    }
    make();
}

/// On the worker, and only while somebody looks.
void ChartView::make()
{
    m_isStale = !isVisible() || !m_session.snapshot();
    if (m_isStale)
        return;
    if (!m_isChosen) {
        const std::vector<std::string> keys = laneKeysOf(*m_session.snapshot());
        m_lanesBy = keys.empty() ? std::string() : keys.front();
    }
    Key key{m_session.snapshot(), m_session.lens(), m_lanesBy};
    key.lens.time = {}; // is chosen here
    if (key == m_key)
        return;
    m_key = key;
    m_worker.run([this, key = std::move(key)](const std::stop_token &stop) -> Worker::Delivery {
        const auto chart = timeChartOf(key.snapshot, key.lens, {key.lanesBy}, stop);
        if (chart && !*chart)
            return nullptr;
        if (!chart) // the session says what is wrong with the lens
            return [this] { take(nullptr, nullptr); };
        return [this, made = *chart, classes = classesOf(**chart)] { take(made, classes); };
    });
}

void ChartView::take(std::shared_ptr<const TimeChart> chart,
                     std::shared_ptr<const std::vector<FrameClass>> classes)
{
    if (m_scene.current && (!chart || !m_scene.chart || chart->key != m_scene.chart->key))
        m_scene.current.reset();
    m_scene.chart = std::move(chart);
    m_scene.classes = std::move(classes);
    m_labels.clear();
    m_scene.hovered.reset();
    if (m_scene.chart && m_scene.current &&
        (m_scene.current->lane >= m_scene.chart->lanes.size() ||
         m_scene.current->stretch >= m_scene.chart->lanes[m_scene.current->lane].stacks.size()))
        m_scene.current.reset();
    if (m_scene.chart && (m_showsAll || m_scene.shown.begin >= m_scene.shown.end))
        m_scene.shown = all();
    applySearch();
    takeSelection();
    arrange();
    showBrush();
    Q_EMIT chartChanged();
    if (std::exchange(m_isOutdated, false))
        make();
}

// ---- lanes

void ChartView::setLanesBy(const QString &key)
{
    m_isChosen = true;
    m_lanesBy = key.toStdString();
    m_open.clear();
    m_pinned.clear();
    m_hasOpened = false;
    make();
}

void ChartView::setOrder(LaneOrder order)
{
    m_order = order;
    arrange();
}

void ChartView::setAllOpen(bool isOpen)
{
    m_open.clear();
    for (const ChartRow &row : m_scene.rows)
        if (isOpen)
            m_open.insert(qString(m_scene.laneOf(row).name));
    arrange();
}

void ChartView::toggleLane(std::size_t row)
{
    const QString name = qString(m_scene.laneOf(m_scene.rows[row]).name);
    if (!m_open.remove(name))
        m_open.insert(name);
    arrange();
}

void ChartView::togglePin(std::size_t row)
{
    const QString name = qString(m_scene.laneOf(m_scene.rows[row]).name);
    if (!m_pinned.remove(name))
        m_pinned.insert(name);
    arrange();
}

/// Rows from top to bottom: pinned lanes first. Of a new data set the first are opened, as many as there is
/// room for.
void ChartView::arrange()
{
    m_scene.rows.clear();
    m_scene.hovered.reset();
    if (m_scene.chart) {
        const std::vector<ChartLane> &lanes = m_scene.chart->lanes;
        std::vector<std::size_t> order(lanes.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        if (m_order == LaneOrder::ByName)
            std::ranges::stable_sort(order, {}, [&](std::size_t lane) { return lanes[lane].name; });
        if (m_order == LaneOrder::FirstActive)
            std::ranges::stable_sort(order, {},
                                     [&](std::size_t lane) { return lanes[lane].stacks[0].begin; });
        const auto isPinned = [&](std::size_t lane) { return m_pinned.contains(qString(lanes[lane].name)); };
        if (!m_pinned.isEmpty())
            std::ranges::stable_partition(order, isPinned);
        int room = viewport()->height() - ChartScene::kAxisHeight;
        for (const std::size_t lane : order) {
            const int height = m_scene.heightOfRow(lanes[lane], true);
            if (m_hasOpened || (height > room && !m_open.isEmpty()))
                break;
            m_open.insert(qString(lanes[lane].name));
            room -= height;
        }
        m_hasOpened = m_hasOpened || !lanes.empty();
        int top = 0;
        for (const std::size_t lane : order) {
            const bool isOpen = m_open.contains(qString(lanes[lane].name));
            const int height = m_scene.heightOfRow(lanes[lane], isOpen);
            m_scene.rows.push_back({lane, top, height, isOpen, isPinned(lane), {}});
            top += height;
        }
    }
    layOut();
}

/// The boxes of rows that can be seen.
void ChartView::layOut()
{
    m_scene.size = viewport()->size();
    const int room = std::max(1, m_scene.size.height() - ChartScene::kAxisHeight);
    verticalScrollBar()->setPageStep(room);
    verticalScrollBar()->setRange(0, std::max(0, m_scene.wholeHeight() - room));
    m_scene.scrolled = verticalScrollBar()->value();
    m_scene.hovered.reset();
    for (ChartRow &row : m_scene.rows) {
        row.boxes.clear();
        const int top = m_scene.topOf(row);
        if (top < m_scene.size.height() && top + row.height > ChartScene::kAxisHeight)
            layOutLane(*m_scene.chart, m_scene.laneOf(row).stacks, m_scene.shown, m_scene.pixelNs(),
                       !row.isOpen, row.boxes);
    }
    viewport()->update();
}

// ---- what part of the time is shown

void ChartView::setShown(TimeRange range)
{
    const TimeRange all = this->all();
    range = {std::max(all.begin, range.begin), std::min(all.end, range.end)};
    if (static_cast<double>(range.end) - static_cast<double>(range.begin) < kShortestNs && range != all)
        return;
    m_showsAll = range == all;
    m_scene.shown = range;
    layOut();
}

void ChartView::zoomAround(std::int64_t time, double factor)
{
    if (!m_scene.chart)
        return;
    const auto scaled = [&](std::int64_t edge) {
        const double place = static_cast<double>(edge - time) * factor;
        return time + static_cast<std::int64_t>(std::clamp(place, -4e18, 4e18));
    };
    setShown({scaled(m_scene.shown.begin), scaled(m_scene.shown.end)});
}

void ChartView::pan(double share)
{
    if (!m_scene.chart)
        return;
    const TimeRange all = this->all();
    const TimeRange range = m_scene.shown;
    const auto wanted = static_cast<std::int64_t>(
        (static_cast<double>(range.end) - static_cast<double>(range.begin)) * share);
    const std::int64_t move = std::clamp(wanted, all.begin - range.begin, all.end - range.end);
    setShown({range.begin + move, range.end + move});
}

void ChartView::showAll()
{
    if (m_scene.chart)
        setShown(all());
}

void ChartView::setBounds(const std::optional<TimeRange> &bounds)
{
    if (bounds == m_bounds)
        return;
    m_bounds = bounds;
    showAll();
}

// ---- the range of the lens

void ChartView::showBrush()
{
    m_scene.brushed.reset();
    if (m_session.snapshot() && !m_session.lens().time.isEverything())
        m_scene.brushed = resolve(m_session.lens().time, *m_session.snapshot());
    viewport()->update();
}

void ChartView::propose(int fromX, int toX)
{
    const auto [left, right] = std::minmax(fromX, toX);
    const auto dataSet = timeSpanOf(*m_scene.chart->snapshot);
    if (!dataSet)
        return;
    Lens lens = m_session.lens();
    lens.time = timeTermOf({m_scene.timeAt(left), m_scene.timeAt(right)}, *dataSet, m_scene.pixelNs());
    m_session.dragLens(std::move(lens));
}

void ChartView::narrowTo(const ChartLane &lane)
{
    const std::string &key = m_scene.chart->key;
    if (key.empty() || lane.name.empty())
        return;
    Lens lens = m_session.lens();
    if (key == TimeChartRequest::kByTrace)
        lens.trace = lens.trace == lane.name ? std::string() : lane.name;
    else
        lens = withAttribute(std::move(lens), key, lane.value);
    m_session.setLens(std::move(lens));
}

// ---- samples

void ChartView::setCurrent(ChartSample sample)
{
    m_scene.current = sample;
    const Stretch &stretch = m_scene.chart->lanes[sample.lane].stacks[sample.stretch];
    if (stretch.node != TreeShape::kRoot)
        m_session.selectName(std::string(m_scene.chart->entry(stretch.node).name));
    ensureVisible(sample);
    viewport()->update();
    Q_EMIT currentChanged();
}

void ChartView::ensureVisible(const ChartSample &sample)
{
    const Stretch &stretch = m_scene.chart->lanes[sample.lane].stacks[sample.stretch];
    TimeRange range = m_scene.shown;
    if (stretch.begin < range.begin || stretch.end > range.end) {
        const std::int64_t length = range.end - range.begin;
        const std::int64_t begin =
            std::clamp(stretch.begin - length / 2, all().begin, std::max(all().begin, all().end - length));
        setShown({begin, begin + length});
    }
    const auto row = std::ranges::find(m_scene.rows, sample.lane, &ChartRow::lane);
    const int top = m_scene.topOf(*row);
    const int height = std::min(row->height, m_scene.size.height() - ChartScene::kAxisHeight);
    if (top < ChartScene::kAxisHeight)
        verticalScrollBar()->setValue(row->top);
    else if (top + height > m_scene.size.height())
        verticalScrollBar()->setValue(m_scene.scrolled + top + height - m_scene.size.height());
}

void ChartView::stepSample(bool forward)
{
    if (!m_scene.chart || m_scene.rows.empty())
        return;
    if (!m_scene.current) {
        const std::size_t lane = m_scene.rows.front().lane;
        const StackLane &stacks = m_scene.chart->lanes[lane].stacks;
        const std::size_t first = stacks.firstEndingAfter(m_scene.shown.begin);
        return setCurrent({lane, std::min(first, stacks.size() - 1)});
    }
    ChartSample sample = *m_scene.current;
    const std::size_t last = m_scene.chart->lanes[sample.lane].stacks.size() - 1;
    if (forward ? sample.stretch < last : sample.stretch > 0)
        sample.stretch += forward ? 1 : std::size_t(-1);
    setCurrent(sample);
}

void ChartView::moveLane(int step)
{
    if (!m_scene.chart || m_scene.rows.empty())
        return;
    std::ptrdiff_t row = -1;
    std::int64_t time = m_scene.shown.begin;
    if (m_scene.current) {
        row = std::ranges::find(m_scene.rows, m_scene.current->lane, &ChartRow::lane) - m_scene.rows.begin();
        time = m_scene.chart->lanes[m_scene.current->lane].stacks[m_scene.current->stretch].begin;
    }
    row = std::clamp<std::ptrdiff_t>(row + step, 0, std::ssize(m_scene.rows) - 1);
    const std::size_t lane = m_scene.rows[static_cast<std::size_t>(row)].lane;
    const StackLane &stacks = m_scene.chart->lanes[lane].stacks;
    setCurrent({lane, std::min(stacks.firstEndingAfter(time), stacks.size() - 1)});
}

void ChartView::takeSelection()
{
    m_scene.selected.reset();
    const std::string name = m_session.selectedName().toStdString();
    if (m_scene.chart && !name.empty())
        for (std::size_t entry = 0; entry < m_scene.chart->entries->size() && !m_scene.selected; ++entry)
            if ((*m_scene.chart->entries)[EntryId(entry)].name == name)
                m_scene.selected = EntryId(entry);
    viewport()->update();
}

void ChartView::choose(const ChartPlace &place)
{
    const ChartRow &row = m_scene.rows[place.row];
    const ChartBox &box = row.boxes[place.box];
    const std::size_t at = m_scene.laneOf(row).stacks.firstEndingAfter(m_scene.timeAt(m_pressedAt.x()));
    setCurrent({row.lane, std::clamp<std::size_t>(at, box.first, box.last - 1U)});
    if (box.node != TreeShape::kRoot && !box.isNarrow)
        m_session.selectName(std::string(m_scene.chart->entry(box.node).name));
}

void ChartView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme().panel);
    if (m_scene.chart && !m_scene.rows.empty())
        paintChart(painter, m_scene, font(), m_labels);
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 1));
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void ChartView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void ChartView::showEvent(QShowEvent *event)
{
    QAbstractScrollArea::showEvent(event);
    if (m_isStale)
        make();
}

void ChartView::scrollContentsBy(int, int)
{
    layOut();
}

} // namespace hearth
