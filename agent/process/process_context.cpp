#include "agent/process/process_context.h"

#include "agent/process/proc_files.h"
#include "agent/process/process_memory.h"
#include "ingest/bytes/message_fields.h"

#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace hearth::agent {

namespace {

constexpr std::size_t kMostMapsText = std::size_t(4) << 20;
constexpr std::uint32_t kMostPayload = 65536;
constexpr std::uint32_t kOldestVersion = 1, kNewestVersion = 2;
constexpr std::string_view kSignature = "OTEL_CTX";
constexpr std::uint32_t kResourceField = 1;

struct Header {
    std::array<char, 8> signature;
    std::uint32_t version;
    std::uint32_t payloadSize;
    std::uint64_t publishedNs; ///< 0 while it is being changed
    std::uint64_t payload;
};
static_assert(sizeof(Header) == 32);

std::optional<Header> readHeader(std::uint32_t process, std::uint64_t address)
{
    Header header{};
    if (!readValue(process, address, header) ||
        std::string_view(header.signature.data(), header.signature.size()) != kSignature ||
        header.version < kOldestVersion || header.version > kNewestVersion || header.publishedNs == 0 ||
        header.payloadSize > kMostPayload)
        return std::nullopt;
    return header;
}

/// Where the mapping begins, which is called by its memfd, by a name of its own, or both.
std::optional<std::uint64_t> contextAddress(std::string_view maps)
{
    for (const std::string_view name : {"/memfd:OTEL_CTX", "[anon_shmem:OTEL_CTX", "[anon:OTEL_CTX"}) {
        const std::size_t at = maps.find(name);
        if (at == std::string_view::npos)
            continue;
        const std::size_t line = maps.rfind('\n', at) + 1; // 0 if it is the first
        std::uint64_t address = 0;
        const auto [end, error] = std::from_chars(maps.data() + line, maps.data() + at, address, 16);
        if (error == std::errc() && *end == '-')
            return address;
    }
    return std::nullopt;
}

} // namespace

std::string publishedResource(std::uint32_t process)
{
    const auto address = contextAddress(readProcFile(process, "maps", kMostMapsText));
    const auto header = address ? readHeader(process, *address) : std::nullopt;
    if (!header)
        return {};
    std::string payload(header->payloadSize, '\0');
    if (!readMemory(process, header->payload, std::as_writable_bytes(std::span(payload))))
        return {};
    const auto after = readHeader(process, *address);
    if (!after || after->publishedNs != header->publishedNs)
        return {};
    const MessageFields fields({reinterpret_cast<const std::uint8_t *>(payload.data()), payload.size()});
    const auto resource = fields.isMessage() ? fields.bytes(kResourceField) : std::span<const std::uint8_t>();
    return {resource.begin(), resource.end()};
}

} // namespace hearth::agent
