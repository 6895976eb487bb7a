#pragma once

#include "model/views/evaluator.h"
#include "model/views/flame_layout.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace hearth {

/// What a flame graph is asked to show.
struct FlameRequest {
    std::shared_ptr<const Evaluation> evaluation;
    std::vector<std::string> focus; ///< names from below the root to what is fitted
    bool isInverted = false;
    double width = 0;
    double overviewWidth = 0;
    FlameOrder order = FlameOrder::HeaviestFirst;
};

/// Everything about it that does not depend on what is selected or hovered.
struct FlamePicture {
    std::shared_ptr<const Evaluation> source; ///< what was asked for
    std::shared_ptr<const Evaluation> shown;  ///< the same, or with its tree inverted
    NodeId focus;
    std::shared_ptr<const FlameLayout> layout;
    std::shared_ptr<const FlameLayout> overview; ///< of all; null unless something is fitted
};

/// The node that names lead to, as far as there are nodes of these names.
NodeId nodeAlong(const CallTree &tree, const std::vector<std::string> &names);

/// From below the root to the node itself.
std::vector<NodeId> pathTo(const CallTree &tree, NodeId node);

/// @return nothing if stopped
std::optional<FlamePicture> makeFlamePicture(const FlameRequest &request, const std::stop_token &stop);

} // namespace hearth
