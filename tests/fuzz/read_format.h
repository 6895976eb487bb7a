#pragma once

#include "ingest/formats/format.h"
#include "model/store/store.h"
#include "model/views/evaluator.h"

#include <cstdint>
#include <cstdlib>
#include <utility>

namespace hearth::fuzz {

/// Whatever the bytes are: no crash, and what was read can be stored and evaluated.
inline int readFormat(const Format &format, const std::uint8_t *data, std::size_t size)
{
    InputStream input(memorySource({data, size}));
    input.extend();
    ReadOptions options;
    options.name = "fuzz";
    options.memoryBudget = std::size_t(256) << 20;
    Result<Batch> batch = format.read(input, options);
    if (!batch)
        return 0;
    const bool hasSamples = !batch->blocks.empty();
    Store store;
    store.append(std::move(*batch));
    if (!Evaluator().evaluate(store.publish(), {}) && hasSamples)
        std::abort();
    return 0;
}

} // namespace hearth::fuzz
