#include "ingest/formats/digest_map.h"

#include "model/store/row_index.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hearth {

Digest digestOf(std::span<const std::uint8_t> bytes)
{
    const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), hashSeed());
    return {hash.low64, static_cast<std::uint32_t>(hash.high64)};
}

} // namespace hearth
