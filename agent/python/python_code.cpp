#include "agent/python/python_code.h"

#include "agent/process/process_memory.h"
#include "agent/python/line_table.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace hearth::agent {

namespace {

constexpr std::size_t kMostCode = 16384;
constexpr std::uint64_t kLongestText = 1024; ///< characters
constexpr std::uint64_t kMostLineTable = 65536;
constexpr std::uint64_t kLengthMember = 16, kStateMember = 32, kBytesBegin = 32;

/// How a string says what its characters are.
struct TextForm {
    std::size_t width = 0; ///< bytes; 0 if it cannot be told
    bool isAscii = false;
};

TextForm formOf(std::uint32_t state)
{
    constexpr std::uint32_t kCompact = 1 << 5, kAscii = 1 << 6;
    if ((state & 0xfffc) == 0) // 16 bits are for another purpose in some builds, instead of 2
        state >>= 14;
    const std::uint32_t width = state >> 2 & 7;
    const bool isKnown = (state & kCompact) != 0 && (width == 1 || width == 2 || width == 4);
    return {.width = isKnown ? width : 0, .isAscii = (state & kAscii) != 0};
}

void appendUtf8(std::string &text, std::uint32_t character)
{
    constexpr std::uint32_t kReplacement = 0xfffd;
    if (character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
        character = kReplacement;
    const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (character < 0x80)
        return add(character);
    if (character < 0x800) {
        add(0xc0 | character >> 6);
    } else if (character < 0x10000) {
        add(0xe0 | character >> 12);
        add(0x80 | (character >> 6 & 0x3f));
    } else {
        add(0xf0 | character >> 18);
        add(0x80 | (character >> 12 & 0x3f));
        add(0x80 | (character >> 6 & 0x3f));
    }
    add(0x80 | (character & 0x3f));
}

std::optional<std::string> readText(std::uint32_t process, const PythonOffsets &offsets,
                                    std::uint64_t address)
{
    std::uint64_t length = 0;
    std::uint32_t state = 0;
    if (!readValue(process, address + kLengthMember, length) ||
        !readValue(process, address + kStateMember, state))
        return std::nullopt;
    const TextForm form = formOf(state);
    std::vector<std::uint8_t> bytes(std::min(length, kLongestText) * form.width);
    const std::uint64_t begin = address + (form.isAscii ? offsets.asciiHead : offsets.otherHead);
    if (form.width == 0 || !readMemory(process, begin, std::as_writable_bytes(std::span(bytes))))
        return std::nullopt;
    return pythonText(state, bytes);
}

std::optional<std::vector<std::uint8_t>> readBytes(std::uint32_t process, std::uint64_t address)
{
    std::uint64_t size = 0;
    if (!readValue(process, address + kLengthMember, size))
        return std::nullopt;
    std::vector<std::uint8_t> bytes(std::min(size, kMostLineTable));
    if (!readMemory(process, address + kBytesBegin, std::as_writable_bytes(std::span(bytes))))
        return std::nullopt;
    return bytes;
}

} // namespace

std::string pythonText(std::uint32_t state, std::span<const std::uint8_t> characters)
{
    const TextForm form = formOf(state);
    std::string text;
    for (std::size_t at = 0; form.width != 0 && at + form.width <= characters.size(); at += form.width) {
        std::uint32_t character = 0;
        std::memcpy(&character, characters.data() + at, form.width);
        appendUtf8(text, character);
    }
    return text;
}

void PythonCode::know(std::uint32_t process, std::uint32_t minorVersion, const PythonOffsets &offsets)
{
    m_processes.insert_or_assign(process, Process{minorVersion, offsets});
}

void PythonCode::forget(std::uint32_t process)
{
    m_processes.erase(process);
    m_code.erase(m_code.lower_bound({process, 0}), m_code.upper_bound({process, ~std::uint64_t(0)}));
}

std::optional<PythonCode::Members>
PythonCode::readMembers(std::uint32_t process, const PythonOffsets &offsets, std::uint64_t address)
{
    constexpr std::size_t kMostOfCode = 256;
    const std::size_t size = std::max({offsets.layout.codeFile, offsets.layout.codeName,
                                       offsets.codeLineTable, offsets.codeFirstLine}) +
                             8U;
    std::array<std::byte, kMostOfCode> bytes{};
    if (size > bytes.size() || !readMemory(process, address, std::span(bytes).first(size)))
        return std::nullopt;
    Members members;
    std::memcpy(&members.file, bytes.data() + offsets.layout.codeFile, sizeof members.file);
    std::memcpy(&members.name, bytes.data() + offsets.layout.codeName, sizeof members.name);
    std::memcpy(&members.lineTable, bytes.data() + offsets.codeLineTable, sizeof members.lineTable);
    std::memcpy(&members.firstLine, bytes.data() + offsets.codeFirstLine, sizeof members.firstLine);
    return members;
}

std::optional<PythonCode::Code> PythonCode::readCode(std::uint32_t process, const PythonOffsets &offsets,
                                                     const Members &members)
{
    auto name = readText(process, offsets, members.name);
    auto file = readText(process, offsets, members.file);
    auto lineTable = readBytes(process, members.lineTable);
    if (!name || name->empty() || !file || !lineTable)
        return std::nullopt;
    return Code{.members = members,
                .name = std::move(*name),
                .file = std::move(*file),
                .lineTable = std::move(*lineTable)};
}

std::uint64_t PythonCode::identityOf(const Members &members)
{
    return pythonIdentity(members.name, members.file);
}

/// @return null if it cannot be read
const PythonCode::Code *PythonCode::codeAt(std::uint32_t process, const PythonOffsets &offsets,
                                           const PythonFrame &frame)
{
    const std::uint64_t address = frame.code & ~std::uint64_t(kPythonTag);
    const auto known = m_code.find({process, address});
    if (known != m_code.end() && identityOf(known->second.members) == frame.identity)
        return &known->second;
    const auto members = readMembers(process, offsets, address);
    auto code = members && identityOf(*members) == frame.identity ? readCode(process, offsets, *members)
                                                                  : std::nullopt;
    if (!code)
        return nullptr;
    if (m_code.size() >= kMostCode)
        m_code.clear();
    return &m_code.insert_or_assign({process, address}, std::move(*code)).first->second;
}

std::optional<JitName> PythonCode::nameOf(std::uint32_t process, const PythonFrame &frame)
{
    const auto known = m_processes.find(process);
    if (known == m_processes.end())
        return std::nullopt;
    const PythonOffsets &offsets = known->second.offsets;
    const std::uint64_t address = frame.code & ~std::uint64_t(kPythonTag);
    const Code *code = codeAt(process, offsets, frame);
    if (code == nullptr)
        return std::nullopt;
    const std::uint32_t version = known->second.minorVersion;
    const auto counted = static_cast<std::int64_t>(static_cast<std::int32_t>(frame.instruction));
    const std::int64_t instruction =
        offsets.codeInstructions != 0
            ? static_cast<std::int64_t>(frame.instruction - address - offsets.codeInstructions)
        : version == 10 ? 2 * counted
                        : counted;
    return JitName{.name = code->name,
                   .file = code->file,
                   .line = pythonLine(version, code->lineTable, code->members.firstLine, instruction),
                   .kind = "cpython"};
}

} // namespace hearth::agent
