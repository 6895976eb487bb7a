#include "tests/bench/agent_request.h"

#include "ingest/bytes/wire_writer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <random>
#include <vector>

// Field numbers are those of OTLP 1.10 and later.

namespace hearth::bench {

namespace {

constexpr std::uint32_t kProcesses = 20;
constexpr std::uint32_t kThreads = 200;
constexpr std::uint32_t kCpus = 16;
constexpr std::uint32_t kStacks = 20'000; ///< that a machine ever shows
constexpr std::uint32_t kStacksOfRequest = 11'000;
constexpr std::uint32_t kBinaries = 60;
constexpr std::uint64_t kBegin = 1'790'000'000'000'000'000; ///< nanoseconds since 1970
constexpr std::uint64_t kInterval = 5'000'000'000;

struct Place {
    std::uint32_t binary = 0;
    std::uint64_t address = 0;
    auto operator<=>(const Place &) const = default;
};

/// Stacks share their outer frames; the same number gives the same stack. Innermost first.
std::vector<Place> stackOf(std::uint32_t number)
{
    std::minstd_rand random(number + 1);
    const std::size_t depth = 12 + random() % 30;
    std::vector<Place> places(depth);
    for (std::size_t level = 0; level < depth; ++level) {
        // The closer to the root, the fewer choices there are.
        const std::uint32_t choices = 1U << std::min<std::size_t>(level / 2, 11);
        std::minstd_rand place(static_cast<std::uint32_t>(level * 4096 + number % choices + 1));
        place.discard(2);
        const auto binary = static_cast<std::uint32_t>(place() % kBinaries);
        places[depth - 1 - level] = {binary, 0x1000 + place() % 0x400000};
    }
    return places;
}

std::string packedNumbers(std::initializer_list<std::uint32_t> numbers)
{
    std::string bytes;
    for (const std::uint32_t number : numbers)
        WireWriter(bytes).varint(number);
    return bytes;
}

/// The tables of a request; each row is written when it is first asked for.
class Dictionary {
public:
    Dictionary()
    {
        for (const int table : {1, 2, 3, 4, 6, 7})
            WireWriter(m_bytes).bytes(table, "");
        (void)string("");
    }

    std::uint32_t string(const std::string &text)
    {
        const auto [place, isNew] = m_strings.try_emplace(text, static_cast<std::uint32_t>(m_strings.size()));
        if (isNew)
            WireWriter(m_bytes).bytes(5, text);
        return place->second;
    }

    std::uint32_t attribute(const std::string &key, const std::string &text)
    {
        return attributeOf(key, text, 1);
    }
    std::uint32_t attribute(const std::string &key, std::uint64_t number)
    {
        std::string value;
        WireWriter(value).varint(number);
        return attributeOf(key, value, 3);
    }

    std::uint32_t stack(std::uint32_t number)
    {
        const auto [row, isNew] =
            m_stacks.try_emplace(number, static_cast<std::uint32_t>(m_stacks.size() + 1));
        if (!isNew)
            return row->second;
        std::string locations;
        for (const Place &place : stackOf(number))
            WireWriter(locations).varint(location(place));
        std::string bytes;
        WireWriter(bytes).bytes(1, locations);
        WireWriter(m_bytes).bytes(7, bytes);
        return row->second;
    }

    const std::string &bytes() const { return m_bytes; }

private:
    std::uint32_t attributeOf(const std::string &key, const std::string &value, int field)
    {
        const auto [row, isNew] =
            m_attributes.try_emplace({key, value}, static_cast<std::uint32_t>(m_attributes.size() + 1));
        if (!isNew)
            return row->second;
        std::string any;
        if (field == 1)
            WireWriter(any).bytes(field, value);
        else
            any = static_cast<char>(field << 3) + value;
        std::string bytes;
        WireWriter(bytes).number(1, string(key));
        WireWriter(bytes).bytes(2, any);
        WireWriter(m_bytes).bytes(6, bytes);
        return row->second;
    }

    std::uint32_t mapping(std::uint32_t binary)
    {
        const auto [row, isNew] =
            m_mappings.try_emplace(binary, static_cast<std::uint32_t>(m_mappings.size() + 1));
        if (!isNew)
            return row->second;
        std::array<char, 33> id{};
        std::snprintf(id.data(), id.size(), "%032x", binary * 2654435761U);
        const std::uint32_t buildId =
            attribute("process.executable.build_id.htlhash", std::string(id.data()));
        std::string bytes;
        WireWriter writer(bytes);
        writer.number(1, 0x1000U);
        writer.number(2, 0x500000U);
        writer.number(4, string("libmodule" + std::to_string(binary) + ".so"));
        writer.bytes(5, packedNumbers({buildId}));
        WireWriter(m_bytes).bytes(1, bytes);
        return row->second;
    }

    std::uint32_t location(const Place &place)
    {
        const auto [row, isNew] =
            m_locations.try_emplace(place, static_cast<std::uint32_t>(m_locations.size() + 1));
        if (!isNew)
            return row->second;
        const std::uint32_t type = attribute("profile.frame.type", std::string("native"));
        std::string bytes;
        WireWriter writer(bytes);
        writer.number(1, mapping(place.binary));
        writer.number(2, place.address);
        writer.bytes(4, packedNumbers({type}));
        WireWriter(m_bytes).bytes(2, bytes);
        return row->second;
    }

    std::string m_bytes;
    std::map<std::string, std::uint32_t> m_strings;
    std::map<std::pair<std::string, std::string>, std::uint32_t> m_attributes;
    std::map<std::uint32_t, std::uint32_t> m_mappings;
    std::map<Place, std::uint32_t> m_locations;
    std::map<std::uint32_t, std::uint32_t> m_stacks;
};

std::string fixed64(std::uint64_t number)
{
    std::string bytes(sizeof number, '\0');
    std::memcpy(bytes.data(), &number, sizeof number);
    return bytes;
}

std::string keyValue(const std::string &key, const std::string &any)
{
    std::string bytes;
    WireWriter(bytes).bytes(1, key);
    WireWriter(bytes).bytes(2, any);
    return bytes;
}

std::string resourceOf(std::uint32_t process)
{
    std::string pid;
    WireWriter(pid).number(3, 1000 + process);
    std::string name;
    WireWriter(name).bytes(1, "program" + std::to_string(process));
    std::string resource;
    WireWriter(resource).bytes(1, keyValue("process.pid", pid));
    WireWriter(resource).bytes(1, keyValue("process.executable.name", name));
    return resource;
}

std::string valueType(Dictionary &dictionary, const std::string &type, const std::string &unit)
{
    std::string bytes;
    WireWriter(bytes).number(1, dictionary.string(type));
    WireWriter(bytes).number(2, dictionary.string(unit));
    return bytes;
}

} // namespace

std::string agentRequest(std::uint32_t number)
{
    std::minstd_rand random(number + 1);
    Dictionary dictionary;
    std::array<std::string, kProcesses> samples;
    const std::uint64_t begin = kBegin + number * kInterval;
    for (std::size_t i = 0; i < kSamplesOfAgentRequest; ++i) {
        // Some stacks are hot, most are rare.
        const std::uint64_t drawn = random() % kStacksOfRequest;
        const auto stack =
            static_cast<std::uint32_t>((drawn * drawn / kStacksOfRequest * 7 + number * 131) % kStacks);
        const auto thread = static_cast<std::uint32_t>(random() % kThreads);
        std::string sample;
        WireWriter writer(sample);
        writer.number(1, dictionary.stack(stack));
        writer.bytes(2,
                     packedNumbers({dictionary.attribute("thread.name", "worker-" + std::to_string(thread)),
                                    dictionary.attribute("thread.id", 2000 + thread),
                                    dictionary.attribute("cpu.logical_number", random() % kCpus)}));
        writer.bytes(5, fixed64(begin + random() % kInterval));
        WireWriter(samples[thread % kProcesses]).bytes(2, sample);
    }
    std::string request;
    for (std::uint32_t process = 0; process < kProcesses; ++process) {
        std::string profile;
        WireWriter(profile).bytes(1, valueType(dictionary, "samples", "count"));
        profile += samples[process];
        profile += '\x19' + fixed64(begin);
        WireWriter(profile).number(4, kInterval);
        WireWriter(profile).bytes(5, valueType(dictionary, "cpu", "nanoseconds"));
        WireWriter(profile).number(6, 50'000'000U);
        std::string scope;
        WireWriter(scope).bytes(2, profile);
        std::string resource;
        WireWriter(resource).bytes(1, resourceOf(process));
        WireWriter(resource).bytes(2, scope);
        WireWriter(request).bytes(1, resource);
    }
    WireWriter(request).bytes(2, dictionary.bytes());
    return request;
}

} // namespace hearth::bench
