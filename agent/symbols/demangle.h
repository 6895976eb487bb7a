#pragma once

#include <string>

namespace hearth::agent {

/// A function's name as it stands in its source, if the compiler has encoded it (C++, Rust); else as it is.
std::string demangled(const std::string &name);

} // namespace hearth::agent
