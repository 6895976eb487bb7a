#include "ingest/otlp/json/schema.h"

#include <array>

// The profiles of each generation. Where a message stayed as it was, there is one table of it; the names tell
// the first release that has it so.

namespace hearth::otlp::schema {

namespace {

using K = FieldKind;

constexpr std::array<std::string_view, 3> kTemporalities{"UNSPECIFIED", "DELTA", "CUMULATIVE"};
constexpr std::array<std::string_view, 2> kBuildIdKinds{"LINKER", "BINARY_HASH"};

constexpr SchemaField text(std::string_view name, std::uint32_t number)
{
    return scalar(name, number, K::String);
}
constexpr SchemaField i32(std::string_view name, std::uint32_t number)
{
    return scalar(name, number, K::Int32);
}
constexpr SchemaField i64(std::string_view name, std::uint32_t number)
{
    return scalar(name, number, K::Int64);
}
constexpr SchemaField u64(std::string_view name, std::uint32_t number)
{
    return scalar(name, number, K::Uint64);
}
constexpr SchemaField flag(std::string_view name, std::uint32_t number)
{
    return scalar(name, number, K::Bool);
}
constexpr SchemaField fixed(std::string_view name, std::uint32_t number)
{
    return scalar(name, number, K::Fixed64);
}

// All generations

constexpr std::array kLinkFields{scalar("traceId", 1, K::Id), scalar("spanId", 2, K::Id)};
constexpr Schema kLink{"Link", kLinkFields};

// 1.3

constexpr std::array kValueType3Fields{i64("type", 1), i64("unit", 2),
                                       enumeration("aggregationTemporality", 3, kTemporalities)};
constexpr Schema kValueType3{"ValueType", kValueType3Fields};
constexpr std::array kLabel3Fields{i64("key", 1), i64("str", 2), i64("num", 3), i64("numUnit", 4)};
constexpr Schema kLabel3{"Label", kLabel3Fields};
constexpr std::array kSample3Fields{many(u64("locationIndex", 1)),       many(i64("value", 2)),
                                    many(message("label", 3, kLabel3)),  u64("locationsStartIndex", 7),
                                    u64("locationsLength", 8),           i32("stacktraceIdIndex", 9),
                                    many(u64("attributes", 10)),         u64("link", 12),
                                    many(u64("timestampsUnixNano", 13)), many(u64("timestamps", 13))};
constexpr Schema kSample3{"Sample", kSample3Fields};
constexpr std::array kLine3Fields{u64("functionIndex", 1), i64("line", 2), i64("column", 3)};
constexpr Schema kLine3{"Line", kLine3Fields};
constexpr std::array kLocation3Fields{
    u64("id", 1),        u64("mappingIndex", 2), u64("address", 3),         many(message("line", 4, kLine3)),
    flag("isFolded", 5), i32("typeIndex", 6),    many(u64("attributes", 7))};
constexpr Schema kLocation3{"Location", kLocation3Fields};
constexpr std::array kFunction3Fields{u64("id", 1), i64("name", 2), i64("systemName", 3), i64("filename", 4),
                                      i64("startLine", 5)};
constexpr Schema kFunction3{"Function", kFunction3Fields};
constexpr std::array kMapping3Fields{u64("id", 1),
                                     u64("memoryStart", 2),
                                     u64("memoryLimit", 3),
                                     u64("fileOffset", 4),
                                     i64("filename", 5),
                                     i64("buildId", 6),
                                     flag("hasFunctions", 7),
                                     flag("hasFilenames", 8),
                                     flag("hasLineNumbers", 9),
                                     flag("hasInlineFrames", 10),
                                     enumeration("buildIdKind", 11, kBuildIdKinds),
                                     many(u64("attributes", 12))};
constexpr Schema kMapping3{"Mapping", kMapping3Fields};
constexpr std::array kUnit3Fields{i64("attributeKey", 1), i64("unit", 2)};
constexpr Schema kUnit3{"AttributeUnit", kUnit3Fields};
constexpr std::array kProfile3Fields{many(message("sampleType", 1, kValueType3)),
                                     many(message("sample", 2, kSample3)),
                                     many(message("mapping", 3, kMapping3)),
                                     many(message("location", 4, kLocation3)),
                                     many(message("function", 5, kFunction3)),
                                     many(text("stringTable", 6)),
                                     i64("dropFrames", 7),
                                     i64("keepFrames", 8),
                                     i64("timeNanos", 9),
                                     i64("durationNanos", 10),
                                     message("periodType", 11, kValueType3),
                                     i64("period", 12),
                                     many(i64("comment", 13)),
                                     i64("defaultSampleType", 14),
                                     many(i64("locationIndices", 15)),
                                     many(message("attributeTable", 16, kKeyValue)),
                                     many(message("attributeUnits", 17, kUnit3)),
                                     many(message("linkTable", 18, kLink))};
constexpr Schema kProfile3{"Profile", kProfile3Fields};
constexpr std::array kContainer3Fields{scalar("profileId", 1, K::Id),
                                       fixed("startTimeUnixNano", 2),
                                       fixed("endTimeUnixNano", 3),
                                       many(message("attributes", 4, kKeyValue)),
                                       i32("droppedAttributesCount", 5),
                                       text("originalPayloadFormat", 6),
                                       scalar("originalPayload", 7, K::Bytes),
                                       message("profile", 8, kProfile3)};
constexpr Schema kContainer3{"ProfileContainer", kContainer3Fields};

// 1.4 to 1.7

constexpr std::array kValueType4Fields{i32("typeStrindex", 1), i32("unitStrindex", 2),
                                       enumeration("aggregationTemporality", 3, kTemporalities)};
constexpr Schema kValueType4{"ValueType", kValueType4Fields};
constexpr std::array kSample4Fields{i32("locationsStartIndex", 1), i32("locationsLength", 2),
                                    many(i64("value", 3)),         many(i32("attributeIndices", 4)),
                                    i32("linkIndex", 5),           many(u64("timestampsUnixNano", 6))};
constexpr Schema kSample4{"Sample", kSample4Fields};
constexpr std::array kLine4Fields{i32("functionIndex", 1), i64("line", 2), i64("column", 3)};
constexpr Schema kLine4{"Line", kLine4Fields};
constexpr std::array kLocation4Fields{i32("mappingIndex", 1), u64("address", 2),
                                      many(message("line", 3, kLine4)), flag("isFolded", 4),
                                      many(i32("attributeIndices", 5))};
constexpr Schema kLocation4{"Location", kLocation4Fields};
constexpr std::array kFunction4Fields{i32("nameStrindex", 1), i32("systemNameStrindex", 2),
                                      i32("filenameStrindex", 3), i64("startLine", 4)};
constexpr Schema kFunction4{"Function", kFunction4Fields};
constexpr std::array kMapping4Fields{u64("memoryStart", 1),
                                     u64("memoryLimit", 2),
                                     u64("fileOffset", 3),
                                     i32("filenameStrindex", 4),
                                     many(i32("attributeIndices", 5)),
                                     flag("hasFunctions", 6),
                                     flag("hasFilenames", 7),
                                     flag("hasLineNumbers", 8),
                                     flag("hasInlineFrames", 9)};
constexpr Schema kMapping4{"Mapping", kMapping4Fields};
constexpr std::array kUnit4Fields{i32("attributeKeyStrindex", 1), i32("unitStrindex", 2)};
constexpr Schema kUnit4{"AttributeUnit", kUnit4Fields};
constexpr std::array kProfile4Fields{many(message("sampleType", 1, kValueType4)),
                                     many(message("sample", 2, kSample4)),
                                     many(message("mappingTable", 3, kMapping4)),
                                     many(message("locationTable", 4, kLocation4)),
                                     many(i32("locationIndices", 5)),
                                     many(message("functionTable", 6, kFunction4)),
                                     many(message("attributeTable", 7, kKeyValue)),
                                     many(message("attributeUnits", 8, kUnit4)),
                                     many(message("linkTable", 9, kLink)),
                                     many(text("stringTable", 10)),
                                     i64("timeNanos", 11),
                                     i64("durationNanos", 12),
                                     message("periodType", 13, kValueType4),
                                     i64("period", 14),
                                     many(i32("commentStrindices", 15)),
                                     i32("defaultSampleTypeStrindex", 16),
                                     scalar("profileId", 17, K::Id),
                                     many(message("attributes", 18, kKeyValue)),
                                     i32("droppedAttributesCount", 19),
                                     text("originalPayloadFormat", 20),
                                     scalar("originalPayload", 21, K::Bytes),
                                     many(i32("attributeIndices", 22))};
constexpr Schema kProfile4{"Profile", kProfile4Fields};
constexpr std::array kProfile6Fields{many(message("sampleType", 1, kValueType4)),
                                     many(message("sample", 2, kSample4)),
                                     many(i32("locationIndices", 3)),
                                     i64("timeNanos", 4),
                                     i64("durationNanos", 5),
                                     message("periodType", 6, kValueType4),
                                     i64("period", 7),
                                     many(i32("commentStrindices", 8)),
                                     i32("defaultSampleTypeIndex", 9),
                                     scalar("profileId", 10, K::Id),
                                     i32("droppedAttributesCount", 11),
                                     text("originalPayloadFormat", 12),
                                     scalar("originalPayload", 13, K::Bytes),
                                     many(i32("attributeIndices", 14))};
constexpr Schema kProfile6{"Profile", kProfile6Fields};
constexpr std::array kDictionary7Fields{many(message("mappingTable", 1, kMapping4)),
                                        many(message("locationTable", 2, kLocation4)),
                                        many(message("functionTable", 3, kFunction4)),
                                        many(message("linkTable", 4, kLink)),
                                        many(text("stringTable", 5)),
                                        many(message("attributeTable", 6, kKeyValue)),
                                        many(message("attributeUnits", 7, kUnit4))};
constexpr Schema kDictionary7{"ProfilesDictionary", kDictionary7Fields};

// 1.8 and later

constexpr std::array kLocation8Fields{i32("mappingIndex", 1), u64("address", 2),
                                      many(message("line", 3, kLine4)), many(i32("attributeIndices", 4))};
constexpr Schema kLocation8{"Location", kLocation8Fields};
constexpr std::array kLocation9Fields{i32("mappingIndex", 1), u64("address", 2),
                                      many(message("lines", 3, kLine4)), many(i32("attributeIndices", 4))};
constexpr Schema kLocation9{"Location", kLocation9Fields};
constexpr std::array kMapping8Fields{u64("memoryStart", 1), u64("memoryLimit", 2), u64("fileOffset", 3),
                                     i32("filenameStrindex", 4), many(i32("attributeIndices", 5))};
constexpr Schema kMapping8{"Mapping", kMapping8Fields};
constexpr std::array kAttribute8Fields{i32("keyStrindex", 1), message("value", 2, kAnyValue),
                                       i32("unitStrindex", 3)};
constexpr Schema kAttribute8{"KeyValueAndUnit", kAttribute8Fields};
constexpr std::array kStack8Fields{many(i32("locationIndices", 1))};
constexpr Schema kStack8{"Stack", kStack8Fields};
template <const Schema &location>
constexpr std::array kDictionaryFields{many(message("mappingTable", 1, kMapping8)),
                                       many(message("locationTable", 2, location)),
                                       many(message("functionTable", 3, kFunction4)),
                                       many(message("linkTable", 4, kLink)),
                                       many(text("stringTable", 5)),
                                       many(message("attributeTable", 6, kAttribute8)),
                                       many(message("stackTable", 7, kStack8))};
constexpr Schema kDictionary8{"ProfilesDictionary", kDictionaryFields<kLocation8>};
constexpr Schema kDictionary9{"ProfilesDictionary", kDictionaryFields<kLocation9>};
constexpr std::array kSample8Fields{i32("stackIndex", 1), many(i64("values", 2)),
                                    many(i32("attributeIndices", 3)), i32("linkIndex", 4),
                                    many(fixed("timestampsUnixNano", 5))};
constexpr Schema kSample8{"Sample", kSample8Fields};
constexpr std::array kSample10Fields{i32("stackIndex", 1), many(i32("attributeIndices", 2)),
                                     i32("linkIndex", 3), many(i64("values", 4)),
                                     many(fixed("timestampsUnixNano", 5))};
constexpr Schema kSample10{"Sample", kSample10Fields};
constexpr std::array kProfile8Fields{message("sampleType", 1, kValueType4),
                                     many(message("sample", 2, kSample8)),
                                     fixed("timeUnixNano", 3),
                                     u64("durationNano", 4),
                                     message("periodType", 5, kValueType4),
                                     i64("period", 6),
                                     many(i32("commentStrindices", 7)),
                                     scalar("profileId", 8, K::Id),
                                     i32("droppedAttributesCount", 9),
                                     text("originalPayloadFormat", 10),
                                     scalar("originalPayload", 11, K::Bytes),
                                     many(i32("attributeIndices", 12))};
constexpr Schema kProfile8{"Profile", kProfile8Fields};
template <const Schema &sample>
constexpr std::array kProfileFields{message("sampleType", 1, kValueType4),
                                    many(message("samples", 2, sample)),
                                    fixed("timeUnixNano", 3),
                                    u64("durationNano", 4),
                                    message("periodType", 5, kValueType4),
                                    i64("period", 6),
                                    scalar("profileId", 7, K::Id),
                                    i32("droppedAttributesCount", 8),
                                    text("originalPayloadFormat", 9),
                                    scalar("originalPayload", 10, K::Bytes),
                                    many(i32("attributeIndices", 11))};
constexpr Schema kProfile9{"Profile", kProfileFields<kSample8>};
constexpr Schema kProfile10{"Profile", kProfileFields<kSample10>};

// Envelopes

template <const Schema &profile>
constexpr std::array kScopeProfilesFields{message("scope", 1, kScope), many(message("profiles", 2, profile)),
                                          text("schemaUrl", 3)};
template <const Schema &profile>
constexpr Schema kScopeProfiles{"ScopeProfiles", kScopeProfilesFields<profile>};
template <const Schema &profile>
constexpr std::array kResourceProfilesFields{message("resource", 1, kResource),
                                             many(message("scopeProfiles", 2, kScopeProfiles<profile>)),
                                             text("schemaUrl", 3)};
template <const Schema &profile>
constexpr Schema kResourceProfiles{"ResourceProfiles", kResourceProfilesFields<profile>};

template <const Schema &profile>
constexpr std::array kPlainDataFields{many(message("resourceProfiles", 1, kResourceProfiles<profile>))};
template <const Schema &profile, const Schema &dictionary>
constexpr std::array kDataFields{many(message("resourceProfiles", 1, kResourceProfiles<profile>)),
                                 message("dictionary", 2, dictionary)};
constexpr std::array kData6Fields{many(message("resourceProfiles", 1, kResourceProfiles<kProfile6>)),
                                  many(message("mappingTable", 2, kMapping4)),
                                  many(message("locationTable", 3, kLocation4)),
                                  many(message("functionTable", 4, kFunction4)),
                                  many(message("linkTable", 5, kLink)),
                                  many(text("stringTable", 6)),
                                  many(message("attributeTable", 7, kKeyValue)),
                                  many(message("attributeUnits", 8, kUnit4))};

constexpr Schema kData3{"ProfilesData", kPlainDataFields<kContainer3>};
constexpr Schema kData4{"ProfilesData", kPlainDataFields<kProfile4>};
constexpr Schema kData6{"ProfilesData", kData6Fields};
constexpr Schema kData7{"ProfilesData", kDataFields<kProfile6, kDictionary7>};
constexpr Schema kData8{"ProfilesData", kDataFields<kProfile8, kDictionary8>};
constexpr Schema kData9{"ProfilesData", kDataFields<kProfile9, kDictionary9>};
constexpr Schema kData10{"ProfilesData", kDataFields<kProfile10, kDictionary9>};

} // namespace

const Schema &profilesOf(Generation generation)
{
    switch (generation) {
    case Generation::V1_3:
        return kData3;
    case Generation::V1_4:
        return kData4;
    case Generation::V1_6:
        return kData6;
    case Generation::V1_7:
        return kData7;
    case Generation::V1_8:
        return kData8;
    case Generation::V1_9:
        return kData9;
    case Generation::V1_10:
        break;
    }
    return kData10;
}

} // namespace hearth::otlp::schema
