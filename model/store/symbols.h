#pragma once

#include "model/store/ids.h"
#include "model/store/shared_text.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Names that were found after the samples arrived.

namespace hearth {

/// One function of a frame.
struct SymbolLine {
    SharedText name;
    SharedText systemName;
    SharedText file;
    std::int64_t startLine = 0;
    std::int64_t line = 0;
    std::int32_t column = 0;

    bool operator==(const SymbolLine &) const = default;
};

/// The names of one frame, innermost inlined function first.
struct FrameSymbols {
    FrameId frame;
    std::vector<SymbolLine> chain;
};

enum class SymbolSource : std::uint8_t {
    None,
    DebugInformation, ///< functions, lines, inlined functions
    GoTable,          ///< the same, as Go programs have it of themselves
    SymbolTable,      ///< functions
    ExportedNames,    ///< functions that are exported; others have no name
    Kernel,           ///< functions, from the running kernel
    MadeAtRunTime,    ///< functions, by the process that made them (perf map, jitdump)
};

/// For people: "debug information".
constexpr std::string_view describe(SymbolSource source)
{
    switch (source) {
    case SymbolSource::DebugInformation:
        return "debug information";
    case SymbolSource::GoTable:
        return "Go's own table";
    case SymbolSource::SymbolTable:
        return "symbol table";
    case SymbolSource::ExportedNames:
        return "exported names";
    case SymbolSource::Kernel:
        return "kernel";
    case SymbolSource::MadeAtRunTime:
        return "its process";
    case SymbolSource::None:
        break;
    }
    return "none";
}

/// What is known of the names of a binary.
struct BinarySymbols {
    BinaryId binary = BinaryId::none();
    std::string name; ///< the last part of its path
    SymbolSource source = SymbolSource::None;
    std::string file;    ///< that the names are from
    std::string problem; ///< why there are none, or not all that one would wish
    std::string advice;  ///< what would help most
};

/// Of some frames and binaries: others keep what they have.
struct SymbolUpdate {
    std::vector<FrameSymbols> frames;
    std::vector<BinarySymbols> binaries;

    bool isEmpty() const { return frames.empty() && binaries.empty(); }
};

} // namespace hearth
