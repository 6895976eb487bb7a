#include "agent/elf/elf_image.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace hearth::agent {

namespace {

constexpr std::size_t kMostHeaders = 65536;
constexpr std::size_t kLongestNote = 65536;
constexpr std::size_t kLongestName = 256; ///< of a section
constexpr std::uint32_t kGoBuildIdNote = 4;

template <class Struct>
std::vector<Struct> readStructs(const FileBytes &bytes, std::uint64_t offset, std::size_t count)
{
    const std::uint64_t there = offset < bytes.size() ? (bytes.size() - offset) / sizeof(Struct) : 0;
    std::vector<Struct> structs(static_cast<std::size_t>(std::min<std::uint64_t>(count, there)));
    const std::size_t size = bytes.read(
        offset, {reinterpret_cast<std::uint8_t *>(structs.data()), structs.size() * sizeof(Struct)});
    structs.resize(size / sizeof(Struct));
    return structs;
}

std::string textAt(const std::vector<std::uint8_t> &text, std::size_t at)
{
    if (at >= text.size())
        return {};
    const auto *begin = reinterpret_cast<const char *>(text.data()) + at;
    return {begin, strnlen(begin, std::min(text.size() - at, kLongestName))};
}

std::string hex(std::string_view bytes)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const char byte : bytes) {
        text += kDigits[static_cast<unsigned char>(byte) >> 4];
        text += kDigits[static_cast<unsigned char>(byte) & 15];
    }
    return text;
}

std::size_t aligned(std::size_t size)
{
    return (size + 3) & ~std::size_t(3);
}

/// Looks through notes for one of this type and owner.
std::string findNote(const std::vector<std::uint8_t> &notes, std::uint32_t type, std::string_view owner)
{
    for (std::size_t at = 0; notes.size() - at >= sizeof(Elf64_Nhdr);) {
        Elf64_Nhdr head;
        std::memcpy(&head, notes.data() + at, sizeof head);
        at += sizeof head;
        if (head.n_namesz > notes.size() || head.n_descsz > notes.size())
            return {};
        const std::size_t payload = at + aligned(head.n_namesz);
        const std::size_t end = payload + aligned(head.n_descsz);
        if (payload + head.n_descsz > notes.size())
            return {};
        if (head.n_type == type && textAt(notes, at).substr(0, head.n_namesz) == owner)
            return {reinterpret_cast<const char *>(notes.data()) + payload, head.n_descsz};
        at = std::min(end, notes.size());
    }
    return {};
}

} // namespace

Result<ElfImage> ElfImage::open(std::unique_ptr<FileBytes> bytes)
{
    ElfImage image(std::move(bytes));
    const auto headers = readStructs<Elf64_Ehdr>(*image.m_bytes, 0, 1);
    if (headers.empty() || std::memcmp(headers[0].e_ident, ELFMAG, SELFMAG) != 0)
        return failure("not an ELF file");
    const Elf64_Ehdr &header = headers[0];
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
        return failure("an ELF file, but not of a 64-bit little-endian machine");
    if (header.e_phentsize == sizeof(Elf64_Phdr))
        image.readSegments(header.e_phoff, header.e_phnum);
    if (header.e_shentsize == sizeof(Elf64_Shdr))
        image.readSections(header.e_shoff, header.e_shnum, header.e_shstrndx);
    return image;
}

void ElfImage::readSegments(std::uint64_t offset, std::size_t count)
{
    m_base = std::numeric_limits<std::uint64_t>::max();
    for (const Elf64_Phdr &header : readStructs<Elf64_Phdr>(*m_bytes, offset, count)) {
        const ElfSegment segment{.address = header.p_vaddr,
                                 .offset = header.p_offset,
                                 .size = header.p_filesz,
                                 .isExecutable = (header.p_flags & PF_X) != 0};
        if (header.p_type == PT_LOAD) {
            m_segments.push_back(segment);
            m_base = std::min<std::uint64_t>(m_base, header.p_vaddr);
        } else if (header.p_type == PT_NOTE) {
            m_notes.push_back(segment);
        } else if (header.p_type == PT_GNU_EH_FRAME) {
            m_frameHeader = segment;
        } else if (header.p_type == PT_TLS) {
            const std::uint64_t alignment = std::max<std::uint64_t>(header.p_align, 1);
            m_threadLocalSize = (header.p_memsz + alignment - 1) / alignment * alignment;
        }
    }
    if (m_segments.empty())
        m_base = 0;
}

void ElfImage::readSections(std::uint64_t offset, std::size_t count, std::size_t nameSection)
{
    const auto headers = readStructs<Elf64_Shdr>(*m_bytes, offset, std::min(count, kMostHeaders));
    if (headers.empty())
        return;
    if (nameSection == SHN_XINDEX)
        nameSection = headers[0].sh_link;
    std::vector<std::uint8_t> names;
    if (nameSection < headers.size())
        names = piece(headers[nameSection].sh_offset, headers[nameSection].sh_size);
    for (const Elf64_Shdr &header : headers)
        m_sections.push_back({.name = textAt(names, header.sh_name),
                              .type = header.sh_type,
                              .link = header.sh_link,
                              .address = header.sh_addr,
                              .offset = header.sh_offset,
                              .size = header.sh_size,
                              .isCompressed = (header.sh_flags & SHF_COMPRESSED) != 0});
}

const ElfSection *ElfImage::section(std::string_view name) const
{
    const auto found = std::ranges::find(m_sections, name, &ElfSection::name);
    return found == m_sections.end() || found->type == SHT_NOBITS ? nullptr : &*found;
}

const ElfSegment *ElfImage::codeSegment(std::uint64_t offset, std::uint64_t size) const
{
    const auto found = std::ranges::find_if(m_segments, [=](const ElfSegment &segment) {
        return segment.isExecutable && (segment.offset < offset ? offset - segment.offset < segment.size
                                                                : segment.offset - offset < size);
    });
    return found == m_segments.end() ? nullptr : &*found;
}

bool ElfImage::isCode(std::uint64_t address) const
{
    return std::ranges::any_of(m_segments, [address](const ElfSegment &segment) {
        return segment.isExecutable && address >= segment.address && address - segment.address < segment.size;
    });
}

std::vector<std::uint8_t> ElfImage::piece(std::uint64_t offset, std::uint64_t size) const
{
    if (offset >= m_bytes->size() || size > kLargestPiece)
        return {};
    std::vector<std::uint8_t> piece(
        static_cast<std::size_t>(std::min<std::uint64_t>(size, m_bytes->size() - offset)));
    piece.resize(m_bytes->read(offset, piece));
    return piece;
}

std::vector<std::uint8_t> ElfImage::contents(const ElfSection &section) const
{
    if (section.type == SHT_NOBITS || section.isCompressed)
        return {};
    return piece(section.offset, section.size);
}

std::string ElfImage::gnuBuildId() const
{
    return hex(noteOf(NT_GNU_BUILD_ID, "GNU"));
}

std::string ElfImage::goBuildId() const
{
    return noteOf(kGoBuildIdNote, "Go");
}

std::string ElfImage::noteOf(std::uint32_t type, std::string_view owner) const
{
    std::string note;
    for (const ElfSegment &segment : m_notes)
        if (note.empty())
            note = findNote(piece(segment.offset, std::min<std::uint64_t>(segment.size, kLongestNote)), type,
                            owner);
    for (const ElfSection &section : m_sections)
        if (note.empty() && section.type == SHT_NOTE)
            note = findNote(piece(section.offset, std::min<std::uint64_t>(section.size, kLongestNote)), type,
                            owner);
    return note;
}

} // namespace hearth::agent
