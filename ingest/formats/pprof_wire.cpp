#include "ingest/formats/pprof_wire.h"

#include "ingest/bytes/wire.h"

namespace hearth {

namespace {

using pprof::ProfileField;

bool isValueType(std::span<const std::uint8_t> message)
{
    WireReader reader(message);
    WireField field;
    while (reader.next(field))
        if (!field.isVarint() || field.number > 2)
            return false;
    return reader.isOk();
}

/// Whether a field of this number may have this type in a Profile.
bool hasProfileType(const WireField &field)
{
    switch (static_cast<ProfileField>(field.number)) {
    case ProfileField::SampleType:
    case ProfileField::Sample:
    case ProfileField::Mapping:
    case ProfileField::Location:
    case ProfileField::Function:
    case ProfileField::StringTable:
    case ProfileField::PeriodType:
        return field.isBytes();
    case ProfileField::DropFrames:
    case ProfileField::KeepFrames:
    case ProfileField::TimeNanos:
    case ProfileField::DurationNanos:
    case ProfileField::Period:
    case ProfileField::DefaultSampleType:
    case ProfileField::DocUrl:
        return field.isVarint();
    case ProfileField::Comment:
        return field.isVarint() || field.isBytes();
    }
    return true; // of a version to come
}

} // namespace

bool looksLikePprof(std::span<const std::uint8_t> head, bool isWhole)
{
    const std::uint8_t *at = head.data();
    const std::uint8_t *const end = at + head.size();
    bool hasStrings = false;
    std::size_t sampleTypes = 0;
    std::size_t fields = 0;
    while (at != end) {
        WireField field;
        std::uint64_t length = 0;
        const WireOutcome outcome = readFieldHead(at, end, field, length);
        if (outcome == WireOutcome::Incomplete ||
            (outcome == WireOutcome::Ok && length > std::uint64_t(end - at)))
            return fields > 0 && (!isWhole || hasStrings || sampleTypes > 0);
        if (outcome == WireOutcome::Malformed || !hasProfileType(field))
            return false;
        field.bytes = {at, static_cast<std::size_t>(length)};
        at += length;
        ++fields;
        const auto number = static_cast<ProfileField>(field.number);
        if (number == ProfileField::SampleType) {
            if (!isValueType(field.bytes))
                return false;
            ++sampleTypes;
        }
        if (number == ProfileField::StringTable) {
            if (!hasStrings && !field.bytes.empty())
                return false; // the first string of a profile is empty
            hasStrings = true;
        }
    }
    return fields > 0 && (!isWhole || hasStrings);
}

} // namespace hearth
