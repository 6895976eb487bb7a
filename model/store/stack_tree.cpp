#include "model/store/stack_tree.h"

namespace hearth {

StackTree::StackTree()
{
    m_nodes.push_back({});
    m_hashes.push_back(hashSeed());
}

StackId StackTree::child(StackId parent, FrameId frame)
{
    return child(parent, frame, mixHash(m_hashes[parent.value], frame.value));
}

StackId StackTree::path(std::span<const FrameId> leafFirst)
{
    m_pathHashes.resize(leafFirst.size());
    std::uint64_t hash = m_hashes[0];
    for (std::size_t i = leafFirst.size(); i-- > 0;) {
        hash = mixHash(hash, leafFirst[i].value);
        m_pathHashes[i] = hash;
        m_index.prefetch(hash);
    }
    StackId stack;
    for (std::size_t i = leafFirst.size(); i-- > 0;)
        stack = child(stack, leafFirst[i], m_pathHashes[i]);
    return stack;
}

std::vector<StackId> StackTree::add(std::span<const StackNode> stacks, std::span<const FrameId> frames)
{
    std::vector<std::uint64_t> hashes(stacks.size(), m_hashes[0]);
    std::vector<StackId> ids(stacks.size());
    forEachPrefetched(
        stacks.size(), m_index,
        [&](std::size_t i) {
            if (i > 0)
                hashes[i] = mixHash(hashes[stacks[i].parent.value], frames[stacks[i].frame.value].value);
            return hashes[i];
        },
        [&](std::size_t i, std::uint64_t hash) {
            if (i > 0)
                ids[i] = child(ids[stacks[i].parent.value], frames[stacks[i].frame.value], hash);
        });
    return ids;
}

StackId StackTree::child(StackId parent, FrameId frame, std::uint64_t hash)
{
    const StackNode node{parent, frame};
    const std::uint32_t row = m_index.find(hash, [&](std::uint32_t other) { return m_nodes[other] == node; });
    if (row != RowIndex::kNoRow)
        return StackId(row);
    const StackId stack(m_nodes.size());
    m_nodes.push_back(node);
    m_hashes.push_back(hash);
    m_index.insert(hash, stack.value);
    return stack;
}

} // namespace hearth
