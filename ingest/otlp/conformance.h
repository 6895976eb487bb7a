#pragma once

#include "ingest/otlp/layout.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::otlp {

/// What is against the standard, how often and where first.
struct Finding {
    std::uint64_t count = 0;
    std::string what;      ///< "entries of the stack table that nothing refers to"
    std::string_view rule; ///< what the standard wants instead
    std::string place;     ///< of the first: "dictionary.stackTable[3]", within its message
};

/// "3 × entries of the stack table that nothing refers to"
std::string lineOf(const Finding &finding);

/// Looks for what writers of profiles do against the standard of 1.8 and later, which readers bear, but which
/// is worth knowing to who writes them. Earlier generations promise less and are not looked at.
class Conformance {
public:
    /// Counts what is wrong with a message.
    void check(Bytes message, Generation generation);

    std::vector<Finding> findings() const;

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

    struct Found {
        std::uint64_t count = 0;
        std::string place; ///< of the first
    };

    std::array<std::array<Found, kTables>, kFaults> m_found{};
};

} // namespace hearth::otlp
