#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Units of values as pprof understands them, so that numbers read the same in both.
//
// Bytes (b, byte, kb, kbyte, kilobyte … pb; each 1024 of the one before), times (ns, us, ms, s, sec, hour, hr
// and their long names) and compute units (nanogcu … petagcu; each 1000 of the one before). Case does not
// matter, nor does an s at the end of a word of more than two letters. Anything else is a unit of its own,
// which nothing converts to.

namespace hearth {

struct Scaled {
    double value = 0;
    std::string unit; ///< as pprof writes it: "kB", "us", "hrs"; empty where it says nothing

    bool operator==(const Scaled &) const = default;
};

/// Converts a value to another unit of its family.
///
/// `to` may be "auto" or "minimum": the largest unit in which the value is at least 1. An unknown `to` means
/// the family's default: B, s or GCU. When `from` is in no family, the value stays as it is, and so does the
/// unit `to`, except that "count", "sample", "unit", "minimum" and "auto" are no units worth printing.
Scaled scale(std::int64_t value, std::string_view from, std::string_view to);

/// The same for measurements that are no integers.
Scaled scaleReal(double value, std::string_view from, std::string_view to);

/// Two digits behind the point, ".00" cut, the unit directly behind, as pprof writes it: "1.50MB", "32ms",
/// "0".
std::string scaledLabel(std::int64_t value, std::string_view from, std::string_view to);

bool isTimeUnit(std::string_view unit);
bool isByteUnit(std::string_view unit);

/// A value as Hearth's tables show it: three digits and the unit that suits, "12.4 s", "3.21 ms", "25.0 µs",
/// "1.25 MiB", "512 B". What is no time, size or compute unit keeps all its digits: "3600", "3600 objects".
/// The result is UTF-8; µ is one character of two bytes.
std::string humanValue(std::int64_t value, std::string_view unit);

/// A unit that humanValue() chooses from.
struct HumanUnit {
    std::string name;
    double factor = 1; ///< how much of the unit of the value it is
};

/// Ascending, for those who write values elsewhere; empty for a unit whose values keep all their digits.
std::vector<HumanUnit> humanUnits(std::string_view unit);

/// What stands behind these digits: empty for what is counted.
std::string_view shownUnit(std::string_view unit);

} // namespace hearth
