#include "agent/process/exported_symbols.h"

#include <elf.h>

#include <cstring>
#include <string>

namespace hearth::agent {

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t(64) << 20;

} // namespace

ExportedSymbols::ExportedSymbols(const ElfFile &file)
{
    const ElfSection *section = file.sectionOf(SHT_DYNSYM);
    if (!file.is64() || section == nullptr || section->link >= file.sections().size())
        return;
    m_names = file.content(file.sections()[section->link]).value_or(ByteRange()).all(kMostBytes);
    m_symbols = file.content(*section).value_or(ByteRange()).all(kMostBytes);
}

std::optional<ExportedSymbol> ExportedSymbols::find(std::string_view name) const
{
    const std::string_view names(reinterpret_cast<const char *>(m_names.data()), m_names.size());
    const std::string wanted = '\0' + std::string(name) + '\0';
    const std::size_t before = names.find(wanted);
    if (before == std::string_view::npos)
        return std::nullopt;
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= m_symbols.size(); at += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;
        std::memcpy(&symbol, m_symbols.data() + at, sizeof symbol);
        if (symbol.st_name == before + 1 && symbol.st_shndx != SHN_UNDEF)
            return ExportedSymbol{.number = static_cast<std::uint32_t>(at / sizeof symbol),
                                  .value = symbol.st_value,
                                  .isThreadLocal = ELF64_ST_TYPE(symbol.st_info) == STT_TLS};
    }
    return std::nullopt;
}

} // namespace hearth::agent
