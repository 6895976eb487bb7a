#pragma once

#include "model/store/snapshot.h"
#include "model/views/span_table.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hearth {

/// Guesses in which span a sample without a link was taken: the one that its thread started last of those
/// that ran at its time. What is counted by it is an estimate, and has to be called that wherever it is
/// shown: a thread may work on something else while a span that it started waits.
///
/// Threads are told apart by their number, which is one host's, else by name and service.
class LinkEstimate {
public:
    LinkEstimate(const Snapshot &snapshot, const SpanTable &table);

    /// The empty link if no span of the thread ran at that time.
    LinkId at(ContextId context, std::int64_t timeNs) const
    {
        const std::uint32_t thread = m_threads[context.value];
        return thread == kNoThread ? LinkId() : find(m_runs[thread], timeNs);
    }
    bool isEmpty() const { return m_runs.empty(); }

private:
    /// From a time on, until the next one.
    struct Run {
        std::int64_t beginNs;
        LinkId link;
    };
    static constexpr std::uint32_t kNoThread = 0xffffffffU;

    static LinkId find(const std::vector<Run> &runs, std::int64_t timeNs);
    static std::vector<Run> runsOf(const SpanTable &table, std::vector<SpanRow> spans);

    std::vector<std::uint32_t> m_threads; ///< by context
    std::vector<std::vector<Run>> m_runs; ///< by thread, in the order of time
};

} // namespace hearth
