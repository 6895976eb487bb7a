#include "model/views/event_series.h"

#include <algorithm>
#include <optional>

namespace hearth {

namespace {

class EventSeriesSearch {
public:
    EventSeriesSearch(const Snapshot &snapshot, const SampleTable &table)
        : m_snapshot(snapshot), m_table(table), m_periodType(snapshot.text(table.periodType)),
          m_periodUnit(snapshot.text(table.periodUnit))
    {}

    /// The series by itself; nothing if its weights are no number of observations.
    std::optional<EventSeries> ownOf(SeriesId id) const
    {
        if (m_table.period > 0 && !unitOf(id).empty() && unitOf(id) == m_periodUnit &&
            typeOf(id).ends_with(m_periodType))
            return EventSeries{nameOf(id), static_cast<double>(m_table.period)};
        const bool isEstimate = m_table.period > 0 && m_periodUnit == "bytes";
        if (unitOf(id) == "count" && !isEstimate)
            return EventSeries{nameOf(id), 1};
        return std::nullopt;
    }

    /// One beside it, rather one of its family: `inuse_objects` and `inuse_space`.
    std::optional<EventSeries> besideOf(SeriesId id) const
    {
        std::optional<EventSeries> found;
        for (const SeriesId other : m_table.series)
            if (const auto events = ownOf(other); events && (!found || familyOf(other) == familyOf(id)))
                found = events;
        return found;
    }

private:
    std::string_view typeOf(SeriesId id) const { return m_snapshot.text(m_snapshot.series[id.value].type); }
    std::string_view unitOf(SeriesId id) const { return m_snapshot.text(m_snapshot.series[id.value].unit); }
    std::string_view familyOf(SeriesId id) const { return typeOf(id).substr(0, typeOf(id).find('_')); }
    std::string nameOf(SeriesId id) const { return std::to_string(id.value); }

    const Snapshot &m_snapshot;
    const SampleTable &m_table;
    std::string_view m_periodType;
    std::string_view m_periodUnit;
};

} // namespace

EventSeries eventSeriesOf(const Snapshot &snapshot, const SeriesChoice &series)
{
    const EventSeries rows{"rows:" + std::to_string(series.stored.value), 1};
    if (series.countsRows)
        return rows;
    for (const SampleTable &table : snapshot.tables) {
        if (std::ranges::find(table.series, series.stored) == table.series.end())
            continue;
        if (series.timesPeriod)
            return {series.name(), static_cast<double>(table.period)};
        const EventSeriesSearch search(snapshot, table);
        if (const auto own = search.ownOf(series.stored))
            return *own;
        if (const auto beside = search.besideOf(series.stored))
            return *beside;
    }
    return rows;
}

} // namespace hearth
