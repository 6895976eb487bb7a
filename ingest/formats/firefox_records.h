#pragma once

#include "ingest/formats/firefox_tables.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hearth {

/// Nanoseconds since 1970 of the milliseconds that a profile counts from its start.
struct FirefoxClock {
    double startMs = 0;

    std::int64_t timeNs(double ms) const;
};

/// What happened in a thread, a column each. Phases: 0 an instant, 1 an interval, 2 its start, 3 its end.
struct FirefoxMarkers {
    FirefoxTables::Column names;
    FirefoxTables::Column categories;
    FirefoxTables::Column phases;
    std::vector<double> starts;
    std::vector<double> ends;
    std::vector<AttributeSetId> data;

    void read(JsonStream &json, ProfileBuilder &builder);
};

/// What a process counts over time.
struct FirefoxCounter {
    std::string name;
    std::string category;
    std::int64_t pid = 0;
    std::vector<double> times;
    std::vector<double> deltas;
    std::vector<double> counts; ///< changes

    void read(JsonStream &json);
};

/// Ids are numbers, or in newer versions texts with a number in them: "1234", "1234.1".
std::int64_t readFirefoxId(JsonStream &json);

/// Makes spans, log records and metric points of markers and counters.
class FirefoxRecords {
public:
    FirefoxRecords(ProfileBuilder &builder, const FirefoxClock &clock,
                   const std::vector<std::string> &categories)
        : m_builder(builder), m_clock(clock), m_categories(categories)
    {}

    /// @param owner attributes of the process and the thread
    void add(const FirefoxMarkers &markers, const FirefoxTables &tables, std::span<const Attribute> owner);
    void add(const FirefoxCounter &counter);

private:
    std::int64_t timeOf(const std::vector<double> &times, std::size_t row) const
    {
        return m_clock.timeNs(row < times.size() ? times[row] : 0);
    }
    void addSpan(StringId name, ContextId context, std::int64_t start, std::int64_t end);
    void addLog(StringId name, ContextId context, std::int64_t time);
    ContextId contextOf(const FirefoxMarkers &markers, std::size_t row, std::span<const Attribute> owner);

    ProfileBuilder &m_builder;
    const FirefoxClock &m_clock;
    const std::vector<std::string> &m_categories;
    std::uint64_t m_thread = 0;
    std::uint64_t m_spans = 0;
};

} // namespace hearth
