#include "model/views/log_list.h"

#include "model/lens/attribute_keys.h"
#include "model/lens/compiled_lens.h"
#include "model/views/linked_spans.h"
#include "model/views/row_sort.h"
#include "model/views/time_range.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

namespace hearth {

namespace {

using LogRecords = RecordLog<LogChunk>;

std::int64_t timeOf(const LogRecord &record)
{
    return static_cast<std::int64_t>(
        std::min<std::uint64_t>(record.effectiveTimeNs(), std::numeric_limits<std::int64_t>::max()));
}

/// Everything that decides about a record, ready to be asked.
class Sieve {
public:
    Sieve(const Snapshot &snapshot, const Lens &lens, const CompiledLens &compiled, const LogFilter &filter)
        : m_snapshot(snapshot), m_leastSeverity(filter.leastSeverity)
    {
        if (compiled.restrictsContexts())
            m_contexts = matchContexts(compiled, snapshot);
        if (compiled.restrictsLinks()) {
            SpanTable table;
            table.extend(snapshot);
            m_links = matchLinks(compiled, snapshot, table);
        }
        if (!lens.time.isEverything())
            m_time = resolve(lens.time, snapshot);
        if (!filter.text.empty())
            m_text = Matcher::literal(filter.text);
    }

    bool holds(const LogRecord &record) const
    {
        return (record.severity == 0 || record.severity >= m_leastSeverity) &&
               (m_contexts.empty() || m_contexts[record.context.value] != 0) &&
               (m_links.empty() || m_links[record.link.value] != 0) &&
               (!m_time || m_time->contains(timeOf(record))) &&
               (!m_text || m_text->matches(printAttribute(m_snapshot, record.body)));
    }

private:
    const Snapshot &m_snapshot;
    std::uint32_t m_leastSeverity;
    std::vector<std::uint8_t> m_contexts;
    std::vector<std::uint8_t> m_links;
    std::optional<TimeRange> m_time;
    std::optional<Matcher> m_text;
};

} // namespace

Result<std::shared_ptr<const std::vector<std::uint32_t>>>
logList(const Snapshot &snapshot, const Lens &lens, const LogFilter &filter, const std::stop_token &stop)
{
    const Result<CompiledLens> compiled = compile(lens);
    if (!compiled)
        return tl::unexpected(compiled.error());
    const Sieve sieve(snapshot, lens, *compiled, filter);
    std::vector<std::uint32_t> rows;
    std::uint32_t row = 0;
    for (const auto &chunk : snapshot.logs.chunks) {
        if (stop.stop_requested())
            return nullptr;
        for (const LogRecord &record : chunk->rows) {
            if (sieve.holds(record))
                rows.push_back(row);
            ++row;
        }
    }
    return std::make_shared<const std::vector<std::uint32_t>>(
        rowsByNumber(rows, false, [&](std::uint32_t at) { return timeOf(logRecord(snapshot, at)); }));
}

const LogRecord &logRecord(const Snapshot &snapshot, std::uint32_t row)
{
    return snapshot.logs.chunks[row / LogRecords::kRows]->rows[row % LogRecords::kRows];
}

std::string severityText(const Snapshot &snapshot, const LogRecord &record)
{
    if (record.severityText != StringId())
        return std::string(snapshot.text(record.severityText));
    constexpr std::array<std::string_view, 6> kNames{"trace", "debug", "info", "warn", "error", "fatal"};
    constexpr std::uint32_t kSteps = 4; // of each name, from 1 on
    const std::uint32_t name = (record.severity - 1) / kSteps;
    return record.severity == 0 || name >= kNames.size() ? std::string() : std::string(kNames[name]);
}

std::optional<std::vector<LogMark>> logMarks(const Snapshot &snapshot, const Waterfall &waterfall,
                                             const std::stop_token &stop)
{
    std::unordered_map<LinkId, std::uint32_t> rowOf;
    for (std::uint32_t row = 0; row < waterfall.rows.size(); ++row)
        if (waterfall.rows[row].link != LinkId())
            rowOf.try_emplace(waterfall.rows[row].link, row);
    std::vector<LogMark> marks;
    std::uint32_t log = 0;
    for (const auto &chunk : snapshot.logs.chunks) {
        if (stop.stop_requested())
            return std::nullopt;
        for (const LogRecord &record : chunk->rows) {
            const auto found = record.link == LinkId() ? rowOf.end() : rowOf.find(record.link);
            if (found != rowOf.end())
                marks.push_back({found->second, log, timeOf(record), record.severity});
            ++log;
        }
    }
    std::ranges::stable_sort(marks, {}, &LogMark::timeNs);
    return marks;
}

} // namespace hearth
