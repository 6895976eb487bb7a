#pragma once

#include "model/store/snapshot.h"
#include "model/views/difference.h"
#include "model/views/evaluator.h"
#include "model/views/flame_layout.h"
#include "ui/flame/frame_labels.h"
#include "ui/theme/theme.h"

#include <QFont>
#include <QRect>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace hearth {

inline constexpr int kFlameRowHeight = 20; ///< a box and the gap below it

enum class FlameColoring : std::uint8_t { Kind, Binary, Function, SelfTime };

/// All that a picture of a flame graph is made of.
struct FlameScene {
    std::shared_ptr<const Snapshot> snapshot;
    std::shared_ptr<const Evaluation> evaluation;
    std::shared_ptr<const Difference>
        difference; ///< whose nodes are drawn; null: what is drawn is no difference
    std::shared_ptr<const FlameLayout> layout; ///< below the focused node, it included unless it is the root
    std::vector<NodeId> ancestors;             ///< of the focused node, the outermost first
    NodeId focus;

    NodeId selectedNode = NodeId::none();
    std::optional<EntryId> selectedEntry;
    std::vector<bool> matches; ///< by entry; empty: nothing is searched for
    const FlameBox *hovered = nullptr;
    FlameColoring coloring = FlameColoring::Kind;
    bool growsUp = false;
    bool isInverted = false; ///< the tree is one of callers
    double scale = 1;        ///< of the layout's boxes; other than 1 while a zoom is under way
    double shift = 0;        ///< where the left end of the layout is

    double mapped(double x) const { return x * scale + shift; }

    bool isMatch(EntryId entry) const { return entry.value < matches.size() && matches[entry.value]; }
    /// The row of the root, the rows of ancestors, and those of the layout.
    int rowCount() const;
    const Entry &entryOf(NodeId node) const
    {
        const CallTree &tree = *evaluation->tree;
        return tree.entries()[tree.entryOf(node)];
    }
    /// Empty in a difference: its entries are of two data sets.
    std::string_view kindOf(const Entry &entry) const
    {
        return difference ? std::string_view() : snapshot->text(entry.kind);
    }
    FrameClass classOf(const Entry &entry) const
    {
        return frameClass(kindOf(entry), entry.name, entry.file, entry.binary);
    }
};

/// What a node's box is filled with, unless a search dims it.
QColor boxColor(const FlameScene &scene, NodeId node);

/// What the row of the root says: how much is in view.
QString rootText(const FlameScene &scene);
QString rootText(const Difference &difference);

/// The kinds that are drawn, for a legend; none if colours do not stand for kinds.
std::vector<FrameClass> kindsIn(const FlameScene &scene);

/// Paints the rows that lie within `clip`. `top` is where row 0 is (or the bottom of it, if the graph grows
/// up).
void paintFlames(QPainter &painter, const FlameScene &scene, int top, const QRect &clip, FrameLabels &labels);

} // namespace hearth
