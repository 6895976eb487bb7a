#include "ingest/formats/firefox_records.h"
#include "ingest/formats/format.h"

#include <algorithm>
#include <array>
#include <cmath>

// Profiles of the Firefox Profiler: as the browser writes them ("Gecko"), and as the Profiler and samply save
// them
// ("processed").
//
//   {"meta": {"interval": ms, "startTime": ms since 1970, "categories": [{"name"} …], …}, "libs": […],
//    "threads": [{"name", "pid", "tid", "samples", "markers", tables …} …], "counters": […], "shared":
//    {tables …}}
//
// processed: a table is an object of columns; Gecko: {"schema": {column: place}, "data": [[…] …]}, and
// processes are nested as whole profiles in "processes".

namespace hearth {

namespace {

using Column = FirefoxTables::Column;

std::int64_t clampedRound(double value)
{
    constexpr double kLimit = 9.2e18;
    return std::isfinite(value) ? static_cast<std::int64_t>(std::clamp(std::round(value), -kLimit, kLimit))
                                : 0;
}

/// Samples of one kind of one thread.
struct FirefoxSamples {
    Column stacks;
    std::vector<double> times; ///< in ms from the start
    std::vector<double> deltas;
    std::vector<double> weights;
    Column cpuDeltas;
    std::string weightType = "samples";

    std::size_t size() const { return stacks.size(); }
    double time(std::size_t row, double &last) const
    {
        if (row < times.size())
            return times[row];
        if (row < deltas.size())
            last += deltas[row];
        return last;
    }
};

struct FirefoxThread {
    std::string name;
    std::string process;
    std::int64_t pid = 0;
    std::int64_t tid = 0;
    FirefoxTables tables;
    std::vector<std::pair<std::string, FirefoxSamples>> samples; ///< by the name of their series
    FirefoxMarkers markers;
    std::size_t profile = 0; ///< of the nested ones
};

/// What a table of samples has that is looked at.
enum class SampleColumn : std::uint8_t { Other, Stack, Time, TimeDelta, Weight, CpuDelta, WeightType };

SampleColumn sampleColumnNamed(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, SampleColumn>, 6> kColumns{
        {{"stack", SampleColumn::Stack},
         {"time", SampleColumn::Time},
         {"timeDeltas", SampleColumn::TimeDelta},
         {"weight", SampleColumn::Weight},
         {"threadCPUDelta", SampleColumn::CpuDelta},
         {"weightType", SampleColumn::WeightType}}};
    const auto found = std::ranges::find(kColumns, name, &std::pair<std::string_view, SampleColumn>::first);
    return found == kColumns.end() ? SampleColumn::Other : found->second;
}

class FirefoxReader {
public:
    FirefoxReader(InputStream &input, const ReadOptions &options)
        : m_input(input), m_builder(options, kFirefox.name, ProfileBuilder::Delivery::Whole),
          m_json(input, m_builder)
    {}

    Result<Batch> read();

private:
    void readProfile(bool isNested);
    void readMeta();
    void readLibs(std::vector<FirefoxLib> &libs);
    void readThread();
    FirefoxSamples readSamples();
    double readTime() { return m_json.number().value_or(0); }

    void finish();
    void addSamples(const FirefoxThread &thread, const FirefoxStacks &stacks);
    ContextId contextOf(const FirefoxThread &thread, std::int64_t category);
    std::vector<Attribute> processOf(const FirefoxThread &thread);
    std::vector<Attribute> threadOf(const FirefoxThread &thread);
    std::vector<Attribute> categoryOf(std::int64_t category);

    InputStream &m_input;
    ProfileBuilder m_builder;
    JsonStream m_json;
    FirefoxClock m_clock;
    double m_intervalMs = 0;
    std::string m_cpuUnit;
    std::vector<std::string> m_categories;
    std::vector<std::vector<FirefoxLib>> m_libs{1};
    std::size_t m_profile = 0;
    FirefoxTables m_shared;
    std::vector<FirefoxThread> m_threads;
    std::vector<FirefoxCounter> m_counters;
};

Result<Batch> FirefoxReader::read()
{
    readProfile(false);
    m_json.countLosses();
    if (!m_builder.watch().isCancelled())
        finish();
    return m_builder.finish(m_input);
}

/// @param isNested of another process: its times are those of the first
void FirefoxReader::readProfile(bool isNested)
{
    m_json.forEachMember([&](std::string_view key) {
        if (key == "meta" && !isNested)
            readMeta();
        else if (key == "libs")
            readLibs(m_libs[m_profile]);
        else if (key == "threads")
            m_json.forEachElement([this] { readThread(); });
        else if (key == "counters")
            m_json.forEachElement([this] { m_counters.emplace_back().read(m_json); });
        else if (key == "shared")
            m_json.forEachMember(
                [this](std::string_view table) { m_shared.readTable(m_json, table, m_builder); });
        else if (key == "processes")
            m_json.forEachElement([this] {
                const std::size_t outer = m_profile;
                m_profile = m_libs.size();
                m_libs.emplace_back();
                readProfile(true);
                m_profile = outer;
            });
    });
}

void FirefoxReader::readMeta()
{
    m_json.forEachMember([this](std::string_view key) {
        if (key == "startTime")
            m_clock.startMs = m_json.number().value_or(0);
        else if (key == "interval")
            m_intervalMs = m_json.number().value_or(0);
        else if (key == "categories")
            m_json.forEachElement([this] {
                m_categories.emplace_back();
                m_json.forEachMember([this](std::string_view member) {
                    if (member == "name")
                        m_categories.back() = m_json.string();
                });
            });
        else if (key == "sampleUnits")
            m_json.forEachMember([this](std::string_view member) {
                if (member == "threadCPUDelta")
                    m_cpuUnit = m_json.string();
            });
        else if (key == "product")
            m_builder.batch().origin.comments.emplace_back(m_json.string());
        else if (key == "preprocessedProfileVersion" || key == "version")
            if (const auto version = m_json.integer())
                m_builder.batch().origin.generation =
                    (key == "version" ? "gecko " : "") + std::to_string(*version);
    });
}

void FirefoxReader::readLibs(std::vector<FirefoxLib> &libs)
{
    m_json.forEachElement([&] {
        libs.emplace_back();
        m_json.forEachMember([&](std::string_view key) { libs.back().readMember(m_json, key); });
    });
}

void FirefoxReader::readThread()
{
    FirefoxThread thread;
    thread.profile = m_profile;
    m_json.forEachMember([&](std::string_view key) {
        if (key == "name")
            thread.name = m_json.string();
        else if (key == "processName")
            thread.process = m_json.string();
        else if (key == "processType" && thread.process.empty())
            thread.process = m_json.string();
        else if (key == "pid")
            thread.pid = readFirefoxId(m_json);
        else if (key == "tid")
            thread.tid = readFirefoxId(m_json);
        else if (key == "samples")
            thread.samples.emplace_back("samples", readSamples());
        else if (key == "nativeAllocations" || key == "jsAllocations")
            thread.samples.emplace_back(key == "jsAllocations" ? "js allocations" : "native allocations",
                                        readSamples());
        else if (key == "markers")
            thread.markers.read(m_json, m_builder);
        else if (key == "libs") // where they were before version 41
            readLibs(m_libs[m_profile]);
        else
            thread.tables.readTable(m_json, key, m_builder);
    });
    m_threads.push_back(std::move(thread));
}

FirefoxSamples FirefoxReader::readSamples()
{
    FirefoxSamples samples;
    const auto integer = [this] { return m_json.integer().value_or(FirefoxTables::kNull); };
    readFirefoxTable(
        m_json, sampleColumnNamed,
        [&](SampleColumn column) {
            switch (column) {
            case SampleColumn::Stack:
                return samples.stacks.push_back(integer());
            case SampleColumn::Time:
                return samples.times.push_back(readTime());
            case SampleColumn::TimeDelta:
                return samples.deltas.push_back(readTime());
            case SampleColumn::Weight:
                return samples.weights.push_back(m_json.number().value_or(1));
            case SampleColumn::CpuDelta:
                return samples.cpuDeltas.push_back(std::max<std::int64_t>(m_json.integer().value_or(0), 0));
            case SampleColumn::WeightType:
                samples.weightType = m_json.string();
                return;
            case SampleColumn::Other:
                return;
            }
        },
        [&](SampleColumn column) {
            if (column == SampleColumn::Stack)
                samples.stacks.push_back(FirefoxTables::kNull);
            else if (column == SampleColumn::Time)
                samples.times.push_back(0);
            else if (column == SampleColumn::CpuDelta)
                samples.cpuDeltas.push_back(0);
        });
    return samples;
}

/// Tables are resolved when all have been seen: shared ones may come behind the threads.
void FirefoxReader::finish()
{
    std::optional<FirefoxStacks> shared;
    FirefoxRecords records(m_builder, m_clock, m_categories);
    for (FirefoxThread &thread : m_threads) {
        const bool hasStacks = !thread.tables.stackFrame.empty();
        thread.tables.otherStrings = &m_shared.strings;
        if (!hasStacks && !shared)
            shared.emplace(m_builder, m_shared, m_libs.front());
        if (hasStacks)
            addSamples(thread, FirefoxStacks(m_builder, thread.tables, m_libs[thread.profile]));
        else
            addSamples(thread, *shared);
        std::vector<Attribute> owner = processOf(thread);
        std::ranges::copy(threadOf(thread), std::back_inserter(owner));
        records.add(thread.markers, thread.tables, owner);
    }
    for (const FirefoxCounter &counter : m_counters)
        records.add(counter);
}

std::vector<Attribute> FirefoxReader::processOf(const FirefoxThread &thread)
{
    std::vector<Attribute> attributes{m_builder.attribute("process.pid", thread.pid)};
    if (!thread.process.empty())
        attributes.push_back(m_builder.attribute("process.executable.name", thread.process));
    return attributes;
}

std::vector<Attribute> FirefoxReader::threadOf(const FirefoxThread &thread)
{
    return {m_builder.attribute("thread.id", thread.tid), m_builder.attribute("thread.name", thread.name)};
}

std::vector<Attribute> FirefoxReader::categoryOf(std::int64_t category)
{
    if (category < 0 || static_cast<std::size_t>(category) >= m_categories.size())
        return {};
    return {m_builder.attribute("category", m_categories[static_cast<std::size_t>(category)])};
}

ContextId FirefoxReader::contextOf(const FirefoxThread &thread, std::int64_t category)
{
    std::vector<Attribute> own = threadOf(thread);
    std::ranges::copy(categoryOf(category), std::back_inserter(own));
    return m_builder.context(m_builder.attributes(processOf(thread)), m_builder.attributes(own));
}

/// As the Profiler does it: a sample without a stack is none.
void FirefoxReader::addSamples(const FirefoxThread &thread, const FirefoxStacks &stacks)
{
    for (const auto &[name, samples] : thread.samples) {
        const bool isBytes = samples.weightType == "bytes" || name != "samples";
        const bool isTime = samples.weightType == "tracing-ms";
        const double cpuFactor = m_cpuUnit == "ns"                               ? 1
                                 : m_cpuUnit == "\xc2\xb5s" || m_cpuUnit == "us" ? 1000
                                                                                 : 0;
        const bool hasCpu = cpuFactor > 0 && !samples.cpuDeltas.empty();
        BlockText block{.series = {{isTime ? "time" : name, isBytes  ? "bytes"
                                                            : isTime ? "nanoseconds"
                                                                     : "count"}},
                        .hasTimes = true};
        if (hasCpu)
            block.series.push_back({"cpu", "nanoseconds"});
        if (!isBytes && !isTime && m_intervalMs > 0 && m_intervalMs < 1e6) {
            block.periodType = "wall";
            block.periodUnit = "nanoseconds";
            block.period = std::llround(m_intervalMs * 1e6);
        }
        const std::size_t number = m_builder.block(block);
        double last = 0;
        std::int64_t category = FirefoxTables::kNull - 1;
        ContextId context;
        for (std::size_t row = 0; row < samples.size(); ++row) {
            constexpr std::size_t kAhead = 16;
            if (row + kAhead < samples.size())
                __builtin_prefetch(stacks.place(samples.stacks[row + kAhead]));
            const double time = samples.time(row, last);
            const std::int64_t stack = samples.stacks[row];
            if (stack == FirefoxTables::kNull)
                continue;
            if (!stacks.has(stack))
                m_builder.losses().add(Loss::UnknownReferences, "a sample's stack does not exist");
            if (const std::int64_t own = stacks.category(stack); own != category)
                context = contextOf(thread, category = own);
            const double weight = row < samples.weights.size() ? samples.weights[row] : 1;
            const double cpu =
                row < samples.cpuDeltas.size() ? static_cast<double>(samples.cpuDeltas[row]) * cpuFactor : 0;
            const std::array<std::int64_t, 2> values{clampedRound(weight * (isTime ? 1e6 : 1)),
                                                     clampedRound(cpu)};
            m_builder.add(number, stacks.stack(stack), context, m_clock.timeNs(time),
                          std::span(values).first(hasCpu ? 2 : 1));
        }
    }
}

Result<Batch> readFirefox(InputStream &input, const ReadOptions &options)
{
    return FirefoxReader(input, options).read();
}

} // namespace

const Format kFirefox{.name = "firefox", .read = readFirefox};

} // namespace hearth
