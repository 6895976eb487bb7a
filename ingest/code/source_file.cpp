#include "ingest/code/source_file.h"

#include "ingest/bytes/byte_range.h"
#include "ingest/formats/text_encoding.h"
#include "model/lens/utf8.h"

namespace hearth {

namespace {

constexpr std::uint64_t kLargest = std::uint64_t(64) << 20; ///< larger files are no source

} // namespace

std::string sourceTextOf(std::span<const std::uint8_t> bytes)
{
    const TextEncoding encoding = encodingOf(bytes);
    bytes = bytes.subspan(markLength(bytes, encoding));
    std::string text;
    if (encoding == TextEncoding::Utf16Little || encoding == TextEncoding::Utf16Big) {
        appendUtf16(text, bytes, encoding);
        return text;
    }
    text.assign(bytes.begin(), bytes.end());
    if (isUtf8(text))
        return text;
    std::string converted;
    for (const std::uint8_t byte : bytes)
        appendUtf8(converted, byte);
    return converted;
}

Result<std::shared_ptr<const SourceText>> readSource(const std::string &path)
{
    const Result<ByteRange> file = ByteRange::ofFile(path);
    if (!file)
        return tl::unexpected(file.error());
    if (file->size() > kLargest)
        return failure(path + " is larger than source files are");
    const auto bytes = file->read(0, file->size());
    if (!bytes)
        return failure(path + " changed while it was read");
    return std::make_shared<const SourceText>(sourceTextOf(*bytes));
}

} // namespace hearth
