#pragma once

#include "model/result.h"
#include "model/store/snapshot.h"

#include <array>
#include <string>
#include <string_view>

namespace hearth::cli {

/// A format that data sets are written in.
struct OutputFormat {
    std::string_view name;
    std::array<std::string_view, 4> endings; ///< of files; .gz and .zst may follow
    /// @param series the one to write, for formats that hold one; empty: the usual
    Result<std::string> (*write)(const Snapshot &snapshot, std::string_view series);
    bool holdsOneSeries = false;
};

/// Null if there is none of that name.
const OutputFormat *formatNamed(std::string_view name);
/// The one that a file's name tells; null if it tells none.
const OutputFormat *formatOf(std::string_view output);

/// Writes a file, packed as its name says.
Result<void> writePacked(const std::string &path, std::string_view bytes);

/// Writes all of a data set in the format that the file's name tells.
Result<void> writeDataSet(const Snapshot &snapshot, const std::string &path);

} // namespace hearth::cli
