#include "model/views/link_estimate.h"

#include "model/lens/attribute_keys.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

namespace hearth {

namespace {

/// What threads of spans and of samples have in common; empty if nothing tells them.
class ThreadNames {
public:
    explicit ThreadNames(const Snapshot &snapshot)
        : m_snapshot(snapshot), m_service(resolveKey(snapshot, "service"))
    {
        for (const std::string_view key : {"thread.id", "tid", "thread id"})
            append(m_number, key);
        for (const std::string_view key : {"thread.name", "thread name", "thread"})
            append(m_name, key);
    }

    std::array<std::string, 2> of(ContextId context) const
    {
        const std::string number = attributeText(m_snapshot, context, m_number);
        const std::string name = attributeText(m_snapshot, context, m_name);
        return {number.empty() ? std::string() : "#" + number,
                name.empty() ? std::string() : attributeText(m_snapshot, context, m_service) + '\n' + name};
    }

private:
    void append(ResolvedKey &key, std::string_view word) const
    {
        const ResolvedKey found = resolveKey(m_snapshot, word);
        for (const StringId id : found.keys)
            if (m_snapshot.text(id) == word)
                key.keys.push_back(id);
    }

    const Snapshot &m_snapshot;
    ResolvedKey m_service;
    ResolvedKey m_number;
    ResolvedKey m_name;
};

} // namespace

LinkEstimate::LinkEstimate(const Snapshot &snapshot, const SpanTable &table)
    : m_threads(snapshot.contexts.size(), kNoThread)
{
    const ThreadNames names(snapshot);
    std::map<std::string, std::uint32_t> known;
    std::vector<std::vector<SpanRow>> spans;
    std::map<ContextId, std::array<std::string, 2>> ofContext; // spans share few
    for (std::size_t i = 0; i < table.size(); ++i) {
        const SpanRow row(i);
        if (table.rowOf(table.link(row)) != row)
            continue;
        const auto [of, isNew] = ofContext.try_emplace(table.context(row));
        if (isNew)
            of->second = names.of(of->first);
        for (const std::string &name : of->second) {
            if (name.empty())
                continue;
            const auto [thread, isAdded] = known.try_emplace(name, static_cast<std::uint32_t>(spans.size()));
            if (isAdded)
                spans.emplace_back();
            spans[thread->second].push_back(row);
        }
    }
    for (std::vector<SpanRow> &ofThread : spans)
        m_runs.push_back(runsOf(table, std::move(ofThread)));
    for (std::size_t i = 0; i < m_threads.size() && !known.empty(); ++i)
        for (const std::string &name : names.of(ContextId(i)))
            if (const auto thread = known.find(name); thread != known.end() && m_threads[i] == kNoThread)
                m_threads[i] = thread->second;
}

/// Goes through starts and ends; at each moment the span that started last of those that run is the one.
std::vector<LinkEstimate::Run> LinkEstimate::runsOf(const SpanTable &table, std::vector<SpanRow> spans)
{
    struct Moment {
        std::int64_t timeNs;
        bool isStart;
        SpanRow span;
    };
    std::vector<Moment> moments;
    for (const SpanRow span : spans)
        if (table.durationNs(span) > 0) {
            moments.push_back({table.startNs(span), true, span});
            moments.push_back({table.endNs(span), false, span});
        }
    std::ranges::sort(moments, {}, [](const Moment &moment) {
        return std::tuple(moment.timeNs, moment.isStart, moment.span);
    });
    const auto startedBefore = [&table](SpanRow a, SpanRow b) {
        return std::tuple(table.startNs(a), -table.endNs(a), a) <
               std::tuple(table.startNs(b), -table.endNs(b), b);
    };
    std::set<SpanRow, decltype(startedBefore)> running(startedBefore);
    std::vector<Run> runs;
    for (const Moment &moment : moments) {
        if (moment.isStart)
            running.insert(moment.span);
        else
            running.erase(moment.span);
        const LinkId link = running.empty() ? LinkId() : table.link(*running.rbegin());
        if (!runs.empty() && runs.back().beginNs == moment.timeNs)
            runs.back().link = link;
        else
            runs.push_back({moment.timeNs, link});
    }
    return runs;
}

LinkId LinkEstimate::find(const std::vector<Run> &runs, std::int64_t timeNs)
{
    const auto behind = std::ranges::upper_bound(runs, timeNs, {}, &Run::beginNs);
    return behind == runs.begin() ? LinkId() : std::prev(behind)->link;
}

} // namespace hearth
