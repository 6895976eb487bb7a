#include "ingest/elf/elf_file.h"

#include "ingest/bytes/text_codes.h"
#include "ingest/elf/cursor.h"
#include "ingest/elf/decompress.h"
#include "ingest/elf/notes.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

// Field by field as in the System V ABI, chapters 4 and 5, and its gABI addition on compressed sections.

namespace hearth {

namespace {

constexpr std::uint32_t kMostSections = 1 << 20; ///< object files have a section a function
constexpr std::uint64_t kMostNames = std::uint64_t(64) << 20;
constexpr std::uint64_t kMostNotes = std::uint64_t(1) << 20;
constexpr std::uint32_t kNoBits = 8;
constexpr std::uint32_t kNote = 7;
constexpr std::uint64_t kCompressed = 0x800;

std::uint64_t word(Cursor &cursor, bool is64)
{
    return is64 ? cursor.u64() : cursor.u32();
}

} // namespace

Result<std::shared_ptr<const ElfFile>> ElfFile::open(const std::string &path)
{
    Result<ByteRange> bytes = ByteRange::ofFile(path);
    if (!bytes)
        return tl::unexpected(bytes.error());
    return of(std::move(*bytes), path);
}

Result<std::shared_ptr<const ElfFile>> ElfFile::of(ByteRange bytes, std::string name)
{
    const std::shared_ptr<ElfFile> file(new ElfFile(std::move(bytes), std::move(name)));
    if (const auto header = file->readHeader(); !header)
        return failure(file->m_name + ": " + header.error().message);
    file->readNotes();
    return file;
}

Result<void> ElfFile::readHeader()
{
    std::array<std::uint8_t, 64> head{};
    const auto bytes = m_bytes.filled(0, head);
    Cursor mark(bytes);
    if (mark.u32() != 0x464c457f)
        return failure("is no ELF file");
    const std::uint8_t wordClass = mark.u8();
    const std::uint8_t byteOrder = mark.u8();
    if (wordClass != 1 && wordClass != 2)
        return failure("is an ELF file of neither 32 nor 64 bits");
    if (byteOrder != 1 && byteOrder != 2)
        return failure("is an ELF file of no known order of bytes");
    m_is64 = wordClass == 2;
    m_byteOrder = byteOrder == 1 ? std::endian::little : std::endian::big;
    Cursor cursor(bytes, m_byteOrder);
    cursor.seek(18);
    m_machine = static_cast<ElfMachine>(cursor.u16());
    cursor.skip(4);
    word(cursor, m_is64); // entry
    const std::uint64_t segments = word(cursor, m_is64);
    const std::uint64_t sections = word(cursor, m_is64);
    cursor.skip(6);
    const std::uint16_t segmentSize = cursor.u16();
    const std::uint16_t segmentCount = cursor.u16();
    const std::uint16_t sectionSize = cursor.u16();
    const std::uint16_t sectionCount = cursor.u16();
    const std::uint16_t names = cursor.u16();
    if (!cursor.isGood())
        return failure("ends within its header");
    readSegments(segments, segmentCount, segmentSize);
    readSections(sections, sectionCount, sectionSize, names);
    return {};
}

void ElfFile::readSegments(std::uint64_t offset, unsigned count, unsigned entrySize)
{
    constexpr std::uint32_t kLoad = 1;
    constexpr std::uint32_t kNoteSegment = 4;
    constexpr std::uint32_t kThreadLocal = 7;
    constexpr std::uint32_t kFrameTable = 0x6474e550;
    const auto table = m_bytes.read(offset, std::uint64_t(count) * entrySize);
    if (!table || entrySize < (m_is64 ? 56U : 32U))
        return;
    for (unsigned i = 0; i < count; ++i) {
        Cursor cursor(*table, m_byteOrder);
        cursor.seek(std::uint64_t(i) * entrySize);
        ElfSegment segment;
        const std::uint32_t type = cursor.u32();
        std::uint32_t flags = m_is64 ? cursor.u32() : 0;
        segment.offset = word(cursor, m_is64);
        segment.address = word(cursor, m_is64);
        word(cursor, m_is64); // physical address
        segment.size = word(cursor, m_is64);
        const std::uint64_t sizeInMemory = word(cursor, m_is64);
        if (!m_is64)
            flags = cursor.u32();
        const std::uint64_t alignment = std::max<std::uint64_t>(word(cursor, m_is64), 1);
        segment.isExecutable = (flags & 1) != 0;
        if (type == kLoad)
            m_segments.push_back(segment);
        if (type == kNoteSegment)
            m_noteSegments.emplace_back(segment.offset, segment.size);
        if (type == kFrameTable)
            m_frameTable = segment;
        if (type == kThreadLocal)
            m_threadLocalSize = (sizeInMemory + alignment - 1) / alignment * alignment;
    }
}

void ElfFile::readSections(std::uint64_t offset, std::uint32_t count, unsigned entrySize, std::uint32_t names)
{
    if (offset == 0 || entrySize < (m_is64 ? 64U : 40U))
        return;
    std::vector<std::uint32_t> nameOffsets;
    const auto readEntries = [&](std::uint64_t first, std::uint64_t end) {
        const ByteRange table = m_bytes.part(offset + first * entrySize, (end - first) * entrySize);
        const auto entries = table.read(0, table.size()).value_or(std::vector<std::uint8_t>());
        for (std::size_t begin = 0; begin + entrySize <= entries.size(); begin += entrySize) {
            Cursor cursor(entries, m_byteOrder);
            cursor.seek(begin);
            ElfSection section;
            nameOffsets.push_back(cursor.u32());
            section.type = cursor.u32();
            section.flags = word(cursor, m_is64);
            section.address = word(cursor, m_is64);
            section.offset = word(cursor, m_is64);
            section.size = word(cursor, m_is64);
            section.link = cursor.u32();
            m_sections.push_back(std::move(section));
        }
    };
    readEntries(0, 1);
    if (m_sections.empty())
        return;
    // Where 16 bits do not suffice, the first section has the numbers.
    if (count == 0)
        count = static_cast<std::uint32_t>(std::min<std::uint64_t>(m_sections[0].size, kMostSections));
    if (names == 0xffff)
        names = m_sections[0].link;
    if (count > 1)
        readEntries(1, count);
    if (names >= m_sections.size() || m_sections[names].size > kMostNames)
        return;
    const ElfSection &table = m_sections[names];
    const std::vector<std::uint8_t> text =
        m_bytes.read(table.offset, table.size).value_or(std::vector<std::uint8_t>());
    for (std::size_t i = 0; i < m_sections.size(); ++i) {
        Cursor cursor(text);
        cursor.seek(nameOffsets[i]);
        m_sections[i].name = cursor.text();
    }
}

void ElfFile::readNotes()
{
    for (const ElfSection &section : m_sections)
        if (section.type == kNote)
            readNotes(section.offset, section.size);
    for (const auto &[offset, size] : m_noteSegments) // of programs whose sections were stripped
        readNotes(offset, size);
}

void ElfFile::readNotes(std::uint64_t offset, std::uint64_t size)
{
    const auto notes = m_bytes.read(offset, std::min(size, kMostNotes));
    if (!notes)
        return;
    Cursor cursor(*notes, m_byteOrder);
    while (const auto note = nextNote(cursor)) {
        if (m_buildId.empty())
            m_buildId = gnuBuildId(*note).value_or(std::string());
        if (m_goBuildId.empty())
            m_goBuildId = hearth::goBuildId(*note).value_or(std::string());
    }
}

const ElfSection *ElfFile::section(std::string_view name) const
{
    const auto found = std::ranges::find_if(m_sections, [&](const ElfSection &section) {
        return section.name == name && section.type != kNoBits;
    });
    return found == m_sections.end() ? nullptr : &*found;
}

const ElfSection *ElfFile::sectionOf(std::uint32_t type) const
{
    const auto found = std::ranges::find(m_sections, type, &ElfSection::type);
    return found == m_sections.end() ? nullptr : &*found;
}

Result<ByteRange> ElfFile::content(const ElfSection &section) const
{
    const ByteRange stored = m_bytes.part(section.offset, section.size);
    const auto problem = [&](const std::string &what) {
        return failure(m_name + ": section " + section.name + ' ' + what);
    };
    const bool isOldStyle = section.name.starts_with(".zdebug");
    if ((section.flags & kCompressed) == 0 && !isOldStyle)
        return stored;
    constexpr std::uint64_t kMostHead = 24;
    std::array<std::uint8_t, kMostHead> head{};
    Cursor cursor(stored.filled(0, head), m_byteOrder);
    constexpr std::uint32_t kZlib = 1;
    constexpr std::uint32_t kZstd = 2;
    std::uint32_t method = kZlib;
    std::uint64_t size = 0;
    if (isOldStyle) { // "ZLIB" and a big-endian size
        cursor.skip(4);
        for (int i = 0; i < 8; ++i)
            size = size << 8 | cursor.u8();
    } else {
        method = cursor.u32();
        cursor.skip(m_is64 ? 4 : 0);
        size = word(cursor, m_is64);
        word(cursor, m_is64); // alignment
    }
    if (!cursor.isGood() || (method != kZlib && method != kZstd))
        return problem("is packed in an unknown way");
    auto bytes = unpackSection(stored.part(cursor.position(), stored.size()),
                               method == kZlib ? SectionPacking::Zlib : SectionPacking::Zstd, size);
    if (!bytes)
        return problem(bytes.error().message);
    return *bytes;
}

ByteRange ElfFile::content(std::string_view name) const
{
    const ElfSection *found = section(name);
    if (found == nullptr && name.starts_with(".debug"))
        found = section(".z" + std::string(name.substr(1)));
    return found == nullptr ? ByteRange() : content(*found).value_or(ByteRange());
}

std::optional<std::uint64_t> ElfFile::addressOfOffset(std::uint64_t offset) const
{
    for (const bool isExecutable : {true, false}) // which may share a page of the file
        for (const ElfSegment &segment : m_segments)
            if (segment.isExecutable == isExecutable && offset >= segment.offset &&
                offset - segment.offset < segment.size)
                return segment.address + (offset - segment.offset);
    return std::nullopt;
}

std::optional<std::uint64_t> ElfFile::offsetOfAddress(std::uint64_t address) const
{
    for (const ElfSegment &segment : m_segments)
        if (address >= segment.address && address - segment.address < segment.size)
            return segment.offset + (address - segment.address);
    return std::nullopt;
}

std::string htlHash(const ByteRange &file)
{
    constexpr std::uint64_t kEnds = 4096;
    std::array<std::uint8_t, 2 * kEnds + 8> input{};
    const std::uint64_t end = std::min(kEnds, file.size());
    std::size_t used = file.read(0, std::span(input).first(end));
    used += file.read(file.size() - end, std::span(input).subspan(used, end));
    for (int shift = 56; shift >= 0; shift -= 8)
        input[used++] = static_cast<std::uint8_t>(file.size() >> shift);
    std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    if (EVP_Digest(input.data(), used, digest.data(), &size, EVP_sha256(), nullptr) != 1)
        return {};
    return hexOf(std::span(digest).first(16));
}

} // namespace hearth
