#include "agent/unwind/unwind_table.h"

#include "agent/unwind/cfi_section.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace hearth::agent {

namespace {

/// Functions this close together leave no row between them: what is there is never executed.
constexpr std::uint64_t kLargestPadding = 15;
constexpr std::size_t kMostRows = std::size_t(1) << 22;

struct SectionBytes {
    CfiSection::Kind kind = CfiSection::Kind::EhFrame;
    std::uint64_t address = 0;
    std::vector<std::uint8_t> bytes;
};

/// Without section headers, the table of functions says where .eh_frame begins; it ends itself.
std::optional<SectionBytes> ehFrameByHeader(const ElfImage &image)
{
    if (!image.frameHeader())
        return std::nullopt;
    constexpr std::uint8_t kVersion = 1, kPcRelativeInt32 = 0x1b;
    constexpr std::uint64_t kPointerPosition = 4;
    const ElfSegment &header = *image.frameHeader();
    const auto bytes = image.piece(header.offset, 8);
    if (bytes.size() < 8 || bytes[0] != kVersion || bytes[1] != kPcRelativeInt32)
        return std::nullopt;
    std::int32_t pointer = 0;
    std::memcpy(&pointer, bytes.data() + kPointerPosition, sizeof pointer);
    const std::uint64_t address =
        header.address + kPointerPosition + static_cast<std::uint64_t>(std::int64_t(pointer));
    for (const ElfSegment &segment : image.segments())
        if (address >= segment.address && address - segment.address < segment.size)
            return SectionBytes{.kind = CfiSection::Kind::EhFrame,
                                .address = address,
                                .bytes = image.piece(segment.offset + (address - segment.address),
                                                     segment.size - (address - segment.address))};
    return std::nullopt;
}

std::optional<SectionBytes> frameSection(const ElfImage &image)
{
    if (const ElfSection *section = image.section(".eh_frame"))
        return SectionBytes{.kind = CfiSection::Kind::EhFrame,
                            .address = section->address,
                            .bytes = image.contents(*section)};
    if (auto found = ehFrameByHeader(image))
        return found;
    if (const ElfSection *section = image.section(".debug_frame"))
        return SectionBytes{
            .kind = CfiSection::Kind::DebugFrame, .address = 0, .bytes = image.contents(*section)};
    return std::nullopt;
}

/// Puts the functions' rows in the order of their addresses.
class RowWriter {
public:
    RowWriter(UnwindTable &table, RuleBook &book) : m_table(table), m_book(book) {}

    void add(const CfiFunction &function)
    {
        if (function.begin < m_end ||
            m_table.rows.size() > kMostRows) // of two descriptions of a place the first counts
            return;
        m_rows.clear();
        if (!runCfiProgram(*function.common, function.instructions, function.begin, function.end, m_rows)) {
            ++m_table.unreadable;
            return;
        }
        if (m_end != 0 && function.begin - m_end > kLargestPadding)
            addRow(m_end, kRuleByFramePointer);
        for (const CfiRow &row : m_rows)
            addRow(row.address, m_book.number(row.rule));
        m_end = function.end;
    }

    void finish()
    {
        if (m_end != 0)
            addRow(m_end, kRuleByFramePointer);
    }

private:
    void addRow(std::uint64_t address, std::uint16_t rule)
    {
        const std::uint64_t place = address - m_table.base;
        if (place > std::numeric_limits<std::uint32_t>::max())
            return;
        if (m_table.rows.empty() || m_table.rows.back().rule != rule)
            m_table.rows.push_back({.place = static_cast<__u32>(place), .rule = rule, .reserved = 0});
    }

    UnwindTable &m_table;
    RuleBook &m_book;
    std::vector<CfiRow> m_rows; ///< of the function at hand
    std::uint64_t m_end = 0;    ///< of the function before
};

} // namespace

std::uint16_t UnwindTable::ruleAt(std::uint64_t address) const
{
    if (address < base || address - base > std::numeric_limits<std::uint32_t>::max())
        return kRuleByFramePointer;
    const auto behind =
        std::ranges::upper_bound(rows, static_cast<__u32>(address - base), {}, &UnwindRow::place);
    return behind == rows.begin() ? std::uint16_t(kRuleByFramePointer) : std::prev(behind)->rule;
}

UnwindTable unwindTableOf(const ElfImage &image, RuleBook &book)
{
    UnwindTable table;
    table.base = image.base();
    const auto bytes = frameSection(image);
    if (!bytes)
        return table;
    CfiSection section(bytes->kind, bytes->bytes, bytes->address);
    section.read();
    table.unreadable = section.unreadable();
    std::vector<CfiFunction> functions = section.takeFunctions();
    std::erase_if(functions, [&image](const CfiFunction &each) { return !image.isCode(each.begin); });
    // Programs run in the order of addresses, so that only the table itself has to be kept.
    std::ranges::sort(functions, {}, [](const CfiFunction &each) {
        return std::pair(each.begin, each.instructions.data());
    });
    RowWriter writer(table, book);
    for (const CfiFunction &function : functions)
        writer.add(function);
    writer.finish();
    table.rows.shrink_to_fit();
    return table;
}

} // namespace hearth::agent
