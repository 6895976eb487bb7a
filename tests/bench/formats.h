#pragma once

#include <filesystem>

namespace hearth::bench {

/// How fast files of other profilers are read, beside `perf script` where it reads them, too.
void benchFormats(const std::filesystem::path &folder);

} // namespace hearth::bench
