#include "tests/bench/sampler.h"

#include "ingest/formats/format.h"
#include "model/store/store.h"
#include "tests/bench/background.h"
#include "tests/bench/process.h"
#include "tests/bench/report.h"
#include "tests/bench/timing.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace hearth::bench {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int kRounds = 5;
constexpr auto kWarmUp = 4s, kRound = 10s, kForCompleteness = 20s;
constexpr const char *kSwitch = "/proc/sys/kernel/bpf_stats_enabled";

std::string agentPath()
{
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "hearth-agent").string();
}

bool runs(const std::string &command)
{
    return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

/// The kernel counts how long BPF programs run while this lives.
class KernelCounts {
public:
    KernelCounts()
    {
        std::ifstream(kSwitch) >> m_before;
        std::ofstream(kSwitch) << 1;
    }
    KernelCounts(const KernelCounts &) = delete;
    KernelCounts &operator=(const KernelCounts &) = delete;
    ~KernelCounts() { std::ofstream(kSwitch) << m_before; }

    /// Of the programs that a process has loaded.
    static double milliseconds(pid_t process)
    {
        std::map<std::string, double> byProgram;
        const std::string folder = "/proc/" + std::to_string(process) + "/fdinfo";
        std::error_code error;
        for (const auto &entry : std::filesystem::directory_iterator(folder, error)) {
            std::ifstream file(entry.path());
            std::string program;
            for (std::string key; file >> key;) {
                std::string value;
                file >> value;
                if (key == "prog_id:")
                    program = value;
                if (key == "run_time_ns:")
                    byProgram[program + entry.path().filename().string()] =
                        std::strtod(value.c_str(), nullptr);
            }
        }
        double sum = 0;
        for (const auto &[program, nanoseconds] : byProgram)
            sum += nanoseconds;
        return sum / 1e6;
    }

private:
    int m_before = 0;
};

/// What sampling costs in a second, in milliseconds of a processor.
struct Cost {
    double user = 0;
    double kernel = 0;
    double residentMiB = 0;
};

Cost costOfAgent(const std::string &output)
{
    const KernelCounts counts;
    Background agent({agentPath(), "--control", "-a", "-F", "97", "-o", output}, {}, true);
    std::this_thread::sleep_for(kWarmUp);
    const auto begin = Clock::now();
    const double userBefore = cpuMilliseconds(agent.process());
    const double kernelBefore = KernelCounts::milliseconds(agent.process());
    std::this_thread::sleep_for(kRound);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return {.user = (cpuMilliseconds(agent.process()) - userBefore) / seconds,
            .kernel = (KernelCounts::milliseconds(agent.process()) - kernelBefore) / seconds,
            .residentMiB = statusMiB(agent.process(), "VmRSS")};
}

/// What its programs take in the kernel is not counted apart.
Cost costOfPerf(const std::string &output)
{
    Background perf({"perf", "record", "-q", "-B", "-N", "-a", "-g", "-F", "97", "-o", output});
    std::this_thread::sleep_for(kWarmUp);
    const auto begin = Clock::now();
    const double before = cpuMilliseconds(perf.process());
    std::this_thread::sleep_for(kRound);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return {.user = (cpuMilliseconds(perf.process()) - before) / seconds,
            .kernel = 0,
            .residentMiB = statusMiB(perf.process(), "VmRSS")};
}

double medianOf(const std::vector<Cost> &costs, double Cost::*member)
{
    std::vector<double> values;
    for (const Cost &cost : costs)
        values.push_back(cost.*member);
    return median(values);
}

void printCost(const std::string &name, const std::vector<Cost> &costs)
{
    char note[96];
    const double kernel = medianOf(costs, &Cost::kernel);
    std::snprintf(note, sizeof note, "of a second; in BPF %.2f ms; %.0f MiB resident", kernel,
                  medianOf(costs, &Cost::residentMiB));
    row(name, medianOf(costs, &Cost::user), note);
}

/// In turns, so that what else the machine does hits both alike.
void benchCost(const std::filesystem::path &folder, const std::string &busy)
{
    const bool hasPerf = runs("perf record -B -N -o /dev/null -- true");
    const Background one({busy});
    const Background other({busy});
    std::vector<Cost> agent;
    std::vector<Cost> perf;
    for (int i = 0; i < kRounds; ++i) {
        agent.push_back(costOfAgent(folder / "cost.otlp"));
        if (hasPerf)
            perf.push_back(costOfPerf(folder / "cost.data"));
    }
    printCost("sampler, whole machine, 97 Hz, two busy loops: hearth-agent", agent);
    if (hasPerf)
        printCost("sampler, the same: perf record -a -g", perf);
}

/// A program that runs for ever, if what it needs is installed.
struct Sampled {
    std::string name;
    std::string prepare; ///< a command of the shell
    std::vector<std::string> words;
};

std::vector<Sampled> sampledPrograms(const std::string &folder)
{
    const std::string source = SAMPLED_PROGRAMS "/fib.";
    const std::string made = folder + "/fib-";
    const std::string compile = "g++ -O2 -fno-optimize-sibling-calls -o " + made;
    return {
        {"C++ without frame pointers",
         compile + "cpp -fomit-frame-pointer " + source + "cpp",
         {made + "cpp"}},
        {"C++ with frame pointers only",
         compile + "fp -fno-omit-frame-pointer -fno-asynchronous-unwind-tables -fno-exceptions " + source +
             "cpp",
         {made + "fp"}},
        {"Rust", "rustc -O -o " + made + "rust " + source + "rs", {made + "rust"}},
        {"Go, stripped", "go build -ldflags='-s -w' -o " + made + "go " + source + "go", {made + "go"}},
        {"Python", "python3 -c ''", {"python3", source + "py"}},
        {"Node",
         "node --version",
         {"node", "--perf-basic-prof", "--interpreted-frames-native-stack", source + "js"}},
        {"Java",
         "javac -d " + folder + " " SAMPLED_PROGRAMS "/Fib.java",
         {"java", "-XX:+PreserveFramePointer", "-cp", folder, "Fib"}},
    };
}

struct Stacks {
    std::uint64_t all = 0;
    std::uint64_t complete = 0;
};

/// Whether a stack ends with a frame that says why it goes no further.
bool isCut(const Snapshot &snapshot, StackId stack)
{
    while (snapshot.stacks[stack.value].parent != StackId())
        stack = snapshot.stacks[stack.value].parent;
    const auto lines = snapshot.linesOf(snapshot.stacks[stack.value].frame);
    return !lines.empty() &&
           snapshot.text(snapshot.functions[lines[0].function.value].name).starts_with("[stack ");
}

std::int64_t processOf(const Snapshot &snapshot, const Context &context)
{
    for (const AttributeId id : snapshot.attributesOf(context.resource))
        if (snapshot.text(snapshot.attributes[id.value].key) == "process.pid")
            return snapshot.attributes[id.value].integer();
    return 0;
}

std::map<std::int64_t, Stacks> stacksByProcess(const Snapshot &snapshot)
{
    std::map<std::int64_t, Stacks> stacks;
    for (const SampleTable &table : snapshot.tables)
        for (const auto &chunk : table.chunks)
            for (std::size_t i = 0; i < chunk->rows(); ++i) {
                Stacks &process = stacks[processOf(snapshot, snapshot.contexts[chunk->contexts()[i]])];
                ++process.all;
                process.complete += isCut(snapshot, StackId(chunk->stacks()[i])) ? 0 : 1;
            }
    return stacks;
}

void benchCompleteness(const std::filesystem::path &folder)
{
    std::map<std::string, std::unique_ptr<Background>> running;
    for (const Sampled &program : sampledPrograms(folder))
        if (runs(program.prepare))
            running.emplace(program.name, std::make_unique<Background>(program.words, folder));
    const std::string output = folder / "complete.otlp";
    Background agent({agentPath(), "--control", "-a", "-F", "97", "-o", output}, {}, true);
    std::this_thread::sleep_for(kForCompleteness);
    agent.endInput();
    if (!agent.wait())
        return;
    Store store;
    if (auto batch = readProfile(output))
        store.append(std::move(*batch));
    const auto stacks = stacksByProcess(*store.publish());
    for (const auto &[name, process] : running) {
        const auto found = stacks.find(process->process());
        const Stacks counts = found == stacks.end() ? Stacks() : found->second;
        share("sampler, complete stacks: " + name,
              static_cast<double>(counts.complete) /
                  static_cast<double>(std::max<std::uint64_t>(counts.all, 1)),
              "of " + std::to_string(counts.all) + " from its first sample on");
        std::filesystem::remove("/tmp/perf-" + std::to_string(process->process()) + ".map"); // Node's
    }
}

} // namespace

void benchSampler(const std::filesystem::path &folder)
{
    if (!isWanted("sampler"))
        return;
    const std::filesystem::path own = folder / "sampler";
    std::filesystem::create_directories(own);
    if (!runs(agentPath() + " -o /dev/null --for 1ms")) {
        std::fprintf(stderr, "hearth-bench: %s cannot record here\n", agentPath().c_str());
        return;
    }
    if (runs(sampledPrograms(own).front().prepare))
        benchCost(own, own / "fib-cpp");
    benchCompleteness(own);
}

} // namespace hearth::bench
