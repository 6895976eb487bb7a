#include "ui/flame/flame_picture.h"

#include "model/views/inverted_call_tree.h"

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

/// Boxes of an inverted tree are looked into down to a quarter of a pixel.
constexpr double kPartsPerPixel = 4;

std::shared_ptr<const FlameLayout> layOut(const CallTree &tree, NodeId focus, double width, FlameOrder order,
                                          const std::stop_token &stop)
{
    auto layout = layOutFlames(tree, focus, width, order, stop);
    return layout ? std::make_shared<const FlameLayout>(std::move(*layout)) : nullptr;
}

} // namespace

NodeId nodeAlong(const CallTree &tree, const std::vector<std::string> &names)
{
    NodeId node = TreeShape::kRoot;
    for (const std::string &name : names) {
        const auto children = tree.children(node);
        const auto next = std::ranges::find_if(
            children, [&](NodeId child) { return tree.entries()[tree.entryOf(child)].name == name; });
        if (next == children.end())
            break;
        node = *next;
    }
    return node;
}

std::vector<NodeId> pathTo(const CallTree &tree, NodeId node)
{
    std::vector<NodeId> path;
    for (; node != TreeShape::kRoot; node = tree.parent(node))
        path.push_back(node);
    std::ranges::reverse(path);
    return path;
}

std::optional<FlamePicture> makeFlamePicture(const FlameRequest &request, const std::stop_token &stop)
{
    FlamePicture picture;
    picture.source = request.evaluation;
    picture.shown = request.evaluation;
    if (request.isInverted) {
        const double parts = std::max(1.0, request.width) * kPartsPerPixel;
        auto tree = invertedCallTree(request.evaluation->tree, request.evaluation->groupDepth, request.focus,
                                     static_cast<std::size_t>(parts), stop);
        if (!tree)
            return std::nullopt;
        auto inverted = std::make_shared<Evaluation>(*request.evaluation);
        inverted->tree = std::make_shared<const CallTree>(std::move(*tree));
        picture.shown = std::move(inverted);
    }
    const CallTree &tree = *picture.shown->tree;
    picture.focus = nodeAlong(tree, request.focus);
    picture.layout = layOut(tree, picture.focus, request.width, request.order, stop);
    if (picture.layout && picture.focus != TreeShape::kRoot)
        picture.overview = layOut(tree, TreeShape::kRoot, request.overviewWidth, request.order, stop);
    if (!picture.layout || stop.stop_requested())
        return std::nullopt;
    return picture;
}

} // namespace hearth
