#include "ui/chart/chart_painter.h"

#include "ui/theme/figures.h"
#include "ui/theme/marks.h"
#include "ui/theme/theme.h"
#include "ui/timeline/time_axis.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace hearth {

namespace {

constexpr int kTextInset = 4;
constexpr int kNarrowestLabel = 22;
constexpr int kMarkWidth = 14;

class ChartPainter {
public:
    ChartPainter(QPainter &painter, const ChartScene &scene, FrameLabels &labels)
        : m_painter(painter), m_scene(scene), m_chart(*scene.chart), m_labels(labels),
          m_metrics(painter.font())
    {
        for (std::size_t kind = 0; kind < m_pale.size() / 2; ++kind) {
            const QColor color = mixed(frameColor(FrameClass(kind), {}), theme().panel, 0.3);
            m_pale[2 * kind] = color;
            m_pale[2 * kind + 1] = dimmed(color);
        }
    }

    void paint()
    {
        m_painter.save();
        m_painter.setClipRect(0, ChartScene::kAxisHeight, m_scene.size.width(), m_scene.size.height());
        for (std::size_t row = 0; row < m_scene.rows.size(); ++row)
            if (isVisible(m_scene.rows[row]))
                paintRow(row);
        m_painter.restore();
        paintAxis();
        paintBrush();
    }

private:
    bool isVisible(const ChartRow &row) const
    {
        const int top = m_scene.topOf(row);
        return top < m_scene.size.height() && top + row.height > ChartScene::kAxisHeight;
    }

    void paintRow(std::size_t index)
    {
        const ChartRow &row = m_scene.rows[index];
        paintName(row);
        m_painter.save();
        m_painter.setClipRect(
            QRect(m_scene.left(), ChartScene::kAxisHeight, m_scene.width(), m_scene.size.height()),
            Qt::IntersectClip);
        for (std::size_t box = 0; box < row.boxes.size(); ++box)
            paintBox(row, row.boxes[box], m_scene.hovered == ChartPlace{index, box});
        endRun();
        if (m_scene.current && m_scene.current->lane == row.lane)
            paintCurrent(row);
        m_painter.restore();
        m_painter.fillRect(QRect(0, m_scene.topOf(row) + row.height - 1, m_scene.size.width(), 1),
                           theme().line);
    }

    void paintName(const ChartRow &row)
    {
        const ChartLane &lane = m_scene.laneOf(row);
        const int top = m_scene.topOf(row);
        paintOpener(m_painter, QRect(4, top, kMarkWidth, ChartScene::kClosedHeight), row.isOpen);
        const int left = 4 + kMarkWidth + 2;
        const QRect room(left, top, m_scene.left() - left - 8, ChartScene::kClosedHeight);
        QString name = lane.name.empty() ? nameless() : qString(lane.name);
        if (row.isPinned)
            name.prepend(QStringLiteral("● "));
        const bool isCurrent = m_scene.current && m_scene.current->lane == row.lane;
        m_painter.setPen(isCurrent ? theme().accent : theme().text);
        m_painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                           m_metrics.elidedText(name, Qt::ElideMiddle, room.width()));
        if (row.height < 2 * ChartScene::kClosedHeight)
            return;
        m_painter.setPen(theme().muted);
        m_painter.drawText(room.translated(0, ChartScene::kClosedHeight - 3),
                           Qt::AlignLeft | Qt::AlignVCenter, valueText(lane.weight, m_chart.series.unit));
    }

    QString nameless() const
    {
        return m_chart.key.empty()
                   ? QCoreApplication::translate("TimeChart", "all")
                   : QCoreApplication::translate("TimeChart", "(no %1)").arg(qString(m_chart.key));
    }

    FrameClass classOf(NodeId node) const
    {
        return (*m_scene.classes)[m_chart.tree.nodes[node.value].entry.value];
    }

    bool isSearching() const { return !m_scene.matches.empty(); }
    bool isFound(const ChartRow &row, NodeId node) const
    {
        const int wanted = row.isOpen ? ChartScene::kIsMatch : ChartScene::kIsBelowMatch;
        return isSearching() && (m_scene.matches[node.value] & wanted) != 0;
    }

    void paintBox(const ChartRow &row, const ChartBox &box, bool isHovered)
    {
        const QRectF rect = m_scene.rectOf(row, box);
        if (box.isWaiting)
            return paintWaiting(rect, isHovered);
        if (box.node == TreeShape::kRoot)
            return m_painter.fillRect(rect, theme().soft); // a sample without a stack
        if (box.isNarrow)
            return paintNarrow(row, box, rect);
        const EntryId id = m_chart.tree.nodes[box.node.value].entry;
        const Entry &entry = (*m_chart.entries)[id];
        const bool isDimmed = isSearching() && !isFound(row, box.node);
        QColor color = frameColor(classOf(box.node), entry.name);
        if (isDimmed)
            color = dimmed(color);
        if (isHovered)
            color = mixed(color, theme().text, 0.12);
        m_painter.fillRect(rect, color);
        if (classOf(box.node) == FrameClass::NoSymbols)
            m_painter.fillRect(rect, QBrush(mixed(color, theme().text, 0.14), Qt::BDiagPattern));
        if (rect.width() >= kNarrowestLabel)
            paintLabel(id, entry, rect, isDimmed);
        if (m_scene.selected == id) {
            m_painter.setPen(QPen(theme().text, 1));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    }

    /// The first of the stacks in the pixel, paler, its levels of one kind together.
    void paintNarrow(const ChartRow &row, const ChartBox &box, const QRectF &rect)
    {
        const Stretch &stretch = m_scene.laneOf(row).stacks[box.first];
        NodeId node = stretch.node;
        double bottom = rect.bottom();
        Pale pale = stretch.isWaiting ? paleOf(FrameClass::OffCpu, false) : paleOf(node);
        if (!row.isOpen)
            return fillOn(rect, pale);
        if (stretch.isWaiting) {
            const double top = bottom - ChartScene::kBoxHeight;
            m_painter.fillRect(QRectF(rect.left(), top, rect.width(), bottom - top), m_pale[pale]);
            bottom = top;
        }
        while (node != TreeShape::kRoot && bottom > rect.top()) {
            pale = paleOf(node);
            double top = bottom;
            for (; node != TreeShape::kRoot && top > rect.top() && paleOf(node) == pale;
                 node = m_chart.tree.nodes[node.value].parent)
                top -= ChartScene::kBoxHeight;
            top = std::max(top, rect.top());
            m_painter.fillRect(QRectF(rect.left(), top, rect.width(), bottom - top), m_pale[pale]);
            bottom = top;
        }
    }

    /// A colour of narrow boxes: a kind of frame, and whether it is dimmed.
    using Pale = std::size_t;
    static Pale paleOf(FrameClass kind, bool isDimmed)
    {
        return static_cast<Pale>(kind) * 2 + (isDimmed ? 1 : 0);
    }
    Pale paleOf(NodeId node) const
    {
        if (node == TreeShape::kRoot)
            return paleOf(FrameClass::Other, true);
        return paleOf(classOf(node),
                      isSearching() && (m_scene.matches[node.value] & ChartScene::kIsBelowMatch) == 0);
    }

    /// Neighbours of one colour are painted at once: a lane may have one for each pixel.
    void fillOn(const QRectF &rect, Pale pale)
    {
        if (m_run && m_runPale == pale && m_run->top() == rect.top() && rect.left() - m_run->right() < 0.5) {
            m_run->setRight(std::max(m_run->right(), rect.right()));
            return;
        }
        endRun();
        m_run = rect;
        m_runPale = pale;
    }
    void endRun()
    {
        if (m_run)
            m_painter.fillRect(*m_run, m_pale[m_runPale]);
        m_run.reset();
    }

    void paintLabel(EntryId id, const Entry &entry, const QRectF &rect, bool isDimmed)
    {
        const int room = static_cast<int>(rect.width()) - 2 * kTextInset;
        const QString &label = m_labels.fitting(id, entry.name, room, m_metrics);
        if (label.isEmpty())
            return;
        m_painter.setPen(isDimmed ? theme().muted : theme().ink);
        m_painter.drawText(rect.adjusted(kTextInset, 0, 0, 0),
                           Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, label);
    }

    void paintWaiting(const QRectF &rect, bool isHovered)
    {
        const QColor color = frameColor(FrameClass::OffCpu, {});
        m_painter.fillRect(rect, mixed(color, theme().panel, isHovered ? 0.2 : 0.45));
        m_painter.fillRect(rect, QBrush(mixed(color, theme().text, 0.25), Qt::BDiagPattern));
        const QString text = QCoreApplication::translate("TimeChart", "waiting");
        if (rect.width() < m_metrics.horizontalAdvance(text) + 2 * kTextInset)
            return;
        m_painter.setPen(theme().ink);
        m_painter.drawText(rect.adjusted(kTextInset, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
    }

    void paintCurrent(const ChartRow &row)
    {
        const Stretch &stretch = m_scene.laneOf(row).stacks[m_scene.current->stretch];
        const double left = m_scene.placeOf(stretch.begin);
        const double right = std::max(left + 2, m_scene.placeOf(stretch.end));
        m_painter.setPen(QPen(theme().accent, 2));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRect(QRectF(left, m_scene.topOf(row) + 1, right - left, row.height - 3));
    }

    void paintAxis()
    {
        m_painter.fillRect(QRect(0, 0, m_scene.size.width(), ChartScene::kAxisHeight), theme().raised);
        m_painter.fillRect(QRect(0, ChartScene::kAxisHeight - 1, m_scene.size.width(), 1), theme().line);
        m_painter.setPen(theme().muted);
        const int baseline = (ChartScene::kAxisHeight + m_metrics.ascent() - m_metrics.descent()) / 2;
        for (const TimeMark &mark : timeMarks(m_scene.shown, m_scene.width())) {
            const int x = static_cast<int>(m_scene.placeOf(mark.time));
            m_painter.fillRect(QRect(x, ChartScene::kAxisHeight - 5, 1, 4), theme().muted);
            if (x + 4 + m_metrics.horizontalAdvance(mark.text) <= m_scene.size.width())
                m_painter.drawText(x + 4, baseline, mark.text);
        }
    }

    void paintBrush()
    {
        if (!m_scene.brushed)
            return;
        const double end = m_scene.left() + m_scene.width();
        const double left = std::clamp<double>(m_scene.placeOf(m_scene.brushed->begin), m_scene.left(), end);
        const double right = std::clamp<double>(m_scene.placeOf(m_scene.brushed->end), m_scene.left(), end);
        QColor fill = theme().accent;
        fill.setAlphaF(0.22F);
        m_painter.fillRect(QRectF(left, 0, std::max(1.0, right - left), ChartScene::kAxisHeight - 1), fill);
        QColor shade = theme().panel;
        shade.setAlphaF(0.55F);
        const int height = m_scene.size.height() - ChartScene::kAxisHeight;
        m_painter.fillRect(QRectF(m_scene.left(), ChartScene::kAxisHeight, left - m_scene.left(), height),
                           shade);
        m_painter.fillRect(QRectF(right, ChartScene::kAxisHeight, end - right, height), shade);
    }

    QPainter &m_painter;
    const ChartScene &m_scene;
    const TimeChart &m_chart;
    FrameLabels &m_labels;
    QFontMetrics m_metrics;
    std::array<QColor, 2 * (static_cast<std::size_t>(FrameClass::OffCpu) + 1)> m_pale;
    std::optional<QRectF> m_run;
    Pale m_runPale = 0;
};

} // namespace

std::shared_ptr<const std::vector<FrameClass>> classesOf(const TimeChart &chart)
{
    auto classes = std::make_shared<std::vector<FrameClass>>(chart.entries->size());
    for (std::size_t i = 0; i < classes->size(); ++i) {
        const Entry &entry = (*chart.entries)[EntryId(i)];
        (*classes)[i] = frameClass(chart.snapshot->text(entry.kind), entry.name, entry.file, entry.binary);
    }
    return classes;
}

double ChartScene::pixelNs() const
{
    return (static_cast<double>(shown.end) - static_cast<double>(shown.begin)) / width();
}

double ChartScene::placeOf(std::int64_t time) const
{
    return left() +
           (static_cast<double>(time) - static_cast<double>(shown.begin)) / std::max(1e-9, pixelNs());
}

std::int64_t ChartScene::timeAt(int x) const
{
    const double share = std::clamp(static_cast<double>(x - left()) / width(), 0.0, 1.0);
    return shown.begin + static_cast<std::int64_t>(
                             share * (static_cast<double>(shown.end) - static_cast<double>(shown.begin)));
}

int ChartScene::heightOfRow(const ChartLane &lane, bool isOpen) const
{
    constexpr std::uint32_t kMostLevels = 500;
    const int levels = static_cast<int>(std::clamp<std::uint32_t>(lane.stacks.height(), 1, kMostLevels));
    return (isOpen ? levels * kBoxHeight : kClosedHeight) + kRowGap;
}

int ChartScene::wholeHeight() const
{
    return rows.empty() ? 0 : rows.back().top + rows.back().height;
}

std::optional<std::size_t> ChartScene::rowAt(int y) const
{
    const int place = y - kAxisHeight + scrolled;
    if (y < kAxisHeight || place < 0 || place >= wholeHeight())
        return std::nullopt;
    const auto behind = std::ranges::upper_bound(rows, place, {}, &ChartRow::top);
    return static_cast<std::size_t>(behind - rows.begin()) - 1;
}

std::optional<ChartPlace> ChartScene::placeAt(const QPoint &position) const
{
    const auto index = rowAt(position.y());
    if (!index || position.x() < left())
        return std::nullopt;
    const ChartRow &row = rows[*index];
    for (std::size_t box = 0; box < row.boxes.size(); ++box)
        if (rectOf(row, row.boxes[box]).contains(position.x() + 0.5, position.y() + 0.5))
            return ChartPlace{*index, box};
    return std::nullopt;
}

QRectF ChartScene::rectOf(const ChartRow &row, const ChartBox &box) const
{
    const double begin = std::max<double>(left(), std::round(placeOf(box.begin)));
    const double end = std::max(begin + 1, std::min<double>(left() + width(), std::round(placeOf(box.end))));
    const int top = topOf(row) + 2 + (row.isOpen ? (box.level - 1) * kBoxHeight : 0);
    const int height = row.isOpen ? box.levels * kBoxHeight - 1 : kClosedHeight - 1;
    const double gap = !box.isNarrow && end - begin > 3 ? 1 : 0;
    return {begin, static_cast<double>(top), end - begin - gap, static_cast<double>(height)};
}

void paintChart(QPainter &painter, const ChartScene &scene, const QFont &font, FrameLabels &labels)
{
    painter.setFont(font);
    ChartPainter(painter, scene, labels).paint();
}

} // namespace hearth
