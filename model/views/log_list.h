#pragma once

#include "model/lens/lens.h"
#include "model/result.h"
#include "model/store/snapshot.h"
#include "model/views/waterfall.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace hearth {

/// What of the log records is asked for, beyond the lens.
struct LogFilter {
    std::uint32_t leastSeverity = 0; ///< 9 for info and above; records without a severity are always in
    std::string text;                ///< in the body, upper and lower case alike

    bool operator==(const LogFilter &) const = default;
};

/// The log records that a lens shows, in the order of their times: those with its attributes, in its time,
/// and of the spans that it names. What it says of code is not about them.
/// @return null if stopped; an error if the lens does not compile
Result<std::shared_ptr<const std::vector<std::uint32_t>>>
logList(const Snapshot &snapshot, const Lens &lens, const LogFilter &filter, const std::stop_token &stop);

/// REQUIRES: a row of `snapshot`.
const LogRecord &logRecord(const Snapshot &snapshot, std::uint32_t row);

/// "info", "error" …; as sent if there is a text; empty if it is not known.
std::string severityText(const Snapshot &snapshot, const LogRecord &record);

/// A log record that was written in one of the spans of a trace.
struct LogMark {
    std::uint32_t row = 0; ///< of the waterfall
    std::uint32_t log = 0; ///< row of the log records
    std::int64_t timeNs = 0;
    std::uint32_t severity = 0;
};

/// In the order of their times. @return nothing if stopped
std::optional<std::vector<LogMark>> logMarks(const Snapshot &snapshot, const Waterfall &waterfall,
                                             const std::stop_token &stop);

inline constexpr std::uint32_t kSeverityWarn = 13;
inline constexpr std::uint32_t kSeverityError = 17;

} // namespace hearth
