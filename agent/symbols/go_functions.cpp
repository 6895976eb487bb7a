#include "agent/symbols/go_functions.h"

#include "ingest/elf/cursor.h"

#include <algorithm>

namespace hearth::agent {

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t(256) << 20;
constexpr std::uint32_t kSince118 = 0xfffffff0, kSince120 = 0xfffffff1;

/// The head of the table since Go 1.18.
struct Header {
    std::uint64_t count = 0;
    std::uint64_t text = 0; ///< where the code begins; newer linkers leave it out
    std::uint64_t names = 0;
    std::uint64_t functions = 0;
};

std::optional<Header> readHeader(Cursor cursor)
{
    const std::uint32_t magic = cursor.u32();
    cursor.u32(); // sizes of instructions and pointers
    Header header;
    header.count = cursor.u64();
    cursor.u64(); // files
    header.text = cursor.u64();
    header.names = cursor.u64();
    cursor.skip(24); // units, names of files, places
    header.functions = cursor.u64();
    return cursor.isGood() && (magic == kSince118 || magic == kSince120) ? std::optional(header)
                                                                         : std::nullopt;
}

} // namespace

GoFunctions::GoFunctions(std::shared_ptr<const ElfFile> file) : m_file(std::move(file))
{
    const ElfSection *section = m_file->section(".gopclntab");
    if (section == nullptr)
        section = m_file->section(".data.rel.ro.gopclntab");
    const ElfSection *text = m_file->section(".text");
    const ByteRange table =
        section != nullptr ? m_file->content(*section).value_or(ByteRange()) : ByteRange();
    const auto bytes = table.all(kMostBytes);
    const auto header = readHeader(Cursor(bytes));
    if (!header || text == nullptr)
        return;
    m_names = table.part(header->names, table.size());
    const std::uint64_t base = header->text != 0 ? header->text : text->address;
    // One after the other: where a function begins, and where its description is, whose second word is where
    // its name is. Behind the last one stands where that ends.
    Cursor cursor(bytes);
    cursor.seek(header->functions);
    std::uint32_t begin = cursor.u32();
    for (std::uint64_t i = 0; i < header->count; ++i) {
        Cursor description(bytes);
        description.seek(header->functions + cursor.u32());
        description.u32();
        const std::uint32_t name = description.u32();
        const std::uint32_t end = cursor.u32();
        if (!cursor.isGood() || !description.isGood() || end <= begin)
            return;
        m_functions.push_back({.begin = base + begin, .size = end - begin, .name = name});
        begin = end;
    }
}

std::optional<std::string> GoFunctions::nameAt(std::uint64_t address) const
{
    const auto behind = std::ranges::upper_bound(m_functions, address, {}, &Function::begin);
    if (behind == m_functions.begin() || address - std::prev(behind)->begin >= std::prev(behind)->size)
        return std::nullopt;
    std::string name = m_names.text(std::prev(behind)->name);
    return name.empty() ? std::nullopt : std::optional(std::move(name));
}

} // namespace hearth::agent
