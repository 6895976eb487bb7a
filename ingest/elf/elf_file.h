#pragma once

#include "ingest/bytes/byte_range.h"
#include "model/result.h"

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

struct ElfSection {
    std::string name;
    std::uint32_t type = 0;
    std::uint64_t flags = 0;
    std::uint64_t address = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint32_t link = 0;
};

/// A part of the file that is mapped when the program runs.
struct ElfSegment {
    std::uint64_t offset = 0;
    std::uint64_t address = 0;
    std::uint64_t size = 0; ///< in the file
    bool isExecutable = false;
};

enum class ElfMachine : std::uint16_t { X86 = 3, Arm = 40, X86_64 = 62, Arm64 = 183, RiscV = 243 };

/// One ELF file: what it is, how it is laid out, what its sections hold. Of 32 or 64 bits and either
/// order of bytes.
class ElfFile {
public:
    /// @return an error that names the file
    static Result<std::shared_ptr<const ElfFile>> open(const std::string &path);
    /// @param name for messages
    static Result<std::shared_ptr<const ElfFile>> of(ByteRange bytes, std::string name);

    const std::string &name() const { return m_name; }
    const ByteRange &bytes() const { return m_bytes; }
    bool is64() const { return m_is64; }
    std::endian byteOrder() const { return m_byteOrder; }
    ElfMachine machine() const { return m_machine; }
    const std::vector<ElfSection> &sections() const { return m_sections; }
    const std::vector<ElfSegment> &segments() const { return m_segments; }

    /// The index of .eh_frame's functions (PT_GNU_EH_FRAME), which programs without sections have too.
    const std::optional<ElfSegment> &frameTable() const { return m_frameTable; }
    /// What every thread has a copy of (PT_TLS), with what is not in the file, rounded up as it is aligned.
    std::uint64_t threadLocalSize() const { return m_threadLocalSize; }

    const std::string &buildId() const { return m_buildId; }     ///< GNU's, in hex; empty if there is none
    const std::string &goBuildId() const { return m_goBuildId; } ///< as `go tool buildid` prints it

    /// By ".name"; @return null if there is none, or none with anything in it (as .text of a debug file)
    const ElfSection *section(std::string_view name) const;
    const ElfSection *sectionOf(std::uint32_t type) const;

    /// What a section holds, decompressed. @return an error that names section and file
    Result<ByteRange> content(const ElfSection &section) const;
    /// The same of the section of that name; empty if there is none, or if it cannot be read.
    ByteRange content(std::string_view name) const;

    /// Which address the linker gave to a place in the file.
    std::optional<std::uint64_t> addressOfOffset(std::uint64_t offset) const;
    std::optional<std::uint64_t> offsetOfAddress(std::uint64_t address) const;

private:
    ElfFile(ByteRange bytes, std::string name) : m_bytes(std::move(bytes)), m_name(std::move(name)) {}

    Result<void> readHeader();
    void readSegments(std::uint64_t offset, unsigned count, unsigned entrySize);
    void readSections(std::uint64_t offset, std::uint32_t count, unsigned entrySize, std::uint32_t names);
    void readNotes();
    void readNotes(std::uint64_t offset, std::uint64_t size);

    ByteRange m_bytes;
    std::string m_name;
    bool m_is64 = true;
    std::endian m_byteOrder = std::endian::little;
    ElfMachine m_machine = ElfMachine::X86_64;
    std::vector<ElfSection> m_sections;
    std::vector<ElfSegment> m_segments;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> m_noteSegments; ///< offset, size
    std::optional<ElfSegment> m_frameTable;
    std::uint64_t m_threadLocalSize = 0;
    std::string m_buildId;
    std::string m_goBuildId;
};

/// The file id that OpenTelemetry's agents use: a digest of its first and last 4096 bytes and its length, in
/// hex.
std::string htlHash(const ByteRange &file);

} // namespace hearth
