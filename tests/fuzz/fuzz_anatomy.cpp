#include "ingest/otlp/anatomy.h"

#include <cstdlib>

using namespace hearth;

namespace {

/// All of a message that can be shown, down to where its parts are no messages.
void visit(const otlp::Anatomy &anatomy, const std::vector<otlp::MessagePart> &parts, std::size_t room,
           std::size_t depth)
{
    constexpr std::size_t kDeepest = 64;
    std::size_t sum = 0;
    for (const otlp::MessagePart &part : parts) {
        sum += part.bytes;
        if (part.schema != nullptr && depth < kDeepest)
            visit(anatomy, anatomy.partsOf(part), part.content.size(), depth + 1);
    }
    if (sum > room)
        std::abort();
}

} // namespace

/// Whatever the bytes are: no crash, and the parts of a message have no more bytes than it has.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using otlp::Generation;
    for (const Generation generation : {Generation::V1_3, Generation::V1_7, Generation::V1_10}) {
        const otlp::Anatomy anatomy(Signal::Profiles, generation, {data, size});
        visit(anatomy, anatomy.parts(), size, 0);
    }
    return 0;
}
