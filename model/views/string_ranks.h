#pragma once

#include "model/store/snapshot.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hearth {

/// By string: where it stands among those of `used` in alphabetical order, from 1 on. Ordering rows by that
/// takes a tenth of the time that texts take.
inline std::vector<std::uint32_t> stringRanks(const Snapshot &snapshot, std::vector<StringId> used)
{
    std::ranges::sort(used);
    used.erase(std::ranges::unique(used).begin(), used.end());
    std::ranges::sort(used, {}, [&](StringId id) { return snapshot.text(id); });
    std::vector<std::uint32_t> ranks(snapshot.strings.size());
    for (std::size_t i = 0; i < used.size(); ++i)
        ranks[used[i].value] = static_cast<std::uint32_t>(i) + 1;
    return ranks;
}

} // namespace hearth
