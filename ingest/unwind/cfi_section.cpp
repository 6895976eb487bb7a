#include "ingest/unwind/cfi_section.h"

#include "ingest/elf/cursor.h"

namespace hearth {

namespace {

// How a pointer is written (DW_EH_PE): its form in the lower bits, what it counts from in the upper.
constexpr std::uint8_t kFormMask = 0x0f, kBaseMask = 0x70, kIndirect = 0x80, kOmitted = 0xff;
constexpr std::uint8_t kPcRelative = 0x10;
constexpr std::size_t kMostFunctions = std::size_t(1) << 20;
/// What functions share is run again for each of them, so it has to be short.
constexpr std::size_t kLongestCommon = 1024;

std::uint64_t readForm(Cursor &cursor, std::uint8_t form)
{
    switch (form & kFormMask) {
    case 0x00:
    case 0x04:
    case 0x0c:
        return cursor.u64();
    case 0x01:
        return cursor.uleb();
    case 0x02:
        return cursor.u16();
    case 0x03:
        return cursor.u32();
    case 0x09:
        return static_cast<std::uint64_t>(cursor.sleb());
    case 0x0a:
        return static_cast<std::uint64_t>(static_cast<std::int16_t>(cursor.u16()));
    case 0x0b:
        return static_cast<std::uint64_t>(static_cast<std::int32_t>(cursor.u32()));
    default:
        cursor.skip(~std::uint64_t(0)); // no longer good
        return 0;
    }
}

/// Skips or reads what the letters of an augmentation announce.
bool readAugmentation(std::string_view letters, Cursor data, CfiCommon &common)
{
    for (const char letter : letters.substr(1))
        switch (letter) {
        case 'R':
            common.pointerEncoding = data.u8();
            break;
        case 'P':
            readForm(data, data.u8());
            break;
        case 'L':
            data.u8();
            break;
        case 'S':
            common.isSignalFrame = true;
            break;
        default: // 'B' of arm64 and what is to come: the length says where the instructions begin
            break;
        }
    return data.isGood();
}

} // namespace

void CfiSection::read()
{
    Entry entry;
    for (std::size_t at = 0; readEntry(at, entry);)
        if (!isCommon(entry) && m_functions.size() < kMostFunctions)
            readFunction(entry);
}

/// @return whether there is an entry at `at`, which is then behind it
bool CfiSection::readEntry(std::size_t &at, Entry &entry) const
{
    if (at >= m_bytes.size())
        return false;
    Cursor cursor(m_bytes.subspan(at));
    std::uint64_t length = cursor.u32();
    entry.is64Bit = length == 0xffffffff;
    if (entry.is64Bit)
        length = cursor.u64();
    if (length == 0 || !cursor.isGood()) // .eh_frame ends so
        return false;
    entry.idPosition = at + cursor.position();
    Cursor body(cursor.bytes(length));
    const bool hasLongId = entry.is64Bit && m_kind == Kind::DebugFrame;
    entry.id = hasLongId ? body.u64() : body.u32();
    entry.bodyPosition = entry.idPosition + body.position();
    entry.body = body.bytes(body.left());
    at += cursor.position();
    return cursor.isGood() && body.isGood();
}

bool CfiSection::isCommon(const Entry &entry) const
{
    if (m_kind == Kind::EhFrame)
        return entry.id == 0;
    return entry.id == (entry.is64Bit ? ~std::uint64_t(0) : 0xffffffff);
}

/// @return null if the function refers to nothing that makes sense
const CfiCommon *CfiSection::commonOf(const Entry &entry)
{
    const std::uint64_t position = m_kind == Kind::EhFrame ? entry.idPosition - entry.id : entry.id;
    if (position >= m_bytes.size())
        return nullptr;
    if (const auto known = m_commons.find(position); known != m_commons.end())
        return &known->second;
    auto at = static_cast<std::size_t>(position);
    Entry commonEntry;
    CfiCommon common;
    if (!readEntry(at, commonEntry) || !isCommon(commonEntry) || !readCommon(commonEntry, common))
        return nullptr;
    return &m_commons.emplace(position, common).first->second;
}

bool CfiSection::readCommon(const Entry &entry, CfiCommon &common) const
{
    Cursor cursor(entry.body);
    const auto version = cursor.u8();
    const std::string_view letters = cursor.text();
    if (version == 4)
        cursor.u16(); // sizes of addresses and segments
    common.codeAlignment = cursor.uleb();
    common.dataAlignment = cursor.sleb();
    common.returnRegister = version == 1 ? cursor.u8() : cursor.uleb();
    if (!letters.empty()) {
        if (letters.front() != 'z')
            return false;
        common.hasAugmentationData = true;
        if (!readAugmentation(letters, Cursor(cursor.bytes(cursor.uleb())), common))
            return false;
    }
    common.instructions = cursor.bytes(cursor.left());
    return cursor.isGood() && (version == 1 || version == 3 || version == 4) &&
           common.instructions.size() <= kLongestCommon;
}

void CfiSection::readFunction(const Entry &entry)
{
    const CfiCommon *common = commonOf(entry);
    if (common == nullptr || (common->pointerEncoding & kIndirect) != 0 ||
        common->pointerEncoding == kOmitted) {
        ++m_unreadable;
        return;
    }
    Cursor cursor(entry.body);
    CfiFunction function;
    function.begin = readForm(cursor, common->pointerEncoding);
    if ((common->pointerEncoding & kBaseMask) == kPcRelative)
        function.begin += m_address + entry.bodyPosition;
    const std::uint64_t size = readForm(cursor, common->pointerEncoding & 0x07);
    if (common->hasAugmentationData)
        cursor.bytes(cursor.uleb());
    function.common = common;
    function.instructions = cursor.bytes(cursor.left());
    if (cursor.isGood() && size > 0 && !__builtin_add_overflow(function.begin, size, &function.end))
        m_functions.push_back(function);
    else
        ++m_unreadable;
}

} // namespace hearth
