#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace hearth {

/// A row of one table. Ids of different tables neither compare nor convert. Row 0 is a valid row.
template <class Tag>
struct Id {
    std::uint32_t value = 0;

    constexpr Id() = default;
    constexpr explicit Id(std::size_t row) : value(static_cast<std::uint32_t>(row)) {}

    /// Stands for "no row" in columns that may lack one.
    static constexpr Id none() { return Id(0xffffffffU); }
    constexpr bool isNone() const { return value == 0xffffffffU; }

    constexpr auto operator<=>(const Id &) const = default;
};

using StringId = Id<struct StringTag>; ///< row 0 is the empty string
using FunctionId = Id<struct FunctionTag>;
using BinaryId = Id<struct BinaryTag>;
using MappingId = Id<struct MappingTag>;
using FrameId = Id<struct FrameTag>;
using StackId = Id<struct StackTag>; ///< row 0 is the empty stack
using AttributeId = Id<struct AttributeTag>;
using AttributeSetId = Id<struct AttributeSetTag>; ///< row 0 is the empty set
using ContextId = Id<struct ContextTag>;           ///< row 0 is the context without attributes
using LinkId = Id<struct LinkTag>;                 ///< row 0 is "not linked"
using SeriesId = Id<struct SeriesTag>;
using MetricId = Id<struct MetricTag>;

} // namespace hearth

template <class Tag>
struct std::hash<hearth::Id<Tag>> {
    std::size_t operator()(hearth::Id<Tag> id) const noexcept { return id.value * 0x9e3779b97f4a7c15ULL; }
};
