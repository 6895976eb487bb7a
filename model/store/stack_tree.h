#pragma once

#include "model/store/column.h"
#include "model/store/row_index.h"
#include "model/store/rows.h"

#include <span>
#include <vector>

namespace hearth {

/// Every distinct stack once, as a prefix tree: parents precede children, row 0 is the empty stack.
class StackTree {
public:
    StackTree();

    std::size_t size() const { return m_nodes.size(); }
    const StackNode &operator[](StackId stack) const { return m_nodes[stack.value]; }
    ColumnView<StackNode> view() const { return m_nodes.view(); }
    std::size_t bytes() const
    {
        return m_nodes.bytes() + m_hashes.capacity() * sizeof(m_hashes[0]) + m_index.bytes();
    }

    /// @return the stack of `frame` called from `parent`
    StackId child(StackId parent, FrameId frame);

    /// Adds the stacks of another tree, whose parents precede children and whose frames `frames` translates.
    /// @return which stack each of them is here
    std::vector<StackId> add(std::span<const StackNode> stacks, std::span<const FrameId> frames);

    /// @return the stack with these frames, the leaf first
    StackId path(std::span<const FrameId> leafFirst);

private:
    StackId child(StackId parent, FrameId frame, std::uint64_t hash);

    Column<StackNode> m_nodes;
    std::vector<std::uint64_t>
        m_hashes; ///< of the whole path, so that all of a path's probes can start at once
    std::vector<std::uint64_t> m_pathHashes; ///< of the path at hand
    RowIndex m_index;
};

} // namespace hearth
