#pragma once

#include "ingest/formats/format.h"
#include "model/store/store.h"
#include "model/views/evaluator.h"

#include <cstdint>
#include <cstdlib>
#include <utility>

namespace hearth::fuzz {

/// Whatever the bytes are: no crash, and what was read can be stored and evaluated, in parts and previews,
/// too.
inline int readFormat(const Format &format, const std::uint8_t *data, std::size_t size)
{
    InputStream input(memorySource({data, size}));
    input.extend();
    ReadOptions options;
    options.name = "fuzz";
    options.memoryBudget = std::size_t(256) << 20;
    Store store;
    if (size % 2 == 1) { // somebody looks at it all the time
        options.partBytes = 64;
        options.isLookDue = [] { return true; };
        options.takePart = [&](Batch part) {
            store.append(std::move(part));
            return options.memoryBudget;
        };
        options.preview = [](Batch soFar) {
            Store preview;
            preview.append(std::move(soFar));
            (void)Evaluator().evaluate(preview.publish(), {});
        };
    }
    Result<Batch> batch = format.read(input, options);
    if (!batch)
        return 0;
    const bool hasSamples = !batch->blocks.empty();
    store.append(std::move(*batch));
    if (!Evaluator().evaluate(store.publish(), {}) && hasSamples)
        std::abort();
    return 0;
}

} // namespace hearth::fuzz
