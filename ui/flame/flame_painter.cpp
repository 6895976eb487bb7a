#include "ui/flame/flame_painter.h"

#include "ui/flame/flame_measures.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <set>

namespace hearth {

namespace {

std::uint32_t stable(std::string_view text)
{
    std::uint32_t hash = 5381;
    for (const char character : text)
        hash = hash * 33 + static_cast<unsigned char>(character);
    return hash >> 3;
}

/// Grey where it may be chance.
QColor colorOf(const Change &change)
{
    if (!change.isSignificant())
        return changeColor(0);
    const double larger =
        std::max(std::abs(static_cast<double>(change.base)), std::abs(static_cast<double>(change.current)));
    return changeColor(static_cast<double>(change.delta()) / larger);
}

class FlamePainter {
public:
    FlamePainter(QPainter &painter, const FlameScene &scene, int top, const QRect &clip, FrameLabels &labels)
        : m_painter(painter), m_scene(scene), m_tree(*scene.evaluation->tree), m_top(top), m_clip(clip),
          m_labels(labels), m_metrics(painter.font()), m_font(painter.font()), m_bold(painter.font())
    {
        m_bold.setWeight(QFont::DemiBold);
    }

    void paint(int width)
    {
        paintRoot(width);
        int row = 1;
        for (const NodeId ancestor : m_scene.ancestors)
            paintAncestor(ancestor, row++, width);
        for (const FlameRow &boxes : m_scene.layout->rows)
            paintRow(boxes, row++);
    }

private:
    int topOf(int row) const
    {
        return m_scene.growsUp ? m_top - (row + 1) * kFlameRowHeight + 1 : m_top + row * kFlameRowHeight;
    }
    bool isVisible(int row) const
    {
        return topOf(row) < m_clip.bottom() + 1 && topOf(row) + kBoxHeight > m_clip.top();
    }

    void paintRoot(int width)
    {
        if (!isVisible(0))
            return;
        const QRectF box(0, topOf(0), width, kBoxHeight);
        m_painter.fillRect(box, theme().soft);
        m_painter.setPen(theme().text);
        m_painter.drawText(box.adjusted(kTextInset, 0, -kTextInset, 0), Qt::AlignVCenter | Qt::AlignLeft,
                           rootText(m_scene));
    }

    void paintAncestor(NodeId node, int row, int width)
    {
        if (!isVisible(row))
            return;
        const QRectF box(0, topOf(row), width, kBoxHeight);
        const Entry &entry = m_scene.entryOf(node);
        m_painter.fillRect(box, dimmed(boxColor(m_scene, node)));
        m_painter.setPen(theme().muted);
        m_painter.drawText(box.adjusted(kTextInset, 0, -kTextInset, 0), Qt::AlignVCenter | Qt::AlignLeft,
                           m_metrics.elidedText(qString(entry.name), Qt::ElideRight, width - 2 * kTextInset));
    }

    void paintRow(const FlameRow &boxes, int row)
    {
        if (!isVisible(row))
            return;
        // Only what lies within the clip, found by bisection.
        auto box = std::ranges::partition_point(boxes, [&](const FlameBox &candidate) {
            return m_scene.mapped(candidate.right()) < m_clip.left();
        });
        for (; box != boxes.end() && m_scene.mapped(box->left) <= m_clip.right() + 1; ++box)
            box->merged == 0 ? paintBox(*box, topOf(row)) : paintMerged(*box, topOf(row));
    }

    /// Neighbours share an edge; a gap of one pixel parts them where there is room for it.
    QRectF rectOf(const FlameBox &box, int top) const
    {
        // What is beyond the edges of the picture is not painted, so that labels stay in it.
        const double left = std::max<double>(m_clip.left(), std::round(m_scene.mapped(box.left)));
        const double right =
            std::max(left + 1, std::min<double>(m_clip.right() + 1, std::round(m_scene.mapped(box.right()))));
        return {left, static_cast<double>(top), right - left > 2 ? right - left - 1 : right - left,
                kBoxHeight};
    }

    void paintBox(const FlameBox &box, int top)
    {
        QRectF rect = rectOf(box, top);
        if (m_tree.isInlined(box.node)) // no gap towards the function whose code it is
            m_scene.growsUp ? rect.setBottom(rect.bottom() + 1) : rect.setTop(rect.top() - 1);
        const Entry &entry = m_scene.entryOf(box.node);
        const EntryId entryId = m_tree.entryOf(box.node);
        const bool isMatch = m_scene.isMatch(entryId);
        QColor color = boxColor(m_scene, box.node);
        if (!m_scene.matches.empty() && !isMatch)
            color = dimmed(color);
        if (&box == m_scene.hovered)
            color = mixed(color, theme().text, 0.12);
        m_painter.fillRect(rect, color);
        if (!m_scene.difference && m_scene.classOf(entry) == FrameClass::NoSymbols && !entry.isTag)
            m_painter.fillRect(rect, QBrush(mixed(color, theme().text, 0.14), Qt::BDiagPattern));
        paintSelf(box, rect, color);
        if (rect.width() >= kNarrowestLabel)
            paintLabel(entryId, entry, paintSign(box.node, paintInlineTag(box.node, rect)), isMatch);
        paintSelection(box, entryId, rect);
    }

    /// What a function weighs itself, as a darker foot at the right end, where nothing hangs below it.
    void paintSelf(const FlameBox &box, const QRectF &rect, const QColor &color)
    {
        const double total = m_tree.extent(box.node);
        const double self = std::abs(static_cast<double>(m_tree.self(box.node)));
        if (self == 0 || total == 0 || rect.width() < 3)
            return;
        const double width = std::max(1.0, rect.width() * std::min(1.0, self / total));
        m_painter.fillRect(QRectF(rect.right() - width,
                                  m_scene.growsUp ? rect.top() : rect.bottom() - kFootHeight, width,
                                  kFootHeight),
                           mixed(color, Qt::black, 0.28));
    }

    /// @return the room that is left for the label
    QRectF paintInlineTag(NodeId node, const QRectF &rect)
    {
        constexpr int kWidthForTag = 90;
        if (!m_tree.isInlined(node) || rect.width() < kWidthForTag)
            return rect;
        const QString tag = QStringLiteral("inl");
        QColor ink = theme().ink;
        ink.setAlphaF(0.6F);
        m_painter.setPen(ink);
        m_painter.setFont(m_font);
        m_painter.drawText(rect.adjusted(0, 0, -kTextInset, 0), Qt::AlignVCenter | Qt::AlignRight, tag);
        return rect.adjusted(0, 0, -m_metrics.horizontalAdvance(tag) - kTextInset, 0);
    }

    /// Colours alone would not tell everybody what grew. @return the room that is left for the label
    QRectF paintSign(NodeId node, const QRectF &rect)
    {
        if (!m_scene.difference || !m_scene.difference->total[node.value].isSignificant())
            return rect;
        const bool isMore = m_scene.difference->total[node.value].delta() > 0;
        const QString sign = isMore ? QStringLiteral("+") : QStringLiteral("−");
        m_painter.setPen(theme().ink);
        m_painter.setFont(m_bold);
        m_painter.drawText(rect.adjusted(kTextInset, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, sign);
        return rect.adjusted(QFontMetrics(m_bold).horizontalAdvance(sign) + 3, 0, 0, 0);
    }

    void paintLabel(EntryId id, const Entry &entry, const QRectF &rect, bool isMatch)
    {
        const int room = static_cast<int>(rect.width()) - 2 * kTextInset;
        const QString &label =
            m_labels.fitting(id, entry.name, room, isMatch ? QFontMetrics(m_bold) : m_metrics, isMatch);
        if (label.isEmpty())
            return;
        const bool isDimmed = !m_scene.matches.empty() && !isMatch;
        m_painter.setPen(isDimmed ? theme().muted : theme().ink);
        m_painter.setFont(isMatch ? m_bold : m_font);
        m_painter.drawText(rect.adjusted(kTextInset, 0, 0, 0),
                           Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, label);
    }

    void paintSelection(const FlameBox &box, EntryId entry, const QRectF &rect)
    {
        const bool isSelected = box.node == m_scene.selectedNode;
        if (!isSelected && m_scene.selectedEntry != entry)
            return;
        const int width = isSelected ? 2 : 1;
        const double half = width / 2.0;
        m_painter.setPen(QPen(theme().text, width));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRect(rect.adjusted(half, half, -half, -half));
    }

    void paintMerged(const FlameBox &box, int top)
    {
        const QRectF rect = rectOf(box, top);
        const QColor color = mixed(theme().soft, theme().muted, 0.35);
        m_painter.fillRect(rect, theme().soft);
        m_painter.fillRect(rect, QBrush(color, Qt::BDiagPattern));
    }

    QPainter &m_painter;
    const FlameScene &m_scene;
    const CallTree &m_tree;
    int m_top;
    QRect m_clip;
    FrameLabels &m_labels;
    QFontMetrics m_metrics;
    QFont m_font;
    QFont m_bold;
};

} // namespace

int FlameScene::rowCount() const
{
    return 1 + static_cast<int>(ancestors.size()) + (layout ? static_cast<int>(layout->rows.size()) : 0);
}

QColor boxColor(const FlameScene &scene, NodeId node)
{
    if (scene.difference)
        return colorOf(scene.difference->total[node.value]);
    const Entry &entry = scene.entryOf(node);
    if (entry.isTag)
        return theme().line;
    const FrameClass kind = scene.classOf(entry);
    switch (scene.coloring) {
    case FlameColoring::Kind:
        return frameColor(kind, entry.name);
    case FlameColoring::Binary:
        return frameColor(FrameClass(stable(entry.binary) % 9), entry.binary);
    case FlameColoring::Function:
        return frameColor(FrameClass(stable(entry.name) % 9), entry.name);
    case FlameColoring::SelfTime: {
        const CallTree &tree = *scene.evaluation->tree;
        const double share =
            std::abs(static_cast<double>(tree.self(node))) / std::max(1.0, tree.extent(node));
        return mixed(theme().soft, frameColor(FrameClass::Jvm, {}), share);
    }
    }
    return frameColor(kind, entry.name);
}

QString rootText(const Difference &difference)
{
    const std::string &unit = difference.series.unit;
    const Change &whole = difference.whole();
    return QStringLiteral("all · %1 → %2 of %3, %4")
        .arg(valueText(whole.base, unit), valueText(whole.current, unit), qString(difference.series.type),
             growthText(whole));
}

QString rootText(const FlameScene &scene)
{
    if (scene.difference)
        return rootText(*scene.difference);
    const Evaluation &evaluation = *scene.evaluation;
    QString text = QStringLiteral("all · ") + valueText(evaluation.matched, evaluation.series.unit) +
                   QStringLiteral(" of ") + qString(evaluation.series.type);
    if (evaluation.matched != evaluation.total)
        text += QStringLiteral(" in view, ") +
                shareText(static_cast<double>(evaluation.matched), static_cast<double>(evaluation.total)) +
                QStringLiteral(" of all");
    return text;
}

std::vector<FrameClass> kindsIn(const FlameScene &scene)
{
    std::set<FrameClass> kinds;
    if (scene.layout && !scene.difference && scene.coloring == FlameColoring::Kind)
        for (const FlameRow &row : scene.layout->rows)
            for (const FlameBox &box : row)
                if (const Entry &entry = scene.entryOf(box.node); !entry.isTag)
                    kinds.insert(scene.classOf(entry));
    return {kinds.begin(), kinds.end()};
}

void paintFlames(QPainter &painter, const FlameScene &scene, int top, const QRect &clip, FrameLabels &labels)
{
    FlamePainter(painter, scene, top, clip, labels).paint(clip.right() + 1);
}

} // namespace hearth
