#pragma once

#include <filesystem>

namespace hearth::bench {

/// Names of 100,000 places of a program with 200 MB of debug information, beside llvm-symbolizer.
void benchSymbols(const std::filesystem::path &folder);

} // namespace hearth::bench
