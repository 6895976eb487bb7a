#pragma once

#include "model/views/call_tree.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace hearth {

/// How well a name fits what somebody types to find it; the smaller the better.
enum class NameFit : std::uint8_t {
    Whole,     ///< it is the name
    Beginning, ///< the name begins with it
    Word,      ///< a word of the name begins with it
    Inside,    ///< it is somewhere in the name
    Letters,   ///< its letters are in the name in this order: "jpo" in "json::Parser::object"
    None,
};

/// Upper and lower case are alike, as far as ASCII goes.
NameFit fitOf(std::string_view name, std::string_view typed);

struct EntryHit {
    EntryId entry;
    NameFit fit = NameFit::None;
    std::int64_t weight = 0;
};

/// The entries that fit best, and of those that fit as well the heaviest.
/// @return nothing if stopped
std::optional<std::vector<EntryHit>> findEntries(const CallTree &tree, std::string_view typed,
                                                 std::size_t limit, const std::stop_token &stop);

} // namespace hearth
