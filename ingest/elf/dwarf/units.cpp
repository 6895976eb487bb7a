#include "ingest/elf/dwarf/units.h"

#include "ingest/elf/dwarf/codes.h"

namespace hearth::dwarf {

namespace {

constexpr std::size_t kMostRanges = 1 << 20;                  ///< of one entry
constexpr std::size_t kMostRangesRead = std::size_t(1) << 28; ///< of all entries: who has more repeats itself
constexpr std::size_t kMostUnits = 1 << 20;

std::uint64_t offsetOf(Cursor &cursor, const Unit &unit)
{
    return cursor.unsignedOf(unit.offsetSize);
}

Value reference(const Unit &unit, std::uint64_t offset)
{
    return {Value::Kind::Reference, unit.offset + offset, {}};
}

/// An address that the linker gave to what it left out.
bool isTombstone(std::uint64_t address, const Unit &unit)
{
    const std::uint64_t highest = unit.addressSize == 4 ? 0xffffffffU : ~std::uint64_t(0);
    return address == 0 || address >= highest - 1;
}

/// @return nothing if there is no header there
std::optional<Unit> readHeader(const ByteRange &info, std::uint64_t offset)
{
    std::array<std::uint8_t, 48> head{};
    Cursor cursor(info.filled(offset, head));
    Unit unit;
    unit.offset = offset;
    std::uint64_t length = cursor.u32();
    if (length == 0xffffffff) {
        unit.offsetSize = 8;
        length = cursor.u64();
    }
    const std::uint64_t begin = cursor.position();
    if (length > info.size() - offset || !cursor.isGood())
        return std::nullopt;
    unit.size = begin + length;
    unit.version = cursor.u16();
    if (unit.version < 2 || unit.version > 5)
        return std::nullopt;
    unit.type = kUnitCompile;
    if (unit.version == 5) {
        unit.type = cursor.u8();
        unit.addressSize = cursor.u8();
        unit.abbreviations = offsetOf(cursor, unit);
        if (unit.type == kUnitSkeleton || unit.type == kUnitSplitCompile)
            unit.dwoId = cursor.u64();
    } else {
        unit.abbreviations = offsetOf(cursor, unit);
        unit.addressSize = cursor.u8();
    }
    unit.entries = cursor.position();
    const bool isSane = unit.addressSize == 4 || unit.addressSize == 8;
    return cursor.isGood() && isSane && unit.entries <= unit.size ? std::optional(unit) : std::nullopt;
}

struct Root {
    Value low;
    Value high;
    Value ranges;
    Value folder;
    Value dwoName;
};

Root readRoot(Cursor cursor, std::span<const AttributeSpec> attributes, Unit &unit)
{
    Root root;
    for (const AttributeSpec &spec : attributes) {
        const Value value = readValue(cursor, spec, unit);
        switch (spec.name) {
        case kLowPc:
            root.low = value;
            break;
        case kHighPc:
            root.high = value;
            break;
        case kRanges:
            root.ranges = value;
            break;
        case kCompilationFolder:
            root.folder = value;
            break;
        case kDwoName:
        case kGnuDwoName:
            root.dwoName = value;
            break;
        case kStatementList:
            unit.lineProgram = value.number;
            break;
        case kStringOffsetsBase:
            unit.stringOffsetsBase = value.number;
            break;
        case kAddressBase:
        case kGnuAddressBase:
            unit.addressBase = value.number;
            break;
        case kRangeListsBase:
            unit.rangeListsBase = value.number;
            break;
        case kGnuRangesBase:
            unit.splitRangesBase = value.number;
            break;
        case kGnuDwoId:
            unit.dwoId = value.number;
            break;
        default:
            break;
        }
    }
    return root;
}

std::vector<AddressRange> rangesOf(const Root &root, const Unit &unit, Reader &reader)
{
    if (root.ranges.kind != Value::Kind::None) {
        const auto found = reader.ranges(root.ranges, unit);
        return {found.begin(), found.end()};
    }
    if (root.high.kind == Value::Kind::None || isTombstone(unit.lowPc, unit))
        return {};
    const std::uint64_t high = root.high.kind == Value::Kind::Number ? unit.lowPc + root.high.number
                                                                     : reader.address(root.high, unit);
    return {{unit.lowPc, high}};
}

} // namespace

Value readValue(Cursor &cursor, const AttributeSpec &spec, const Unit &unit)
{
    using Kind = Value::Kind;
    std::uint16_t form = spec.form;
    while (form == kFormIndirect && cursor.isGood())
        form = static_cast<std::uint16_t>(cursor.uleb());
    switch (form) {
    case kFormAddress:
        return {Kind::Address, cursor.unsignedOf(unit.addressSize), {}};
    case kFormData1:
    case kFormFlag:
        return {Kind::Number, cursor.u8(), {}};
    case kFormData2:
        return {Kind::Number, cursor.u16(), {}};
    case kFormData4:
        return {Kind::Number, cursor.u32(), {}};
    case kFormData8:
        return {Kind::Number, cursor.u64(), {}};
    case kFormUnsigned:
        return {Kind::Number, cursor.uleb(), {}};
    case kFormSigned:
        return {Kind::Number, static_cast<std::uint64_t>(cursor.sleb()), {}};
    case kFormImplicit:
        return {Kind::Number, static_cast<std::uint64_t>(spec.implicit), {}};
    case kFormSectionOffset:
        return {Kind::Number, offsetOf(cursor, unit), {}};
    case kFormFlagPresent:
        return {Kind::Number, 1, {}};
    case kFormString:
        return {Kind::Text, 0, cursor.text()};
    case kFormStringOffset:
        return {Kind::StringOffset, offsetOf(cursor, unit), {}};
    case kFormLineString:
        return {Kind::LineString, offsetOf(cursor, unit), {}};
    case kFormStringIndex:
    case kFormGnuStringIndex:
        return {Kind::StringIndex, cursor.uleb(), {}};
    case kFormStringIndex1:
        return {Kind::StringIndex, cursor.u8(), {}};
    case kFormStringIndex2:
        return {Kind::StringIndex, cursor.u16(), {}};
    case kFormStringIndex3:
        return {Kind::StringIndex, cursor.u24(), {}};
    case kFormStringIndex4:
        return {Kind::StringIndex, cursor.u32(), {}};
    case kFormSupplementString:
    case kFormGnuSupplementString:
        return {Kind::SupplementString, offsetOf(cursor, unit), {}};
    case kFormAddressIndex:
    case kFormGnuAddressIndex:
        return {Kind::AddressIndex, cursor.uleb(), {}};
    case kFormAddressIndex1:
        return {Kind::AddressIndex, cursor.u8(), {}};
    case kFormAddressIndex2:
        return {Kind::AddressIndex, cursor.u16(), {}};
    case kFormAddressIndex3:
        return {Kind::AddressIndex, cursor.u24(), {}};
    case kFormAddressIndex4:
        return {Kind::AddressIndex, cursor.u32(), {}};
    case kFormReference1:
        return reference(unit, cursor.u8());
    case kFormReference2:
        return reference(unit, cursor.u16());
    case kFormReference4:
        return reference(unit, cursor.u32());
    case kFormReference8:
        return reference(unit, cursor.u64());
    case kFormReferenceUnsigned:
        return reference(unit, cursor.uleb());
    case kFormGlobalReference: // of an address's size in DWARF 2
        return {
            Kind::Reference, cursor.unsignedOf(unit.version == 2 ? unit.addressSize : unit.offsetSize), {}};
    case kFormGnuSupplementReference:
        return {Kind::SupplementReference, offsetOf(cursor, unit), {}};
    case kFormSupplementReference4:
        return {Kind::SupplementReference, cursor.u32(), {}};
    case kFormSupplementReference8:
        return {Kind::SupplementReference, cursor.u64(), {}};
    case kFormRangeListIndex:
        return {Kind::RangeListIndex, cursor.uleb(), {}};
    default:
        skipValue(cursor, form, unit);
        return {Kind::Other, 0, {}};
    }
}

std::optional<unsigned> fixedSize(std::uint16_t form, const Unit &unit)
{
    switch (form) {
    case kFormFlagPresent:
    case kFormImplicit:
        return 0;
    case kFormData1:
    case kFormFlag:
    case kFormReference1:
    case kFormStringIndex1:
    case kFormAddressIndex1:
        return 1;
    case kFormData2:
    case kFormReference2:
    case kFormStringIndex2:
    case kFormAddressIndex2:
        return 2;
    case kFormStringIndex3:
    case kFormAddressIndex3:
        return 3;
    case kFormData4:
    case kFormReference4:
    case kFormStringIndex4:
    case kFormAddressIndex4:
    case kFormSupplementReference4:
        return 4;
    case kFormData8:
    case kFormReference8:
    case kFormSignature:
    case kFormSupplementReference8:
        return 8;
    case kFormData16:
        return 16;
    case kFormAddress:
        return unit.addressSize;
    case kFormGlobalReference:
        return unit.version == 2 ? unit.addressSize : unit.offsetSize;
    case kFormSectionOffset:
    case kFormStringOffset:
    case kFormLineString:
    case kFormSupplementString:
    case kFormGnuSupplementString:
    case kFormGnuSupplementReference:
        return unit.offsetSize;
    default:
        return std::nullopt;
    }
}

void skipValue(Cursor &cursor, std::uint16_t form, const Unit &unit)
{
    while (form == kFormIndirect && cursor.isGood())
        form = static_cast<std::uint16_t>(cursor.uleb());
    if (const auto size = fixedSize(form, unit))
        return cursor.skip(*size);
    switch (form) {
    case kFormUnsigned:
    case kFormSigned:
    case kFormReferenceUnsigned:
    case kFormStringIndex:
    case kFormAddressIndex:
    case kFormGnuStringIndex:
    case kFormGnuAddressIndex:
    case kFormLocationListIndex:
    case kFormRangeListIndex:
        return cursor.skipLeb();
    case kFormBlock1:
        return cursor.skip(cursor.u8());
    case kFormBlock2:
        return cursor.skip(cursor.u16());
    case kFormBlock4:
        return cursor.skip(cursor.u32());
    case kFormBlock:
    case kFormExpression:
        return cursor.skip(cursor.uleb());
    case kFormString:
        cursor.text();
        return;
    default:
        cursor.skip(cursor.left() + 1); // of unknown length: nothing behind it can be read
    }
}

Reader::Reader(const Sections &sections, const Sections &main)
    : m_sections(sections), m_stringOffsets(sections.stringOffsets), m_addresses(main.addresses),
      m_ranges(main.ranges), m_rangeLists(sections.rangeLists)
{}

std::string Reader::text(const Value &value, const Unit &unit)
{
    if (value.kind == Value::Kind::Text)
        return std::string(value.text);
    if (value.kind == Value::Kind::LineString)
        return m_sections.lineStrings.text(value.number);
    const auto offset = stringOffset(value, unit);
    return offset ? m_sections.strings.text(*offset) : std::string();
}

std::optional<std::uint64_t> Reader::stringOffset(const Value &value, const Unit &unit)
{
    if (value.kind == Value::Kind::StringOffset)
        return value.number;
    if (value.kind != Value::Kind::StringIndex)
        return std::nullopt;
    const std::uint64_t header = m_sections.isSplit && unit.version == 5 ? 2 * unit.offsetSize : 0;
    const std::uint64_t base = unit.stringOffsetsBase != 0 ? unit.stringOffsetsBase : header;
    Cursor cursor = m_stringOffsets.at(base + value.number * unit.offsetSize);
    const std::uint64_t offset = cursor.unsignedOf(unit.offsetSize);
    return cursor.isGood() ? std::optional(offset) : std::nullopt;
}

std::uint64_t Reader::addressAt(std::uint64_t index, const Unit &unit)
{
    return m_addresses.at(unit.addressBase + index * unit.addressSize).unsignedOf(unit.addressSize);
}

std::uint64_t Reader::address(const Value &value, const Unit &unit)
{
    return value.kind == Value::Kind::AddressIndex ? addressAt(value.number, unit) : value.number;
}

std::span<const AddressRange> Reader::ranges(const Value &value, const Unit &unit)
{
    m_found.clear();
    if (m_rangesRead <= kMostRangesRead)
        readListed(value, unit);
    m_rangesRead += m_found.size();
    return m_found;
}

void Reader::readListed(const Value &value, const Unit &unit)
{
    if (unit.version < 5)
        return readOldRanges(value.number + unit.rangesBase, unit);
    std::uint64_t offset = value.number;
    if (value.kind == Value::Kind::RangeListIndex) {
        const std::uint64_t header = m_sections.isSplit ? (unit.offsetSize == 8 ? 20 : 12) : 0;
        const std::uint64_t base = unit.rangeListsBase != 0 ? unit.rangeListsBase : header;
        offset = base + m_rangeLists.at(base + value.number * unit.offsetSize).unsignedOf(unit.offsetSize);
    }
    readRangeList(offset, unit);
}

/// Pairs of addresses; a highest one as the first sets the base, two zeroes end the list.
void Reader::readOldRanges(std::uint64_t offset, const Unit &unit)
{
    const std::uint64_t highest = unit.addressSize == 4 ? 0xffffffffU : ~std::uint64_t(0);
    std::uint64_t base = unit.lowPc;
    while (m_found.size() < kMostRanges) {
        Cursor cursor = m_ranges.at(offset);
        const std::uint64_t begin = cursor.unsignedOf(unit.addressSize);
        const std::uint64_t end = cursor.unsignedOf(unit.addressSize);
        if (!cursor.isGood() || (begin == 0 && end == 0))
            break;
        offset += 2U * unit.addressSize;
        if (begin == highest)
            base = end;
        else if (begin < end && !isTombstone(base + begin, unit))
            m_found.push_back({base + begin, base + end});
    }
}

void Reader::readRangeList(std::uint64_t offset, const Unit &unit)
{
    enum Entry : std::uint8_t {
        kEnd,
        kBaseIndex,
        kStartEndIndex,
        kStartLengthIndex,
        kOffsetPair,
        kBase,
        kStartEnd,
        kStartLength
    };
    std::uint64_t base = unit.lowPc;
    for (std::size_t entries = 0; entries < kMostRanges; ++entries) {
        Cursor cursor = m_rangeLists.at(offset);
        const std::size_t began = cursor.position();
        const std::uint8_t kind = cursor.u8();
        AddressRange range;
        if (kind == kBaseIndex) {
            base = addressAt(cursor.uleb(), unit);
        } else if (kind == kStartEndIndex) {
            range.begin = addressAt(cursor.uleb(), unit);
            range.end = addressAt(cursor.uleb(), unit);
        } else if (kind == kStartLengthIndex) {
            range.begin = addressAt(cursor.uleb(), unit);
            range.end = range.begin + cursor.uleb();
        } else if (kind == kOffsetPair) {
            range.begin = base + cursor.uleb();
            range.end = base + cursor.uleb();
        } else if (kind == kBase) {
            base = cursor.unsignedOf(unit.addressSize);
        } else if (kind == kStartEnd) {
            range.begin = cursor.unsignedOf(unit.addressSize);
            range.end = cursor.unsignedOf(unit.addressSize);
        } else if (kind == kStartLength) {
            range.begin = cursor.unsignedOf(unit.addressSize);
            range.end = range.begin + cursor.uleb();
        } else {
            break; // the end, or nothing that is known
        }
        if (!cursor.isGood())
            break;
        if (range.begin < range.end && !isTombstone(range.begin, unit))
            m_found.push_back(range);
        offset += cursor.position() - began;
    }
}

std::vector<Unit> readUnits(const Sections &sections, const Sections &main,
                            std::vector<std::vector<AddressRange>> *ranges)
{
    std::vector<Unit> units;
    Reader reader(sections, main);
    SectionWindow entries(sections.info);
    for (std::uint64_t offset = 0; offset < sections.info.size() && units.size() < kMostUnits;) {
        std::optional<Unit> unit = readHeader(sections.info, offset);
        if (!unit)
            break;
        offset += unit->size;
        if (unit->type == kUnitType || unit->type == kUnitSplitType)
            continue;
        Cursor cursor = entries.at(unit->offset + unit->entries);
        const std::uint64_t code = cursor.uleb();
        const Abbreviations abbreviations(sections.abbreviations, *unit, code);
        const Abbreviation *const abbreviation = abbreviations.find(code);
        if (abbreviation == nullptr)
            continue;
        const Root root = readRoot(cursor, abbreviations.attributes(*abbreviation), *unit);
        unit->lowPc = root.low.kind == Value::Kind::None ? 0 : reader.address(root.low, *unit);
        unit->folder = reader.text(root.folder, *unit);
        unit->dwoName = reader.text(root.dwoName, *unit);
        if (ranges != nullptr)
            ranges->push_back(rangesOf(root, *unit, reader));
        units.push_back(std::move(*unit));
    }
    return units;
}

} // namespace hearth::dwarf
