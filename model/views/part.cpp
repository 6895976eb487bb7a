#include "model/views/part.h"

#include "model/lens/lens_text.h"
#include "model/store/store.h"
#include "model/views/linked_spans.h"
#include "model/views/selected_samples.h"
#include "model/views/shown_stacks.h"

#include <algorithm>
#include <limits>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace hearth {

namespace {

/// Copies what is shown, and of the dictionary what tells samples apart (stacks, attributes, links) as far as
/// they are needed. Names are copied whole: storing the batch leaves out those that nothing refers to.
class PartMaker {
public:
    PartMaker(const Snapshot &whole, const SampleSelection &selection, const std::vector<bool> &isShown)
        : m_whole(whole), m_selection(selection), m_isShown(isShown),
          m_stacks(whole.stacks.size(), StackId::none()),
          m_contexts(whole.contexts.size(), ContextId::none()), m_links(whole.links.size(), LinkId::none()),
          m_sets(whole.attributeSets.size(), AttributeSetId::none()),
          m_attributes(whole.attributes.size(), AttributeId::none())
    {
        m_stacks[0] = StackId();
        m_contexts[0] = ContextId();
        m_links[0] = LinkId();
        m_sets[0] = AttributeSetId();
    }

    /// @return false if stopped
    bool run(const std::stop_token &stop)
    {
        copyNames();
        for (const SampleTable &table : m_whole.tables)
            if (!addSamples(table, stop))
                return false;
        addRecords();
        return true;
    }
    Batch take() { return std::move(m_part); }

private:
    void copyNames()
    {
        for (std::size_t i = 1; i < m_whole.strings.size(); ++i)
            m_part.addString(m_whole.strings[StringId(i)]);
        const auto copy = [](const auto &from, auto &to) { to.assign(from.begin(), from.end()); };
        copy(m_whole.functions, m_part.functions);
        copy(m_whole.lines, m_part.lines);
        copy(m_whole.binaries, m_part.binaries);
        copy(m_whole.mappings, m_part.mappings);
        copy(m_whole.frames, m_part.frames);
        for (const FrameNote &note : m_whole.frameNotes)
            m_part.frameNotes.push_back({note.of, kept(note.attribute)});
        for (const MappingNote &note : m_whole.mappingNotes)
            m_part.mappingNotes.push_back({note.of, kept(note.attribute)});
        for (Metric metric : m_whole.metrics) {
            metric.metadata = kept(metric.metadata);
            m_part.metrics.push_back(metric);
        }
        takeLateNames();
    }

    void takeLateNames()
    {
        if (!m_whole.symbols)
            return;
        for (std::size_t i = 0; i < m_whole.symbols->size(); ++i)
            if (const SymbolRange &lines = (*m_whole.symbols)[i]; lines.count > 0) {
                m_part.frames[i].lineBegin = lines.begin;
                m_part.frames[i].lineCount = lines.count & 0x7fffffffU;
            }
    }

    bool addSamples(const SampleTable &table, const std::stop_token &stop)
    {
        SampleBlock block{.series = {},
                          .periodType = table.periodType,
                          .periodUnit = table.periodUnit,
                          .period = table.period,
                          .hasTimes = table.hasTimes,
                          .chunks = {}};
        for (const SeriesId series : table.series)
            block.series.push_back(m_whole.series[series.value]);
        SampleRows rows(table.series.size());
        for (const auto &chunk : table.chunks) {
            if (stop.stop_requested())
                return false;
            copyShown(*chunk, shownRows(table, *chunk), rows);
            if (rows.size() > SampleChunk::kRows / 2)
                flush(rows, block);
        }
        flush(rows, block);
        m_part.blocks.push_back(std::move(block)); // of an empty part one still sees which series there are
        return true;
    }

    /// Those of which any series has a value that is looked at.
    std::vector<bool> shownRows(const SampleTable &table, const SampleChunk &chunk) const
    {
        std::vector<bool> isShown(chunk.rows());
        for (std::size_t column = 0; column < table.series.size(); ++column) {
            SampleReader reader(m_selection);
            std::size_t begin = 0;
            const SeriesChunk series{.chunk = &chunk, .column = column, .hasTimes = table.hasTimes};
            reader.forEachRun(series, [&](const SampleReader &run) {
                for (std::size_t i = 0; i < run.values().size(); ++i)
                    if (run.values()[i] != 0 && (m_isShown.empty() || m_isShown[run.stacks()[i]]))
                        isShown[begin + i] = true;
                begin += run.values().size();
            });
        }
        return isShown;
    }

    void copyShown(const SampleChunk &chunk, const std::vector<bool> &isShown, SampleRows &rows)
    {
        std::vector<std::int64_t> values(chunk.valueColumns());
        for (std::size_t row = 0; row < chunk.rows(); ++row) {
            if (!isShown[row])
                continue;
            for (std::size_t column = 0; column < values.size(); ++column)
                values[column] = chunk.values(column)[row];
            rows.add(kept(StackId(chunk.stacks()[row])), kept(ContextId(chunk.contexts()[row])),
                     kept(LinkId(chunk.links()[row])), chunk.times()[row], values);
        }
    }

    /// A chunk holds so many rows, and a chunk's rows may come on top of half as many.
    static void flush(SampleRows &rows, SampleBlock &block)
    {
        if (rows.size() == 0)
            return;
        block.chunks.emplace_back(rows);
        rows.clear();
    }

    void addRecords()
    {
        addRecords(m_whole.spans, m_part.spans, [this](const Span &span) {
            return isIn(span.context, span.id) && overlaps(span.startNs, span.endNs);
        });
        addRecords(m_whole.logs, m_part.logs, [this](const LogRecord &log) {
            return isIn(log.context, log.link) && overlaps(log.effectiveTimeNs(), log.effectiveTimeNs());
        });
        addRecords(m_whole.points, m_part.points, [this](const MetricPoint &point) {
            return isIn(point.context) && overlaps(point.timeNs, point.timeNs);
        });
    }

    template <class Records, class Chunk, class IsShown>
    void addRecords(const Records &whole, Chunk &part, IsShown isShown)
    {
        for (const auto &chunk : whole.chunks)
            for (std::size_t row = 0; row < chunk->rows.size(); ++row)
                if (isShown(chunk->rows[row]))
                    part.add(*chunk, row);
        part.forEachId([this]<class RowId>(RowId &id) {
            if constexpr (!std::is_same_v<RowId, StringId> && !std::is_same_v<RowId, MetricId>)
                id = kept(id);
        });
    }

    // The rows of the part that rows of the whole have become, made when they are first needed.

    StackId kept(StackId stack)
    {
        m_path.clear();
        for (; m_stacks[stack.value].isNone(); stack = m_whole.stacks[stack.value].parent)
            m_path.push_back(stack);
        StackId made = m_stacks[stack.value];
        for (const StackId step : m_path | std::views::reverse) {
            m_part.stacks.push_back({made, m_whole.stacks[step.value].frame});
            made = m_stacks[step.value] = StackId(m_part.stacks.size() - 1);
        }
        return made;
    }
    ContextId kept(ContextId context)
    {
        ContextId &made = m_contexts[context.value];
        if (made.isNone()) {
            const Context &from = m_whole.contexts[context.value];
            m_part.contexts.push_back({kept(from.resource), kept(from.scope), kept(from.sample)});
            made = ContextId(m_part.contexts.size() - 1);
        }
        return made;
    }
    LinkId kept(LinkId link)
    {
        LinkId &made = m_links[link.value];
        if (made.isNone()) {
            m_part.links.push_back(m_whole.links[link.value]);
            made = LinkId(m_part.links.size() - 1);
        }
        return made;
    }
    AttributeSetId kept(AttributeSetId set)
    {
        AttributeSetId &made = m_sets[set.value];
        if (made.isNone()) {
            const auto begin = static_cast<std::uint32_t>(m_part.attributeLists.size());
            const auto attributes = m_whole.attributesOf(set);
            for (const AttributeId attribute : attributes)
                m_part.attributeLists.push_back(kept(attribute));
            m_part.attributeSets.push_back({begin, static_cast<std::uint32_t>(attributes.size())});
            made = AttributeSetId(m_part.attributeSets.size() - 1);
        }
        return made;
    }
    AttributeId kept(AttributeId attribute)
    {
        AttributeId &made = m_attributes[attribute.value];
        if (made.isNone()) {
            m_part.attributes.push_back(m_whole.attributes[attribute.value]);
            made = AttributeId(m_part.attributes.size() - 1);
        }
        return made;
    }

    bool isIn(ContextId context) const
    {
        return m_selection.contexts.empty() || m_selection.contexts[context.value] != 0;
    }
    bool isIn(ContextId context, LinkId link) const
    {
        return isIn(context) && (m_selection.links.empty() || m_selection.links[link.value] != 0);
    }
    bool overlaps(std::uint64_t begin, std::uint64_t end) const
    {
        constexpr std::uint64_t kLatest = std::numeric_limits<std::int64_t>::max();
        return !m_selection.time ||
               (static_cast<std::int64_t>(std::min(begin, kLatest)) <= m_selection.time->end &&
                static_cast<std::int64_t>(std::min(end, kLatest)) >= m_selection.time->begin);
    }

    const Snapshot &m_whole;
    const SampleSelection &m_selection;
    const std::vector<bool> &m_isShown;
    std::vector<StackId> m_stacks; ///< by stack of the whole: that of the part, if it has one yet
    std::vector<ContextId> m_contexts;
    std::vector<LinkId> m_links;
    std::vector<AttributeSetId> m_sets;
    std::vector<AttributeId> m_attributes;
    std::vector<StackId> m_path;
    Batch m_part;
};

/// Without what only says how samples are shown.
Lens chooserOf(Lens lens)
{
    lens.series.clear();
    lens.tagRoot.clear();
    lens.tagLeaf.clear();
    lens.groupBy.clear();
    lens.granularity = Granularity::Function;
    lens.noInlines = false;
    lens.isInverted = false;
    return lens;
}

} // namespace

Result<std::shared_ptr<const Snapshot>> partOf(const std::shared_ptr<const Snapshot> &snapshot,
                                               const Lens &shown, const std::stop_token &stop)
{
    const Lens lens = chooserOf(shown);
    if (lens == Lens())
        return snapshot;
    const auto selection = selectionOf(*snapshot, lens);
    if (!selection)
        return tl::unexpected(selection.error());
    const auto isShown = shownStacks(snapshot, lens, stop);
    if (!isShown)
        return tl::unexpected(isShown.error());
    PartMaker maker(*snapshot, *selection, *isShown);
    if (stop.stop_requested() || !maker.run(stop))
        return nullptr;
    Batch part = maker.take();
    part.origin = mergedOrigin(*snapshot);
    part.origin.comments.push_back("a part of what was recorded: " + printLens(lens));
    part.losses = snapshot->losses;
    Store store;
    store.append(std::move(part));
    return store.publish();
}

} // namespace hearth
