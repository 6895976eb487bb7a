#include "ingest/formats/firefox_writer.h"

#include "ingest/otlp/json/json_text.h"
#include "model/lens/attribute_keys.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

namespace hearth {

namespace {

constexpr std::uint32_t kNone = 0xffffffffU;

/// The elements of a JSON array, as they are written.
class JsonList {
public:
    void number(std::int64_t value) { separate() += std::to_string(value); }
    void real(double value)
    {
        std::array<char, 40> text{};
        const auto printed =
            std::to_chars(text.data(), text.data() + text.size(), std::isfinite(value) ? value : 0);
        separate().append(text.data(), printed.ptr);
    }
    void text(std::string_view value) { otlp::appendJsonText(separate(), value); }
    void word(std::string_view value) { separate() += value; }
    void numberOrNull(std::uint32_t value)
    {
        if (value == kNone)
            word("null");
        else
            number(value);
    }
    std::size_t size() const { return m_size; }
    std::string json() const { return '[' + m_json + ']'; }
    /// The same value for each of so many rows.
    static std::string repeated(std::string_view value, std::size_t count)
    {
        JsonList list;
        for (std::size_t row = 0; row < count; ++row)
            list.word(value);
        return list.json();
    }

private:
    std::string &separate()
    {
        m_json += m_size++ == 0 ? "" : ",";
        return m_json;
    }

    std::string m_json;
    std::size_t m_size = 0;
};

/// The tables of one thread, which only have what its samples refer to.
class ThreadTables {
public:
    explicit ThreadTables(const Snapshot &snapshot) : m_snapshot(snapshot) {}

    std::uint32_t string(std::string_view text)
    {
        const auto [known, isNew] = m_strings.try_emplace(std::string(text), m_strings.size());
        if (isNew)
            m_stringList.text(text);
        return static_cast<std::uint32_t>(known->second);
    }

    /// @return the row of a stack; kNone for the empty one
    std::uint32_t stack(StackId stack)
    {
        std::vector<StackId> path;
        for (; stack != StackId() && !m_stacks.contains(stack.value);
             stack = m_snapshot.stacks[stack.value].parent)
            path.push_back(stack);
        std::uint32_t row = stack == StackId() ? kNone : m_stacks[stack.value];
        for (; !path.empty(); path.pop_back())
            row = m_stacks[path.back().value] = append(row, m_snapshot.stacks[path.back().value].frame);
        return row;
    }

    std::string json() const
    {
        const std::size_t stacks = m_stackFrame.size();
        const std::size_t frames = m_frameFunc.size();
        const std::size_t funcs = m_funcName.size();
        const std::size_t resources = m_resourceLib.size();
        std::string text =
            "\"stackTable\":{\"frame\":" + m_stackFrame.json() + ",\"prefix\":" + m_stackPrefix.json();
        text += ",\"category\":" + JsonList::repeated("0", stacks) +
                ",\"subcategory\":" + JsonList::repeated("0", stacks) +
                ",\"length\":" + std::to_string(stacks) + "},\n";
        text += "\"frameTable\":{\"address\":" + m_frameAddress.json() +
                ",\"inlineDepth\":" + m_frameDepth.json() + ",\"func\":" + m_frameFunc.json() +
                ",\"line\":" + m_frameLine.json() + ",\"column\":" + JsonList::repeated("null", frames);
        for (const std::string_view column :
             {"category", "subcategory", "nativeSymbol", "innerWindowID", "implementation"})
            text.append(",\"").append(column).append("\":").append(JsonList::repeated("null", frames));
        text += ",\"length\":" + std::to_string(frames) + "},\n";
        text += "\"funcTable\":{\"name\":" + m_funcName.json() + ",\"fileName\":" + m_funcFile.json() +
                ",\"resource\":" + m_funcResource.json() + ",\"lineNumber\":" + m_funcLine.json() +
                ",\"columnNumber\":" + JsonList::repeated("null", funcs) +
                ",\"isJS\":" + JsonList::repeated("false", funcs) +
                ",\"relevantForJS\":" + JsonList::repeated("false", funcs) +
                ",\"length\":" + std::to_string(funcs) + "},\n";
        text += "\"resourceTable\":{\"lib\":" + m_resourceLib.json() + ",\"name\":" + m_resourceName.json() +
                ",\"host\":" + JsonList::repeated("null", resources) +
                ",\"type\":" + JsonList::repeated("1", resources) +
                ",\"length\":" + std::to_string(resources) + "},\n";
        text += "\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],"
                "\"length\":0},\n";
        return text + "\"stringArray\":" + m_stringList.json();
    }

private:
    /// A frame with what was inlined into it: a row each, the outermost first.
    std::uint32_t append(std::uint32_t parent, FrameId frame)
    {
        const auto lines = m_snapshot.linesOf(frame);
        const std::size_t count = std::max<std::size_t>(lines.size(), 1);
        for (std::size_t depth = 0; depth < count; ++depth) {
            m_stackFrame.number(frameRow(frame, lines.empty() ? nullptr : &lines[count - 1 - depth], depth));
            m_stackPrefix.numberOrNull(parent);
            parent = static_cast<std::uint32_t>(m_stackFrame.size() - 1);
        }
        return parent;
    }

    std::uint32_t frameRow(FrameId frame, const Line *line, std::size_t depth)
    {
        const auto [known, isNew] = m_frames.try_emplace({frame.value, depth}, m_frameFunc.size());
        if (isNew) {
            const Frame &row = m_snapshot.frames[frame.value];
            const std::uint64_t address = std::min<std::uint64_t>(row.address, std::uint64_t(1) << 53);
            m_frameAddress.number(row.mapping.isNone() ? -1 : static_cast<std::int64_t>(address));
            m_frameDepth.number(static_cast<std::int64_t>(depth));
            m_frameFunc.number(funcRow(frame, line));
            m_frameLine.numberOrNull(
                line != nullptr && line->line > 0 ? static_cast<std::uint32_t>(line->line) : kNone);
        }
        return static_cast<std::uint32_t>(known->second);
    }

    std::uint32_t funcRow(FrameId frame, const Line *line)
    {
        const auto binary = m_snapshot.binaryOf(frame);
        const std::uint32_t resource = binary ? resourceRow(*binary) : kNone;
        const Function *function = line != nullptr && !line->function.isNone()
                                       ? &m_snapshot.functions[line->function.value]
                                       : nullptr;
        // The Profiler takes a name in hexadecimal for one that is yet to be looked up.
        std::string name =
            function != nullptr ? std::string(m_snapshot.text(function->name)) : std::string("0x");
        if (function == nullptr) {
            std::array<char, 20> digits{};
            const auto printed = std::to_chars(digits.data(), digits.data() + digits.size(),
                                               m_snapshot.frames[frame.value].address, 16);
            name.append(digits.data(), printed.ptr);
        }
        const std::uint32_t nameRow = string(name);
        const std::string_view file =
            function != nullptr ? m_snapshot.text(function->file) : std::string_view();
        const std::uint32_t fileRow = file.empty() ? kNone : string(file);
        const auto [known, isNew] = m_funcs.try_emplace({nameRow, fileRow, resource}, m_funcName.size());
        if (isNew) {
            m_funcName.number(nameRow);
            m_funcFile.numberOrNull(fileRow);
            m_funcResource.number(resource == kNone ? -1 : static_cast<std::int64_t>(resource));
            m_funcLine.numberOrNull(function != nullptr && function->startLine > 0
                                        ? static_cast<std::uint32_t>(function->startLine)
                                        : kNone);
        }
        return static_cast<std::uint32_t>(known->second);
    }

    /// Binaries of the data set are the libs of the file.
    std::uint32_t resourceRow(BinaryId binary)
    {
        const auto [known, isNew] = m_resources.try_emplace(binary.value, m_resourceLib.size());
        if (isNew) {
            const std::string_view path = m_snapshot.text(m_snapshot.binaries[binary.value].path);
            m_resourceLib.number(binary.value);
            m_resourceName.number(string(path.substr(path.rfind('/') + 1)));
        }
        return static_cast<std::uint32_t>(known->second);
    }

    const Snapshot &m_snapshot;
    std::map<std::string, std::size_t, std::less<>> m_strings;
    std::map<std::uint32_t, std::uint32_t> m_stacks;
    std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> m_frames;
    std::map<std::array<std::uint32_t, 3>, std::size_t> m_funcs;
    std::map<std::uint32_t, std::size_t> m_resources;
    JsonList m_stringList, m_stackFrame, m_stackPrefix, m_frameAddress, m_frameDepth, m_frameFunc,
        m_frameLine, m_funcName, m_funcFile, m_funcResource, m_funcLine, m_resourceLib, m_resourceName;
};

struct SampleOfThread {
    std::int64_t time = 0;
    std::int64_t value = 0;
    StackId stack;
};

/// Process and thread, by name and by number.
using ThreadKey = std::array<std::string, 4>;

/// What the Profiler calls the weight of a unit, and what it is multiplied by.
struct Weight {
    std::string_view type;
    double factor = 1;
};

Weight weightOf(std::string_view unit)
{
    constexpr std::array<std::pair<std::string_view, Weight>, 5> kUnits{
        {{"nanoseconds", {"tracing-ms", 1e-6}},
         {"microseconds", {"tracing-ms", 1e-3}},
         {"milliseconds", {"tracing-ms", 1}},
         {"seconds", {"tracing-ms", 1e3}},
         {"bytes", {"bytes", 1}}}};
    const auto found = std::ranges::find(kUnits, unit, [](const auto &known) { return known.first; });
    return found == kUnits.end() ? Weight{"samples", 1} : found->second;
}

std::vector<ThreadKey> threadsOf(const Snapshot &snapshot)
{
    std::vector<ThreadKey> threads;
    for (std::size_t context = 0; context < snapshot.contexts.size(); ++context) {
        ThreadKey key;
        std::size_t part = 0;
        for (const std::string_view name : {"process", "thread", "process.pid", "thread.id"})
            key[part++] = attributeText(snapshot, ContextId(context), resolveKey(snapshot, name));
        threads.push_back(std::move(key));
    }
    return threads;
}

std::map<ThreadKey, std::vector<SampleOfThread>> samplesOf(const Snapshot &snapshot, SeriesId series)
{
    const std::vector<ThreadKey> threads = threadsOf(snapshot);
    std::map<ThreadKey, std::vector<SampleOfThread>> samples;
    for (const SampleTable &table : snapshot.tables) {
        const auto column = std::ranges::find(table.series, series);
        if (column == table.series.end())
            continue;
        const auto values = static_cast<std::size_t>(column - table.series.begin());
        for (const auto &chunk : table.chunks)
            for (std::size_t row = 0; row < chunk->rows(); ++row) {
                const auto value = static_cast<std::int64_t>(chunk->values(values)[row]);
                if (value == 0)
                    continue;
                samples[threads[static_cast<std::size_t>(chunk->contexts()[row])]].push_back(
                    {table.hasTimes ? static_cast<std::int64_t>(chunk->times()[row]) : 0, value,
                     StackId(static_cast<std::size_t>(chunk->stacks()[row]))});
            }
    }
    for (auto &[key, of] : samples)
        std::ranges::stable_sort(of, {}, &SampleOfThread::time);
    return samples;
}

std::string textOf(std::string_view text)
{
    std::string json;
    otlp::appendJsonText(json, text);
    return json;
}

std::string threadJson(const Snapshot &snapshot, const ThreadKey &key,
                       const std::vector<SampleOfThread> &samples, std::int64_t startNs, const Weight &weight)
{
    ThreadTables tables(snapshot);
    JsonList stacks;
    JsonList times;
    JsonList weights;
    for (std::size_t row = 0; row < samples.size(); ++row) {
        const SampleOfThread &sample = samples[row];
        stacks.numberOrNull(tables.stack(sample.stack));
        times.real(sample.time == 0 ? static_cast<double>(row)
                                    : static_cast<double>(sample.time - startNs) / 1e6);
        if (weight.factor == 1)
            weights.number(sample.value);
        else
            weights.real(static_cast<double>(sample.value) * weight.factor);
    }
    const std::string name = key[1].empty() ? std::string("samples") : key[1];
    std::string json = "{\"processType\":\"default\",\"processName\":" + textOf(key[0]) +
                       ",\"name\":" + textOf(name) +
                       ",\"pid\":" + textOf(key[2].empty() ? std::string("0") : key[2]) +
                       ",\"tid\":" + textOf(key[3].empty() ? std::string("0") : key[3]) +
                       ",\"isMainThread\":" + (key[2] == key[3] ? "true" : "false") +
                       ",\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0,"
                       "\"unregisterTime\":null,\"pausedRanges\":[],\n";
    json +=
        "\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],\"phase\":[],\"category\":[],"
        "\"length\":0},\n\"samples\":{\"weightType\":\"" +
        std::string(weight.type) + "\",\"stack\":" + stacks.json() + ",\"time\":" + times.json() +
        ",\"weight\":" + weights.json() + ",\"length\":" + std::to_string(samples.size()) + "},\n";
    return json + tables.json() + '}';
}

std::string libsJson(const Snapshot &snapshot)
{
    std::string json = "[";
    for (const Binary &binary : snapshot.binaries) {
        const std::string_view path = snapshot.text(binary.path);
        const std::string name = textOf(path.substr(path.rfind('/') + 1));
        const std::string_view id = snapshot.text(binary.buildId);
        json += json.size() == 1 ? "" : ",\n";
        json += "{\"arch\":null,\"name\":" + name + ",\"path\":" + textOf(path) + ",\"debugName\":" + name +
                ",\"debugPath\":" + textOf(path) +
                ",\"breakpadId\":\"\",\"codeId\":" + (id.empty() ? std::string("null") : textOf(id)) + '}';
    }
    return json + ']';
}

} // namespace

std::string firefoxText(const Snapshot &snapshot, SeriesId series)
{
    const auto samples = samplesOf(snapshot, series);
    std::int64_t startNs = 0;
    for (const auto &[key, of] : samples)
        for (const SampleOfThread &sample : of)
            if (sample.time != 0 && (startNs == 0 || sample.time < startNs))
                startNs = sample.time;
    const Weight weight = weightOf(snapshot.text(snapshot.series[series.value].unit));
    std::string json = "{\"meta\":{\"interval\":1,\"startTime\":";
    JsonList start;
    start.real(static_cast<double>(startNs) / 1e6);
    json += start.json().substr(1, start.json().size() - 2);
    json +=
        ",\"product\":\"Hearth\",\"processType\":0,\"stackwalk\":1,\"debug\":false,\"version\":30,"
        "\"preprocessedProfileVersion\":48,\"symbolicated\":true,\"markerSchema\":[],\"categories\":"
        "[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]}]},\n\"pages\":[],\"libs\":" +
        libsJson(snapshot) + ",\n\"threads\":[";
    bool isFirst = true;
    for (const auto &[key, of] : samples) {
        json += isFirst ? "" : ",\n";
        isFirst = false;
        json += threadJson(snapshot, key, of, startNs, weight);
    }
    return json + "]}\n";
}

} // namespace hearth
