#include "ingest/symbols/name_book.h"

#include <cstdlib>

using namespace hearth;

/// A book of names as it lies on disk; one that is read writes itself again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto book = NameBook::decoded({data, size});
    if (!book)
        return 0;
    const std::string bytes = book->encoded();
    const auto again =
        NameBook::decoded({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()});
    if (!again || again->size() != book->size() || again->encoded() != bytes)
        std::abort();
    return 0;
}
