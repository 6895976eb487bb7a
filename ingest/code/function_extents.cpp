#include "ingest/code/function_extents.h"

#include "ingest/elf/cursor.h"

#include <algorithm>

namespace hearth {

namespace {

constexpr std::size_t kHeader = 12;
constexpr std::size_t kEntry = 8;
// How .eh_frame_hdr writes pointers (DW_EH_PE): linkers know one way.
constexpr std::uint8_t kRelativeToPlace = 0x1b; ///< signed, 4 bytes
constexpr std::uint8_t kPlainCount = 0x03;      ///< 4 bytes
constexpr std::uint8_t kRelativeToTable = 0x3b; ///< signed, 4 bytes

std::uint64_t moved(std::uint64_t address, std::uint32_t distance)
{
    return address +
           static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(distance)));
}

} // namespace

FunctionExtents::FunctionExtents(std::shared_ptr<const ElfFile> program, const SymbolTable &symbols)
    : m_program(std::move(program)), m_symbols(symbols)
{
    readStarts();
}

/// The table in .eh_frame_hdr: functions and their descriptions in .eh_frame, by address.
void FunctionExtents::readStarts()
{
    const ElfSection *const section = m_program->section(".eh_frame_hdr");
    if (section == nullptr)
        return;
    const ByteRange content = m_program->content(".eh_frame_hdr");
    const auto bytes = content.read(0, content.size());
    if (!bytes || bytes->size() < kHeader)
        return;
    Cursor cursor(*bytes);
    cursor.u8(); // version
    const bool isKnown =
        cursor.u8() == kRelativeToPlace && cursor.u8() == kPlainCount && cursor.u8() == kRelativeToTable;
    if (!isKnown)
        return;
    cursor.u32(); // where .eh_frame is
    const std::size_t count = std::min<std::size_t>(cursor.u32(), cursor.left() / kEntry);
    m_starts.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t function = moved(section->address, cursor.u32());
        m_starts.push_back({function, moved(section->address, cursor.u32())});
    }
    std::ranges::sort(m_starts, {}, &Start::function);
}

std::optional<FunctionExtents::Extent> FunctionExtents::find(std::uint64_t address) const
{
    if (auto symbol = m_symbols.find(address); symbol && symbol->size > 0)
        return Extent{symbol->address, symbol->address + symbol->size, std::move(symbol->name)};
    return findUnwound(address);
}

std::optional<FunctionExtents::Extent> FunctionExtents::findUnwound(std::uint64_t address) const
{
    const auto next = std::ranges::upper_bound(m_starts, address, {}, &Start::function);
    if (next == m_starts.begin())
        return std::nullopt;
    const auto start = static_cast<std::size_t>(next - m_starts.begin() - 1);
    const Extent extent{m_starts[start].function, endOf(start), {}};
    return address < extent.end ? std::optional(extent) : std::nullopt;
}

/// A description begins with its length, where its common part is, the function and the function's size.
std::uint64_t FunctionExtents::endOf(std::size_t start) const
{
    const Start &function = m_starts[start];
    const std::uint64_t next = start + 1 < m_starts.size() ? m_starts[start + 1].function : ~std::uint64_t(0);
    const auto offset = m_program->offsetOfAddress(function.description);
    const auto bytes = offset ? m_program->bytes().read(*offset, 16) : std::nullopt;
    if (!bytes)
        return function.function;
    Cursor cursor(*bytes);
    cursor.skip(8);
    const bool isItsOwn = moved(function.description + 8, cursor.u32()) == function.function;
    return isItsOwn ? std::min(next, function.function + cursor.u32()) : function.function;
}

} // namespace hearth
