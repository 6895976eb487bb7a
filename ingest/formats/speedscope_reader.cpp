#include "ingest/formats/format.h"
#include "ingest/formats/json_stream.h"
#include "ingest/formats/late_stacks.h"
#include "ingest/formats/profile_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

// speedscope's file (https://www.speedscope.app/file-format-schema.json):
//
//   {"shared": {"frames": [{"name", "file", "line", "col"} …]},
//    "profiles": [{"type": "sampled", "name", "unit", "startValue", "samples": [[frame …] …], "weights": […]}
//    |
//                 {"type": "evented", "name", "unit", "events": [{"type": "O" | "C", "frame", "at"} …]}]}
//
// Frames are numbers, outermost first. Members come in any order.

namespace hearth {

namespace {

/// What a profile's unit means to Hearth.
struct Unit {
    std::string_view name;
    std::string_view type;
    std::string_view unit;
    double factor = 1;
};
constexpr std::array kUnits{
    Unit{"nanoseconds", "time", "nanoseconds", 1},
    Unit{"microseconds", "time", "nanoseconds", 1e3},
    Unit{"milliseconds", "time", "nanoseconds", 1e6},
    Unit{"seconds", "time", "nanoseconds", 1e9},
    Unit{"bytes", "space", "bytes", 1},
    Unit{"none", "samples", "count", 1},
};

const Unit &unitNamed(std::string_view name)
{
    const auto found = std::ranges::find(kUnits, name, &Unit::name);
    return found == kUnits.end() ? kUnits.back() : *found;
}

std::int64_t clampedRound(double value)
{
    constexpr double kLimit = 9.2e18;
    return std::isfinite(value) ? static_cast<std::int64_t>(std::clamp(std::round(value), -kLimit, kLimit))
                                : 0;
}

/// One of the file's profiles: usually a thread.
struct ReadProfile {
    std::string name;
    std::string unit = "none";
    double start = 0;
    std::vector<StackId> stacks;
    std::vector<double> starts; ///< of what events enclose
    std::vector<double> weights;
};

/// Reads a file profile by profile. What frames are is known at the end.
class SpeedscopeReader {
public:
    SpeedscopeReader(InputStream &input, const ReadOptions &options)
        : m_input(input), m_builder(options, kSpeedscope.name, ProfileBuilder::Delivery::Whole),
          m_json(input, m_builder)
    {}

    Result<Batch> read();

private:
    void readFrames();
    void resolveFrames();
    void readProfile();
    void readSamples(ReadProfile &profile);
    void readEvents(ReadProfile &profile);
    void takeEvent(ReadProfile &profile, bool isOpen, std::uint64_t frame, double at);
    void addSamples(const ReadProfile &profile, std::span<const StackId> stacks);
    std::int64_t whole(double value);

    InputStream &m_input;
    ProfileBuilder m_builder;
    JsonStream m_json;
    LateStacks m_stacks;
    std::vector<FrameId> m_frames; ///< by the numbers of m_stacks
    std::vector<FrameId> m_path;
    std::vector<ReadProfile> m_profiles;

    StackId m_openStack; ///< of the events at hand
    double m_since = 0;
};

Result<Batch> SpeedscopeReader::read()
{
    m_json.forEachMember([this](std::string_view key) {
        if (key == "shared")
            m_json.forEachMember([this](std::string_view table) {
                if (table == "frames")
                    readFrames();
            });
        else if (key == "profiles")
            m_json.forEachElement([this] { readProfile(); });
        else if (key == "exporter" || key == "name")
            if (const std::string_view text = m_json.string(); !text.empty())
                m_builder.batch().origin.comments.emplace_back(text);
    });
    m_json.countLosses();
    resolveFrames();
    const std::vector<StackId> stacks = m_stacks.resolve(m_builder, m_frames);
    for (const ReadProfile &profile : m_profiles)
        addSamples(profile, stacks);
    return m_builder.finish(m_input);
}

void SpeedscopeReader::readFrames()
{
    std::uint64_t index = 0;
    std::string name;
    std::string file;
    m_json.forEachElement([&] {
        name.clear();
        file.clear();
        Line line;
        m_json.forEachMember([&](std::string_view key) {
            if (key == "name")
                name = m_json.string();
            else if (key == "file")
                file = m_json.string();
            else if (key == "line")
                line.line = m_json.integer().value_or(0);
            else if (key == "col")
                line.column = static_cast<std::int32_t>(std::clamp<std::int64_t>(
                    m_json.integer().value_or(0), 0, std::numeric_limits<std::int32_t>::max()));
        });
        line.function = m_builder.function({.name = name, .file = file});
        const std::uint32_t number = m_stacks.frame(index++).value;
        if (number >= m_frames.size())
            m_frames.resize(number + 1, FrameId::none());
        m_frames[number] = m_builder.frame(Frame(), {&line, 1});
    });
}

void SpeedscopeReader::resolveFrames()
{
    m_frames.resize(m_stacks.frameCount(), FrameId::none());
    for (FrameId &frame : m_frames)
        if (frame.isNone()) {
            m_builder.losses().add(Loss::FramesWithoutLocation);
            frame = m_builder.frame(Frame(), {});
        }
}

void SpeedscopeReader::readProfile()
{
    ReadProfile profile;
    m_openStack = StackId();
    m_since = 0;
    m_json.forEachMember([&](std::string_view key) {
        if (key == "name")
            profile.name = m_json.string();
        else if (key == "unit")
            profile.unit = m_json.string();
        else if (key == "startValue")
            profile.start = m_json.number().value_or(0);
        else if (key == "samples")
            readSamples(profile);
        else if (key == "weights")
            m_json.forEachElement([&] { profile.weights.push_back(m_json.number().value_or(0)); });
        else if (key == "events")
            readEvents(profile);
    });
    const std::size_t whole = std::min(profile.stacks.size(), profile.weights.size());
    m_builder.losses().add(Loss::SamplesWithWrongValueCount,
                           std::max(profile.stacks.size(), profile.weights.size()) - whole);
    profile.stacks.resize(whole);
    m_profiles.push_back(std::move(profile));
}

void SpeedscopeReader::readSamples(ReadProfile &profile)
{
    m_json.forEachElement([&] {
        m_path.clear();
        m_json.forEachElement([&] {
            if (const auto index = m_json.integer())
                m_path.push_back(m_stacks.frame(static_cast<std::uint64_t>(*index)));
        });
        std::ranges::reverse(m_path);
        profile.stacks.push_back(m_stacks.path(m_path));
    });
}

void SpeedscopeReader::readEvents(ReadProfile &profile)
{
    m_json.forEachElement([&] {
        bool isOpen = false;
        std::uint64_t frame = 0;
        std::optional<double> at;
        m_json.forEachMember([&](std::string_view key) {
            if (key == "type")
                isOpen = m_json.string() == "O";
            else if (key == "frame")
                frame = static_cast<std::uint64_t>(m_json.integer().value_or(-1));
            else if (key == "at")
                at = m_json.number();
        });
        if (at)
            takeEvent(profile, isOpen, frame, *at);
        else
            m_builder.losses().add(Loss::MalformedRecords);
    });
}

/// What passed since the event before was spent in the stack that was open.
void SpeedscopeReader::takeEvent(ReadProfile &profile, bool isOpen, std::uint64_t frame, double at)
{
    if (m_openStack != StackId() && at > m_since) {
        profile.stacks.push_back(m_openStack);
        profile.starts.push_back(m_since);
        profile.weights.push_back(at - m_since);
    }
    m_since = at;
    if (isOpen) {
        m_openStack = m_stacks.child(m_openStack, m_stacks.frame(frame));
        return;
    }
    if (m_openStack == StackId() || m_stacks.frameOf(m_openStack) != m_stacks.frame(frame))
        m_builder.losses().add(Loss::MalformedRecords, "an event closes a frame that is not the innermost");
    else
        m_openStack = m_stacks.parentOf(m_openStack);
}

void SpeedscopeReader::addSamples(const ReadProfile &profile, std::span<const StackId> stacks)
{
    const Unit &unit = unitNamed(profile.unit);
    const bool hasTimes = unit.type == "time";
    const std::size_t block =
        m_builder.block({.series = {{std::string(unit.type), std::string(unit.unit)}}, .hasTimes = hasTimes});
    const ContextId context =
        profile.name.empty()
            ? ContextId()
            : m_builder.context(AttributeSetId(),
                                m_builder.attributes({m_builder.attribute("thread.name", profile.name)}));
    double at = profile.start;
    for (std::size_t sample = 0; sample < profile.stacks.size(); ++sample) {
        const double weight = profile.weights[sample] * unit.factor;
        const double start = profile.starts.empty() ? at * unit.factor : profile.starts[sample] * unit.factor;
        m_builder.add(block, stacks[profile.stacks[sample].value], context,
                      hasTimes ? clampedRound(start) : 0, whole(weight));
        at += profile.weights[sample];
    }
}

std::int64_t SpeedscopeReader::whole(double value)
{
    const std::int64_t rounded = clampedRound(value);
    // A fraction of a nanosecond is a writer's rounding, not a measurement.
    if (std::abs(static_cast<double>(rounded) - value) > 1e-3 * std::max(1.0, std::abs(value) * 1e-9))
        m_builder.losses().add(Loss::RoundedValues);
    return rounded;
}

Result<Batch> readSpeedscope(InputStream &input, const ReadOptions &options)
{
    return SpeedscopeReader(input, options).read();
}

} // namespace

const Format kSpeedscope{.name = "speedscope", .read = readSpeedscope};

} // namespace hearth
