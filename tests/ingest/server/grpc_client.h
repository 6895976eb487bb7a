#pragma once

#include <memory>
#include <string>

namespace hearth::test {

inline constexpr const char *kProfilesExport =
    "/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export";
inline constexpr const char *kTracesExport = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
inline constexpr const char *kLogsExport = "/opentelemetry.proto.collector.logs.v1.LogsService/Export";
inline constexpr const char *kMetricsExport =
    "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export";

struct GrpcAnswer {
    int code = -1;
    std::string message;
    std::string details;
    std::string response;
};

/// Calls any method with any bytes, as senders of generations without stubs here do. Any thread.
class GrpcClient {
public:
    /// @param target "127.0.0.1:11000" or "unix:PATH"
    explicit GrpcClient(const std::string &target);
    ~GrpcClient();

    GrpcAnswer call(const std::string &method, const std::string &request, bool isGzip = false);

    /// Sends the head of a call and nothing more. @return how it ended
    GrpcAnswer callWithoutMessage(const std::string &method);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace hearth::test
