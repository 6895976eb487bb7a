#include "agent/symbols/symbol_table.h"

#include <elf.h>
#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>

namespace hearth::agent {

namespace {

constexpr std::size_t kMostSymbols = std::size_t(1) << 22;
constexpr std::size_t kLongestName = 4096;
constexpr std::size_t kMostNested = 8; ///< functions that begin within another

bool isFunction(const Elf64_Sym &symbol)
{
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    return symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 &&
           (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE);
}

/// Functions before mere labels, what has a size before what has none, global before local names.
std::uint32_t rankOf(const Elf64_Sym &symbol)
{
    const bool isLabel = ELF64_ST_TYPE(symbol.st_info) == STT_NOTYPE;
    const bool isLocal = ELF64_ST_BIND(symbol.st_info) == STB_LOCAL;
    return (isLabel ? 4U : 0U) + (symbol.st_size == 0 ? 2U : 0U) + (isLocal ? 1U : 0U);
}

/// The head of Go's table of functions since 1.18.
struct GoHeader {
    std::uint32_t magic;
    std::uint32_t sizes; ///< of instructions and pointers
    std::uint64_t count;
    std::uint64_t files;
    std::uint64_t text; ///< where the code begins; newer linkers leave it out
    std::uint64_t names;
    std::uint64_t units;
    std::uint64_t fileNames;
    std::uint64_t places;
    std::uint64_t functions;
};

/// One after the other at `functions`. A description's second word is where its name is, counted from
/// `names`.
struct GoFunction {
    std::uint32_t begin;       ///< counted from the text
    std::uint32_t description; ///< counted from `functions`
};

template <class Struct>
std::optional<Struct> structAt(const std::vector<std::uint8_t> &bytes, std::uint64_t at)
{
    if (at > bytes.size() || bytes.size() - at < sizeof(Struct))
        return std::nullopt;
    Struct found;
    std::memcpy(&found, bytes.data() + at, sizeof found);
    return found;
}

} // namespace

SymbolTable SymbolTable::read(const ElfImage &image, const ElfImage *debug)
{
    SymbolTable table;
    if (debug != nullptr)
        table.add(*debug, SHT_SYMTAB);
    table.add(image, SHT_SYMTAB);
    table.add(image, SHT_DYNSYM);
    table.addGoFunctions(image);
    std::ranges::sort(table.m_symbols, {}, [](const Symbol &each) {
        return std::tuple(each.address, each.rank, each.file, each.name);
    });
    const auto same = std::ranges::unique(table.m_symbols, {}, &Symbol::address);
    table.m_symbols.erase(same.begin(), same.end());
    table.m_symbols.shrink_to_fit();
    return table;
}

void SymbolTable::add(const ElfImage &image, std::uint32_t sectionType)
{
    const auto &sections = image.sections();
    for (const ElfSection &section : sections) {
        if (section.type != sectionType || section.link >= sections.size())
            continue;
        const ElfSection &names = sections[section.link];
        const auto bytes = image.contents(section);
        m_files.push_back(&image.bytes());
        for (std::size_t at = 0; bytes.size() - at >= sizeof(Elf64_Sym) && m_symbols.size() < kMostSymbols;
             at += sizeof(Elf64_Sym)) {
            Elf64_Sym symbol;
            std::memcpy(&symbol, bytes.data() + at, sizeof symbol);
            if (isFunction(symbol) && symbol.st_name < names.size)
                m_symbols.push_back({.address = symbol.st_value,
                                     .size = symbol.st_size,
                                     .name = names.offset + symbol.st_name,
                                     .file = static_cast<std::uint32_t>(m_files.size() - 1),
                                     .rank = rankOf(symbol)});
        }
    }
}

void SymbolTable::addGoFunctions(const ElfImage &image)
{
    constexpr std::uint32_t kSince118 = 0xfffffff0, kSince120 = 0xfffffff1;
    constexpr std::uint32_t kBehindSymbols = 8;
    const ElfSection *section = image.section(".gopclntab");
    if (section == nullptr)
        section = image.section(".data.rel.ro.gopclntab");
    const ElfSection *text = image.section(".text");
    if (section == nullptr || text == nullptr)
        return;
    const auto bytes = image.contents(*section);
    const auto header = structAt<GoHeader>(bytes, 0);
    if (!header || (header->magic != kSince118 && header->magic != kSince120) ||
        header->functions > bytes.size())
        return;
    const std::uint64_t base = header->text != 0 ? header->text : text->address;
    m_files.push_back(&image.bytes());
    for (std::uint64_t at = header->functions; m_symbols.size() < kMostSymbols; at += sizeof(GoFunction)) {
        const auto function = structAt<GoFunction>(bytes, at);
        const auto end = structAt<std::uint32_t>(bytes, at + sizeof(GoFunction));
        const auto name = function
                              ? structAt<std::uint32_t>(bytes, header->functions + function->description + 4)
                              : std::nullopt;
        if (!end || !name || *end <= function->begin ||
            (at - header->functions) / sizeof(GoFunction) >= header->count)
            return;
        m_symbols.push_back({.address = base + function->begin,
                             .size = *end - function->begin,
                             .name = section->offset + header->names + *name,
                             .file = static_cast<std::uint32_t>(m_files.size() - 1),
                             .rank = kBehindSymbols});
    }
}

std::optional<std::string> SymbolTable::nameAt(std::uint64_t address) const
{
    const auto behind = std::ranges::upper_bound(m_symbols, address, {}, &Symbol::address);
    const auto first = behind - std::min<std::ptrdiff_t>(kMostNested, behind - m_symbols.begin());
    for (auto symbol = behind; symbol != first;) {
        --symbol;
        const bool isLast = std::next(symbol) == behind;
        const bool isInside = symbol->size == 0 ? isLast : address - symbol->address < symbol->size;
        if (!isInside)
            continue;
        std::array<char, kLongestName> name{};
        const std::size_t size = m_files[symbol->file]->read(
            symbol->name, {reinterpret_cast<std::uint8_t *>(name.data()), name.size()});
        std::string text(name.data(), strnlen(name.data(), size));
        text.resize(std::min(text.find('@'), text.size())); // "name@@GLIBC_2.34": its version
        return text.empty() ? std::nullopt : std::optional(text);
    }
    return std::nullopt;
}

std::optional<ElfImage> debugFileOf(const std::string &buildId)
{
    if (buildId.size() < 4)
        return std::nullopt;
    const std::string path =
        "/usr/lib/debug/.build-id/" + buildId.substr(0, 2) + "/" + buildId.substr(2) + ".debug";
    auto bytes = bytesOfFile(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!bytes)
        return std::nullopt;
    auto image = ElfImage::open(std::move(bytes));
    return image && image->gnuBuildId() == buildId ? std::optional(std::move(*image)) : std::nullopt;
}

} // namespace hearth::agent
