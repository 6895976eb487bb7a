#pragma once

#include "ingest/otlp/generation.h"
#include "model/store/batch.h"

#include <cstdint>
#include <span>

namespace hearth::otlp {

struct DecodedProfiles {
    std::uint64_t accepted = 0; ///< profiles
    std::uint64_t rejected = 0; ///< profiles that could not be read
};

/// Adds the profiles of a message of this generation to the batch. What cannot be decoded is left out and
/// counted among the batch's losses.
DecodedProfiles decodeProfiles(std::span<const std::uint8_t> message, Generation generation, Batch &batch);

} // namespace hearth::otlp
