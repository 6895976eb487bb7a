#pragma once

#include "model/store/ids.h"
#include "model/store/rows.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hearth {

/// One line of a log, or one event.
struct LogRecord {
    std::uint64_t timeNs = 0;         ///< when it happened; 0 if the sender did not know
    std::uint64_t observedTimeNs = 0; ///< when it was collected
    Attribute body;                   ///< without key and unit; text, or whatever was logged
    LinkId link;                      ///< the span that it was written in
    ContextId context;                ///< of resource and scope, and the record's own attributes
    StringId severityText;
    StringId eventName;
    std::uint32_t droppedAttributes = 0;
    std::uint32_t flags = 0;
    std::uint32_t severity =
        0; ///< 1 to 4 trace, 5 debug, 9 info, 13 warn, 17 error, 21 to 24 fatal; 0 unknown
    std::uint32_t reserved = 0;

    std::uint64_t effectiveTimeNs() const { return timeNs != 0 ? timeNs : observedTimeNs; }

    bool operator==(const LogRecord &) const = default;
};
static_assert(sizeof(LogRecord) == 72);

struct LogChunk {
    std::vector<LogRecord> rows;

    /// Appends a row of another chunk.
    void add(const LogChunk &from, std::size_t row);
    std::size_t bytes() const;

    /// Calls `visit` with every id.
    template <class Visit>
    void forEachId(Visit visit)
    {
        for (LogRecord &record : rows) {
            visit(record.body.key);
            visit(record.body.unit);
            if (record.body.hasText()) {
                StringId text = record.body.text();
                visit(text);
                record.body.bits = text.value;
            }
            visit(record.link);
            visit(record.context);
            visit(record.severityText);
            visit(record.eventName);
        }
    }
};

} // namespace hearth
