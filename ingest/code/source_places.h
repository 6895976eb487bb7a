#pragma once

#include "ingest/symbols/debuginfod.h"

#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// Where source files are beside the place where they were compiled.
struct SourcePlaces {
    /// "FROM=TO": what was in FROM when it was compiled is in TO now; or a folder with sources.
    std::vector<std::string> places;
    Debuginfod debuginfod{.servers = {}, .cache = defaultDebuginfodCache()};

    bool operator==(const SourcePlaces &) const = default;
};

/// Paths that a source file may be at here, those first that somebody named.
/// @param program the file that was made of it; empty if that is not here
std::vector<std::string> candidatesFor(const std::string &path, const std::vector<std::string> &places,
                                       const std::string &program);

/// "FROM=TO", of a file that was found where it was not looked for.
std::string mappingBetween(std::string_view wanted, std::string_view found);

/// Looks through a folder for a file that ends like the wanted one, the more of its path the better.
/// @return empty if there is none
std::string searchedIn(const std::string &folder, std::string_view wanted);

} // namespace hearth
