#include "ingest/elf/dwarf/abbreviations.h"

#include "ingest/elf/dwarf/codes.h"
#include "ingest/elf/dwarf/units.h"

namespace hearth::dwarf {

namespace {

constexpr std::size_t kMostAttributes = 1 << 22;          ///< of one unit: more is no debug information
constexpr std::size_t kMostBeforeOne = std::size_t(4096); ///< a root entry's is among the first

/// Most entries are stepped over: those of a fixed size in one step.
void measure(Abbreviation &abbreviation, std::span<const AttributeSpec> attributes, const Unit &unit)
{
    std::size_t size = 0;
    for (const AttributeSpec &spec : attributes) {
        const std::optional<unsigned> bytes = fixedSize(spec.form, unit);
        if (!bytes || size + *bytes >= Abbreviation::kVaries)
            return;
        if (spec.name == kSibling && spec.form == kFormReference4)
            abbreviation.siblingAt = static_cast<std::uint16_t>(size);
        size += *bytes;
    }
    abbreviation.size = static_cast<std::uint16_t>(size);
}

} // namespace

Abbreviations::Abbreviations(const ByteRange &section, const Unit &unit, std::uint64_t lastCode)
{
    std::uint64_t offset = unit.abbreviations;
    SectionWindow window(section);
    Cursor cursor = window.at(offset);
    const std::size_t most = lastCode == 0 ? kMostAttributes : kMostBeforeOne;
    while (m_attributes.size() < most) {
        const std::size_t began = cursor.position();
        const std::uint64_t code = cursor.uleb();
        if (code == 0 || !cursor.isGood())
            return;
        Abbreviation abbreviation{.tag = static_cast<std::uint16_t>(cursor.uleb()),
                                  .hasChildren = cursor.u8() != 0,
                                  .begin = static_cast<std::uint32_t>(m_attributes.size())};
        for (;;) {
            AttributeSpec spec{.name = static_cast<std::uint16_t>(cursor.uleb()),
                               .form = static_cast<std::uint16_t>(cursor.uleb())};
            if (spec.form == kFormImplicit)
                spec.implicit = cursor.sleb();
            if ((spec.name == 0 && spec.form == 0) || !cursor.isGood())
                break;
            m_attributes.push_back(spec);
        }
        if (!cursor.isGood())
            return; // an entry longer than a window is none
        abbreviation.count = static_cast<std::uint32_t>(m_attributes.size()) - abbreviation.begin;
        measure(abbreviation, attributes(abbreviation), unit);
        if (code == m_dense.size() + 1)
            m_dense.push_back(abbreviation);
        else
            m_sparse.emplace(code, abbreviation);
        if (code == lastCode)
            return;
        offset += cursor.position() - began;
        cursor = window.at(offset);
    }
}

const Abbreviation *Abbreviations::find(std::uint64_t code) const
{
    if (code - 1 < m_dense.size())
        return &m_dense[code - 1];
    const auto found = m_sparse.find(code);
    return found == m_sparse.end() ? nullptr : &found->second;
}

} // namespace hearth::dwarf
