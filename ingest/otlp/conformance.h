#pragma once

#include "ingest/otlp/layout.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace hearth::otlp {

/// Looks for what writers of profiles do against the standard of 1.8 and later, which readers bear, but which
/// is worth knowing to who writes them. Earlier generations promise less and are not looked at.
class Conformance {
public:
    /// Counts what is wrong with a message.
    void check(Bytes message, Generation generation);

    /// How often there was what, a line each: "3 × entries of the stack table that nothing refers to".
    std::vector<std::string> findings() const;

private:
    class MessageCheck;

    enum class Fault : std::uint8_t {
        MissingZeroEntry,
        DuplicateEntry,
        OrphanEntry,
        WrongReference,
        TimeOutsideProfile,
        ValuesUnlikeTimes,
        MixedSamples,
        RepeatedSample,
        RepeatedKey,
        WrongIdLength,
        WrongRange,
        Damage
    };
    static constexpr std::size_t kFaults = static_cast<std::size_t>(Fault::Damage) + 1;
    static constexpr std::size_t kTables = static_cast<std::size_t>(TableRole::Stacks) + 1;

    /// @param table that it is about; none for faults of samples
    void add(Fault fault, TableRole table = TableRole::Unknown)
    {
        ++m_counts[static_cast<std::size_t>(fault)][static_cast<std::size_t>(table)];
    }

    std::array<std::array<std::uint64_t, kTables>, kFaults> m_counts{};
};

} // namespace hearth::otlp
