#include "ingest/code/disassembler.h"
#include "ingest/code/function_extents.h"
#include "ingest/code/source_file.h"

#include <cstdlib>

using namespace hearth;

namespace {

void readInstructions(std::span<const std::uint8_t> bytes, ElfMachine machine, AssemblySyntax syntax)
{
    constexpr std::uint64_t kAddress = 0x401000;
    const auto instructions = instructionsOf(bytes, kAddress, machine, syntax);
    if (!instructions)
        return;
    std::uint64_t next = kAddress;
    for (const Instruction &instruction : *instructions) {
        if (instruction.address != next || instruction.size == 0)
            std::abort();
        next += instruction.size;
    }
    if (next != kAddress + bytes.size())
        std::abort();
}

void readExtents(std::span<const std::uint8_t> bytes)
{
    const auto file = ElfFile::of(ByteRange::ofMemory({bytes.begin(), bytes.end()}), "it");
    if (!file)
        return;
    const SymbolTable symbols(**file);
    const FunctionExtents extents(*file, symbols);
    for (const std::uint64_t address : {0x0ULL, 0x1000ULL, 0x401000ULL, 0xffff'ffff'ffff'ffffULL})
        if (const auto extent = extents.find(address); extent && extent->end < extent->begin)
            std::abort();
}

} // namespace

/// The first byte chooses what the others are: code of a processor, a program, a source file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size == 0)
        return 0;
    const std::span<const std::uint8_t> bytes(data + 1, size - 1);
    const auto syntax = (data[0] & 1U) != 0 ? AssemblySyntax::Att : AssemblySyntax::Intel;
    switch ((data[0] >> 1U) % 5) {
    case 0:
        readInstructions(bytes, ElfMachine::X86_64, syntax);
        break;
    case 1:
        readInstructions(bytes, ElfMachine::X86, syntax);
        break;
    case 2:
        readInstructions(bytes, ElfMachine::Arm64, syntax);
        break;
    case 3:
        readExtents(bytes);
        break;
    default: {
        const SourceText text(sourceTextOf(bytes));
        for (std::size_t i = 0; i <= text.lineCount(); ++i)
            (void)text.line(static_cast<std::int64_t>(i));
    }
    }
    return 0;
}
