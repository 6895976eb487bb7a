#pragma once

#include "agent/process/binary.h"

#include <cstdint>
#include <optional>
#include <string>

namespace hearth::agent {

/// What code at an address of a binary's file is called.
struct FunctionName {
    std::string name;
    std::string systemName; ///< as the linker knows it, if that is another
};

/// Finds the name in the binary's own tables, or in those of its debug file. They are read when the first
/// name of the binary is asked for.
std::optional<FunctionName> functionAt(Binary &binary, std::uint64_t address);

} // namespace hearth::agent
