#include "ingest/elf/dwarf/line_program.h"

#include "ingest/elf/dwarf/codes.h"

#include <algorithm>

// Chapter 6.2 of DWARF 2 to 5.

namespace hearth::dwarf {

namespace {

constexpr std::size_t kMostFiles = 1 << 20;

enum StandardOpcode : std::uint8_t {
    kCopy = 1,
    kAdvancePc = 2,
    kAdvanceLine = 3,
    kSetFile = 4,
    kSetColumn = 5,
    kConstAddPc = 8,
    kFixedAdvancePc = 9,
};
enum ExtendedOpcode : std::uint8_t { kEndSequence = 1, kSetAddress = 2, kDefineFile = 3 };
enum Content : std::uint8_t { kPath = 1, kFolderIndex = 2 };

bool isAbsolute(std::string_view path)
{
    return path.starts_with('/') || (path.size() > 2 && path[1] == ':');
}

std::string joined(const std::string &folder, const std::string &name)
{
    if (name.empty())
        return folder;
    if (folder.empty() || isAbsolute(name))
        return name;
    return folder.ends_with('/') ? folder + name : folder + '/' + name;
}

/// Hands rows to the addresses that they reach to.
class RowMatcher {
public:
    explicit RowMatcher(std::span<const std::uint64_t> addresses)
        : m_addresses(addresses), m_rows(addresses.size())
    {}

    void take(std::uint64_t address, const Row &row)
    {
        if (!m_isInSequence) {
            m_next = static_cast<std::size_t>(std::ranges::lower_bound(m_addresses, address) -
                                              m_addresses.begin());
            m_isInSequence = true;
        } else {
            giveUpTo(address);
        }
        m_previous = row;
        m_previous.begin = address;
    }
    void endSequence(std::uint64_t address)
    {
        if (m_isInSequence)
            giveUpTo(address);
        m_isInSequence = false;
    }
    std::vector<Row> result() && { return std::move(m_rows); }

private:
    void giveUpTo(std::uint64_t address)
    {
        for (; m_next < m_addresses.size() && m_addresses[m_next] < address; ++m_next)
            if (!m_rows[m_next].isFound) {
                m_rows[m_next] = m_previous;
                m_rows[m_next].isFound = true;
            }
    }

    const std::span<const std::uint64_t> m_addresses;
    std::vector<Row> m_rows;
    Row m_previous;
    std::size_t m_next = 0;
    bool m_isInSequence = false;
};

} // namespace

LineProgram::LineProgram(const Sections &sections, std::uint64_t offset, const Unit &unit)
    : m_sections(sections), m_unit(unit)
{
    std::array<std::uint8_t, 12> head{};
    Cursor start(sections.line.filled(offset, head));
    std::uint64_t size = start.u32();
    m_unit.offsetSize = 4;
    if (size == 0xffffffff) {
        size = start.u64();
        m_unit.offsetSize = 8;
    }
    auto bytes = sections.line.read(offset + start.position(), size);
    if (!start.isGood() || !bytes)
        return;
    m_bytes = std::move(*bytes);
    Cursor cursor(m_bytes);
    if (!readHeader(cursor))
        m_bytes.clear();
}

bool LineProgram::readHeader(Cursor &cursor)
{
    m_unit.version = cursor.u16();
    if (m_unit.version < 2 || m_unit.version > 5)
        return false;
    if (m_unit.version == 5) {
        m_unit.addressSize = cursor.u8();
        cursor.u8(); // segment selectors
    }
    const std::uint64_t headerSize = cursor.unsignedOf(m_unit.offsetSize);
    m_program = cursor.position() + std::min<std::uint64_t>(headerSize, m_bytes.size());
    m_instructionSize = cursor.u8();
    if (m_unit.version >= 4)
        cursor.u8(); // operations of an instruction, of machines that have several
    cursor.u8();     // whether rows are statements at first
    m_lineBase = static_cast<std::int8_t>(cursor.u8());
    m_lineRange = cursor.u8();
    m_opcodeBase = cursor.u8();
    const auto operands = cursor.bytes(m_opcodeBase == 0 ? 0 : m_opcodeBase - 1U);
    m_operands.assign(operands.begin(), operands.end());
    if (m_unit.version == 5) {
        m_folders = readEntries(cursor);
        m_files = readEntries(cursor);
    } else {
        readOldFiles(cursor);
    }
    return cursor.isGood() && m_lineRange != 0 && m_program <= m_bytes.size();
}

void LineProgram::readOldFiles(Cursor &cursor)
{
    m_folders.emplace_back();
    for (std::string_view folder = cursor.text(); !folder.empty() && m_folders.size() < kMostFiles;
         folder = cursor.text())
        m_folders.push_back({.name = {Value::Kind::Text, 0, folder}});
    m_files.emplace_back(); // they count from 1
    for (std::string_view name = cursor.text(); !name.empty() && m_files.size() < kMostFiles;
         name = cursor.text()) {
        m_files.push_back({.name = {Value::Kind::Text, 0, name}, .folder = cursor.uleb()});
        cursor.skipLeb(); // time
        cursor.skipLeb(); // size
    }
}

/// Folders or files.
std::vector<LineProgram::Entry> LineProgram::readEntries(Cursor &cursor)
{
    std::vector<EntryFormat> formats(cursor.u8());
    for (EntryFormat &format : formats)
        format = {cursor.uleb(), static_cast<std::uint16_t>(cursor.uleb())};
    const std::uint64_t count = std::min<std::uint64_t>(cursor.uleb(), kMostFiles);
    std::vector<Entry> entries;
    for (std::uint64_t i = 0; i < count && cursor.isGood() && !formats.empty(); ++i) {
        Entry &entry = entries.emplace_back();
        for (const EntryFormat &format : formats) {
            const Value value = readValue(cursor, {.form = format.form}, m_unit);
            if (format.content == kPath)
                entry.name = value;
            else if (format.content == kFolderIndex)
                entry.folder = value.number;
        }
    }
    return entries;
}

std::string LineProgram::text(const Value &name) const
{
    return Reader(m_sections, m_sections).text(name, m_unit);
}

std::string LineProgram::folder(std::uint64_t number) const
{
    if (number >= m_folders.size())
        return {};
    std::string name = text(m_folders[number].name);
    const bool isThatOfTheUnit = number == 0 && m_unit.version == 5;
    return isThatOfTheUnit ? name : joined(m_unit.folder, name);
}

std::string LineProgram::file(std::uint64_t number) const
{
    if (number >= m_files.size() || m_files[number].name.kind == Value::Kind::None)
        return {};
    return joined(folder(m_files[number].folder), text(m_files[number].name));
}

std::vector<Row> LineProgram::rowsOf(std::span<const std::uint64_t> addresses) const
{
    RowMatcher matcher(addresses);
    Cursor cursor(m_bytes);
    cursor.seek(m_program);
    std::uint64_t address = 0;
    Row row;
    const auto reset = [&] {
        address = 0;
        row = {.file = 1, .line = 1};
    };
    const auto advanceLine = [&](std::int64_t by) { row.line = static_cast<std::uint32_t>(row.line + by); };
    reset();
    while (!cursor.isAtEnd()) {
        const std::uint8_t opcode = cursor.u8();
        if (opcode >= m_opcodeBase) {
            const auto special = static_cast<std::uint8_t>(opcode - m_opcodeBase);
            address += std::uint64_t(special / m_lineRange) * m_instructionSize;
            advanceLine(m_lineBase + special % m_lineRange);
            matcher.take(address, row);
            continue;
        }
        switch (opcode) {
        case 0: {
            const std::uint64_t size = cursor.uleb();
            Cursor operands(cursor.bytes(size));
            const std::uint8_t extended = operands.u8();
            if (extended == kEndSequence) {
                matcher.endSequence(address);
                reset();
            } else if (extended == kSetAddress) {
                address = operands.left() >= 8 ? operands.u64() : operands.u32();
            }
            break;
        }
        case kCopy:
            matcher.take(address, row);
            break;
        case kAdvancePc:
            address += cursor.uleb() * m_instructionSize;
            break;
        case kAdvanceLine:
            advanceLine(cursor.sleb());
            break;
        case kSetFile:
            row.file = static_cast<std::uint32_t>(cursor.uleb());
            break;
        case kSetColumn:
            row.column = static_cast<std::uint32_t>(cursor.uleb());
            break;
        case kConstAddPc:
            address += std::uint64_t((255 - m_opcodeBase) / m_lineRange) * m_instructionSize;
            break;
        case kFixedAdvancePc:
            address += cursor.u16();
            break;
        default: // with operands that mean nothing here
            for (std::uint8_t i = 0; i < m_operands[opcode - 1U]; ++i)
                cursor.skipLeb();
        }
    }
    return std::move(matcher).result();
}

} // namespace hearth::dwarf
