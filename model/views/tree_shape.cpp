#include "model/views/tree_shape.h"

namespace hearth {

TreeShape::TreeShape()
{
    m_nodes.push_back({});
}

bool TreeShape::extend(std::span<const StackNode> stacks, const FrameFilter &filter,
                       const std::stop_token &stop)
{
    constexpr std::size_t kStacksBetweenLooks = 65536;
    m_walks.reserve(stacks.size());
    m_nodeOfStack.reserve(stacks.size());
    for (std::size_t stack = m_walks.size(); stack < stacks.size(); ++stack) {
        if (stack % kStacksBetweenLooks == 0 && stop.stop_requested())
            return false;
        Walk walk;
        if (stack > 0) {
            walk = m_walks[stacks[stack].parent.value];
            step(walk, filter[stacks[stack].frame], filter);
        }
        m_walks.push_back(walk);
        m_nodeOfStack.push_back(endOf(walk, filter));
    }
    return true;
}

void TreeShape::step(Walk &walk, const FilteredFrame &frame, const FrameFilter &filter)
{
    if (walk.isCut)
        return;
    // Frames before the first that is kept stay, whatever they are: a stack of nothing but malloc is one of
    // malloc.
    if (!frame.dropsCallees)
        walk.hasKeptFrame = true;
    else if (walk.hasKeptFrame)
        walk.isCut = true;
    if (walk.isCut && frame.isDropped)
        return;
    walk.pathTerms |= frame.pathTerms;
    if (frame.isHidden)
        return;
    while (walk.fromTerms < filter.fromTermCount() && (frame.fromTerms >> walk.fromTerms & 1) != 0)
        ++walk.fromTerms;
    if (walk.fromTerms < filter.fromTermCount())
        return;
    walk.hasFrames = true;
    for (const EntryId entry : filter.entriesOf(frame))
        walk.node = child(walk.node, entry);
}

void TreeShape::stepIntoGroup(Walk &walk, const FilteredFrame &group, const FrameFilter &filter)
{
    for (const EntryId entry : filter.entriesOf(group))
        walk.node = child(walk.node, entry);
}

NodeId TreeShape::endOf(const Walk &walk, const FrameFilter &filter) const
{
    const bool isKept = (walk.pathTerms & filter.requiredTerms()) == filter.requiredTerms() &&
                        (walk.pathTerms & filter.forbiddenTerms()) == 0 &&
                        walk.fromTerms == filter.fromTermCount() &&
                        (walk.hasFrames || !filter.removesEmptyStacks());
    return isKept ? walk.node : NodeId::none();
}

NodeId TreeShape::child(NodeId parent, EntryId entry)
{
    const ShapeNode node{parent, entry};
    const std::uint64_t hash = mixHash((std::uint64_t(parent.value) << 32) | entry.value, hashSeed());
    const std::uint32_t found = m_index.find(hash, [&](std::uint32_t row) { return m_nodes[row] == node; });
    if (found != RowIndex::kNoRow)
        return NodeId(found);
    const NodeId id(m_nodes.size());
    m_nodes.push_back(node);
    m_index.insert(hash, id.value);
    return id;
}

} // namespace hearth
