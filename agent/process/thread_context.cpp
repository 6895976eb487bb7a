#include "agent/process/thread_context.h"

#include "agent/process/process_memory.h"

#include <elf.h>

#include <cstring>
#include <string_view>

namespace hearth::agent {

namespace {

constexpr std::string_view kName = "otel_thread_ctx_v1";
constexpr std::size_t kMostBytes = std::size_t(64) << 20;
constexpr std::uint32_t kTlsDescriptor = 36; ///< R_X86_64_TLSDESC
constexpr std::uint64_t kDescriptorArgument = 8;
/// Thread-local variables of what is loaded at the start lie closely below the thread pointer.
constexpr std::int64_t kFarthest = std::int64_t(1) << 24;

/// The word that the loader fills with the variable's offset: of a TLS descriptor the second, or one by
/// itself.
std::uint64_t findSlot(const ElfFile &file, const ExportedSymbol &symbol)
{
    for (const ElfSection &section : file.sections()) {
        if (section.type != SHT_RELA)
            continue;
        const auto bytes = file.content(section).value_or(ByteRange()).all(kMostBytes);
        for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= bytes.size(); at += sizeof(Elf64_Rela)) {
            Elf64_Rela relocation;
            std::memcpy(&relocation, bytes.data() + at, sizeof relocation);
            if (ELF64_R_SYM(relocation.r_info) != symbol.number)
                continue;
            if (ELF64_R_TYPE(relocation.r_info) == kTlsDescriptor)
                return relocation.r_offset + kDescriptorArgument;
            if (ELF64_R_TYPE(relocation.r_info) == R_X86_64_TPOFF64)
                return relocation.r_offset;
        }
    }
    return 0;
}

} // namespace

std::optional<ThreadContextVariable> threadContextVariable(const ElfFile &file,
                                                           const ExportedSymbols &exported)
{
    const auto symbol = exported.find(kName);
    if (!symbol || !symbol->isThreadLocal)
        return std::nullopt;
    return ThreadContextVariable{.offset = static_cast<std::int64_t>(symbol->value) -
                                           static_cast<std::int64_t>(file.threadLocalSize()),
                                 .slot = findSlot(file, *symbol)};
}

std::int64_t threadContextOffset(const ThreadContextVariable &variable, std::uint32_t process,
                                 std::uint64_t shift, bool isProgram)
{
    std::int64_t offset = isProgram ? variable.offset : 0;
    if (!isProgram && variable.slot != 0 && !readValue(process, shift + variable.slot, offset))
        return 0;
    return offset < 0 && offset > -kFarthest ? offset : 0;
}

} // namespace hearth::agent
