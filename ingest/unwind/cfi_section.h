#pragma once

#include "ingest/unwind/cfi_program.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hearth {

/// A function, and what it says of its frames.
struct CfiFunction {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    const CfiCommon *common = nullptr; ///< of the section that it was read from
    std::span<const std::uint8_t> instructions;
};

/// Reads .eh_frame, or .debug_frame, which counts otherwise: a list of what many functions share and of
/// functions that refer to it.
class CfiSection {
public:
    enum class Kind : std::uint8_t { EhFrame, DebugFrame };

    /// @param address of the section, which its pointers count from. The bytes must outlive what is read.
    CfiSection(Kind kind, std::span<const std::uint8_t> bytes, std::uint64_t address)
        : m_kind(kind), m_bytes(bytes), m_address(address)
    {}

    void read();

    /// They refer to the section and its bytes.
    std::vector<CfiFunction> takeFunctions() { return std::move(m_functions); }
    std::uint32_t unreadable() const { return m_unreadable; }

private:
    struct Entry {
        std::size_t idPosition = 0;
        std::uint64_t id = 0;
        bool is64Bit = false;
        std::span<const std::uint8_t> body;
        std::size_t bodyPosition = 0;
    };

    bool readEntry(std::size_t &at, Entry &entry) const;
    bool isCommon(const Entry &entry) const;
    const CfiCommon *commonOf(const Entry &entry);
    bool readCommon(const Entry &entry, CfiCommon &common) const;
    void readFunction(const Entry &entry);

    const Kind m_kind;
    const std::span<const std::uint8_t> m_bytes;
    const std::uint64_t m_address;
    std::unordered_map<std::uint64_t, CfiCommon> m_commons; ///< by position
    std::vector<CfiFunction> m_functions;
    std::uint32_t m_unreadable = 0;
};

} // namespace hearth
