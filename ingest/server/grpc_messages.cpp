#include "ingest/server/grpc_messages.h"

#include "ingest/bytes/wire.h"
#include "ingest/bytes/wire_writer.h"

#include <algorithm>
#include <array>

namespace hearth {

namespace {

constexpr std::array<std::string_view, 9> kServices{
    "opentelemetry.proto.collector.profiles.v1development.ProfilesService",
    "opentelemetry.proto.collector.profiles.v1experimental.ProfilesService",
    "opentelemetry.proto.collector.profiles.v1.ProfilesService",
    "opentelemetry.proto.collector.trace.v1.TraceService",
    "opentelemetry.proto.collector.logs.v1.LogsService",
    "opentelemetry.proto.collector.metrics.v1.MetricsService",
    "grpc.health.v1.Health",
    "grpc.reflection.v1.ServerReflection",
    "grpc.reflection.v1alpha.ServerReflection",
};

enum class HealthRequestField { Service = 1 };
enum class HealthResponseField { Status = 1 };
enum class ServingStatus { Serving = 1, ServiceUnknown = 3 };

enum class ReflectionRequestField { Host = 1, ListServices = 7 };
enum class ReflectionResponseField { ValidHost = 1, OriginalRequest = 2, ListServices = 6, Error = 7 };
enum class ListServicesField { Service = 1 };
enum class ServiceField { Name = 1 };
enum class ReflectionErrorField { Code = 1, Message = 2 };

std::string serviceList()
{
    std::string list;
    for (const std::string_view name : kServices) {
        std::string service;
        WireWriter(service).bytes(ServiceField::Name, name);
        WireWriter(list).bytes(ListServicesField::Service, service);
    }
    return list;
}

std::string reflectionError(StatusCode code, std::string_view message)
{
    std::string error;
    WireWriter(error).number(ReflectionErrorField::Code, static_cast<std::uint64_t>(code));
    WireWriter(error).bytes(ReflectionErrorField::Message, message);
    return error;
}

std::string_view asText(std::span<const std::uint8_t> bytes)
{
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

} // namespace

bool isReflectionMethod(std::string_view method)
{
    return method == "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo" ||
           method == "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
}

bool isService(std::string_view name)
{
    return name.empty() || std::ranges::find(kServices, name) != kServices.end();
}

HealthReply healthReply(std::span<const std::uint8_t> request)
{
    WireReader reader(request);
    std::string_view service;
    for (WireField field; reader.next(field);)
        if (field.number == static_cast<std::uint32_t>(HealthRequestField::Service) && field.isBytes())
            service = field.text();
    if (!reader.isOk())
        return {StatusCode::InvalidArgument, "the request cannot be read"};
    if (!isService(service))
        return {StatusCode::NotFound, "unknown service"};
    return {StatusCode::Ok, healthResponse(true)};
}

std::string healthResponse(bool isKnown)
{
    const auto status = isKnown ? ServingStatus::Serving : ServingStatus::ServiceUnknown;
    std::string response;
    WireWriter(response).number(HealthResponseField::Status, static_cast<std::uint64_t>(status));
    return response;
}

std::string reflectionResponse(std::span<const std::uint8_t> request)
{
    WireReader reader(request);
    std::string_view host;
    bool listsServices = false;
    for (WireField field; reader.next(field);) {
        if (field.number == static_cast<std::uint32_t>(ReflectionRequestField::Host) && field.isBytes())
            host = field.text();
        listsServices |= field.number == static_cast<std::uint32_t>(ReflectionRequestField::ListServices);
    }
    std::string response;
    WireWriter writer(response);
    writer.bytes(ReflectionResponseField::ValidHost, host);
    writer.bytes(ReflectionResponseField::OriginalRequest, asText(request));
    if (!reader.isOk())
        writer.bytes(ReflectionResponseField::Error,
                     reflectionError(StatusCode::InvalidArgument, "the request cannot be read"));
    else if (listsServices)
        writer.bytes(ReflectionResponseField::ListServices, serviceList());
    else
        writer.bytes(ReflectionResponseField::Error,
                     reflectionError(StatusCode::NotFound, "there are no descriptors here: messages of every "
                                                           "generation of OTLP are read from their bytes"));
    return response;
}

} // namespace hearth
