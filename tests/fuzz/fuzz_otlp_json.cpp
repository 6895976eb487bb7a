#include "ingest/formats/otlp_writer.h"
#include "ingest/otlp/decode.h"
#include "model/store/store.h"

#include <cstdlib>

using namespace hearth;

/// Whatever the text is: no crash, and what was read can be stored and written as JSON that can be read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    Batch batch;
    if (!addOtlp(std::nullopt, Encoding::Json, {data, size}, batch))
        return 0;
    Store store;
    store.append(std::move(batch));
    const Result<std::string> json = otlpFile(*store.publish(), OtlpForm::Json);
    if (!json)
        return 0;
    Batch again;
    if (!addOtlp(std::nullopt, Encoding::Json,
                 {reinterpret_cast<const std::uint8_t *>(json->data()), json->size()}, again))
        std::abort();
    return 0;
}
