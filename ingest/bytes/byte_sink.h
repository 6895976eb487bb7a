#pragma once

#include "model/result.h"

#include <cstdint>
#include <span>
#include <string>

namespace hearth {

/// One gzip member with these bytes in it.
std::string gzipped(std::string_view bytes);

/// Writes a file whole: under another name first, so that a failure leaves what was there before. "-" is
/// standard output.
Result<void> writeFile(const std::string &path, std::string_view bytes);

} // namespace hearth
