#include "ingest/symbols/jitdump.h"

#include "ingest/elf/cursor.h"

#include <algorithm>
#include <array>

// tools/perf/Documentation/jitdump-specification.txt of the kernel, version 1:
//
//   head      u32 magic "JiTD", version, its size, machine, 0, process; u64 time, flags
//   record    u32 kind, its size; u64 time; then
//   0 load    u32 process, thread; u64 where mapped, address, size, index; name, zero, the code itself
//   1 move    u32 process, thread; u64 where mapped, old address, new address, size, index
//   2 lines   u64 address of code that is loaded next, number of entries; each u64 address, u32 line, u32 0,
//             file, zero; "\xff" for the file of the entry before

namespace hearth {

namespace {

constexpr std::uint32_t kMagic = 0x4a695444;
constexpr std::uint64_t kHeadSize = 40;
constexpr std::uint64_t kRecordHead = 16;
constexpr std::uint64_t kMostOfRecord = std::uint64_t(1) << 20; ///< code itself is not read
constexpr std::uint64_t kMostFile = std::uint64_t(4) << 30;
constexpr std::size_t kLongestName = 4096;

enum Kind : std::uint32_t { kLoad = 0, kMove = 1, kLines = 2 };

} // namespace

/// What is behind the head of a record.
class JitDump::Record {
public:
    Record(const ByteRange &bytes, std::endian order)
        : m_bytes(bytes.read(0, std::min(bytes.size(), kMostOfRecord)).value_or(std::vector<std::uint8_t>())),
          m_cursor(m_bytes, order)
    {}
    Cursor &cursor() { return m_cursor; }
    std::string text()
    {
        std::string text(m_cursor.text());
        text.resize(std::min(text.size(), kLongestName));
        return text;
    }

private:
    std::vector<std::uint8_t> m_bytes;
    Cursor m_cursor;
};

bool JitDump::readHead(const ByteRange &file)
{
    std::array<std::uint8_t, kHeadSize> head{};
    const auto bytes = file.filled(0, head);
    const std::uint32_t magic = Cursor(bytes).u32();
    const bool isBig = Cursor(bytes, std::endian::big).u32() == kMagic;
    if (magic != kMagic && !isBig)
        return false;
    m_isSwapped = isBig;
    Cursor cursor(bytes, isBig ? std::endian::big : std::endian::little);
    cursor.skip(8);
    m_position = std::max<std::uint64_t>(cursor.u32(), kHeadSize);
    return cursor.isGood();
}

bool JitDump::readOn(const ByteRange &file, std::size_t mostRecords)
{
    if (m_position == 0 && !readHead(file))
        return false;
    const std::endian order = m_isSwapped ? std::endian::big : std::endian::little;
    const std::uint64_t end = std::min(file.size(), kMostFile);
    for (; mostRecords > 0 && m_position + kRecordHead <= end; --mostRecords) {
        std::array<std::uint8_t, kRecordHead> bytes{};
        Cursor cursor(file.filled(m_position, bytes), order);
        Head head;
        head.kind = cursor.u32();
        head.size = cursor.u32();
        head.time = cursor.u64();
        if (!cursor.isGood() || head.size < kRecordHead || head.size > file.size() - m_position)
            break;
        take(head, file.part(m_position + kRecordHead, head.size - kRecordHead));
        m_position += head.size;
    }
    return true;
}

void JitDump::take(const Head &head, const ByteRange &bytes)
{
    if (head.kind > kLines || m_stays.size() >= m_limits.stays || m_bytes >= m_limits.textBytes)
        return;
    Record record(bytes, m_isSwapped ? std::endian::big : std::endian::little);
    if (head.kind == kLoad)
        takeLoad(head, record);
    else if (head.kind == kMove)
        takeMove(head, record);
    else
        takeLines(record);
}

void JitDump::takeLoad(const Head &head, Record &record)
{
    Cursor &cursor = record.cursor();
    cursor.skip(16);
    const std::uint64_t address = cursor.u64();
    const std::uint64_t size = cursor.u64();
    const std::uint64_t index = cursor.u64();
    Code code{.name = record.text(), .lines = nullptr};
    if (!cursor.isGood())
        return;
    if (m_linesFor == address)
        code.lines = std::exchange(m_lines, nullptr);
    m_bytes += code.name.size() + 1;
    m_codes.push_back(std::move(code));
    const auto number = static_cast<std::uint32_t>(m_codes.size() - 1);
    m_byIndex[index] = number;
    addStay(address, size, head.time, number);
}

void JitDump::takeMove(const Head &head, Record &record)
{
    Cursor &cursor = record.cursor();
    cursor.skip(24);
    const std::uint64_t address = cursor.u64();
    const std::uint64_t size = cursor.u64();
    const std::uint64_t index = cursor.u64();
    const auto code = m_byIndex.find(index);
    if (cursor.isGood() && code != m_byIndex.end())
        addStay(address, size, head.time, code->second);
}

void JitDump::takeLines(Record &record)
{
    Cursor &cursor = record.cursor();
    m_linesFor = cursor.u64();
    std::vector<Line> lines;
    std::uint32_t file = 0;
    for (std::uint64_t left = cursor.u64(); left > 0 && !cursor.isAtEnd(); --left) {
        Line line;
        line.address = cursor.u64() - m_linesFor;
        line.line = cursor.u32();
        cursor.skip(4);
        std::string name = record.text();
        if (!cursor.isGood())
            break;
        if (name != "\xff")
            file = fileOf(std::move(name));
        line.file = file;
        lines.push_back(line);
    }
    m_bytes += lines.size() * sizeof(Line);
    std::ranges::stable_sort(lines, {}, &Line::address);
    m_lines = std::make_shared<const std::vector<Line>>(std::move(lines));
}

std::uint32_t JitDump::fileOf(std::string name)
{
    const auto [known, isNew] =
        m_fileNumbers.try_emplace(std::move(name), static_cast<std::uint32_t>(m_files.size()));
    if (isNew) {
        m_bytes += known->first.size() + 1;
        m_files.push_back(known->first);
    }
    return known->second;
}

void JitDump::addStay(std::uint64_t begin, std::uint64_t size, std::uint64_t time, std::uint32_t code)
{
    std::uint64_t end = 0;
    if (size == 0 || __builtin_add_overflow(begin, size, &end))
        return;
    m_longest = std::max(m_longest, size);
    m_stays.emplace(begin, Stay{.end = end, .from = time, .code = code});
}

std::size_t JitDump::bytes() const
{
    constexpr std::size_t kNode = 48; // of a map, beside what is in it
    return m_bytes + m_codes.size() * sizeof(Code) + m_stays.size() * (sizeof(Stay) + kNode) +
           m_byIndex.size() * kNode;
}

/// Of all code that was ever put there by then, the last.
std::optional<JitDump::Found> JitDump::find(std::uint64_t address, std::uint64_t time) const
{
    const Stay *last = nullptr;
    std::uint64_t begin = 0;
    auto stay = m_stays.upper_bound(address);
    for (int i = 0; i < m_limits.lookedBack && stay != m_stays.begin(); ++i) {
        --stay;
        if (address - stay->first >= m_longest)
            break;
        const bool isThere = address < stay->second.end && stay->second.from <= time;
        if (isThere && (last == nullptr || stay->second.from > last->from)) {
            last = &stay->second;
            begin = stay->first;
        }
    }
    if (last == nullptr)
        return std::nullopt;
    const Code &code = m_codes[last->code];
    Found found{.name = code.name, .file = {}};
    if (!code.lines)
        return found;
    const auto behind = std::ranges::upper_bound(*code.lines, address - begin, {}, &Line::address);
    if (behind != code.lines->begin()) {
        found.file = m_files[std::prev(behind)->file];
        found.line = std::prev(behind)->line;
    }
    return found;
}

} // namespace hearth
