#include "ingest/formats/otlp_writer.h"
#include "ingest/otlp/decode.h"
#include "model/store/store.h"
#include "model/views/evaluator.h"

#include <cstdlib>

using namespace hearth;

/// Whatever the bytes are: no crash, and what was decoded as any signal can be stored, evaluated and written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    for (const Signal signal : {Signal::Profiles, Signal::Traces, Signal::Logs, Signal::Metrics}) {
        auto decoded = decodeOtlp(signal, Encoding::Protobuf, {data, size});
        if (!decoded)
            continue;
        const bool hasDropFrames = !decoded->batch.origin.dropFrames.empty();
        const bool hasRecords = !decoded->batch.blocks.empty() || decoded->batch.spans.rows.size() +
                                                                          decoded->batch.logs.rows.size() +
                                                                          decoded->batch.points.rows.size() >
                                                                      0;
        Store store;
        store.append(std::move(decoded->batch));
        const auto snapshot = store.publish();
        if (!snapshot->tables.empty() && !Evaluator().evaluate(snapshot, {}) && !hasDropFrames)
            std::abort();
        if (otlpFile(*snapshot, OtlpForm::Framed).has_value() != hasRecords)
            std::abort();
    }
    return 0;
}
