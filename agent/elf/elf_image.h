#pragma once

#include "agent/elf/file_bytes.h"
#include "model/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::agent {

/// A part of the file that is loaded into memory.
struct ElfSegment {
    std::uint64_t address = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0; ///< in the file
    bool isExecutable = false;
};

struct ElfSection {
    std::string name;
    std::uint32_t type = 0;
    std::uint32_t link = 0; ///< number of a section that belongs to it
    std::uint64_t address = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    bool isCompressed = false;
};

/// A program, library or debug file in ELF's format for 64-bit little-endian machines. What its headers say
/// is checked against the size of the file, and nothing is read before it is asked for.
class ElfImage {
public:
    static Result<ElfImage> open(std::unique_ptr<FileBytes> bytes);

    const std::vector<ElfSegment> &segments() const { return m_segments; }
    const std::vector<ElfSection> &sections() const { return m_sections; }
    const ElfSection *section(std::string_view name) const;
    const FileBytes &bytes() const { return *m_bytes; }

    /// The lowest address of what is loaded.
    std::uint64_t base() const { return m_base; }

    /// The executable segment that has part of this piece of the file; null if there is none.
    const ElfSegment *codeSegment(std::uint64_t offset, std::uint64_t size) const;

    bool isCode(std::uint64_t address) const;

    /// The table of .eh_frame's functions (PT_GNU_EH_FRAME), which there is without section headers too.
    const std::optional<ElfSegment> &frameHeader() const { return m_frameHeader; }

    /// What every thread has a copy of (PT_TLS): its size with what is not in the file, rounded up as it is
    /// aligned.
    std::uint64_t threadLocalSize() const { return m_threadLocalSize; }

    /// A piece of the file; less than asked for if the file is too short, or nothing beyond kLargestPiece.
    std::vector<std::uint8_t> piece(std::uint64_t offset, std::uint64_t size) const;
    std::vector<std::uint8_t> contents(const ElfSection &section) const;

    /// In hex; empty if it has none.
    std::string gnuBuildId() const;
    std::string goBuildId() const;

    static constexpr std::uint64_t kLargestPiece = std::uint64_t(256) << 20;

private:
    explicit ElfImage(std::unique_ptr<FileBytes> bytes) : m_bytes(std::move(bytes)) {}

    void readSegments(std::uint64_t offset, std::size_t count);
    void readSections(std::uint64_t offset, std::size_t count, std::size_t nameSection);
    std::string noteOf(std::uint32_t type, std::string_view owner) const;

    std::unique_ptr<FileBytes> m_bytes;
    std::vector<ElfSegment> m_segments;
    std::vector<ElfSection> m_sections;
    std::vector<ElfSegment> m_notes;
    std::optional<ElfSegment> m_frameHeader;
    std::uint64_t m_base = 0;
    std::uint64_t m_threadLocalSize = 0;
};

} // namespace hearth::agent
