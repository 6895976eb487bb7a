#pragma once

#include "ingest/bytes/wire.h"
#include "ingest/otlp/generation.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

namespace hearth::otlp {

using Bytes = std::span<const std::uint8_t>;

// What the fields of each message are in a generation: field number → role. One decoder reads them all.

enum class TableRole : std::uint8_t {
    Unknown,
    Mappings,
    Locations,
    Functions,
    Links,
    Strings,
    Attributes,
    AttributeUnits,
    Stacks
};
enum class ProfileRole : std::uint8_t {
    Unknown,
    SampleType,
    Sample,
    Time,
    Duration,
    PeriodType,
    Period,
    LocationIndices,
    DefaultSampleType,
    Comments,
    DropFrames,
    KeepFrames,
    Attributes,    ///< indices of the attribute table
    OwnAttributes, ///< written out
    Table,         ///< see Layout::tables
    Dropped,       ///< how many attributes the sender left out
    Payload,       ///< what the profile was converted from
    Ignored,       ///< says nothing of the samples
};
enum class SampleRole : std::uint8_t {
    Unknown,
    Stack,
    Attributes,
    Link,
    Values,
    Times,
    LocationsBegin,
    LocationsCount,
    Locations,
    Label,
    Ignored
};
enum class LocationRole : std::uint8_t {
    Unknown,
    Mapping,
    Address,
    Line,
    Attributes,
    IsFolded,
    Type,
    Ignored
};
enum class FunctionRole : std::uint8_t { Unknown, Name, SystemName, File, StartLine, Ignored };
enum class MappingRole : std::uint8_t {
    Unknown,
    Start,
    Limit,
    Offset,
    File,
    Attributes,
    HasFunctions,
    HasFilenames,
    HasLineNumbers,
    HasInlineFrames,
    BuildId,
    BuildIdKind,
    Ignored
};

/// The role of each field number.
template <class Role>
class Roles {
public:
    constexpr Roles(std::initializer_list<std::pair<std::uint32_t, Role>> roles)
    {
        for (const auto &[number, role] : roles)
            m_roles[number] = role;
    }
    constexpr Role operator[](std::uint32_t number) const
    {
        return number < m_roles.size() ? m_roles[number] : Role::Unknown;
    }

private:
    std::array<Role, 24> m_roles{};
};

enum class TablePlace : std::uint8_t { InProfile, InData, InDictionary };

struct Layout {
    TablePlace tablePlace;
    bool hasContainer;       ///< a profile is a field of what stands in its place
    bool hasNullRows;        ///< row 0 of each table means none
    bool hasUnitInAttribute; ///< attributes refer to their key and have a unit
    Roles<TableRole> tables;
    Roles<ProfileRole> profile;
    Roles<SampleRole> sample;
    Roles<LocationRole> location;
    Roles<FunctionRole> function;
    Roles<MappingRole> mapping;
};

const Layout &layoutOf(Generation generation);

/// Field numbers that no generation changed.
namespace field {
inline constexpr std::uint32_t kDataResource = 1, kDataDictionary = 2;
inline constexpr std::uint32_t kResourceResource = 1, kResourceScope = 2;
inline constexpr std::uint32_t kScopeScope = 1, kScopeProfile = 2;
inline constexpr std::uint32_t kSchemaUrl = 3; ///< of resource and scope
inline constexpr std::uint32_t kContainerStart = 2, kContainerEnd = 3, kContainerAttribute = 4,
                               kContainerDropped = 5, kContainerPayload = 7, kContainerProfile = 8;
inline constexpr std::uint32_t kStackLocations = 1;
inline constexpr std::uint32_t kValueTypeType = 1, kValueTypeUnit = 2;
inline constexpr std::uint32_t kLineFunction = 1, kLineLine = 2, kLineColumn = 3;
inline constexpr std::uint32_t kLinkTrace = 1, kLinkSpan = 2;
} // namespace field

/// Calls `take(role, field)` for each field of a message. @return false where it is malformed
template <class Role, class Take>
bool forEachField(Bytes message, const Roles<Role> &roles, Take take)
{
    WireReader reader(message);
    WireField field;
    while (reader.next(field))
        take(roles[field.number], field);
    return reader.isOk();
}

} // namespace hearth::otlp
