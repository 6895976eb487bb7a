#pragma once

#include "model/code/source_text.h"
#include "model/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace hearth {

/// Reads a source file of any encoding. @return an error that names the file
Result<std::shared_ptr<const SourceText>> readSource(const std::string &path);

/// The text of a source file as UTF-8. What is neither UTF-8 nor UTF-16 is taken as Latin-1.
std::string sourceTextOf(std::span<const std::uint8_t> bytes);

} // namespace hearth
