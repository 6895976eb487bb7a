#include "ingest/formats/folded_writer.h"
#include "ingest/formats/format.h"
#include "model/store/store.h"
#include "model/views/evaluator.h"

#include <cstdlib>

using namespace hearth;

/// Whatever the bytes are: no crash, and what was read can be stored, evaluated and written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    InputStream input(memorySource({data, size}));
    input.extend();
    Result<Batch> batch = kFolded.read(
        input, {.name = "fuzz", .memoryBudget = std::size_t(256) << 20, .stop = {}, .progress = {}});
    if (!batch)
        return 0;
    Store store;
    store.append(std::move(*batch));
    const auto snapshot = store.publish();
    if (!Evaluator().evaluate(snapshot, {}) && snapshot->origins[0].dropFrames.empty())
        std::abort();
    (void)foldedText(*snapshot, SeriesId(0));
    return 0;
}
