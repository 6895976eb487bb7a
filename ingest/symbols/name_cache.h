#pragma once

#include "ingest/symbols/identity.h"
#include "ingest/symbols/name_book.h"

#include <cstdint>
#include <optional>
#include <string>

namespace hearth {

/// Names that were found before, on disk by build: they come at once, and stay when the files that they came
/// from are gone or built anew. Who has saved all there is trims: what nobody asked for longest goes first.
class NameCache {
public:
    NameCache() = default; ///< keeps nothing
    explicit NameCache(std::string folder, std::uint64_t mostBytes = std::uint64_t(256) << 20);

    bool isKept() const { return !m_folder.empty(); }
    /// @return nothing if there is none, or none that can be read
    std::optional<NameBook> load(const BinaryIdentity &binary) const;
    /// Does nothing for a binary that nothing tells from other builds. What cannot be written is not kept.
    /// @return whether it is on disk now
    bool save(const BinaryIdentity &binary, const NameBook &book) const;
    /// Brings it back within its bounds. Looks at every file of the folder.
    void trim() const;

    bool operator==(const NameCache &) const = default;

private:
    std::string pathOf(const BinaryIdentity &binary) const;

    std::string m_folder; ///< empty: nothing is kept
    std::uint64_t m_mostBytes = 0;
};

/// Where users' programs keep what can be made again: the cache of this user.
NameCache defaultNameCache();

} // namespace hearth
