#include "ingest/formats/format.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace hearth {

namespace {

constexpr std::size_t kHead = std::size_t(256) << 10;

std::string firstBytes(std::span<const std::uint8_t> head)
{
    std::string text;
    for (const std::uint8_t byte : head.first(std::min<std::size_t>(head.size(), 8))) {
        std::array<char, 4> hex{};
        std::snprintf(hex.data(), hex.size(), " %02x", byte);
        text += hex.data();
    }
    return text;
}

} // namespace

Result<Batch> readProfile(const std::string &path, ReadOptions options)
{
    options.name = path == "-" ? "standard input" : path;
    auto source = openSource(path);
    if (!source)
        return tl::unexpected(source.error());
    return readProfile(std::move(*source), options);
}

Result<Batch> readProfile(std::unique_ptr<ByteSource> source, const ReadOptions &options)
{
    InputStream input(unpacked(std::move(source)));
    const bool isWhole = !input.ensure(kHead);
    const std::span<const std::uint8_t> head = input.window().first(std::min(kHead, input.window().size()));
    if (head.empty()) {
        const auto fault = input.fault();
        return failure(options.name + ": " +
                       (fault ? "nothing could be read: " + fault->message : "it is empty"));
    }
    const Recognition recognised = recognise(head, isWhole && !input.fault());
    if (recognised.format != nullptr)
        return recognised.format->read(input, options);
    if (recognised.isWorkspace())
        return failure(options.name +
                       ": a workspace, which says where profiles are and has none itself; name "
                       "it as a file of its own, not packed and not on standard input");
    if (recognised.name.empty())
        return failure(options.name + ": not a profile that Hearth knows; it begins with" + firstBytes(head));
    return failure(options.name + ": looks like a " + std::string(recognised.name) +
                   ", which Hearth cannot read");
}

} // namespace hearth
