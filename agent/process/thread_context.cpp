#include "agent/process/thread_context.h"

#include <elf.h>
#include <sys/uio.h>

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

struct Found {
    std::uint32_t number = 0; ///< in the symbol table
    std::uint64_t value = 0;
};

std::vector<std::uint8_t> contentOf(const ElfFile &file, const ElfSection &section)
{
    return file.content(section).value_or(ByteRange()).all(kMostBytes);
}

std::optional<Found> findSymbol(const ElfFile &file, const ElfSection &symbols)
{
    const auto names = contentOf(file, file.sections()[symbols.link]);
    const std::string_view text(reinterpret_cast<const char *>(names.data()), names.size());
    const std::size_t name = text.find(std::string("\0otel_thread_ctx_v1\0", kName.size() + 2));
    if (name == std::string_view::npos)
        return std::nullopt;
    const auto bytes = contentOf(file, symbols);
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= bytes.size(); at += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;
        std::memcpy(&symbol, bytes.data() + at, sizeof symbol);
        if (symbol.st_name == name + 1 && ELF64_ST_TYPE(symbol.st_info) == STT_TLS &&
            symbol.st_shndx != SHN_UNDEF)
            return Found{.number = static_cast<std::uint32_t>(at / sizeof symbol), .value = symbol.st_value};
    }
    return std::nullopt;
}

/// The word that the loader fills with the variable's offset: of a TLS descriptor the second, or one by
/// itself.
std::uint64_t findSlot(const ElfFile &file, const Found &symbol)
{
    for (const ElfSection &section : file.sections()) {
        if (section.type != SHT_RELA)
            continue;
        const auto bytes = contentOf(file, section);
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

std::optional<ThreadContextVariable> threadContextVariable(const ElfFile &file)
{
    if (!file.is64())
        return std::nullopt;
    for (const ElfSection &section : file.sections()) {
        if (section.type != SHT_DYNSYM || section.link >= file.sections().size())
            continue;
        if (const auto symbol = findSymbol(file, section))
            return ThreadContextVariable{.offset = static_cast<std::int64_t>(symbol->value) -
                                                   static_cast<std::int64_t>(file.threadLocalSize()),
                                         .slot = findSlot(file, *symbol)};
    }
    return std::nullopt;
}

std::int64_t threadContextOffset(const ThreadContextVariable &variable, std::uint32_t process,
                                 std::uint64_t shift, bool isProgram)
{
    std::int64_t offset = isProgram ? variable.offset : 0;
    if (!isProgram && variable.slot != 0) {
        iovec local{.iov_base = &offset, .iov_len = sizeof offset};
        iovec remote{.iov_base = reinterpret_cast<void *>(shift + variable.slot), .iov_len = sizeof offset};
        if (process_vm_readv(static_cast<pid_t>(process), &local, 1, &remote, 1, 0) != sizeof offset)
            return 0;
    }
    return offset < 0 && offset > -kFarthest ? offset : 0;
}

} // namespace hearth::agent
