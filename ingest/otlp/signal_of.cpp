#include "ingest/otlp/signal_of.h"

#include <algorithm>
#include <functional>
#include <initializer_list>

namespace hearth::otlp {

namespace {

bool isPrintable(Bytes text)
{
    return !text.empty() && std::ranges::all_of(text, [](std::uint8_t byte) { return byte >= ' '; });
}

} // namespace

std::optional<Signal> signalOfRecord(const MessageFields &record)
{
    const auto hasAny = [&](std::initializer_list<std::uint32_t> numbers, WireType type) {
        return std::ranges::any_of(numbers, [&](std::uint32_t number) { return record.has(number, type); });
    };
    if (hasAny({2, 3}, WireType::Fixed64)) // when a profile or its container begins
        return Signal::Profiles;
    if (hasAny({7, 8}, WireType::Fixed64) || (record.bytes(1).size() == 16 && record.bytes(2).size() == 8))
        return Signal::Traces;
    if (hasAny({1, 11}, WireType::Fixed64) || record.has(2, WireType::Varint))
        return Signal::Logs;
    const bool isProfileWithTables = hasAny({4, 6, 8}, WireType::Bytes); // metrics reserve these
    if (isPrintable(record.bytes(1)) && !isProfileWithTables && hasAny({5, 7, 9, 10, 11}, WireType::Bytes))
        return Signal::Metrics;
    if (record.bytes(1).empty() && record.has(5, WireType::Bytes)) // nothing but a body
        return Signal::Logs;
    return std::nullopt;
}

Signal signalOf(Bytes message)
{
    const Envelope envelope(message);
    const bool hasTables = std::ranges::any_of(std::span(envelope.hasField).subspan(2), std::identity());
    std::optional<Signal> signal;
    if (!hasTables)
        forEachProfile(envelope, [&](Bytes record) {
            if (!signal)
                signal = signalOfRecord(MessageFields(record));
        });
    return signal.value_or(Signal::Profiles);
}

} // namespace hearth::otlp
