#pragma once

#include "model/store/snapshot.h"
#include "model/views/entry_search.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace hearth {

struct SpanNameHit {
    StringId name;
    NameFit fit = NameFit::None;
    std::uint64_t spans = 0;
};

/// The names of spans that fit best what somebody types, and of those that fit as well the most frequent.
/// @return nothing if stopped
std::optional<std::vector<SpanNameHit>> findSpanNames(const Snapshot &snapshot, std::string_view typed,
                                                      std::size_t limit, const std::stop_token &stop);

/// One of the links of the trace whose id begins like this. None if there is no such trace, or if these are
/// too few digits to mean one.
LinkId findTrace(const Snapshot &snapshot, std::string_view hexDigits);

} // namespace hearth
