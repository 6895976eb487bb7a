#include "model/views/tree_shape.h"

#include <algorithm>
#include <array>

namespace hearth {

namespace {

/// Of nodes that the names of `under` do not lead to.
constexpr std::uint32_t kAside = 0xffffffffU;

} // namespace

TreeShape::TreeShape()
{
    m_nodes.push_back({});
    m_isInlined.push_back(false);
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
                descend(walk, entries[i], filter);
            }
            m_nodeOfStack.push_back(endOf(walk, filter));
        }
    }
    return true;
}

/// What filters make of one more frame. @return whether its entries are to be seen
bool TreeShape::advance(Walk &walk, const FilteredFrame &frame, const FrameFilter &filter)
{
    if (walk.isCut)
        return false;
    // Frames before the first that is kept stay, whatever they are: a stack of nothing but malloc is one of
    // malloc.
    if (!frame.dropsCallees)
        walk.hasKeptFrame = true;
    else if (walk.hasKeptFrame)
        walk.isCut = true;
    if (walk.isCut && frame.isDropped)
        return false;
    if (!frame.isTag)
        walk.pathTerms &= ~filter.selfTerms();
    walk.pathTerms |= frame.pathTerms;
    if (frame.isHidden || walk.hasEnded)
        return false;
    while (walk.fromTerms < filter.fromTermCount() && (frame.fromTerms >> walk.fromTerms & 1) != 0)
        ++walk.fromTerms;
    if (walk.fromTerms < filter.fromTermCount())
        return false;
    walk.hasFrames = true;
    walk.hasEnded = frame.endsStack;
    walk.hasPivot = walk.hasPivot || frame.isPivot;
    return true;
}

void TreeShape::step(Walk &walk, const FilteredFrame &frame, const FrameFilter &filter)
{
    if (advance(walk, frame, filter))
        descend(walk, filter.entriesOf(frame), filter);
}

void TreeShape::stepIntoGroup(Walk &walk, const FilteredFrame &group, const FrameFilter &filter)
{
    descend(walk, filter.entriesOf(group), filter);
    if (!m_under.empty())
        m_under[walk.node.value] = 0;
}

void TreeShape::descend(Walk &walk, std::span<const EntryId> entries, const FrameFilter &filter)
{
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const EntryId entry = entries[i];
        if (const NodeId same = joined(walk.node, entry, filter.joinOf(entry)); !same.isNone()) {
            walk.node = same;
            walk.path = pathOf(same);
            continue;
        }
        walk.path = childHash(walk.path, entry);
        walk.node = child(walk.node, entry, walk.path);
        if (m_isInlined.size() < m_nodes.size())
            m_isInlined.push_back(i > 0);
        else if (i == 0)
            m_isInlined[walk.node.value] = false;
        findUnder(walk.node, filter);
    }
}

NodeId TreeShape::joined(NodeId node, EntryId entry, FrameFilter::Join join) const
{
    if (join == FrameFilter::Join::Caller)
        return m_nodes[node.value].entry == entry ? node : NodeId::none();
    if (join == FrameFilter::Join::Same)
        for (NodeId at = node; at != kRoot; at = m_nodes[at.value].parent)
            if (m_nodes[at.value].entry == entry)
                return at;
    return NodeId::none();
}

std::uint64_t TreeShape::pathOf(NodeId node) const
{
    std::vector<EntryId> entries;
    for (NodeId at = node; at != kRoot; at = m_nodes[at.value].parent)
        entries.push_back(m_nodes[at.value].entry);
    std::uint64_t path = Walk().path;
    for (std::size_t i = entries.size(); i-- > 0;)
        path = childHash(path, entries[i]);
    return path;
}

/// A new node follows its parent on the way that `under` leads, or has left it for good.
void TreeShape::findUnder(NodeId node, const FrameFilter &filter)
{
    const std::span<const std::string> names = filter.under();
    if (names.empty() || node.value < m_under.size())
        return;
    if (m_under.empty())
        m_under.push_back(0); // the root
    const std::uint32_t parent = m_under[m_nodes[node.value].parent.value];
    if (parent == kAside || parent == names.size())
        m_under.push_back(parent);
    else
        m_under.push_back(filter.nameOf(m_nodes[node.value].entry) == names[parent] ? parent + 1 : kAside);
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
        (walk.hasPivot || !filter.requiresPivot()) && (walk.hasFrames || !filter.removesEmptyStacks()) &&
        (filter.under().empty() || (!m_under.empty() && m_under[walk.node.value] == filter.under().size()));
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
