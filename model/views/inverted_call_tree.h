#pragma once

#include "model/views/call_tree.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace hearth {

/// The inverted tree of an evaluation as a call tree that can be drawn: below each entry those that called
/// it.
///
/// Whole it would be as large as all stacks together. So branches end where they weigh less than one part in
/// `resolution` of what is looked at: of all, and of the node that `focus` leads to by names from below the
/// root. What a branch that ends early weighs counts as its own.
/// @return nothing if stopped
std::optional<CallTree> invertedCallTree(const std::shared_ptr<const CallTree> &tree, std::size_t groupDepth,
                                         std::span<const std::string> focus, std::size_t resolution,
                                         const std::stop_token &stop);

} // namespace hearth
