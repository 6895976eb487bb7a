#pragma once

#include "agent/bpf/python.h"
#include "agent/process/exported_symbols.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace hearth::agent {

/// The interpreter of CPython in a program or library: where in the file its state is.
struct PythonBinary {
    std::uint32_t minorVersion = 0;  ///< of 3
    std::uint64_t runtime = 0;       ///< _PyRuntime; 0 before 3.7
    std::uint64_t currentThread = 0; ///< _PyThreadState_Current, before 3.7
};

/// @param name of the file, which tells the version where the file itself does not
/// @return nothing if there is none, or one that is not known here
std::optional<PythonBinary> pythonBinary(const ElfFile &file, const ExportedSymbols &exported,
                                         std::string_view name);

/// Where members are within the structures of one version: PythonLayout says what stacks need of it, the rest
/// what it takes to name a function, whose name is with its class where the version has that.
struct PythonOffsets {
    PythonLayout layout{};
    std::uint16_t codeFirstLine = 0;
    std::uint16_t codeLineTable = 0;
    std::uint16_t codeInstructions = 0; ///< within the code object; 0 where they are elsewhere
    std::uint16_t asciiHead = 0;        ///< of a string: what its characters are behind
    std::uint16_t otherHead = 0;        ///< the same of strings that are not ASCII
};

/// What is known of the version; since 3.13 the process itself says it.
/// @param shift from addresses of the file to those in the process
std::optional<PythonOffsets> pythonOffsets(const PythonBinary &binary, std::uint32_t process,
                                           std::uint64_t shift);

} // namespace hearth::agent
