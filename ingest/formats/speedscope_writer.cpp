#include "ingest/formats/speedscope_writer.h"

#include "ingest/otlp/json/json_text.h"
#include "model/lens/attribute_keys.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string_view>
#include <vector>

namespace hearth {

namespace {

/// One series of one thread.
struct WrittenProfile {
    std::string name;
    std::string_view unit;
    std::vector<std::uint32_t> stacks;
    std::vector<std::int64_t> times;
    std::vector<std::int64_t> weights;
};

std::string_view unitOf(std::string_view unit)
{
    constexpr std::array<std::string_view, 5> kKnown{"nanoseconds", "microseconds", "milliseconds", "seconds",
                                                     "bytes"};
    return std::ranges::find(kKnown, unit) == kKnown.end() ? std::string_view("none") : unit;
}

/// The names of a file's frames, and which of them a frame of the data set is.
class FrameNames {
public:
    explicit FrameNames(const Snapshot &snapshot) : m_snapshot(snapshot), m_ofFrame(snapshot.frames.size())
    {
        for (std::size_t frame = 0; frame < m_ofFrame.size(); ++frame)
            m_ofFrame[frame] = indexesOf(FrameId(frame));
    }

    /// Outermost first: a frame with what was inlined into it.
    const std::vector<std::uint32_t> &of(FrameId frame) const { return m_ofFrame[frame.value]; }
    const std::string &json() const { return m_json; }

private:
    std::vector<std::uint32_t> indexesOf(FrameId frame)
    {
        std::vector<std::uint32_t> indexes;
        const auto lines = m_snapshot.linesOf(frame);
        for (std::size_t line = lines.size(); line-- > 0;) {
            const FunctionId function = lines[line].function;
            if (function.isNone()) {
                indexes.push_back(index("[unknown]", {}));
                continue;
            }
            const Function &row = m_snapshot.functions[function.value];
            indexes.push_back(index(m_snapshot.text(row.name), m_snapshot.text(row.file)));
        }
        if (indexes.empty())
            indexes.push_back(index(binaryName(frame), {}));
        return indexes;
    }

    std::string binaryName(FrameId frame) const
    {
        const auto binary = m_snapshot.binaryOf(frame);
        std::string_view path =
            binary ? m_snapshot.text(m_snapshot.binaries[binary->value].path) : std::string_view();
        path = path.substr(path.rfind('/') + 1);
        return '[' + std::string(path.empty() ? "unknown" : path) + ']';
    }

    std::uint32_t index(std::string_view name, std::string_view file)
    {
        const auto [known, isNew] = m_known.try_emplace({std::string(name), std::string(file)},
                                                        static_cast<std::uint32_t>(m_known.size()));
        if (isNew) {
            m_json += m_json.empty() ? "{\"name\":" : ",\n{\"name\":";
            otlp::appendJsonText(m_json, name);
            if (!file.empty()) {
                m_json += ",\"file\":";
                otlp::appendJsonText(m_json, file);
            }
            m_json += '}';
        }
        return known->second;
    }

    const Snapshot &m_snapshot;
    std::vector<std::vector<std::uint32_t>> m_ofFrame;
    std::map<std::pair<std::string, std::string>, std::uint32_t> m_known;
    std::string m_json;
};

/// The process and thread of each context, as one text.
std::vector<std::string> threadNames(const Snapshot &snapshot)
{
    const ResolvedKey process = resolveKey(snapshot, "process");
    const ResolvedKey thread = resolveKey(snapshot, "thread");
    std::vector<std::string> names;
    for (std::size_t context = 0; context < snapshot.contexts.size(); ++context) {
        std::string name = attributeText(snapshot, ContextId(context), process);
        const std::string own = attributeText(snapshot, ContextId(context), thread);
        if (!own.empty() && own != name)
            name += (name.empty() ? "" : "/") + own;
        names.push_back(std::move(name));
    }
    return names;
}

void addChunk(const SampleChunk &chunk, std::size_t column, const std::vector<std::string> &threads,
              std::map<std::string, WrittenProfile> &byThread)
{
    for (std::size_t row = 0; row < chunk.rows(); ++row) {
        const auto value = static_cast<std::int64_t>(chunk.values(column)[row]);
        if (value == 0)
            continue;
        WrittenProfile &profile = byThread[threads[static_cast<std::size_t>(chunk.contexts()[row])]];
        profile.stacks.push_back(static_cast<std::uint32_t>(chunk.stacks()[row]));
        profile.times.push_back(static_cast<std::int64_t>(chunk.times()[row]));
        profile.weights.push_back(value);
    }
}

void sortByTime(WrittenProfile &profile)
{
    if (std::ranges::is_sorted(profile.times))
        return;
    std::vector<std::uint32_t> order(profile.times.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t row) { return profile.times[row]; });
    WrittenProfile sorted{profile.name, profile.unit, {}, {}, {}};
    for (const std::uint32_t row : order) {
        sorted.stacks.push_back(profile.stacks[row]);
        sorted.times.push_back(profile.times[row]);
        sorted.weights.push_back(profile.weights[row]);
    }
    profile = std::move(sorted);
}

std::vector<WrittenProfile> profilesOf(const Snapshot &snapshot)
{
    const std::vector<std::string> threads = threadNames(snapshot);
    std::vector<WrittenProfile> profiles;
    for (const SampleTable &table : snapshot.tables)
        for (std::size_t column = 0; column < table.series.size(); ++column) {
            const Series &series = snapshot.series[table.series[column].value];
            std::map<std::string, WrittenProfile> byThread;
            for (const auto &chunk : table.chunks)
                addChunk(*chunk, column, threads, byThread);
            for (auto &[thread, profile] : byThread) {
                profile.unit = unitOf(snapshot.text(series.unit));
                profile.name = thread;
                if (snapshot.series.size() > 1 || thread.empty())
                    profile.name += (thread.empty() ? "" : " ") + std::string(snapshot.text(series.type));
                if (table.hasTimes)
                    sortByTime(profile);
                profiles.push_back(std::move(profile));
            }
        }
    return profiles;
}

void appendStack(std::string &json, const Snapshot &snapshot, const FrameNames &names, StackId stack)
{
    std::vector<FrameId> path;
    for (; stack != StackId(); stack = snapshot.stacks[stack.value].parent)
        path.push_back(snapshot.stacks[stack.value].frame);
    json += '[';
    for (std::size_t i = path.size(); i-- > 0;)
        for (const std::uint32_t index : names.of(path[i]))
            json.append(std::to_string(index)).append(1, ',');
    if (json.back() == ',')
        json.pop_back();
    json += ']';
}

void appendProfile(std::string &json, const Snapshot &snapshot, const FrameNames &names,
                   const WrittenProfile &profile)
{
    json += "{\"type\":\"sampled\",\"name\":";
    otlp::appendJsonText(json, profile.name);
    json.append(",\"unit\":\"").append(profile.unit).append("\",\"startValue\":0,\"endValue\":");
    const std::int64_t end =
        std::accumulate(profile.weights.begin(), profile.weights.end(), std::int64_t(0),
                        [](std::int64_t sum, std::int64_t weight) {
                            std::int64_t more = 0;
                            return __builtin_add_overflow(sum, weight, &more) ? sum : more;
                        });
    json.append(std::to_string(end)).append(",\n\"samples\":[");
    for (std::size_t row = 0; row < profile.stacks.size(); ++row) {
        json += row == 0 ? "" : ",\n";
        appendStack(json, snapshot, names, StackId(profile.stacks[row]));
    }
    json += "],\n\"weights\":[";
    for (std::size_t row = 0; row < profile.weights.size(); ++row)
        json.append(row == 0 ? "" : ",").append(std::to_string(profile.weights[row]));
    json += "]}";
}

} // namespace

std::string speedscopeText(const Snapshot &snapshot)
{
    const FrameNames names(snapshot);
    std::string json = "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
                       "\"exporter\":\"Hearth\",\n\"shared\":{\"frames\":[" +
                       names.json() + "]},\n\"profiles\":[";
    bool isFirst = true;
    for (const WrittenProfile &profile : profilesOf(snapshot)) {
        json += isFirst ? "" : ",\n";
        isFirst = false;
        appendProfile(json, snapshot, names, profile);
    }
    return json + "]}\n";
}

} // namespace hearth
