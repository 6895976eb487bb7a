#include "ingest/unwind/unwind_table.h"

#include "ingest/unwind/cfi_section.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace hearth {

namespace {

/// Functions this close together leave no row between them: what is there is never executed.
constexpr std::uint64_t kLargestPadding = 15;
constexpr std::uint64_t kMostBytes = std::uint64_t(256) << 20; ///< of descriptions
constexpr std::size_t kMostRows = std::size_t(1) << 22;

struct SectionBytes {
    CfiSection::Kind kind = CfiSection::Kind::EhFrame;
    std::uint64_t address = 0;
    std::vector<std::uint8_t> bytes;
};

/// Without section headers, the table of functions says where .eh_frame begins; it ends itself.
std::optional<SectionBytes> ehFrameByHeader(const ElfFile &file)
{
    if (!file.frameTable())
        return std::nullopt;
    constexpr std::uint8_t kVersion = 1, kPcRelativeInt32 = 0x1b;
    constexpr std::uint64_t kPointerPosition = 4;
    const ElfSegment &header = *file.frameTable();
    const auto bytes = file.bytes().part(header.offset, 8).all(8);
    if (bytes.size() < 8 || bytes[0] != kVersion || bytes[1] != kPcRelativeInt32)
        return std::nullopt;
    std::int32_t pointer = 0;
    std::memcpy(&pointer, bytes.data() + kPointerPosition, sizeof pointer);
    const std::uint64_t address =
        header.address + kPointerPosition + static_cast<std::uint64_t>(std::int64_t(pointer));
    for (const ElfSegment &segment : file.segments())
        if (address >= segment.address && address - segment.address < segment.size)
            return SectionBytes{.kind = CfiSection::Kind::EhFrame,
                                .address = address,
                                .bytes = file.bytes()
                                             .part(segment.offset + (address - segment.address),
                                                   segment.size - (address - segment.address))
                                             .all(kMostBytes)};
    return std::nullopt;
}

std::optional<SectionBytes> frameSection(const ElfFile &file)
{
    if (const ElfSection *section = file.section(".eh_frame"))
        return SectionBytes{.kind = CfiSection::Kind::EhFrame,
                            .address = section->address,
                            .bytes = file.content(*section).value_or(ByteRange()).all(kMostBytes)};
    if (auto found = ehFrameByHeader(file))
        return found;
    if (const ElfSection *section = file.section(".debug_frame"))
        return SectionBytes{.kind = CfiSection::Kind::DebugFrame,
                            .address = 0,
                            .bytes = file.content(*section).value_or(ByteRange()).all(kMostBytes)};
    return std::nullopt;
}

std::uint64_t baseOf(const ElfFile &file)
{
    const auto lowest = std::ranges::min_element(file.segments(), {}, &ElfSegment::address);
    return lowest == file.segments().end() ? 0 : lowest->address;
}

bool isCode(const ElfFile &file, std::uint64_t address)
{
    return std::ranges::any_of(file.segments(), [address](const ElfSegment &segment) {
        return segment.isExecutable && address >= segment.address && address - segment.address < segment.size;
    });
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

UnwindTable unwindTableOf(const ElfFile &file, RuleBook &book)
{
    UnwindTable table;
    if (!file.is64() || file.machine() != ElfMachine::X86_64)
        return table;
    table.base = baseOf(file);
    const auto bytes = frameSection(file);
    if (!bytes)
        return table;
    CfiSection section(bytes->kind, bytes->bytes, bytes->address);
    section.read();
    table.unreadable = section.unreadable();
    std::vector<CfiFunction> functions = section.takeFunctions();
    std::erase_if(functions, [&file](const CfiFunction &each) { return !isCode(file, each.begin); });
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

} // namespace hearth
