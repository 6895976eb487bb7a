#pragma once

#include "model/store/row_index.h"
#include "model/store/stack_tree.h"
#include "model/views/entry_table.h"
#include "model/views/frame_filter.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace hearth {

using NodeId = Id<struct NodeTag>; ///< of a call tree; node 0 is its root, which stands for all samples

/// A node is an entry called from its parent. Parents precede children.
struct ShapeNode {
    NodeId parent = NodeId::none();
    EntryId entry = EntryId::none();

    bool operator==(const ShapeNode &) const = default;
};

/// The call tree of all stacks that a lens keeps, before anything is known of their weights. Grows with the
/// data set: what was computed for a stack stays.
class TreeShape {
public:
    static constexpr NodeId kRoot{};

    TreeShape();

    /// Adds the stacks that `stacks` has more than before. Their frames must be known to the filter.
    /// @return false if stopped halfway
    bool extend(std::span<const StackNode> stacks, const FrameFilter &filter, const std::stop_token &stop);

    std::size_t nodeCount() const { return m_nodes.size(); }
    std::span<const ShapeNode> nodes() const { return m_nodes; }
    /// By node: whether it was always inlined into its parent.
    const std::vector<bool> &inlined() const { return m_isInlined; }

    /// The node that samples with this stack end in; none if the lens drops them.
    NodeId nodeOf(StackId stack) const { return m_nodeOfStack[stack.value]; }

    /// What is known of a stack while walking from the root to its leaf.
    struct Walk {
        std::uint64_t pathTerms = 0;
        std::uint64_t path = 0; ///< hash of the entries from the root
        NodeId node;
        std::uint8_t fromTerms = 0;    ///< so many of the places to begin at have been passed
        bool hasFrames : 1 = false;    ///< that are not hidden
        bool hasKeptFrame : 1 = false; ///< one that drop_frames do not match
        bool isCut : 1 = false;        ///< what follows was dropped
        bool hasEnded : 1 = false;     ///< what follows is not shown
        bool hasPivot : 1 = false;
    };

    /// One step of a walk; stacks with frames of attributes are walked by hand.
    void step(Walk &walk, const FilteredFrame &frame, const FrameFilter &filter);
    void stepIntoGroup(Walk &walk, const FilteredFrame &group, const FrameFilter &filter);
    NodeId endOf(const Walk &walk, const FrameFilter &filter) const;

private:
    static bool advance(Walk &walk, const FilteredFrame &frame, const FrameFilter &filter);
    static std::uint64_t childHash(std::uint64_t path, EntryId entry);
    void descend(Walk &walk, std::span<const EntryId> entries, const FrameFilter &filter);
    /// The node on the way to the root that an entry is taken together with; none if it is a node of its own.
    NodeId joined(NodeId node, EntryId entry, FrameFilter::Join join) const;
    std::uint64_t pathOf(NodeId node) const;
    NodeId child(NodeId parent, EntryId entry, std::uint64_t path);
    void findUnder(NodeId node, const FrameFilter &filter);

    std::vector<ShapeNode> m_nodes;
    std::vector<bool> m_isInlined;
    RowIndex m_index;
    /// By node: how many of the names that stacks have to begin with lead there. Empty if there are none.
    std::vector<std::uint32_t> m_under;
    std::vector<Walk> m_walks; ///< by stack
    std::vector<NodeId> m_nodeOfStack;
};

} // namespace hearth
