#include "ingest/otlp/decode.h"
#include "model/store/store.h"
#include "model/views/evaluator.h"

#include <cstdlib>

using namespace hearth;

/// Whatever the bytes are: no crash, and what was decoded can be stored and evaluated.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    auto decoded = decodeOtlp(Signal::Profiles, Encoding::Protobuf, {data, size});
    if (!decoded || decoded->batch.blocks.empty())
        return 0;
    const bool hasDropFrames = !decoded->batch.origin.dropFrames.empty();
    Store store;
    store.append(std::move(decoded->batch));
    if (!Evaluator().evaluate(store.publish(), {}) && !hasDropFrames)
        std::abort();
    return 0;
}
