#include "ui/chart/chart_view.h"

#include "model/lens/lens_steps.h"
#include "model/lens/matcher.h"
#include "model/views/time_range.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <array>
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

// ---- searching

QString ChartView::search(const QString &expression)
{
    if (!expression.isEmpty())
        if (const auto matcher = Matcher::regex("(?i)" + expression.toStdString()); !matcher)
            return QString::fromStdString(matcher.error().message);
    m_search = expression;
    applySearch();
    viewport()->update();
    return {};
}

void ChartView::applySearch()
{
    m_scene.matches.clear();
    m_matchingEntries = 0;
    if (m_search.isEmpty() || !m_scene.chart)
        return;
    const auto matcher = Matcher::regex("(?i)" + m_search.toStdString());
    const EntriesView &entries = *m_scene.chart->entries;
    std::vector<bool> isFound(entries.size());
    for (std::size_t entry = 0; entry < isFound.size(); ++entry)
        isFound[entry] = matcher->matches(entries[EntryId(entry)].name);
    m_matchingEntries = static_cast<std::size_t>(std::ranges::count(isFound, true));
    const std::vector<ShapeNode> &nodes = m_scene.chart->tree.nodes;
    m_scene.matches.resize(nodes.size());
    for (std::size_t node = 1; node < nodes.size(); ++node) {
        const bool isMatch = isFound[nodes[node].entry.value];
        const bool isBelow = (m_scene.matches[nodes[node].parent.value] & ChartScene::kIsBelowMatch) != 0;
        m_scene.matches[node] = static_cast<std::uint8_t>(
            (isMatch ? ChartScene::kIsMatch : 0) | (isMatch || isBelow ? ChartScene::kIsBelowMatch : 0));
    }
}

void ChartView::selectMatch(bool forward)
{
    if (m_matchingEntries == 0 || m_scene.rows.empty())
        return;
    const auto isFound = [&](const StackLane &stacks, std::size_t stretch) {
        return (m_scene.matches[stacks[stretch].node.value] & ChartScene::kIsBelowMatch) != 0;
    };
    const auto rows = std::ssize(m_scene.rows);
    std::ptrdiff_t row = 0;
    std::ptrdiff_t stretch = -1;
    if (m_scene.current) {
        row = std::ranges::find(m_scene.rows, m_scene.current->lane, &ChartRow::lane) - m_scene.rows.begin();
        stretch = static_cast<std::ptrdiff_t>(m_scene.current->stretch);
    }
    for (std::ptrdiff_t visited = 0; visited <= rows; ++visited) {
        const std::size_t lane = m_scene.rows[static_cast<std::size_t>(row)].lane;
        const StackLane &stacks = m_scene.chart->lanes[lane].stacks;
        const auto size = static_cast<std::ptrdiff_t>(stacks.size());
        for (stretch += forward ? 1 : -1; stretch >= 0 && stretch < size; stretch += forward ? 1 : -1)
            if (isFound(stacks, static_cast<std::size_t>(stretch)))
                return setCurrent({lane, static_cast<std::size_t>(stretch)});
        row = (row + (forward ? 1 : rows - 1)) % rows;
        const std::size_t next = m_scene.rows[static_cast<std::size_t>(row)].lane;
        stretch = forward ? -1 : static_cast<std::ptrdiff_t>(m_scene.chart->lanes[next].stacks.size());
    }
}

// ---- events

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

void ChartView::mousePressEvent(QMouseEvent *event)
{
    if (!m_scene.chart || event->button() != Qt::LeftButton)
        return;
    m_pressedAt = event->pos();
    m_shownAtPress = m_scene.shown;
    m_scrollAtPress = verticalScrollBar()->value();
    m_isDragging = false;
    const bool isInAxis = event->pos().y() < ChartScene::kAxisHeight;
    if (event->pos().x() < m_scene.left())
        m_drag = Drag::None;
    else
        m_drag = isInAxis || (event->modifiers() & Qt::ControlModifier) != 0 ? Drag::Range : Drag::Pan;
}

void ChartView::mouseMoveEvent(QMouseEvent *event)
{
    constexpr int kDragDistance = 3;
    if (!m_scene.chart)
        return;
    const QPoint position = event->pos();
    m_pointedAt = position.x() >= m_scene.left() ? std::optional(m_scene.timeAt(position.x())) : std::nullopt;
    if ((event->buttons() & Qt::LeftButton) == 0) {
        const auto place = m_scene.placeAt(position);
        viewport()->setCursor(position.x() < m_scene.left()            ? Qt::PointingHandCursor
                              : position.y() < ChartScene::kAxisHeight ? Qt::CrossCursor
                                                                       : Qt::ArrowCursor);
        if (place != m_scene.hovered) {
            m_scene.hovered = place;
            viewport()->update();
        }
        return;
    }
    const QPoint moved = position - m_pressedAt;
    m_isDragging = m_isDragging || moved.manhattanLength() > kDragDistance;
    if (!m_isDragging)
        return;
    if (m_drag == Drag::Range)
        return propose(m_pressedAt.x(), position.x());
    if (m_drag != Drag::Pan)
        return;
    verticalScrollBar()->setValue(m_scrollAtPress - moved.y());
    const TimeRange all = this->all();
    const std::int64_t move = std::clamp(static_cast<std::int64_t>(-moved.x() * m_scene.pixelNs()),
                                         all.begin - m_shownAtPress.begin, all.end - m_shownAtPress.end);
    setShown({m_shownAtPress.begin + move, m_shownAtPress.end + move});
}

void ChartView::mouseReleaseEvent(QMouseEvent *event)
{
    if (!m_scene.chart || event->button() != Qt::LeftButton || m_isDragging)
        return;
    if (event->pos().x() < m_scene.left()) {
        if (const auto row = m_scene.rowAt(event->pos().y()))
            toggleLane(*row);
    } else if (const auto place = m_scene.placeAt(event->pos())) {
        choose(*place);
    }
}

/// Shows a box, or the range in the axis, over the whole width.
void ChartView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (!m_scene.chart || event->button() != Qt::LeftButton || event->pos().x() < m_scene.left())
        return;
    m_isDragging = true; // the release that follows chooses nothing
    if (event->pos().y() < ChartScene::kAxisHeight)
        return m_scene.brushed ? setShown(*m_scene.brushed) : showAll();
    if (const auto place = m_scene.placeAt(event->pos())) {
        const ChartBox &box = m_scene.rows[place->row].boxes[place->box];
        const std::int64_t border = (box.end - box.begin) / 20;
        setShown({box.begin - border, box.end + border});
    }
}

void ChartView::wheelEvent(QWheelEvent *event)
{
    constexpr double kPerNotch = 1.25;
    const bool isZoom = (event->modifiers() & Qt::ControlModifier) != 0 ||
                        event->position().y() < ChartScene::kAxisHeight ||
                        verticalScrollBar()->maximum() == 0;
    const bool isPan = (event->modifiers() & Qt::ShiftModifier) != 0 || event->angleDelta().x() != 0;
    if (!m_scene.chart || (!isZoom && !isPan))
        return QAbstractScrollArea::wheelEvent(event);
    const QPoint delta = event->angleDelta();
    if (isPan)
        pan(-(delta.x() != 0 ? delta.x() : delta.y()) / 120.0 * 0.1);
    else
        zoomAround(m_scene.timeAt(static_cast<int>(event->position().x())),
                   std::pow(kPerNotch, -delta.y() / 120.0));
    event->accept();
}

/// Keys that mean something here mean that, whatever they do elsewhere in the window.
bool ChartView::event(QEvent *event)
{
    constexpr std::array kOwn{Qt::Key_W,     Qt::Key_A,      Qt::Key_S,      Qt::Key_D,
                              Qt::Key_Plus,  Qt::Key_Minus,  Qt::Key_Escape, Qt::Key_0,
                              Qt::Key_Comma, Qt::Key_Period, Qt::Key_F3};
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isPlain = (key->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == Qt::NoModifier;
        if (isPlain && std::ranges::find(kOwn, key->key()) != kOwn.end()) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

void ChartView::keyPressEvent(QKeyEvent *event)
{
    constexpr double kZoomStep = 1.5;
    constexpr double kPanStep = 0.2;
    if (!m_scene.chart)
        return QAbstractScrollArea::keyPressEvent(event);
    const TimeRange &range = m_scene.shown;
    const std::int64_t centre = m_pointedAt.value_or(range.begin + (range.end - range.begin) / 2);
    const auto toggle = [this](bool isOpen) {
        const auto row =
            std::ranges::find(m_scene.rows, m_scene.current ? m_scene.current->lane : 0, &ChartRow::lane);
        if (row != m_scene.rows.end() && row->isOpen != isOpen)
            toggleLane(static_cast<std::size_t>(row - m_scene.rows.begin()));
    };
    switch (event->key()) {
    case Qt::Key_W:
        return zoomAround(centre, 1 / kZoomStep);
    case Qt::Key_S:
        return zoomAround(centre, kZoomStep);
    case Qt::Key_A:
    case Qt::Key_Left:
        return pan(-kPanStep);
    case Qt::Key_D:
    case Qt::Key_Right:
        return pan(kPanStep);
    case Qt::Key_Up:
        return moveLane(-1);
    case Qt::Key_Down:
        return moveLane(1);
    case Qt::Key_Comma:
        return stepSample(false);
    case Qt::Key_Period:
        return stepSample(true);
    case Qt::Key_Plus:
        return toggle(true);
    case Qt::Key_Minus:
        return toggle(false);
    case Qt::Key_F3:
        return selectMatch((event->modifiers() & Qt::ShiftModifier) == 0);
    case Qt::Key_0:
        return showAll();
    case Qt::Key_Escape:
        return m_showsAll ? m_session.clearSelection() : showAll();
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void ChartView::contextMenuEvent(QContextMenuEvent *event)
{
    const auto row = m_scene.chart ? m_scene.rowAt(event->pos().y()) : std::nullopt;
    if (!row)
        return;
    if (event->pos().x() < m_scene.left())
        return showLaneMenu(*row, event->globalPos());
    if (const auto place = m_scene.placeAt(event->pos())) {
        m_pressedAt = event->pos();
        choose(*place);
        Q_EMIT menuRequested(event->globalPos());
    }
}

void ChartView::showLaneMenu(std::size_t row, const QPoint &globalPosition)
{
    const ChartRow &shown = m_scene.rows[row];
    const ChartLane &lane = m_scene.laneOf(shown);
    QMenu menu;
    menu.addAction(shown.isPinned ? tr("Unpin") : tr("Pin to the top"), this,
                   [this, row] { togglePin(row); });
    menu.addAction(shown.isOpen ? tr("Close") : tr("Open"), this, [this, row] { toggleLane(row); });
    menu.addAction(tr("Open all lanes"), this, [this] { setAllOpen(true); });
    menu.addAction(tr("Close all lanes"), this, [this] { setAllOpen(false); });
    if (!m_scene.chart->key.empty() && !lane.name.empty()) {
        menu.addSeparator();
        menu.addAction(tr("Only this %1, or all again").arg(qString(m_scene.chart->key)), this,
                       [this, &lane] { narrowTo(lane); });
    }
    menu.exec(globalPosition);
}

bool ChartView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave && m_scene.hovered) {
        m_scene.hovered.reset();
        viewport()->update();
    }
    if (event->type() != QEvent::ToolTip || !m_scene.chart)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QString text;
    if (help->pos().y() < ChartScene::kAxisHeight)
        text = tr("Drag to look at a range, double-click shows it over the whole width");
    else if (const auto place = m_scene.placeAt(help->pos()))
        text = toolTipOf(*place);
    else if (const auto row = m_scene.rowAt(help->pos().y()); row && help->pos().x() < m_scene.left())
        text = qString(m_scene.laneOf(m_scene.rows[*row]).name) + QLatin1Char('\n') +
               valueText(m_scene.laneOf(m_scene.rows[*row]).weight, m_scene.chart->series.unit);
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

QString ChartView::toolTipOf(const ChartPlace &place) const
{
    const ChartRow &row = m_scene.rows[place.row];
    const ChartBox &box = row.boxes[place.box];
    const StackLane &stacks = m_scene.laneOf(row).stacks;
    if (box.isNarrow && box.last - box.first > 1)
        return tr("%1 samples in the width of a pixel: zoom in to see them")
            .arg(countText(box.last - box.first));
    QString text =
        box.node == TreeShape::kRoot ? tr("no stack") : qString(m_scene.chart->entry(box.node).name);
    if (box.isWaiting)
        text = tr("waiting in %1").arg(text);
    const std::size_t first = row.isOpen ? stacks.beginOfBox(box.first, box.level) : box.first;
    return text + QLatin1Char('\n') +
           tr("%1 · %2 samples")
               .arg(valueText(box.end - box.begin, "nanoseconds"), countText(box.last - first));
}

} // namespace hearth
