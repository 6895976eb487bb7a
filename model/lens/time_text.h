#pragma once

#include "model/lens/lens.h"
#include "model/result.h"

#include <string>
#include <string_view>

// How a time range is written, as `A..B`, `A..` or `..B`, each end being one of
//
//   2s, 1.5s, 200ms, 30us, 5ns, 3min, 1h, 2     since the start; without a unit it is seconds
//   -30s, -2min                                 before the end
//   14:05, 14:05:30.25                          time of day
//   2026-11-20T14:05:30Z, …30.25+01:00          RFC 3339
//
// Digits beyond nanoseconds are an error, since they would be lost.

namespace hearth {

Result<TimeTerm> parseTimeTerm(std::string_view text);

/// The one spelling of each range: seconds with an s, times of day with seconds, RFC 3339 in UTC. No more
/// decimals than needed. Nothing for everything.
std::string printTimeTerm(const TimeTerm &term);

/// `100ms`, `1.5s`, `2` (seconds): a length of time, not negative.
Result<std::int64_t> parseDuration(std::string_view text);

/// In the largest unit of which it is at least one; every nanosecond is there.
std::string printDuration(std::int64_t ns);

} // namespace hearth
