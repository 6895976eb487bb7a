#include "ingest/server/http_rules.h"

#include "ingest/server/address.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace hearth {

namespace {

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// `host`, `host:port`, `[v6]` or `[v6]:port` without the port and the brackets.
std::string_view hostName(std::string_view host)
{
    if (host.starts_with('[')) {
        const std::size_t end = host.find(']');
        return end == std::string_view::npos ? std::string_view() : host.substr(1, end - 1);
    }
    return host.substr(0, host.find(':'));
}

} // namespace

bool equalsIgnoringCase(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, {}, lower, lower);
}

std::optional<Signal> signalOfPath(std::string_view target)
{
    using namespace std::string_view_literals;
    static constexpr std::array kPaths{
        std::pair{"/v1development/profiles"sv, Signal::Profiles},
        std::pair{"/v1experimental/profiles"sv, Signal::Profiles},
        std::pair{"/v1/profiles"sv, Signal::Profiles},
        std::pair{"/v1/traces"sv, Signal::Traces},
        std::pair{"/v1/logs"sv, Signal::Logs},
        std::pair{"/v1/metrics"sv, Signal::Metrics},
    };
    std::string_view path = target.substr(0, target.find('?'));
    if (path.ends_with('/'))
        path.remove_suffix(1);
    for (const auto &[known, signal] : kPaths)
        if (path == known)
            return signal;
    return std::nullopt;
}

std::optional<Signal> signalOfMethod(std::string_view method)
{
    using namespace std::string_view_literals;
    static constexpr std::array kServices{
        std::pair{std::pair{"profiles."sv, ".ProfilesService/Export"sv}, Signal::Profiles},
        std::pair{std::pair{"trace."sv, ".TraceService/Export"sv}, Signal::Traces},
        std::pair{std::pair{"logs."sv, ".LogsService/Export"sv}, Signal::Logs},
        std::pair{std::pair{"metrics."sv, ".MetricsService/Export"sv}, Signal::Metrics},
    };
    constexpr std::string_view kPackage = "/opentelemetry.proto.collector.";
    if (!method.starts_with(kPackage))
        return std::nullopt;
    method.remove_prefix(kPackage.size());
    for (const auto &[name, signal] : kServices)
        if (method.starts_with(name.first) && method.ends_with(name.second))
            return signal;
    return std::nullopt;
}

std::optional<Encoding> encodingOfMediaType(std::string_view contentType)
{
    const std::string_view type = trimmed(contentType.substr(0, contentType.find(';')));
    for (const std::string_view known : {"application/x-protobuf", "application/protobuf",
                                         "application/vnd.google.protobuf", "application/octet-stream"})
        if (equalsIgnoringCase(type, known))
            return Encoding::Protobuf;
    if (equalsIgnoringCase(type, "application/json"))
        return Encoding::Json;
    return std::nullopt;
}

std::optional<Packing> packingOf(std::string_view contentEncoding)
{
    const std::string_view coding = trimmed(contentEncoding);
    if (coding.empty() || equalsIgnoringCase(coding, "identity"))
        return Packing::None;
    if (equalsIgnoringCase(coding, "gzip") || equalsIgnoringCase(coding, "x-gzip"))
        return Packing::Gzip;
    if (equalsIgnoringCase(coding, "zstd"))
        return Packing::Zstd;
    return std::nullopt;
}

bool isLocalHost(std::string_view host)
{
    std::string_view name = hostName(host);
    if (name.ends_with('.'))
        name.remove_suffix(1);
    constexpr std::string_view kLocalhost = "localhost";
    const bool isUnderLocalhost =
        name.size() > kLocalhost.size() + 1 && name[name.size() - kLocalhost.size() - 1] == '.' &&
        equalsIgnoringCase(name.substr(name.size() - kLocalhost.size()), kLocalhost);
    return equalsIgnoringCase(name, kLocalhost) || isUnderLocalhost || isLoopbackIp(name);
}

bool isLocalOrigin(std::string_view origin)
{
    for (const std::string_view scheme : {"http://", "https://"})
        if (origin.starts_with(scheme))
            return isLocalHost(origin.substr(scheme.size()));
    return false;
}

} // namespace hearth
