#include "ingest/server/grpc_descriptors.h"

#include "ingest/bytes/wire_writer.h"
#include "ingest/otlp/json/schema.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <span>

namespace hearth {

namespace {

using otlp::FieldKind;
using otlp::Generation;
using otlp::Schema;
using otlp::SchemaField;
using otlp::schema::many;
using otlp::schema::message;
using otlp::schema::scalar;

// What descriptor.proto calls its fields and values.
enum class FileField { Name = 1, Package = 2, MessageType = 4, Service = 6 };
enum class MessageField { Name = 1, Field = 2 };
enum class FieldField { Name = 1, Number = 3, Label = 4, Type = 5, TypeName = 6, Options = 8, JsonName = 10 };
enum class FieldOptionsField { Packed = 2 };
enum class ServiceField { Name = 1, Method = 2 };
enum class MethodField { Name = 1, Input = 2, Output = 3, ClientStreams = 5, ServerStreams = 6 };
enum class Label { Optional = 1, Repeated = 3 };
enum class Type {
    Double = 1,
    Int64 = 3,
    Uint64 = 4,
    Int32 = 5,
    Fixed64 = 6,
    Fixed32 = 7,
    Bool = 8,
    String = 9,
    Message = 11,
    Bytes = 12,
    Sfixed64 = 16,
    Sint32 = 17
};

Type typeOf(FieldKind kind)
{
    switch (kind) {
    case FieldKind::Message:
        return Type::Message;
    case FieldKind::String:
        return Type::String;
    case FieldKind::Bytes:
    case FieldKind::Id:
        return Type::Bytes;
    case FieldKind::Int32:
    case FieldKind::Enum:
        return Type::Int32;
    case FieldKind::Int64:
        return Type::Int64;
    case FieldKind::Uint64:
        return Type::Uint64;
    case FieldKind::Sint32:
        return Type::Sint32;
    case FieldKind::Fixed64:
        return Type::Fixed64;
    case FieldKind::Sfixed64:
        return Type::Sfixed64;
    case FieldKind::Fixed32:
        return Type::Fixed32;
    case FieldKind::Bool:
        return Type::Bool;
    case FieldKind::Double:
        return Type::Double;
    }
    return Type::Bytes;
}

bool isNumber(Type type)
{
    return type != Type::String && type != Type::Bytes && type != Type::Message;
}

std::string snakeCase(std::string_view camelCase)
{
    std::string snake;
    for (const char letter : camelCase) {
        if (std::isupper(static_cast<unsigned char>(letter)) != 0)
            snake += '_';
        snake += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    return snake;
}

struct Method {
    std::string_view name;
    Schema request;
    Schema response;
    bool takesMany = false;
    bool answersMany = false;
};

/// Writes one file of a package with one service.
class FileWriter {
public:
    explicit FileWriter(std::string package) : m_package(std::move(package)) {}

    DescribedService describe(std::string_view service, std::span<const Method> methods);

private:
    std::string nameOf(std::string_view symbol) const { return m_package + '.' + std::string(symbol); }
    std::string typeNameOf(const Schema &schema) const { return '.' + nameOf(schema.name); }
    void addMessage(const Schema &schema);
    std::string field(const SchemaField &field) const;

    std::string m_package;
    std::set<std::string_view> m_written;
    std::vector<std::string> m_symbols;
    std::string m_file;
};

DescribedService FileWriter::describe(std::string_view service, std::span<const Method> methods)
{
    const std::string name = nameOf(service);
    std::string fileName = name + ".proto";
    std::replace(fileName.begin(), fileName.end() - 6, '.', '/');
    WireWriter file(m_file);
    file.bytes(FileField::Name, fileName);
    file.bytes(FileField::Package, m_package);
    std::string description;
    WireWriter writer(description);
    writer.bytes(ServiceField::Name, service);
    m_symbols.push_back(name);
    for (const Method &method : methods) {
        std::string described;
        WireWriter methodWriter(described);
        methodWriter.bytes(MethodField::Name, method.name);
        methodWriter.bytes(MethodField::Input, typeNameOf(method.request));
        methodWriter.bytes(MethodField::Output, typeNameOf(method.response));
        methodWriter.number(MethodField::ClientStreams, method.takesMany);
        methodWriter.number(MethodField::ServerStreams, method.answersMany);
        writer.bytes(ServiceField::Method, described);
        m_symbols.push_back(name + '.' + std::string(method.name));
        addMessage(method.request);
        addMessage(method.response);
    }
    file.bytes(FileField::Service, description);
    return {.name = name, .file = fileName, .descriptor = m_file, .symbols = m_symbols};
}

void FileWriter::addMessage(const Schema &schema)
{
    if (!m_written.insert(schema.name).second)
        return;
    std::string description;
    WireWriter writer(description);
    writer.bytes(MessageField::Name, schema.name);
    std::set<std::uint32_t> numbers; // a field may have had two names in its time
    for (const SchemaField &each : schema.fields)
        if (numbers.insert(each.number).second)
            writer.bytes(MessageField::Field, field(each));
    WireWriter(m_file).bytes(FileField::MessageType, description);
    m_symbols.push_back(nameOf(schema.name));
    for (const SchemaField &each : schema.fields)
        if (each.message != nullptr)
            addMessage(*each.message);
}

std::string FileWriter::field(const SchemaField &field) const
{
    const Type type = typeOf(field.kind);
    std::string description;
    WireWriter writer(description);
    writer.bytes(FieldField::Name, snakeCase(field.name));
    writer.number(FieldField::Number, field.number);
    writer.number(FieldField::Label,
                  static_cast<std::uint64_t>(field.isRepeated ? Label::Repeated : Label::Optional));
    writer.number(FieldField::Type, static_cast<std::uint64_t>(type));
    if (field.message != nullptr)
        writer.bytes(FieldField::TypeName, typeNameOf(*field.message));
    if (field.isRepeated && isNumber(type)) {
        std::string options;
        WireWriter(options).number(FieldOptionsField::Packed, 1);
        writer.bytes(FieldField::Options, options);
    }
    writer.bytes(FieldField::JsonName, field.name);
    return description;
}

// ---- OTLP

using Fields = std::span<const SchemaField>;

/// @param kind "Trace" @param rejected what the response counts: "rejectedSpans"
DescribedService exportService(std::string package, std::string_view kind, Fields request,
                               std::string_view rejected)
{
    const std::string service = std::string(kind) + "Service";
    const std::string requestName = "Export" + service + "Request";
    const std::string responseName = "Export" + service + "Response";
    const std::string partialName = "Export" + std::string(kind) + "PartialSuccess";
    const std::array partialFields{scalar(rejected, 1, FieldKind::Int64),
                                   scalar("errorMessage", 2, FieldKind::String)};
    const Schema partial{partialName, partialFields};
    const std::array responseFields{message("partialSuccess", 1, partial)};
    const Method method{
        .name = "Export", .request = {requestName, request}, .response = {responseName, responseFields}};
    return FileWriter("opentelemetry.proto.collector." + std::move(package)).describe(service, {&method, 1});
}

Fields fieldsOf(Signal signal, Generation generation = Generation::V1_10)
{
    return otlp::schemaOf(signal, generation).fields;
}

// ---- the services of gRPC itself

constexpr std::array kHealthRequestFields{scalar("service", 1, FieldKind::String)};
constexpr std::array kHealthResponseFields{scalar("status", 1, FieldKind::Enum)};

DescribedService healthService()
{
    const Schema request{"HealthCheckRequest", kHealthRequestFields};
    const Schema response{"HealthCheckResponse", kHealthResponseFields};
    const std::array methods{
        Method{.name = "Check", .request = request, .response = response},
        Method{.name = "Watch", .request = request, .response = response, .answersMany = true}};
    return FileWriter("grpc.health.v1").describe("Health", methods);
}

constexpr std::array kReflectionRequestFields{
    scalar("host", 1, FieldKind::String), scalar("fileByFilename", 3, FieldKind::String),
    scalar("fileContainingSymbol", 4, FieldKind::String), scalar("listServices", 7, FieldKind::String)};
constexpr Schema kReflectionRequest{"ServerReflectionRequest", kReflectionRequestFields};
constexpr std::array kDescriptorFields{many(scalar("fileDescriptorProto", 1, FieldKind::Bytes))};
constexpr Schema kDescriptor{"FileDescriptorResponse", kDescriptorFields};
constexpr std::array kServiceFields{scalar("name", 1, FieldKind::String)};
constexpr Schema kService{"ServiceResponse", kServiceFields};
constexpr std::array kListFields{many(message("service", 1, kService))};
constexpr Schema kList{"ListServiceResponse", kListFields};
constexpr std::array kErrorFields{scalar("errorCode", 1, FieldKind::Int32),
                                  scalar("errorMessage", 2, FieldKind::String)};
constexpr Schema kError{"ErrorResponse", kErrorFields};
constexpr std::array kReflectionResponseFields{
    scalar("validHost", 1, FieldKind::String), message("originalRequest", 2, kReflectionRequest),
    message("fileDescriptorResponse", 4, kDescriptor), message("listServicesResponse", 6, kList),
    message("errorResponse", 7, kError)};
constexpr Schema kReflectionResponse{"ServerReflectionResponse", kReflectionResponseFields};

DescribedService reflectionService(const std::string &version)
{
    const Method method{.name = "ServerReflectionInfo",
                        .request = kReflectionRequest,
                        .response = kReflectionResponse,
                        .takesMany = true,
                        .answersMany = true};
    return FileWriter("grpc.reflection." + version).describe("ServerReflection", {&method, 1});
}

} // namespace

const std::vector<DescribedService> &describedServices()
{
    static const std::vector<DescribedService> services{
        exportService("profiles.v1development", "Profiles", fieldsOf(Signal::Profiles), "rejectedProfiles"),
        exportService("profiles.v1experimental", "Profiles", fieldsOf(Signal::Profiles, Generation::V1_3),
                      "rejectedProfiles"),
        exportService("profiles.v1", "Profiles", fieldsOf(Signal::Profiles), "rejectedProfiles"),
        exportService("trace.v1", "Trace", fieldsOf(Signal::Traces), "rejectedSpans"),
        exportService("logs.v1", "Logs", fieldsOf(Signal::Logs), "rejectedLogRecords"),
        exportService("metrics.v1", "Metrics", fieldsOf(Signal::Metrics), "rejectedDataPoints"),
        healthService(),
        reflectionService("v1"),
        reflectionService("v1alpha"),
    };
    return services;
}

} // namespace hearth
