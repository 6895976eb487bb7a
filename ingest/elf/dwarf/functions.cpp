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

/// @return where its sibling is, from the unit's begin; 0 if it does not say
std::uint64_t readSibling(Cursor &cursor, std::span<const AttributeSpec> attributes, const Unit &unit)
{
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
          m_scopes(addresses.size()), m_functions(addresses.size())
    {}

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

    std::vector<std::vector<Scope>> result() && { return std::move(m_scopes); }

private:
    /// @return where to go on if its children need not be looked at; else 0
    std::uint64_t visit(std::uint64_t entry, Cursor &cursor, const Abbreviation &abbreviation,
                        std::span<const AttributeSpec> attributes)
    {
        if (!isFunction(abbreviation.tag)) {
            const bool isOfInterest = abbreviation.hasChildren && !isType(abbreviation.tag) &&
                                      abbreviation.tag != kTagCallSite && abbreviation.tag != kTagGnuCallSite;
            const std::uint64_t sibling = readSibling(cursor, attributes, m_unit);
            return isOfInterest || m_isThorough || !abbreviation.hasChildren ? 0 : sibling;
        }
        const Code code = readCode(cursor, attributes, m_unit);
        Scope scope = code.scope;
        scope.entry = m_unit.offset + entry;
        const bool isOuter = abbreviation.tag == kTagSubprogram;
        bool isWanted = false;
        for (const AddressRange &range : rangesOf(code))
            isWanted |= enter(range, scope, isOuter);
        return isWanted || m_isThorough || !abbreviation.hasChildren ? 0 : code.sibling;
    }

    std::vector<AddressRange> rangesOf(const Code &code)
    {
        if (code.ranges.kind != Value::Kind::None)
            return m_reader.ranges(code.ranges, m_unit);
        if (code.low.kind == Value::Kind::None || code.high.kind == Value::Kind::None)
            return {};
        const std::uint64_t low = m_reader.address(code.low, m_unit);
        const std::uint64_t high = code.high.kind == Value::Kind::Number
                                       ? low + code.high.number
                                       : m_reader.address(code.high, m_unit);
        return {{low, high}};
    }

    /// Of identical code that the linker folded, the first function counts.
    bool enter(const AddressRange &range, const Scope &scope, bool isOuter)
    {
        bool isWanted = false;
        auto address = std::ranges::lower_bound(m_addresses, range.begin);
        for (; address != m_addresses.end() && *address < range.end; ++address) {
            const auto i = static_cast<std::size_t>(address - m_addresses.begin());
            if (isOuter ? !m_scopes[i].empty() : m_functions[i] != m_function)
                continue;
            if (isOuter)
                m_functions[i] = scope.entry - m_unit.offset;
            m_scopes[i].push_back(scope);
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
    std::vector<std::vector<Scope>> m_scopes;
    std::vector<std::uint64_t> m_functions; ///< by address: the entry of the function that it is in
    std::vector<std::uint64_t> m_enclosing; ///< by open entry: the function around it
    std::uint64_t m_function = 0;           ///< that the walk is in; 0 outside of any
};

} // namespace

std::vector<std::vector<Scope>> scopesOf(const Unit &unit, std::span<const std::uint8_t> bytes,
                                         const Abbreviations &abbreviations, Reader &reader,
                                         std::span<const std::uint64_t> addresses)
{
    Walk walk(unit, reader, addresses, false);
    walk.run(bytes, abbreviations);
    auto scopes = std::move(walk).result();
    std::vector<std::uint64_t> left;
    for (std::size_t i = 0; i < scopes.size(); ++i)
        if (scopes[i].empty())
            left.push_back(addresses[i]);
    if (left.empty())
        return scopes;
    Walk again(unit, reader, left, true); // functions of a class within a function are within its entry
    again.run(bytes, abbreviations);
    auto found = std::move(again).result();
    for (std::size_t i = 0, next = 0; i < scopes.size(); ++i)
        if (scopes[i].empty())
            scopes[i] = std::move(found[next++]);
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

const std::string &FunctionNames::sourceNameOf(const std::string &linkage)
{
    const auto [place, isNew] = m_sourceNames.try_emplace(linkage);
    if (isNew)
        place->second = demangled(linkage);
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
        table = std::make_unique<Abbreviations>(m_sections.abbreviations, unit.abbreviations);
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
        const auto text = [&] {
            return value.kind == Value::Kind::SupplementString && m_supplement != nullptr
                       ? m_supplement->m_sections.strings.text(value.number)
                       : m_reader.text(value, unit);
        };
        if (spec.name == kName)
            found.name = text();
        else if (spec.name == kLinkageName || spec.name == kMipsLinkageName)
            found.linkage = text();
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
