#include "model/views/tree_shape.h"

#include <algorithm>
#include <array>

namespace hearth {

TreeShape::TreeShape()
{
    m_nodes.push_back({});
}

/// Goes through tens of stacks at once: first what filters make of them and where their nodes are to be
/// looked up, which then comes into the cache; then their nodes.
bool TreeShape::extend(std::span<const StackNode> stacks, const FrameFilter &filter,
                       const std::stop_token &stop)
{
    constexpr std::size_t kAhead = 32;
    constexpr std::size_t kStacksBetweenLooks = 65536;
    m_walks.reserve(stacks.size());
    m_nodeOfStack.reserve(stacks.size());
    std::array<std::span<const EntryId>, kAhead> entries;
    for (std::size_t begin = m_walks.size(); begin < stacks.size(); begin = m_walks.size()) {
        if (begin % kStacksBetweenLooks < kAhead && stop.stop_requested())
            return false;
        const std::size_t count = std::min(kAhead, stacks.size() - begin);
        for (std::size_t i = 0; i < count; ++i) {
            const StackNode &stack = stacks[begin + i];
            Walk walk;
            entries[i] = {};
            if (!stack.parent.isNone()) {
                walk = m_walks[stack.parent.value];
                const FilteredFrame &frame = filter[stack.frame];
                if (advance(walk, frame, filter))
                    entries[i] = filter.entriesOf(frame);
            }
            for (const EntryId entry : entries[i]) {
                walk.path = childHash(walk.path, entry);
                m_index.prefetch(walk.path);
            }
            m_walks.push_back(walk);
        }
        for (std::size_t i = 0; i < count; ++i) {
            Walk &walk = m_walks[begin + i];
            if (const StackId parent = stacks[begin + i].parent; !parent.isNone()) {
                walk.node = m_walks[parent.value].node;
                walk.path = m_walks[parent.value].path;
                descend(walk, entries[i]);
            }
            m_nodeOfStack.push_back(endOf(walk, filter));
        }
    }
    return true;
}

/// What filters make of one more frame. @return whether its entries are to be seen
bool TreeShape::advance(Walk &walk, const FilteredFrame &frame, const FrameFilter &filter)
{
    if (walk.isCut || walk.hasEnded)
        return false;
    // Frames before the first that is kept stay, whatever they are: a stack of nothing but malloc is one of
    // malloc.
    if (!frame.dropsCallees)
        walk.hasKeptFrame = true;
    else if (walk.hasKeptFrame)
        walk.isCut = true;
    if (walk.isCut && frame.isDropped)
        return false;
    walk.pathTerms |= frame.pathTerms;
    if (frame.isHidden)
        return false;
    while (walk.fromTerms < filter.fromTermCount() && (frame.fromTerms >> walk.fromTerms & 1) != 0)
        ++walk.fromTerms;
    if (walk.fromTerms < filter.fromTermCount())
        return false;
    walk.hasFrames = true;
    walk.hasEnded = frame.endsStack;
    return true;
}

void TreeShape::step(Walk &walk, const FilteredFrame &frame, const FrameFilter &filter)
{
    if (advance(walk, frame, filter))
        descend(walk, filter.entriesOf(frame));
}

void TreeShape::stepIntoGroup(Walk &walk, const FilteredFrame &group, const FrameFilter &filter)
{
    descend(walk, filter.entriesOf(group));
}

void TreeShape::descend(Walk &walk, std::span<const EntryId> entries)
{
    for (const EntryId entry : entries) {
        walk.path = childHash(walk.path, entry);
        walk.node = child(walk.node, entry, walk.path);
    }
}

std::uint64_t TreeShape::childHash(std::uint64_t path, EntryId entry)
{
    return mixHash(path, entry.value ^ hashSeed());
}

NodeId TreeShape::endOf(const Walk &walk, const FrameFilter &filter) const
{
    const bool isKept =
        (walk.pathTerms & filter.requiredTerms()) == filter.requiredTerms() &&
        (walk.pathTerms & filter.forbiddenTerms()) == 0 && walk.fromTerms == filter.fromTermCount() &&
        (walk.hasEnded || !filter.requiresEnd()) && (walk.hasFrames || !filter.removesEmptyStacks());
    return isKept ? walk.node : NodeId::none();
}

NodeId TreeShape::child(NodeId parent, EntryId entry, std::uint64_t path)
{
    const ShapeNode node{parent, entry};
    const std::uint32_t found = m_index.find(path, [&](std::uint32_t row) { return m_nodes[row] == node; });
    if (found != RowIndex::kNoRow)
        return NodeId(found);
    const NodeId id(m_nodes.size());
    m_nodes.push_back(node);
    m_index.insert(path, id.value);
    return id;
}

} // namespace hearth
