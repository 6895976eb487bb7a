#include "ingest/elf/symbol_table.h"

#include "ingest/elf/cursor.h"
#include "ingest/elf/decompress.h"
#include "ingest/elf/library_calls.h"

#include <algorithm>

namespace hearth {

namespace {

constexpr std::string_view kLibraryCall = "@plt"; ///< behind the name of a function
constexpr std::uint32_t kSymbolTable = 2;
constexpr std::uint32_t kDynamicSymbols = 11;
constexpr std::uint64_t kMostMini = std::uint64_t(256) << 20;
constexpr std::size_t kMostLookedBack = 32; ///< symbols within another one's extent
constexpr std::size_t kPieceEntries = 16384;
constexpr std::size_t kMostSymbols = std::size_t(1) << 24;

std::size_t entrySize(const ElfFile &file)
{
    return file.is64() ? 24 : 16;
}

enum Binding : unsigned { kLocal = 0, kGlobal = 1, kWeak = 2 };
enum Type : unsigned { kNoType = 0, kFunction = 2, kIndirect = 10 };

struct Entry {
    std::uint32_t name = 0;
    unsigned type = 0;
    unsigned binding = 0;
    std::uint16_t section = 0;
    std::uint64_t value = 0;
    std::uint64_t size = 0;
};

Entry readEntry(Cursor &cursor, bool is64)
{
    Entry entry;
    entry.name = cursor.u32();
    if (!is64) {
        entry.value = cursor.u32();
        entry.size = cursor.u32();
    }
    const std::uint8_t info = cursor.u8();
    entry.type = info & 0xfU;
    entry.binding = info >> 4U;
    cursor.u8(); // visibility
    entry.section = cursor.u16();
    if (is64) {
        entry.value = cursor.u64();
        entry.size = cursor.u64();
    }
    return entry;
}

/// Names of one address are told apart as readers would: functions before labels, with an extent before
/// without, exported before local.
std::uint16_t rankOf(const Entry &entry)
{
    const bool isLabel = entry.type == kNoType;
    const unsigned binding = entry.binding == kGlobal ? 0 : entry.binding == kWeak ? 1 : 2;
    return static_cast<std::uint16_t>((isLabel ? 16 : 0) + (entry.size == 0 ? 8 : 0) + binding);
}

/// The file within the file that Fedora and Arch put names in, packed with xz.
std::shared_ptr<const ElfFile> miniDebugInfo(const ElfFile &file)
{
    const ElfSection *const section = file.section(".gnu_debugdata");
    if (section == nullptr)
        return nullptr;
    const auto stored = file.content(*section);
    if (!stored)
        return nullptr;
    const auto bytes = unpackSection(*stored, SectionPacking::Xz, kMostMini);
    if (!bytes)
        return nullptr;
    return ElfFile::of(*bytes, file.name() + " (.gnu_debugdata)").value_or(nullptr);
}

} // namespace

SymbolTable::SymbolTable(const ElfFile &file)
{
    const ElfSection *const symbols = file.sectionOf(kSymbolTable);
    if (symbols != nullptr) {
        add(file, *symbols);
        m_origin = Origin::Symbols;
    } else {
        if (const ElfSection *const exported = file.sectionOf(kDynamicSymbols)) {
            add(file, *exported);
            m_origin = Origin::Exported;
        }
        const auto mini = miniDebugInfo(file);
        if (const ElfSection *const hidden = mini ? mini->sectionOf(kSymbolTable) : nullptr) {
            add(*mini, *hidden);
            m_origin = Origin::Mini;
        }
    }
    arrange(file);
    if (m_symbols.empty())
        m_origin = Origin::None;
}

void SymbolTable::add(const ElfFile &file, const ElfSection &section)
{
    const auto content = file.content(section);
    if (!content || section.link >= file.sections().size())
        return;
    auto names = file.content(file.sections()[section.link]);
    if (!names)
        return;
    m_names.push_back(std::move(*names));
    std::vector<std::uint8_t> piece(kPieceEntries * entrySize(file));
    for (std::uint64_t at = 0; at < content->size() && m_symbols.size() < kMostSymbols; at += piece.size())
        add(file, content->filled(at, piece));
}

void SymbolTable::add(const ElfFile &file, std::span<const std::uint8_t> entries)
{
    const std::uint64_t thumbBit = file.machine() == ElfMachine::Arm ? 1 : 0;
    Cursor cursor(entries, file.byteOrder());
    while (cursor.left() >= entrySize(file)) {
        const Entry entry = readEntry(cursor, file.is64());
        const bool isCode = entry.type == kFunction || entry.type == kIndirect || entry.type == kNoType;
        if (!isCode || entry.section == 0 || entry.name == 0 || entry.value == 0)
            continue;
        if (entry.type == kNoType && entry.section < file.sections().size()) {
            constexpr std::uint64_t kExecutable = 4;
            if ((file.sections()[entry.section].flags & kExecutable) == 0)
                continue;
        }
        const std::uint64_t begin = entry.value & ~thumbBit;
        m_symbols.push_back({.begin = begin,
                             .end = begin + std::min(entry.size, ~begin),
                             .name = entry.name,
                             .table = static_cast<std::uint16_t>(m_names.size() - 1),
                             .rank = rankOf(entry)});
    }
}

namespace {

/// Where the code ends that a section holds around an address; 0: in no section.
std::uint64_t endOfSection(const ElfFile &file, std::uint64_t address)
{
    constexpr std::uint64_t kExecutable = 4;
    for (const ElfSection &section : file.sections())
        if ((section.flags & kExecutable) != 0 && address >= section.address &&
            address - section.address < section.size)
            return section.address + section.size;
    return 0;
}

} // namespace

void SymbolTable::arrange(const ElfFile &file)
{
    std::ranges::sort(m_symbols, [](const Symbol &a, const Symbol &b) {
        return a.begin != b.begin ? a.begin < b.begin : a.rank != b.rank ? a.rank < b.rank : a.name < b.name;
    });
    const auto [first, last] = std::ranges::unique(m_symbols, {}, &Symbol::begin);
    m_symbols.erase(first, last);
    // A label, as of assembly, reaches to the next one, or to the end of its section; but not where that may
    // not be the next.
    for (std::size_t i = 0; i < m_symbols.size() && m_origin != Origin::Exported; ++i) {
        Symbol &symbol = m_symbols[i];
        if (symbol.end != symbol.begin)
            continue;
        symbol.end = i + 1 < m_symbols.size() ? m_symbols[i + 1].begin : symbol.begin + 4096;
        if (const std::uint64_t end = endOfSection(file, symbol.begin); end != 0)
            symbol.end = std::min(symbol.end, end);
    }
    m_symbols.shrink_to_fit();
}

void SymbolTable::addLibraryCalls(const ElfFile &program)
{
    std::vector<std::uint8_t> names;
    for (const LibraryCall &call : libraryCallsOf(program)) {
        m_symbols.push_back({.begin = call.address,
                             .end = call.address + call.size,
                             .name = static_cast<std::uint32_t>(names.size()),
                             .table = static_cast<std::uint16_t>(m_names.size()),
                             .rank = 0});
        names.insert(names.end(), call.function.begin(), call.function.end());
        names.insert(names.end(), kLibraryCall.begin(), kLibraryCall.end());
        names.push_back(0);
    }
    m_names.push_back(ByteRange::ofMemory(std::move(names)));
    std::ranges::stable_sort(m_symbols, {}, &Symbol::begin);
}

std::optional<SymbolTable::Found> SymbolTable::find(std::uint64_t address) const
{
    auto next = std::ranges::upper_bound(m_symbols, address, {}, &Symbol::begin);
    for (std::size_t i = 0; i < kMostLookedBack && next != m_symbols.begin(); ++i) {
        const Symbol &symbol = *--next;
        if (address < symbol.end) {
            std::string name = m_names[symbol.table].text(symbol.name);
            const std::size_t version = name.ends_with(kLibraryCall) ? 0 : name.find('@');
            if (version != 0 && version != std::string::npos)
                name.resize(version); // "name@@GLIBC_2.34"
            return Found{std::move(name), symbol.begin, symbol.end - symbol.begin};
        }
    }
    return std::nullopt;
}

} // namespace hearth
