#include "ingest/elf/dwarf/functions.h"

#include "ingest/elf/demangle.h"
#include "ingest/elf/dwarf/codes.h"

#include <algorithm>

namespace hearth::dwarf {

namespace {

constexpr int kMostHops = 16;              ///< from an inlined copy to the entry that has the name
constexpr std::size_t kMostNames = 65'536; ///< kept from unit to unit
constexpr std::size_t kMostTables = 256;   ///< of abbreviations, kept

/// Functions of classes have their code in an entry beside the class, but for those of local ones.
bool isType(std::uint16_t tag)
{
    return tag == kTagClass || tag == kTagStructure || tag == kTagUnion || tag == kTagEnumeration ||
           tag == kTagInterface || tag == kTagSubroutineType;
}

bool isFunction(std::uint16_t tag)
{
    return tag == kTagSubprogram || tag == kTagInlined;
}

/// What an entry with code says of its place.
struct Code {
    Value low;
    Value high;
    Value ranges;
    Value origin;
    std::uint64_t sibling = 0; ///< from the unit's begin; 0 if unknown
    Scope scope;
};

Code readCode(Cursor &cursor, std::span<const AttributeSpec> attributes, const Unit &unit)
{
    Code code;
    for (const AttributeSpec &spec : attributes) {
        switch (spec.name) {
        case kLowPc:
            code.low = readValue(cursor, spec, unit);
            break;
        case kHighPc:
            code.high = readValue(cursor, spec, unit);
            break;
        case kRanges:
            code.ranges = readValue(cursor, spec, unit);
            break;
        case kAbstractOrigin:
            code.origin = readValue(cursor, spec, unit);
            break;
        case kSibling:
            code.sibling = readValue(cursor, spec, unit).number - unit.offset;
            break;
        case kCallFile:
            code.scope.callFile = readValue(cursor, spec, unit).number;
            break;
        case kCallLine:
            code.scope.callLine = readValue(cursor, spec, unit).number;
            break;
        case kCallColumn:
            code.scope.callColumn = readValue(cursor, spec, unit).number;
            break;
        default:
            skipValue(cursor, spec.form, unit);
        }
    }
    return code;
}

/// Reads on to the end of an entry. @return where its sibling is, from the unit's begin; 0 if it does not say
std::uint64_t readSibling(Cursor &cursor, const Abbreviation &abbreviation,
                          std::span<const AttributeSpec> attributes, const Unit &unit)
{
    if (abbreviation.size != Abbreviation::kVaries) {
        Cursor entry(cursor.bytes(abbreviation.size));
        if (abbreviation.siblingAt == Abbreviation::kVaries)
            return 0;
        entry.skip(abbreviation.siblingAt);
        return entry.u32();
    }
    std::uint64_t sibling = 0;
    for (const AttributeSpec &spec : attributes) {
        if (spec.name == kSibling)
            sibling = readValue(cursor, spec, unit).number - unit.offset;
        else
            skipValue(cursor, spec.form, unit);
    }
    return sibling;
}

/// One walk over the entries of a unit.
class Walk {
public:
    /// @param isThorough looks also where functions hardly ever are
    Walk(const Unit &unit, Reader &reader, std::span<const std::uint64_t> addresses, bool isThorough)
        : m_unit(unit), m_reader(reader), m_addresses(addresses), m_isThorough(isThorough),
          m_functions(addresses.size())
    {
        m_scopes.innermost.resize(addresses.size(), Scope::kNone);
    }

    void run(std::span<const std::uint8_t> bytes, const Abbreviations &abbreviations)
    {
        Cursor cursor(bytes);
        cursor.seek(m_unit.entries);
        while (!cursor.isAtEnd()) {
            const std::uint64_t entry = cursor.position();
            const std::uint64_t code = cursor.uleb();
            if (code == 0) {
                leave();
                continue;
            }
            const Abbreviation *const abbreviation = abbreviations.find(code);
            if (abbreviation == nullptr)
                return;
            const std::uint64_t next =
                visit(entry, cursor, *abbreviation, abbreviations.attributes(*abbreviation));
            if (next > cursor.position()) {
                cursor.seek(next);
            } else if (abbreviation->hasChildren) {
                m_enclosing.push_back(m_function);
                if (abbreviation->tag == kTagSubprogram)
                    m_function = entry;
            }
        }
    }

    Scopes result() && { return std::move(m_scopes); }

    /// Whether there is a function at the address, be it one of those that were asked for or not.
    bool hasFunctionAt(std::uint64_t address)
    {
        if (!m_isSorted)
            std::ranges::sort(m_found, {}, &AddressRange::begin);
        m_isSorted = true;
        const auto behind = std::ranges::upper_bound(m_found, address, {}, &AddressRange::begin);
        return behind != m_found.begin() && address < std::prev(behind)->end;
    }

private:
    /// @return where to go on if its children need not be looked at; else 0
    std::uint64_t visit(std::uint64_t entry, Cursor &cursor, const Abbreviation &abbreviation,
                        std::span<const AttributeSpec> attributes)
    {
        if (!isFunction(abbreviation.tag)) {
            const bool isOfInterest = abbreviation.hasChildren && !isType(abbreviation.tag) &&
                                      abbreviation.tag != kTagCallSite && abbreviation.tag != kTagGnuCallSite;
            const std::uint64_t sibling = readSibling(cursor, abbreviation, attributes, m_unit);
            return isOfInterest || m_isThorough || !abbreviation.hasChildren ? 0 : sibling;
        }
        const Code code = readCode(cursor, attributes, m_unit);
        Scope scope = code.scope;
        const bool isOuter = abbreviation.tag == kTagSubprogram;
        const bool isNamedThere = !isOuter && code.origin.kind == Value::Kind::Reference;
        scope.entry = isNamedThere ? code.origin.number : m_unit.offset + entry;
        bool isWanted = false;
        for (const AddressRange &range : rangesOf(code))
            isWanted |= enter(range, scope, isOuter ? entry : 0);
        return isWanted || m_isThorough || !abbreviation.hasChildren ? 0 : code.sibling;
    }

    std::span<const AddressRange> rangesOf(const Code &code)
    {
        if (code.ranges.kind != Value::Kind::None)
            return m_reader.ranges(code.ranges, m_unit);
        if (code.low.kind == Value::Kind::None || code.high.kind == Value::Kind::None)
            return {};
        const std::uint64_t low = m_reader.address(code.low, m_unit);
        const std::uint64_t high = code.high.kind == Value::Kind::Number
                                       ? low + code.high.number
                                       : m_reader.address(code.high, m_unit);
        m_range = {low, high};
        return {&m_range, 1};
    }

    /// Of identical code that the linker folded, the first function counts.
    /// @param outer the entry of an outermost function; 0 for an inlined one
    bool enter(const AddressRange &range, Scope scope, std::uint64_t outer)
    {
        if (outer != 0)
            m_found.push_back(range);
        bool isWanted = false;
        auto address = std::ranges::lower_bound(m_addresses, range.begin);
        for (; address != m_addresses.end() && *address < range.end; ++address) {
            const auto i = static_cast<std::size_t>(address - m_addresses.begin());
            std::uint32_t &innermost = m_scopes.innermost[i];
            if (outer != 0 ? innermost != Scope::kNone : m_functions[i] != m_function)
                continue;
            if (outer != 0)
                m_functions[i] = outer;
            if (!isWanted || scope.around != innermost) {
                scope.around = innermost;
                m_scopes.all.push_back(scope);
            }
            innermost = static_cast<std::uint32_t>(m_scopes.all.size() - 1);
            isWanted = true;
        }
        return isWanted;
    }

    void leave()
    {
        if (m_enclosing.empty())
            return;
        m_function = m_enclosing.back();
        m_enclosing.pop_back();
    }

    const Unit &m_unit;
    Reader &m_reader;
    const std::span<const std::uint64_t> m_addresses;
    const bool m_isThorough;
    Scopes m_scopes;
    AddressRange m_range;
    std::vector<AddressRange> m_found; ///< of all outermost functions that the walk came by
    bool m_isSorted = false;
    std::vector<std::uint64_t> m_functions; ///< by address: the entry of the function that it is in
    std::vector<std::uint64_t> m_enclosing; ///< by open entry: the function around it
    std::uint64_t m_function = 0;           ///< that the walk is in; 0 outside of any
};

} // namespace

Scopes scopesOf(const Unit &unit, std::span<const std::uint8_t> bytes, const Abbreviations &abbreviations,
                Reader &reader, std::span<const std::uint64_t> addresses, std::span<const Row> rows)
{
    Walk walk(unit, reader, addresses, false);
    walk.run(bytes, abbreviations);
    Scopes scopes = std::move(walk).result();
    std::vector<std::uint64_t> left;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        // What fills the room to the next function has the line of the one before it.
        const bool isFilling = rows[i].isFound && walk.hasFunctionAt(rows[i].begin);
        if (scopes.innermost[i] != Scope::kNone || isFilling)
            continue;
        left.push_back(addresses[i]);
        places.push_back(i);
    }
    if (left.empty())
        return scopes;
    Walk again(unit, reader, left, true); // functions of a class within a function are within its entry
    again.run(bytes, abbreviations);
    Scopes found = std::move(again).result();
    const auto before = static_cast<std::uint32_t>(scopes.all.size());
    for (Scope &scope : found.all)
        scope.around += scope.around == Scope::kNone ? 0 : before;
    scopes.all.insert(scopes.all.end(), found.all.begin(), found.all.end());
    for (std::size_t i = 0; i < left.size(); ++i)
        if (found.innermost[i] != Scope::kNone)
            scopes.innermost[places[i]] = before + found.innermost[i];
    return scopes;
}

FunctionNames::FunctionNames(const Sections &sections, const Sections &main, std::span<const Unit> units)
    : m_sections(sections), m_units(units), m_reader(sections, main), m_info(sections.info)
{}

const FunctionName &FunctionNames::of(std::uint64_t entry)
{
    const auto [place, isNew] = m_names.try_emplace(entry);
    FunctionName &function = place->second;
    if (isNew) {
        function = read(entry, 0);
        if (function.linkage.empty())
            function.linkage = function.name;
        else
            function.name = sourceNameOf(function.linkage);
    }
    return function;
}

const SharedText &FunctionNames::sourceNameOf(const SharedText &linkage)
{
    const auto [place, isNew] = m_sourceNames.try_emplace(linkage);
    if (isNew)
        place->second = {linkage, demangled(linkage.str())};
    return place->second.name;
}

SharedText FunctionNames::text(const Value &value, const Unit &unit)
{
    if (value.kind == Value::Kind::SupplementString)
        return m_supplement != nullptr ? m_supplement->textAt(value.number) : SharedText();
    const auto offset = m_reader.stringOffset(value, unit);
    return offset ? textAt(*offset) : SharedText(m_reader.text(value, unit));
}

const SharedText &FunctionNames::textAt(std::uint64_t offset)
{
    if (m_texts.size() > kMostNames)
        m_texts.clear();
    const auto [place, isNew] = m_texts.try_emplace(offset);
    if (isNew)
        place->second = m_sections.strings.text(offset);
    return place->second;
}

void FunctionNames::setUnit(const Unit &unit, std::span<const std::uint8_t> bytes)
{
    m_unitBegin = unit.offset;
    m_unitBytes = bytes;
    if (m_names.size() > kMostNames)
        m_names.clear();
    if (m_sourceNames.size() > kMostNames)
        m_sourceNames.clear();
}

Cursor FunctionNames::cursorAt(std::uint64_t entry)
{
    if (entry < m_unitBegin || entry - m_unitBegin >= m_unitBytes.size())
        return m_info.at(entry);
    Cursor cursor(m_unitBytes);
    cursor.seek(entry - m_unitBegin);
    return cursor;
}

const Abbreviations &FunctionNames::abbreviationsOf(const Unit &unit)
{
    if (m_abbreviations.size() > kMostTables)
        m_abbreviations.clear();
    auto &table = m_abbreviations[unit.abbreviations];
    if (!table)
        table = std::make_unique<Abbreviations>(m_sections.abbreviations, unit);
    return *table;
}

FunctionName FunctionNames::read(std::uint64_t entry, int hops)
{
    const auto behind = std::ranges::upper_bound(m_units, entry, {}, &Unit::offset);
    if (behind == m_units.begin() || hops > kMostHops)
        return {};
    const Unit &unit = *std::prev(behind);
    const Abbreviations &abbreviations = abbreviationsOf(unit);
    Cursor cursor = cursorAt(entry);
    const Abbreviation *const abbreviation = abbreviations.find(cursor.uleb());
    if (abbreviation == nullptr)
        return {};
    FunctionName found;
    Value origin;
    for (const AttributeSpec &spec : abbreviations.attributes(*abbreviation)) {
        const Value value = readValue(cursor, spec, unit);
        if (spec.name == kName)
            found.name = text(value, unit);
        else if (spec.name == kLinkageName || spec.name == kMipsLinkageName)
            found.linkage = text(value, unit);
        else if (spec.name == kDeclarationLine)
            found.line = value.number;
        else if (spec.name == kAbstractOrigin || spec.name == kSpecification)
            origin = value;
    }
    if (!cursor.isGood())
        return {};
    FunctionName inherited;
    if (origin.kind == Value::Kind::Reference && found.linkage.empty())
        inherited = read(origin.number, hops + 1);
    else if (origin.kind == Value::Kind::SupplementReference && m_supplement != nullptr &&
             found.linkage.empty())
        inherited = m_supplement->read(origin.number, hops + 1);
    if (found.name.empty())
        found.name = std::move(inherited.name);
    if (found.linkage.empty())
        found.linkage = std::move(inherited.linkage);
    if (inherited.line != 0)
        found.line = inherited.line;
    return found;
}

} // namespace hearth::dwarf
