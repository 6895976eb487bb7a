#include "ingest/server/grpc_messages.h"

#include "ingest/bytes/wire.h"
#include "ingest/bytes/wire_writer.h"
#include "ingest/server/grpc_descriptors.h"

#include <algorithm>
#include <optional>

namespace hearth {

namespace {

enum class HealthRequestField { Service = 1 };
enum class HealthResponseField { Status = 1 };
enum class ServingStatus { Serving = 1, ServiceUnknown = 3 };

enum class ReflectionRequestField { Host = 1, FileByName = 3, FileWithSymbol = 4, ListServices = 7 };
enum class ReflectionResponseField {
    ValidHost = 1,
    OriginalRequest = 2,
    Descriptor = 4,
    ListServices = 6,
    Error = 7
};
enum class DescriptorField { File = 1 };
enum class ListServicesField { Service = 1 };
enum class ServiceField { Name = 1 };
enum class ReflectionErrorField { Code = 1, Message = 2 };

std::string serviceList()
{
    std::string list;
    for (const DescribedService &described : describedServices()) {
        std::string service;
        WireWriter(service).bytes(ServiceField::Name, described.name);
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

/// The file of that name, or the one where the symbol is; empty if there is none.
std::string descriptorWith(std::string_view name, bool isFile)
{
    const auto has = [&](const DescribedService &service) {
        return isFile ? service.file == name
                      : std::ranges::find(service.symbols, name) != service.symbols.end();
    };
    const auto &services = describedServices();
    const auto found = std::ranges::find_if(services, has);
    std::string response;
    if (found != services.end())
        WireWriter(response).bytes(DescriptorField::File, found->descriptor);
    return response;
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
    const auto &services = describedServices();
    return name.empty() || std::ranges::find(services, name, &DescribedService::name) != services.end();
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
    using Asked = ReflectionRequestField;
    WireReader reader(request);
    std::string_view host;
    std::optional<Asked> asked;
    std::string_view name;
    for (WireField field; reader.next(field);) {
        if (!field.isBytes())
            continue;
        const auto number = static_cast<Asked>(field.number);
        if (number == Asked::Host) {
            host = field.text();
        } else {
            asked = number;
            name = field.text();
        }
    }
    std::string response;
    WireWriter writer(response);
    writer.bytes(ReflectionResponseField::ValidHost, host);
    writer.bytes(ReflectionResponseField::OriginalRequest, asText(request));
    const auto refuse = [&](StatusCode code, std::string_view message) {
        writer.bytes(ReflectionResponseField::Error, reflectionError(code, message));
    };
    if (!reader.isOk())
        refuse(StatusCode::InvalidArgument, "the request cannot be read");
    else if (asked == Asked::ListServices)
        writer.bytes(ReflectionResponseField::ListServices, serviceList());
    else if (asked != Asked::FileByName && asked != Asked::FileWithSymbol)
        refuse(StatusCode::Unimplemented, "only services, files and symbols can be asked for");
    else if (const std::string file = descriptorWith(name, asked == Asked::FileByName); !file.empty())
        writer.bytes(ReflectionResponseField::Descriptor, file);
    else
        refuse(StatusCode::NotFound, "there is nothing of that name");
    return response;
}

} // namespace hearth
