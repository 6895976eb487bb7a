#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// Everything that can be missing from a data set, so that nothing is lost silently.
enum class Loss : std::uint8_t {
    TruncatedInput,
    DamagedInput,
    MalformedRecords,
    SamplesWithWrongValueCount,
    FramesWithoutLocation,
    UnknownReferences,
    DuplicateIds,
    OversizedFields,
    UnreadableLines,
    RoundedValues,
    SamplesOverBudget,
    EvictedSamples,
    UnknownFields,
    EvictedRecords,
    DroppedBySender,
    OriginalPayloads,
    CutStacks,
    CancelledReading,
};
inline constexpr std::size_t kLossKinds = static_cast<std::size_t>(Loss::CancelledReading) + 1;

/// What a kind of loss is called in reports, and what it means to the user.
struct LossDescription {
    std::string_view name;
    std::string_view explanation;
};
const LossDescription &describe(Loss loss);

/// How much of what was lost, with a few words on the first cases.
class Losses {
public:
    void add(Loss loss, std::uint64_t count = 1) { m_counts[static_cast<std::size_t>(loss)] += count; }

    /// Counts one and keeps the detail, unless there are many already.
    void add(Loss loss, std::string detail);
    void add(const Losses &other);

    std::uint64_t count(Loss loss) const { return m_counts[static_cast<std::size_t>(loss)]; }
    bool any() const;
    const std::vector<std::string> &details() const { return m_details; }

private:
    std::array<std::uint64_t, kLossKinds> m_counts{};
    std::vector<std::string> m_details;
};

} // namespace hearth
