#pragma once

#include "model/lens/lens.h"
#include "model/views/entry_table.h"

#include <vector>

namespace hearth {

/// The entries of two data sets as one table.
struct MergedEntries {
    EntriesView entries;         ///< those of `current` with their ids, then what only `base` has
    std::vector<EntryId> ofBase; ///< by entry of `base`
};

/// Entries are the same when what their granularity shows of them is: names, and with them files and lines
/// where it tells those apart. A binary is its file's name, since builds are compared that lie in different
/// folders, and with addresses those count too.
MergedEntries mergeEntries(const EntriesView &base, const EntriesView &current, Granularity granularity);

} // namespace hearth
