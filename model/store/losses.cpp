#include "model/store/losses.h"

#include <algorithm>

namespace hearth {

namespace {

constexpr std::size_t kMostDetails = 20;

constexpr std::array<LossDescription, kLossKinds> kDescriptions{{
    {"truncated_input", "the input ends early; what came before the end was kept"},
    {"damaged_input", "the input cannot be read from some place on; what came before it was kept"},
    {"malformed_records", "records that cannot be decoded were left out"},
    {"samples_with_wrong_value_count", "samples without exactly one value per sample type were left out"},
    {"frames_without_location", "locations that samples refer to do not exist; these frames have no name"},
    {"unknown_references",
     "references to strings, functions or mappings that do not exist were taken as absent"},
    {"duplicate_ids", "of several records with the same id only the first was used"},
    {"oversized_fields", "fields too large to be meant were left out"},
    {"unreadable_lines", "lines that are neither a stack nor a comment were left out"},
    {"rounded_values", "values that are no whole numbers were rounded"},
    {"samples_over_budget", "samples were left out because the memory budget was reached"},
    {"evicted_samples", "the oldest samples were dropped to stay within the memory budget"},
    {"unknown_fields", "fields that this version does not know were skipped"},
    {"evicted_records",
     "the oldest spans, log records or metric points were dropped to stay within the memory budget"},
    {"dropped_by_sender", "attributes, events and links that the sender says it left out"},
    {"original_payloads", "profiles in another format, sent along with their OTLP form, were left out"},
    {"cut_stacks", "stacks whose outermost frames could not be found out"},
    {"cancelled_reading", "the input was not read to its end, because that was cancelled"},
}};

} // namespace

const LossDescription &describe(Loss loss)
{
    return kDescriptions[static_cast<std::size_t>(loss)];
}

void Losses::add(Loss loss, std::string detail)
{
    add(loss);
    if (m_details.size() < kMostDetails)
        m_details.push_back(std::move(detail));
}

void Losses::add(const Losses &other)
{
    for (std::size_t i = 0; i < kLossKinds; ++i)
        m_counts[i] += other.m_counts[i];
    const std::size_t room = kMostDetails - std::min(kMostDetails, m_details.size());
    const std::size_t taken = std::min(room, other.m_details.size());
    m_details.insert(m_details.end(), other.m_details.begin(),
                     other.m_details.begin() + static_cast<std::ptrdiff_t>(taken));
}

bool Losses::any() const
{
    return std::ranges::any_of(m_counts, [](std::uint64_t count) { return count > 0; });
}

} // namespace hearth
