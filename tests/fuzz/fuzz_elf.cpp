#include "ingest/elf/dwarf/dwarf_file.h"
#include "ingest/elf/symbol_table.h"

#include <array>
#include <cstring>
#include <string_view>

using namespace hearth;

namespace {

constexpr std::array<std::string_view, 9> kSections{".debug_info",        ".debug_abbrev", ".debug_line",
                                                    ".debug_str",         ".debug_ranges", ".debug_rnglists",
                                                    ".debug_str_offsets", ".debug_addr",   ".debug_line_str"};

void put(std::vector<std::uint8_t> &bytes, std::uint64_t number, unsigned size)
{
    for (unsigned i = 0; i < size; ++i)
        bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
}

/// A file whose debug sections are pieces of the input, so that what reads them is reached at once.
std::vector<std::uint8_t> fileOf(std::span<const std::uint8_t> input)
{
    constexpr std::uint64_t kHeader = 64;
    constexpr std::uint64_t kEntry = 64;
    const std::size_t count = kSections.size() + 2;
    std::string names(1, '\0');
    std::vector<std::uint8_t> bytes{0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    put(bytes, 3, 2);
    put(bytes, 62, 2);
    put(bytes, 1, 4);
    put(bytes, 0, 8);
    put(bytes, 0, 8);
    put(bytes, kHeader, 8);
    put(bytes, 0, 4);
    for (const std::uint64_t number : {kHeader, std::uint64_t(0), std::uint64_t(0), kEntry, count, count - 1})
        put(bytes, number, 2);
    std::uint64_t offset = kHeader + kEntry * count;
    const auto section = [&](std::string_view name, std::uint32_t type, std::uint64_t size) {
        put(bytes, names.size(), 4);
        put(bytes, type, 4);
        put(bytes, 0, 8);
        put(bytes, 0, 8);
        put(bytes, offset, 8);
        put(bytes, size, 8);
        bytes.insert(bytes.end(), 24, 0); // link, alignment, size of entries
        names.append(name).push_back('\0');
        offset += size;
    };
    section("", 0, 0);
    std::size_t left = input.size();
    for (const std::string_view name : kSections) {
        const std::size_t size = name == kSections.back() ? left : left / 2;
        section(name, 1, size);
        left -= size;
    }
    section(".shstrtab", 3, names.size() + std::strlen(".shstrtab") + 1);
    bytes.insert(bytes.end(), input.begin(), input.end());
    bytes.insert(bytes.end(), names.begin(), names.end());
    return bytes;
}

void readAll(std::vector<std::uint8_t> bytes)
{
    const auto file = ElfFile::of(ByteRange::ofMemory(std::move(bytes)), "it");
    if (!file)
        return;
    for (const ElfSection &section : (*file)->sections())
        (void)(*file)->content(section);
    (void)SymbolTable(**file).find(0x1000);
    if (const auto dwarf = DwarfFile::of(*file))
        (void)dwarf->linesOf(std::array<std::uint64_t, 6>{1, 0x10, 0x1000, 0x401000, 0x401234, 0xffff'ffff});
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    readAll({data, data + size});
    readAll(fileOf({data, size}));
    return 0;
}
