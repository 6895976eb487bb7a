#pragma once

#include "model/store/ids.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What the code of a function looks like, as values.

namespace hearth {

enum class AssemblySyntax : std::uint8_t { Intel, Att };

/// Where in the source an instruction is from: a line of a function, which may have been inlined.
struct CodePlace {
    std::uint32_t function = 0; ///< in Disassembly::functions
    std::uint32_t file = 0;     ///< in Disassembly::files
    std::int64_t line = 0;      ///< 0: not known

    bool operator==(const CodePlace &) const = default;
};

enum class InstructionKind : std::uint8_t {
    Plain,
    Jump, ///< conditional or not
    Call,
    Return,
    Data, ///< bytes that are no instruction
};

struct Instruction {
    static constexpr std::uint32_t kNone = 0xffffffffU;

    std::uint64_t address = 0;    ///< the linker's
    std::uint64_t reference = 0;  ///< an address that it names: jumps to, calls, reads; 0: none
    std::uint32_t size = 0;       ///< in bytes
    std::uint32_t target = kNone; ///< the instruction of this function that it may jump to
    std::uint32_t placeBegin = 0; ///< in Disassembly::places, the innermost first
    std::uint32_t placeCount = 0;
    InstructionKind kind = InstructionKind::Plain;
    std::string text = {};    ///< "mov rax, qword ptr [rdi + 8]"
    std::string comment = {}; ///< what is at the reference, as far as that has a name
};

/// A part of a binary's file that is one function, or what is known of one.
struct CodeExtent {
    BinaryId binary;
    std::uint64_t begin = 0; ///< in the file
    std::uint64_t end = 0;
    std::string name; ///< of the function that the linker put there

    bool contains(std::uint64_t offset) const { return offset >= begin && offset < end; }
    bool operator==(const CodeExtent &) const = default;
};

/// The instructions of an extent, one behind the other without gaps.
struct Disassembly {
    CodeExtent extent;
    std::string file; ///< that they were read from
    std::string note; ///< what is not as one would expect; empty if all is
    std::vector<Instruction> instructions;
    std::vector<std::uint64_t> offsets; ///< of each instruction in the file
    std::vector<CodePlace> places;
    std::vector<std::string> functions;
    std::vector<std::string> files;

    std::span<const CodePlace> placesOf(const Instruction &instruction) const
    {
        return std::span(places).subspan(instruction.placeBegin, instruction.placeCount);
    }
};

} // namespace hearth
