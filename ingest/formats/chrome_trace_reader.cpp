#include "ingest/formats/chrome_slices.h"
#include "ingest/formats/format.h"
#include "ingest/formats/json_stream.h"
#include "ingest/formats/v8_nodes.h"

#include <algorithm>
#include <cmath>
#include <map>

// Chrome's trace events, as Chrome, Node and many others write them:
//
//   {"traceEvents": [EVENT …], "samples": […], "stackFrames": {ID: {"name", "category", "parent"} …}}
//   [EVENT …                                                     the "]" may be missing
//
//   EVENT  {"ph": PHASE, "name", "cat", "pid", "tid", "ts": µs, "dur": µs, "id", "args": {…}}
//   PHASE  X a slice; B E its ends; b e n, S F T slices by id; i I R an instant; C counters; M names of
//   threads
//          and processes; P samples of V8
//
// Members come in any order, so an event is looked at as a whole.

namespace hearth {

namespace {

/// Samples of V8 as one event carries them.
struct ProfilePart {
    struct Node {
        std::uint64_t id = 0;
        std::optional<std::uint64_t> parent;
        FrameId frame = FrameId::none();
    };

    std::vector<Node> nodes;
    std::vector<std::uint64_t> samples;
    std::vector<std::int64_t> deltas;
    std::optional<std::int64_t> startUs;
    std::optional<std::int64_t> endUs;

    bool isEmpty() const { return nodes.empty() && samples.empty() && deltas.empty() && !startUs && !endUs; }
};

struct TraceEvent {
    char phase = 0;
    std::string name;
    std::string category;
    std::string id;
    std::string argumentName; ///< "name" among its arguments
    std::optional<double> startUs;
    double durationUs = 0;
    std::int64_t process = 0;
    std::int64_t thread = 0;
    std::vector<Attribute> arguments;
    std::vector<std::pair<std::string, double>> numbers; ///< of its arguments
    ProfilePart profile;
};

/// The samples of one run of V8's profiler.
struct TraceProfile {
    explicit TraceProfile(ProfileBuilder &builder) : nodes(builder) {}

    V8Nodes nodes;
    std::int64_t process = 0;
    std::int64_t thread = 0;
    std::int64_t startUs = 0;
    std::int64_t endUs = 0;
};

std::int64_t nanoseconds(double us)
{
    constexpr double kLimit = 9e15;
    return std::isfinite(us) ? std::llround(std::clamp(us, 0.0, kLimit) * 1000) : 0;
}

class ChromeTraceReader {
public:
    ChromeTraceReader(InputStream &input, const ReadOptions &options)
        : m_input(input), m_builder(options, kChromeTrace.name, ProfileBuilder::Delivery::Previewed),
          m_json(input, m_builder), m_slices(m_builder)
    {
        m_builder.setPreview([this](ProfileBuilder &copy) { finish(m_slices.copyFor(copy), copy); });
    }

    Result<Batch> read();

private:
    void readEvents();
    void readEvent();
    void readMember(std::string_view key);
    void readArguments(const std::string &prefix);
    void readArgument(std::string_view key, const std::string &prefix);
    void readProfile();
    void readProfileNode();
    std::string idText();

    void take();
    void takeName();
    void takeInstant();
    void takeCounters();
    void takeProfile();
    TraceSlice slice();
    std::uint32_t track();
    MetricId metric(const std::string &name);
    void readOutside();
    void finish(TraceSlices slices, ProfileBuilder &builder) const;

    /// Whose a record is.
    struct Owner {
        std::int64_t process = 0;
        std::int64_t thread = 0;
        AttributeSetId own;
    };

    InputStream &m_input;
    ProfileBuilder m_builder;
    JsonStream m_json;
    TraceSlices m_slices;
    std::map<std::pair<std::int64_t, std::string>, TraceProfile> m_profiles;
    std::vector<Owner> m_logs;   ///< by row
    std::vector<Owner> m_points; ///< by row
    DigestMap m_metrics;
    TraceEvent m_event;
    std::string m_argument; ///< the name of the one at hand
};

Result<Batch> ChromeTraceReader::read()
{
    if (m_json.kind() == JsonStream::Kind::Array) {
        readEvents();
        // A writer that was killed leaves an array without an end, and that is how the format is meant.
        if (!m_json.isOk() && m_json.depth() == 1)
            m_json.forgiveEnd();
    } else {
        m_json.forEachMember([&](std::string_view key) {
            if (key == "traceEvents")
                readEvents();
            else if (key == "samples")
                readOutside();
        });
    }
    m_json.countLosses();
    if (!m_builder.watch().isCancelled())
        finish(std::move(m_slices), m_builder);
    return m_builder.finish(m_input);
}

/// Samples beside the events, which hardly anybody writes; many write empty lists.
void ChromeTraceReader::readOutside()
{
    std::uint64_t count = 0;
    if (m_json.kind() == JsonStream::Kind::Array)
        m_json.forEachElement([&] { ++count; });
    if (count > 0)
        m_builder.losses().add(Loss::UnknownFields, std::to_string(count) + " samples outside of events");
}

void ChromeTraceReader::readEvents()
{
    m_json.forEachElement([this] {
        m_event.phase = 0;
        for (std::string *text : {&m_event.name, &m_event.category, &m_event.id, &m_event.argumentName})
            text->clear();
        m_event.startUs.reset();
        m_event.durationUs = 0;
        m_event.process = m_event.thread = 0;
        m_event.arguments.clear();
        m_event.numbers.clear();
        m_event.profile = {};
        m_json.forEachMember([this](std::string_view key) { readMember(key); });
        if (m_json.isOk())
            take();
    });
}

void ChromeTraceReader::readMember(std::string_view key)
{
    if (key == "ph") {
        const std::string_view phase = m_json.string();
        m_event.phase = phase.empty() ? '\0' : phase.front();
    } else if (key == "name") {
        m_event.name = m_json.string();
    } else if (key == "cat") {
        m_event.category = m_json.string();
    } else if (key == "ts") {
        m_event.startUs = m_json.number();
    } else if (key == "dur") {
        m_event.durationUs = m_json.number().value_or(0);
    } else if (key == "pid") {
        m_event.process = m_json.integer().value_or(0);
    } else if (key == "tid") {
        m_event.thread = m_json.integer().value_or(0);
    } else if (key == "id") {
        m_event.id = idText();
    } else if (key == "id2") {
        m_json.forEachMember([this](std::string_view) { m_event.id = idText(); });
    } else if (key == "args") {
        readArguments({});
    }
}

/// A text, or a number.
std::string ChromeTraceReader::idText()
{
    if (m_json.kind() == JsonStream::Kind::Number)
        return std::to_string(m_json.integer().value_or(0));
    return std::string(m_json.string());
}

/// Arguments become attributes; those in objects have the object's name before them.
void ChromeTraceReader::readArguments(const std::string &prefix)
{
    m_json.forEachMember([&](std::string_view key) { readArgument(key, prefix); });
}

void ChromeTraceReader::readArgument(std::string_view key, const std::string &prefix)
{
    std::string &name = m_argument;
    name.assign(prefix).append(key);
    switch (m_json.kind()) {
    case JsonStream::Kind::String: {
        const std::string_view text = m_json.string();
        if (name == "name")
            m_event.argumentName = text;
        m_event.arguments.push_back(m_builder.attribute(name, text));
        break;
    }
    case JsonStream::Kind::Number: {
        const double number = m_json.number().value_or(0);
        m_event.numbers.emplace_back(name, number);
        if (name == "data.startTime")
            m_event.profile.startUs = nanoseconds(number) / 1000;
        else if (name == "data.endTime")
            m_event.profile.endUs = nanoseconds(number) / 1000;
        m_event.arguments.push_back(m_builder.numberAttribute(name, number));
        break;
    }
    case JsonStream::Kind::True:
    case JsonStream::Kind::False:
        m_event.arguments.push_back(
            m_builder.attribute(name, std::string_view(m_json.boolean() ? "true" : "false")));
        break;
    case JsonStream::Kind::Object:
        if (name == "data.cpuProfile")
            readProfile();
        else if (prefix.empty())
            readArguments(name + '.');
        else
            m_builder.losses().add(Loss::UnknownFields);
        break;
    case JsonStream::Kind::Array:
        if (name == "data.timeDeltas")
            m_json.forEachElement([this] { m_event.profile.deltas.push_back(m_json.integer().value_or(0)); });
        else if (name != "data.lines")
            m_builder.losses().add(Loss::UnknownFields);
        break;
    case JsonStream::Kind::Null:
    case JsonStream::Kind::None:
        break;
    }
}

void ChromeTraceReader::readProfile()
{
    m_json.forEachMember([this](std::string_view key) {
        if (key == "nodes")
            m_json.forEachElement([this] { readProfileNode(); });
        else if (key == "samples")
            m_json.forEachElement([this] {
                m_event.profile.samples.push_back(static_cast<std::uint64_t>(m_json.integer().value_or(-1)));
            });
        else if (key == "timeDeltas")
            m_json.forEachElement([this] { m_event.profile.deltas.push_back(m_json.integer().value_or(0)); });
    });
}

void ChromeTraceReader::readProfileNode()
{
    ProfilePart::Node node;
    V8CallFrame callFrame;
    m_json.forEachMember([&](std::string_view key) {
        if (key == "id")
            node.id = static_cast<std::uint64_t>(m_json.integer().value_or(-1));
        else if (key == "parent")
            node.parent = static_cast<std::uint64_t>(m_json.integer().value_or(-1));
        else if (key == "callFrame")
            m_json.forEachMember(
                [&](std::string_view member) { callFrame.readMember(m_json, member, true); });
    });
    node.frame = callFrame.frame(m_builder);
    m_event.profile.nodes.push_back(node);
}

void ChromeTraceReader::take()
{
    if (m_event.phase == 'M')
        return takeName();
    if (!m_event.startUs) {
        m_builder.losses().add(Loss::MalformedRecords, "an event has no time");
        return;
    }
    switch (m_event.phase) {
    case 'X':
        return m_slices.add(track(), slice());
    case 'B':
    case 'b':
    case 'S':
        return m_slices.begin(track(), slice());
    case 'E':
    case 'e':
    case 'F': {
        const bool isById = m_event.phase != 'E';
        return m_slices.end(track(), nanoseconds(*m_event.startUs),
                            isById ? m_builder.text(m_event.name) : StringId(),
                            m_builder.rareAttributes(m_event.arguments));
    }
    case 'C':
        return takeCounters();
    case 'P':
        return takeProfile();
    case 'i':
    case 'I':
    case 'R':
    case 'n':
    case 'T':
    case 'p':
        return takeInstant();
    default:
        m_builder.losses().add(Loss::UnknownFields);
    }
}

void ChromeTraceReader::takeName()
{
    if (m_event.name == "process_name")
        m_slices.setProcessName(m_event.process, m_event.argumentName);
    else if (m_event.name == "thread_name")
        m_slices.setThreadName(m_event.process, m_event.thread, m_event.argumentName);
}

TraceSlice ChromeTraceReader::slice()
{
    if (!m_event.category.empty())
        m_event.arguments.push_back(m_builder.attribute("category", m_event.category));
    const std::int64_t start = nanoseconds(*m_event.startUs);
    return {.startNs = start,
            .endNs = start + (m_event.phase == 'X' ? nanoseconds(m_event.durationUs) : 0),
            .name = m_builder.text(m_event.name),
            .attributes = m_builder.rareAttributes(m_event.arguments)};
}

std::uint32_t ChromeTraceReader::track()
{
    const bool isThread = m_event.phase == 'X' || m_event.phase == 'B' || m_event.phase == 'E';
    return isThread ? m_slices.thread(m_event.process, m_event.thread)
                    : m_slices.asyncTrack(m_event.process, m_event.category + ' ' + m_event.id);
}

void ChromeTraceReader::takeInstant()
{
    if (!m_event.profile.isEmpty()) // of Node, which has instants where Chrome has samples
        return takeProfile();
    LogRecord record;
    record.timeNs = static_cast<std::uint64_t>(nanoseconds(*m_event.startUs));
    record.eventName = m_builder.text(m_event.name);
    record.body.bits = record.eventName.value;
    if (!m_event.category.empty())
        m_event.arguments.push_back(m_builder.attribute("category", m_event.category));
    m_builder.batch().logs.rows.push_back(record);
    m_logs.push_back({m_event.process, m_event.thread, m_builder.rareAttributes(m_event.arguments)});
}

/// One metric for each argument.
void ChromeTraceReader::takeCounters()
{
    std::vector<Attribute> own;
    if (!m_event.id.empty())
        own.push_back(m_builder.attribute("id", m_event.id));
    for (const auto &[key, value] : m_event.numbers) {
        MetricPoint point;
        point.timeNs = static_cast<std::uint64_t>(nanoseconds(*m_event.startUs));
        point.value = Number::of(value);
        point.metric = metric(m_event.name + '.' + key);
        m_builder.batch().points.rows.push_back(point);
        m_points.push_back({m_event.process, 0, m_builder.attributes(own)});
    }
}

MetricId ChromeTraceReader::metric(const std::string &name)
{
    std::uint32_t &known =
        m_metrics[digestOf({reinterpret_cast<const std::uint8_t *>(name.data()), name.size()})];
    if (known == DigestMap::kNew) {
        known = static_cast<std::uint32_t>(m_builder.batch().metrics.size());
        Metric metric;
        metric.name = m_builder.text(name);
        m_builder.batch().metrics.push_back(metric);
    }
    return MetricId(known);
}

/// The event that begins a profile is of the thread that is profiled, those with samples are not.
void ChromeTraceReader::takeProfile()
{
    const ProfilePart &part = m_event.profile;
    const auto [known, isNew] =
        m_profiles.try_emplace({m_event.process, m_event.id}, TraceProfile(m_builder));
    TraceProfile &profile = known->second;
    if (isNew || m_event.name == "Profile") {
        profile.process = m_event.process;
        profile.thread = m_event.thread;
    }
    profile.startUs = part.startUs.value_or(profile.startUs);
    profile.endUs = part.endUs.value_or(profile.endUs);
    for (const ProfilePart::Node &node : part.nodes) {
        profile.nodes.addNode(node.id, node.frame);
        if (node.parent)
            profile.nodes.addCall(*node.parent, node.id);
    }
    for (std::size_t sample = 0; sample < part.samples.size(); ++sample)
        profile.nodes.addSample(part.samples[sample], sample < part.deltas.size() ? part.deltas[sample] : 0);
}

/// Names of processes and threads may come behind what happened in them.
/// @param builder of the slices: the reader's, or a copy of it
void ChromeTraceReader::finish(TraceSlices slices, ProfileBuilder &builder) const
{
    slices.finish();
    Batch &batch = builder.batch();
    for (std::size_t row = 0; row < m_logs.size(); ++row)
        batch.logs.rows[row].context =
            slices.recordContext(m_logs[row].process, m_logs[row].thread, m_logs[row].own);
    for (std::size_t row = 0; row < m_points.size(); ++row)
        batch.points.rows[row].context =
            slices.recordContext(m_points[row].process, m_points[row].thread, m_points[row].own);
    for (const auto &[key, profile] : m_profiles)
        profile.nodes.copyFor(builder).finish(slices.threadContext(profile.process, profile.thread),
                                              profile.startUs, profile.endUs);
}

Result<Batch> readChromeTrace(InputStream &input, const ReadOptions &options)
{
    return ChromeTraceReader(input, options).read();
}

} // namespace

const Format kChromeTrace{.name = "chrome trace", .read = readChromeTrace};

} // namespace hearth
