#include "model/views/net_total.h"

#include "model/store/row_index.h"
#include "model/store/string_table.h"
#include "model/views/difference.h"
#include "model/views/selected_samples.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace hearth {

namespace {

/// Ids differ from data set to data set; these numbers of texts and of what consists of them do not.
class Signatures {
public:
    explicit Signatures(const Snapshot &snapshot) : m_snapshot(snapshot)
    {
        for (std::size_t i = 0; i < snapshot.frames.size(); ++i)
            m_frames.push_back(ofFrame(FrameId(i)));
        m_stacks.push_back(hashSeed());
        for (std::size_t i = 1; i < snapshot.stacks.size(); ++i) {
            const StackNode &stack = snapshot.stacks[i];
            m_stacks.push_back(mixHash(m_stacks[stack.parent.value], m_frames[stack.frame.value]));
        }
        for (std::size_t i = 0; i < snapshot.contexts.size(); ++i)
            m_contexts.push_back(ofContext(snapshot.contexts[i]));
    }

    std::uint64_t ofSample(std::uint32_t stack, std::uint32_t context) const
    {
        return mixHash(m_stacks[stack], m_contexts[context]);
    }

private:
    std::uint64_t ofText(StringId text) const { return hashText(m_snapshot.text(text)); }

    /// As it was sent: the same address may have names on one side only.
    std::uint64_t ofFrame(FrameId id) const
    {
        const Frame &frame = m_snapshot.frames[id.value];
        std::uint64_t hash = mixHash(frame.address, frame.isFolded);
        if (const std::optional<BinaryId> at = m_snapshot.binaryOf(id)) {
            const Binary &binary = m_snapshot.binaries[at->value];
            hash = mixHash(mixHash(hash, ofText(binary.path)), ofText(binary.buildId));
        }
        for (const Line &line : m_snapshot.lines.span(frame.lineBegin, frame.lineCount)) {
            hash = mixHash(hash, static_cast<std::uint64_t>(line.line));
            if (line.function.isNone())
                continue;
            const Function &function = m_snapshot.functions[line.function.value];
            hash = mixHash(mixHash(hash, ofText(function.name)), ofText(function.systemName));
            hash =
                mixHash(mixHash(hash, ofText(function.file)), static_cast<std::uint64_t>(function.startLine));
        }
        return hash;
    }

    /// In any order: attributes are a set.
    std::uint64_t ofAttributes(AttributeSetId set) const
    {
        std::uint64_t sum = 0;
        for (const AttributeId id : m_snapshot.attributesOf(set)) {
            const Attribute &attribute = m_snapshot.attributes[id.value];
            const std::uint64_t value = attribute.hasText() ? ofText(attribute.text()) : attribute.bits;
            sum += mixHash(mixHash(ofText(attribute.key), value), ofText(attribute.unit));
        }
        return sum;
    }

    std::uint64_t ofContext(const Context &context) const
    {
        return mixHash(mixHash(ofAttributes(context.resource), ofAttributes(context.scope)),
                       ofAttributes(context.sample));
    }

    const Snapshot &m_snapshot;
    std::vector<std::uint64_t> m_frames;
    std::vector<std::uint64_t> m_stacks;
    std::vector<std::uint64_t> m_contexts;
};

class NetSums {
public:
    template <class Scale>
    void add(const Snapshot &snapshot, const SeriesChoice &series, Scale scale)
    {
        const Signatures signatures(snapshot);
        NetSums merged; // samples that are alike are one before they are scaled, as in pprof
        SampleSelection all;
        all.series = series;
        SampleReader reader(all);
        for (const SampleTable &table : snapshot.tables)
            for (const SeriesChunk &chunk : chunksOf(table, series))
                reader.forEachRun(chunk, [&](SampleReader &run) {
                    const auto contexts = run.contexts();
                    for (std::size_t i = 0; i < contexts.size(); ++i)
                        if (run.values()[i] != 0)
                            merged.add(signatures.ofSample(run.stacks()[i], contexts[i]), run.values()[i]);
                });
        for (const Cell &cell : merged.m_cells)
            add(cell.signature, scale(cell.sum));
    }

    Sum total() const
    {
        Sum total;
        for (const Cell &cell : m_cells)
            total.add(static_cast<std::int64_t>(
                std::min<std::uint64_t>(absolute(cell.sum), std::numeric_limits<std::int64_t>::max())));
        return total;
    }

private:
    struct Cell {
        std::uint64_t signature;
        std::int64_t sum;
    };

    void add(std::uint64_t signature, std::int64_t value)
    {
        std::uint32_t row = m_index.find(
            signature, [&](std::uint32_t other) { return m_cells[other].signature == signature; });
        if (row == RowIndex::kNoRow) {
            row = static_cast<std::uint32_t>(m_cells.size());
            m_cells.push_back({signature, 0});
            m_index.insert(signature, row);
        }
        addTo(m_cells[row].sum, value);
    }

    std::vector<Cell> m_cells;
    RowIndex m_index;
};

} // namespace

Sum netTotal(const Snapshot &base, const SeriesChoice &baseSeries, const Snapshot &current,
             const SeriesChoice &currentSeries, double factor)
{
    NetSums sums;
    sums.add(base, baseSeries, [](std::int64_t value) {
        return value == std::numeric_limits<std::int64_t>::min() ? std::numeric_limits<std::int64_t>::max()
                                                                 : -value;
    });
    sums.add(current, currentSeries, [factor](std::int64_t value) { return scaledBy(value, factor); });
    return sums.total();
}

} // namespace hearth
