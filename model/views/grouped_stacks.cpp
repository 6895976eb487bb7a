#include "model/views/grouped_stacks.h"

#include "model/lens/attribute_keys.h"
#include "model/views/stack_weights.h"

#include <algorithm>
#include <map>
#include <string>

namespace hearth {

namespace {

/// The frames that the attributes of a context make.
struct Group {
    std::vector<FilteredFrame> groups; ///< outermost first, as are the others
    std::vector<FilteredFrame> roots;
    std::vector<FilteredFrame> leaves;
};

/// Which contexts make the same frames.
class Groups {
public:
    Groups(const Snapshot &snapshot, const Lens &lens, FrameFilter &filter)
        : m_snapshot(snapshot), m_lens(lens), m_filter(filter)
    {
        for (const std::string &key : lens.groupBy)
            m_keys.push_back(resolveKey(snapshot, key));
        for (std::size_t context = 0; context < snapshot.contexts.size(); ++context)
            m_ofContext.push_back(groupOf(ContextId(context)));
    }

    std::uint32_t of(std::uint32_t context) const { return m_ofContext[context]; }
    std::size_t size() const { return m_groups.size(); }
    const Group &operator[](std::size_t group) const { return m_groups[group]; }

private:
    std::uint32_t groupOf(ContextId context)
    {
        std::vector<std::string> texts;
        for (const ResolvedKey &key : m_keys)
            texts.push_back(attributeText(m_snapshot, context, key));
        for (const auto *keys : {&m_lens.tagRoot, &m_lens.tagLeaf})
            for (const std::string &key : *keys)
                texts.push_back(tagFrameName(m_snapshot, context, key));
        const auto [known, isNew] = m_numbers.try_emplace(texts, static_cast<std::uint32_t>(m_groups.size()));
        if (isNew)
            m_groups.push_back(makeGroup(texts));
        return known->second;
    }

    Group makeGroup(const std::vector<std::string> &texts)
    {
        Group group;
        auto text = texts.begin();
        for (const std::string &key : m_lens.groupBy) {
            group.groups.push_back(m_filter.groupFrame(text->empty() ? "[no " + key + ']' : *text, key));
            ++text;
        }
        for (const std::string &key : m_lens.tagRoot)
            group.roots.push_back(m_filter.filterTag(*text++, key));
        for (const std::string &key : m_lens.tagLeaf)
            group.leaves.push_back(m_filter.filterTag(*text++, key));
        return group;
    }

    const Snapshot &m_snapshot;
    const Lens &m_lens;
    FrameFilter &m_filter;
    std::vector<ResolvedKey> m_keys;
    std::map<std::vector<std::string>, std::uint32_t> m_numbers;
    std::vector<Group> m_groups;
    std::vector<std::uint32_t> m_ofContext;
};

/// Weights of stacks, group by group.
struct GroupWeights {
    struct Cell {
        std::uint32_t group;
        std::uint32_t stack;
        Sum net;
        Sum absolute;
    };

    void add(std::uint32_t group, std::uint32_t stack, std::int64_t value)
    {
        const std::uint64_t hash = mixHash((std::uint64_t(group) << 32) | stack, hashSeed());
        std::uint32_t row = index.find(hash, [&](std::uint32_t other) {
            return cells[other].stack == stack && cells[other].group == group;
        });
        if (row == RowIndex::kNoRow) {
            row = static_cast<std::uint32_t>(cells.size());
            cells.push_back({group, stack, {}, {}});
            index.insert(hash, row);
        }
        cells[row].net.add(value);
        cells[row].absolute.add(value < 0 ? (value == std::numeric_limits<std::int64_t>::min()
                                                 ? std::numeric_limits<std::int64_t>::max()
                                                 : -value)
                                          : value);
    }

    std::vector<Cell> cells;
    RowIndex index;
    bool overflowed = false;
};

std::optional<GroupWeights> weigh(const Snapshot &snapshot, const Groups &groups,
                                  const SampleSelection &selection, const std::stop_token &stop)
{
    GroupWeights weights;
    SampleReader reader(selection);
    for (const SampleTable &table : snapshot.tables)
        for (const SeriesChunk &chunk : chunksOf(table, selection.series)) {
            if (stop.stop_requested())
                return std::nullopt;
            reader.forEachRun(chunk, [&](SampleReader &run) {
                const auto contexts = run.contexts();
                for (std::size_t i = 0; i < contexts.size(); ++i)
                    if (run.values()[i] != 0)
                        weights.add(groups.of(contexts[i]), run.stacks()[i], run.values()[i]);
            });
        }
    weights.overflowed = reader.overflowed();
    std::ranges::sort(weights.cells, {}, [](const GroupWeights::Cell &cell) {
        return (std::uint64_t(cell.group) << 32) | cell.stack;
    });
    return weights;
}

/// Walks the stacks of one group after the other; what stacks of a group have in common is walked once.
class GroupWalker {
public:
    GroupWalker(const Snapshot &snapshot, const FrameFilter &filter, TreeShape &shape)
        : m_snapshot(snapshot), m_filter(filter), m_shape(shape), m_walks(snapshot.stacks.size()),
          m_walkedIn(snapshot.stacks.size())
    {}

    void begin(const Group &group)
    {
        m_group = &group;
        ++m_generation;
        TreeShape::Walk walk;
        for (const FilteredFrame &frame : group.groups)
            m_shape.stepIntoGroup(walk, frame, m_filter);
        for (const FilteredFrame &frame : group.roots)
            m_shape.step(walk, frame, m_filter);
        walk.hasKeptFrame = false; // drop_frames are applied to the stack alone
        m_walks[0] = walk;
        m_walkedIn[0] = m_generation;
    }

    NodeId nodeOf(std::uint32_t stack)
    {
        for (std::uint32_t at = stack; m_walkedIn[at] != m_generation;
             at = m_snapshot.stacks[at].parent.value)
            m_pending.push_back(at);
        for (; !m_pending.empty(); m_pending.pop_back()) {
            const StackNode &node = m_snapshot.stacks[m_pending.back()];
            TreeShape::Walk walk = m_walks[node.parent.value];
            m_shape.step(walk, m_filter[node.frame], m_filter);
            m_walks[m_pending.back()] = walk;
            m_walkedIn[m_pending.back()] = m_generation;
        }
        TreeShape::Walk walk = m_walks[stack];
        walk.isCut = false; // what was dropped is in the stack; these frames are around it
        for (const FilteredFrame &frame : m_group->leaves)
            m_shape.step(walk, frame, m_filter);
        return m_shape.endOf(walk, m_filter);
    }

private:
    const Snapshot &m_snapshot;
    const FrameFilter &m_filter;
    TreeShape &m_shape;
    const Group *m_group = nullptr;
    std::uint32_t m_generation = 0;
    std::vector<TreeShape::Walk> m_walks;  ///< by stack
    std::vector<std::uint32_t> m_walkedIn; ///< generation in which the walk of a stack was made
    std::vector<std::uint32_t> m_pending;
};

} // namespace

std::optional<GroupedTree> groupStacks(const Snapshot &snapshot, const Lens &lens,
                                       const SampleSelection &selection, FrameFilter &filter,
                                       const std::stop_token &stop)
{
    const Groups groups(snapshot, lens, filter);
    const auto weights = weigh(snapshot, groups, selection, stop);
    if (!weights)
        return std::nullopt;
    GroupedTree tree;
    tree.overflowed = weights->overflowed;
    GroupWalker walker(snapshot, filter, tree.shape);
    std::optional<std::uint32_t> group;
    Sum selected;
    Sum matched;
    for (const GroupWeights::Cell &cell : weights->cells) {
        if (group != cell.group) {
            if (stop.stop_requested())
                return std::nullopt;
            group = cell.group;
            walker.begin(groups[cell.group]);
        }
        const NodeId node = walker.nodeOf(cell.stack);
        selected.add(cell.absolute.value);
        tree.self.resize(tree.shape.nodeCount());
        if (node.isNone())
            continue;
        Sum self{tree.self[node.value]};
        self.add(cell.net.value);
        tree.self[node.value] = self.value;
        matched.add(cell.absolute.value);
        tree.overflowed |= self.overflowed || cell.net.overflowed || cell.absolute.overflowed;
    }
    tree.self.resize(tree.shape.nodeCount());
    tree.selected = selected.value;
    tree.matched = matched.value;
    tree.overflowed |= matched.overflowed;
    return tree;
}

} // namespace hearth
