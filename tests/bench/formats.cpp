#include "tests/bench/formats.h"

#include "ingest/formats/format.h"
#include "model/store/store.h"
#include "model/views/evaluator.h"
#include "tests/bench/process.h"
#include "tests/bench/report.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <stop_token>
#include <string>
#include <utility>

namespace hearth::bench {

namespace {

constexpr std::size_t kFileBytes = std::size_t(1) << 30;

/// Appends to a file what it is given, in large pieces.
class FileWriter {
public:
    explicit FileWriter(const std::string &path) : m_file(path, std::ios::binary) {}
    ~FileWriter() { flush(); }
    FileWriter(const FileWriter &) = delete;
    FileWriter &operator=(const FileWriter &) = delete;

    std::string &text()
    {
        if (m_text.size() > (std::size_t(1) << 20))
            flush();
        return m_text;
    }
    std::size_t size() const { return m_written + m_text.size(); }

private:
    void flush()
    {
        m_file.write(m_text.data(), static_cast<std::streamsize>(m_text.size()));
        m_written += m_text.size();
        m_text.clear();
    }

    std::ofstream m_file;
    std::string m_text;
    std::size_t m_written = 0;
};

void append(std::string &bytes, std::uint64_t value, std::size_t size)
{
    for (std::size_t byte = 0; byte < size; ++byte)
        bytes += static_cast<char>(value >> (8 * byte));
}

/// A record of perf with this body.
void appendRecord(std::string &bytes, std::uint32_t type, std::uint16_t misc, const std::string &body)
{
    append(bytes, type, 4);
    append(bytes, misc, 2);
    append(bytes, body.size() + 8, 2);
    bytes += body;
}

/// A pipe's recording of 16 processes with 100,000 distinct stacks, 20 frames deep on average.
void writePerfData(const std::string &path)
{
    constexpr std::uint64_t kSampleType = 1 | 2 | 4 | 32 | 128 | 256; // IP, TID, TIME, CALLCHAIN, CPU, PERIOD
    constexpr std::uint64_t kUserMark = static_cast<std::uint64_t>(-512);
    constexpr std::uint64_t kBase = 0x400000;
    FileWriter file(path);
    append(file.text(), 0x32454c4946524550, 8);
    append(file.text(), 16, 8);
    std::string attr;
    append(attr, 1, 4); // software: cpu-clock
    append(attr, 88, 4);
    for (const std::uint64_t word : {std::uint64_t(0), std::uint64_t(999), kSampleType, std::uint64_t(0),
                                     std::uint64_t(1) << 10 | 1U << 18, std::uint64_t(0), std::uint64_t(0),
                                     std::uint64_t(0), std::uint64_t(0), std::uint64_t(0), std::uint64_t(1)})
        append(attr, word, 8);
    appendRecord(file.text(), 64, 0, attr);
    for (std::uint32_t process = 100; process < 116; ++process) {
        std::string mapping;
        append(mapping, process, 4);
        append(mapping, process, 4);
        for (const std::uint64_t word : {kBase, std::uint64_t(1) << 24, std::uint64_t(0)})
            append(mapping, word, 8);
        mapping += "/opt/program-" + std::to_string(process) + std::string(5, '\0');
        mapping.resize((mapping.size() + 7) / 8 * 8);
        for (const std::uint64_t word :
             {std::uint64_t(process) << 32 | process, std::uint64_t(1), std::uint64_t(0)})
            append(mapping, word, 8);
        appendRecord(file.text(), 1, 2, mapping);
    }
    std::mt19937 random(1);
    for (std::uint64_t time = 1000; file.size() < kFileBytes; time += 1000) {
        std::mt19937 frames(random() % 100'000);
        const std::size_t depth = 5 + frames() % 31;
        const std::uint32_t process = 100 + frames() % 16;
        std::string sample;
        append(sample, kBase + frames() % 4096 * 64, 8);
        for (const std::uint64_t word :
             {std::uint64_t(process) << 32 | process, time, std::uint64_t(random() % 2),
              std::uint64_t(1'001'001), std::uint64_t(depth + 1), kUserMark})
            append(sample, word, 8);
        for (std::size_t frame = 0; frame < depth; ++frame)
            append(sample, kBase + frames() % 4096 * 64, 8);
        appendRecord(file.text(), 9, 2, sample);
        if (time % 500'000 == 0)
            appendRecord(file.text(), 68, 0,
                         {}); // a round is over, as perf says whenever it has emptied its buffers
    }
}

/// As `perf script` prints 100,000 distinct stacks of 16 processes, 20 frames deep on average.
void writePerfScript(const std::string &path)
{
    FileWriter file(path);
    std::mt19937 random(1);
    std::array<char, 160> line{};
    for (unsigned long long us = 1; file.size() < kFileBytes; ++us) {
        std::mt19937 frames(random() % 100'000);
        const auto depth = static_cast<unsigned>(5 + frames() % 31);
        const auto process = static_cast<unsigned>(100 + frames() % 16);
        std::snprintf(line.data(), line.size(),
                      "program-%u %u/%u [%03u] %llu.%06llu:    1001001 cpu-clock:ppp: \n", process, process,
                      process, static_cast<unsigned>(random() % 2), us / 1'000'000, us % 1'000'000);
        file.text() += line.data();
        for (unsigned frame = 0; frame < depth; ++frame) {
            const auto function = static_cast<unsigned>(frames() % 4096);
            std::snprintf(line.data(), line.size(), "\t%16x module::function%u+0x%x (/opt/program-%u)\n",
                          0x400000 + function * 64, function, function % 64, process);
            file.text() += line.data();
        }
        file.text() += "\n";
    }
}

/// Slices of 16 threads, three deep: 300 kinds of tasks, each with a few others in it, and an argument that
/// is nearly never the same.
void writeChromeTrace(const std::string &path)
{
    constexpr std::array kSources{"content/renderer/task_queue.cc", "third_party/blink/layout.cc",
                                  "cc/trees/layer_tree_host.cc", "net/url_request/url_request.cc"};
    FileWriter file(path);
    std::mt19937 random(1);
    file.text() += "{\"traceEvents\":[\n";
    std::array<char, 256> line{};
    for (unsigned long long round = 0; file.size() < kFileBytes; ++round) {
        std::uint_fast32_t task = random() % 300;
        for (unsigned depth = 0; depth < 3; ++depth) {
            std::snprintf(
                line.data(), line.size(),
                R"({"name":"task%u","cat":"toplevel","ph":"X","ts":%llu.%u,"dur":%u,"pid":7,"tid":%u,)"
                R"("args":{"src_file":"%s","src_func":"Run%u","id":%u}},)"
                "\n",
                static_cast<unsigned>(task), round / 16 * 100 + depth * 10,
                static_cast<unsigned>(random() % 10), 90 - 20 * depth, static_cast<unsigned>(round % 16),
                kSources.at(task % kSources.size()), static_cast<unsigned>(task % 97),
                static_cast<unsigned>(random() % 5000));
            file.text() += line.data();
            task = task * 4 + random() % 4;
        }
    }
    file.text() += "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":7,\"args\":{\"name\":\"render\"}}]}\n";
}

/// A column of a table: `value(row)` for each row.
void writeColumn(FileWriter &file, const char *name, std::size_t rows,
                 const std::function<std::string(std::size_t)> &value)
{
    file.text() += std::string("\"") + name + "\":[";
    for (std::size_t row = 0; row < rows; ++row)
        file.text() += (row > 0 ? "," : "") + value(row);
    file.text() += "],";
}

/// One thread with two million stacks and as many samples as fill the file, as samply writes them.
void writeFirefox(const std::string &path)
{
    constexpr std::size_t kStacks = 2'000'000, kFrames = 100'000, kFuncs = 50'000;
    constexpr std::size_t kSamples = kFileBytes / 19;
    FileWriter file(path);
    std::mt19937 random(1);
    const auto upTo = [&random](std::size_t end) { return std::to_string(random() % end); };
    const auto constant = [](const char *text) { return [text](std::size_t) { return std::string(text); }; };
    file.text() +=
        R"({"meta":{"interval":1,"startTime":1000,"preprocessedProfileVersion":53,"product":"bench"},)"
        R"("libs":[{"name":"a.so","path":"/a.so"}],"threads":[{"name":"t","pid":"1","tid":2,)";
    file.text() += R"("stackTable":{)";
    writeColumn(file, "prefix", kStacks, [&](std::size_t row) {
        return row < 100 ? std::string("null") : std::to_string(row - 1 - random() % 100);
    });
    writeColumn(file, "frame", kStacks, [&](std::size_t) { return upTo(kFrames); });
    file.text() += R"("length":2000000},"frameTable":{)";
    writeColumn(file, "address", kFrames, [&](std::size_t row) { return std::to_string(row * 16); });
    writeColumn(file, "func", kFrames, [&](std::size_t) { return upTo(kFuncs); });
    writeColumn(file, "line", kFrames, constant("null"));
    file.text() += R"("length":100000},"funcTable":{)";
    writeColumn(file, "name", kFuncs, [](std::size_t row) { return std::to_string(row); });
    writeColumn(file, "isJS", kFuncs, constant("false"));
    writeColumn(file, "resource", kFuncs, constant("0"));
    file.text() += R"("length":50000},"resourceTable":{"lib":[0],"name":[0],"type":[1]},)";
    writeColumn(file, "stringArray", kFuncs,
                [](std::size_t row) { return "\"module::function" + std::to_string(row) + "\""; });
    file.text() += R"("samples":{)";
    writeColumn(file, "stack", kSamples, [&](std::size_t) { return upTo(kStacks); });
    writeColumn(file, "timeDeltas", kSamples,
                [&](std::size_t) { return "1.0" + std::to_string(100 + random() % 900); });
    writeColumn(file, "threadCPUDelta", kSamples, [&](std::size_t) { return upTo(10); });
    file.text() += R"("weight":null,"weightType":"samples"}}]})";
}

/// How long it takes until what was read of a file could be shown, as the window does it.
double millisecondsToFirstLook(const std::string &path)
{
    constexpr std::chrono::milliseconds kFirst{300};
    const auto began = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point shown;
    std::stop_source stop;
    const auto show = [&](Batch soFar) {
        Store store;
        store.append(std::move(soFar));
        (void)Evaluator().evaluate(store.publish(), {});
        shown = std::chrono::steady_clock::now();
        stop.request_stop();
        return ~std::size_t(0);
    };
    ReadOptions options;
    options.isLookDue = [&] { return std::chrono::steady_clock::now() - began >= kFirst; };
    options.takePart = show;
    options.preview = show;
    options.stop = stop.get_token();
    auto whole = readProfile(path, options);
    if (whole) // it came at once
        (void)show(std::move(*whole));
    return std::chrono::duration<double, std::milli>(shown - began).count();
}

void benchFormat(const std::string &name, const std::filesystem::path &path,
                 const std::function<void(const std::string &)> &write)
{
    if (!isWanted("format " + name))
        return;
    if (!std::filesystem::exists(path))
        write(path.string());
    const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
    const std::string hearth =
        (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "hearth").string();
    const ProcessRun top = medianRun({hearth, "top", "--no-symbols", path.string()});
    std::array<char, 160> note{};
    std::snprintf(note.data(), note.size(), "%.0f MB: %.0f MB/s, %.0f MB/s of CPU time, peak %.0f MiB",
                  megabytes, megabytes / top.milliseconds * 1e3, megabytes / top.cpuMilliseconds * 1e3,
                  top.peakMiB);
    row("format " + name + ": hearth top", top.milliseconds, note.data());
    row("format " + name + ": first look", millisecondsToFirstLook(path.string()));
    if (name != "perf.data" || std::system("command -v perf >/dev/null") != 0)
        return;
    const ProcessRun script = runProcess({"perf", "script", "-i", path.string()});
    std::snprintf(note.data(), note.size(), "%.1f x hearth top, %.1f x its CPU time, once",
                  script.milliseconds / top.milliseconds, script.cpuMilliseconds / top.cpuMilliseconds);
    row("format " + name + ": perf script", script.milliseconds, note.data());
}

} // namespace

void benchFormats(const std::filesystem::path &folder)
{
    benchFormat("perf.data", folder / "perf.data", writePerfData);
    benchFormat("perf script", folder / "perf-script.txt", writePerfScript);
    benchFormat("chrome trace", folder / "trace.json", writeChromeTrace);
    benchFormat("firefox", folder / "firefox.json", writeFirefox);
}

} // namespace hearth::bench
