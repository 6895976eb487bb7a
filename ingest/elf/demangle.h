#pragma once

#include <string>
#include <string_view>

namespace hearth {

/// The name that the source has, for one of the linker's: C++, Rust (both schemes), D and Go. Other names
/// stay as they are; so do those that would take too long.
std::string demangled(const std::string &name);

} // namespace hearth
