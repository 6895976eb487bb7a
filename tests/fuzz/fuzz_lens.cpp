#include "model/lens/compiled_lens.h"
#include "model/lens/lens_text.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace hearth;

/// Whatever is a lens prints as text that gives the same lens, and compiles.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size > 8192)
        return 0; // what is printed may be longer than what was read, and must stay within the limit
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const auto lens = parseLens(text);
    if (!lens) {
        if (lens.error().message.empty() || lens.error().column > size || pointAt(text, lens.error()).empty())
            std::abort();
        return 0;
    }
    const std::string printed = printLens(*lens);
    const auto again = parseLens(printed);
    if (!again || *again != *lens || printLens(*again) != printed || !compile(*lens))
        std::abort();
    return 0;
}
