#pragma once

#include "ingest/formats/profile_builder.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hearth {

/// A node of a tree that a file writes as a table: what was called, and by which node.
struct TableNode {
    static constexpr std::uint32_t kNoParent = 0xffffffffU;

    std::uint32_t parent = kNoParent;
    FrameId frame = FrameId::none(); ///< none: the node stands for its parent, as the root does for nothing
};

/// The stacks of nodes in whatever order they come. Parents that do not exist, or that are called by what
/// they call, are left out and counted.
std::vector<StackId> stacksOf(ProfileBuilder &builder, std::span<const TableNode> nodes);

} // namespace hearth
