#include "ingest/bytes/byte_sink.h"
#include "model/views/difference_table.h"
#include "model/views/evaluator.h"
#include "model/views/flame_layout.h"
#include "model/views/inverted_tree.h"
#include "model/views/top_table.h"
#include "tests/bench/formats.h"
#include "tests/bench/generate.h"
#include "tests/bench/otlp.h"
#include "tests/bench/port.h"
#include "tests/bench/process.h"
#include "tests/bench/report.h"
#include "tests/bench/sampler.h"
#include "tests/bench/symbols.h"
#include "tests/bench/timing.h"
#include "tests/bench/traces.h"
#include "tests/bench/window.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

// Prints one table: what, its median, and what it is compared with. `hearth-bench [FILTER]` runs what
// contains FILTER.

namespace {

using namespace hearth;
using namespace hearth::bench;

/// In a process of its own: what this one ever held would count as the peak memory of those that it starts.
void generateFile(const std::string &path, const ProfileSize &size)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(writeFile(path, pprofBytes(size)) ? 0 : 1);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0 ||
        std::system(("gzip -6 -k " + path).c_str()) != 0)
        std::exit(1);
}

void benchFile(const std::string &name, const ProfileSize &size, const std::filesystem::path &folder)
{
    if (!isWanted("file " + name))
        return;
    const std::string packed = (folder / (name + ".pb.gz")).string();
    const std::string raw = (folder / (name + ".pb")).string();
    if (!std::filesystem::exists(packed))
        generateFile(raw, size);
    const double unpackedMiB = static_cast<double>(std::filesystem::file_size(raw)) / 1048576;
    const ProcessRun gzip = medianRun({"gzip", "-dc", packed});
    const ProcessRun pigz = medianRun({"pigz", "-dc", packed});
    const std::string hearth =
        (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "hearth").string();
    char note[160];
    std::snprintf(note, sizeof note, "%.0f MiB unpacked", unpackedMiB);
    row("file " + name + ": gzip -dc", gzip.milliseconds, note);
    row("file " + name + ": pigz -dc", pigz.milliseconds);
    for (const std::string &file : {packed, raw}) {
        const ProcessRun top = medianRun({hearth, "top", file});
        std::snprintf(note, sizeof note, "%.2f x gzip -dc, peak %.0f MiB = %.2f x unpacked",
                      top.milliseconds / gzip.milliseconds, top.peakMiB, top.peakMiB / unpackedMiB);
        row("file " + name + ": hearth top" + (file == raw ? ", not packed" : ""), top.milliseconds, note);
    }
}

void benchSamples(std::size_t millions)
{
    const std::string name = "lens over " + std::to_string(millions) + " M samples, 100 k stacks";
    if (!isWanted(name))
        return;
    const auto snapshot = agentSnapshot(millions * 1'000'000, 100'000);
    char note[160];
    std::snprintf(note, sizeof note, "%.2f bytes a sample",
                  static_cast<double>(snapshot->memory.samples) /
                      static_cast<double>(snapshot->sampleCount()));
    Evaluator evaluator;
    (void)evaluator.evaluate(snapshot, {});
    int thread = 0;
    const double byThread = medianOf(7, [&] {
        Lens lens;
        lens.attributes.push_back({.kind = AttributeTermKind::Equals,
                                   .key = "thread",
                                   .text = "thread-" + std::to_string(++thread),
                                   .isNegated = true});
        (void)evaluator.evaluate(snapshot, lens);
    });
    row(name + ": another thread", byThread, note);
    const double byTime = medianOf(7, [&] {
        Lens lens;
        lens.time.from = TimePoint{TimeBase::Start, 1'000'000'000LL * ++thread};
        (void)evaluator.evaluate(snapshot, lens);
    });
    row(name + ": another time", byTime);
    const double byFrames = medianOf(7, [&] {
        Lens lens;
        lens.paths.push_back({.kind = PathTermKind::Literal, .text = "work" + std::to_string(++thread)});
        (void)evaluator.evaluate(snapshot, lens);
    });
    row(name + ": another function", byFrames);
}

void benchTree()
{
    const std::string name = "tree of 1 M nodes";
    if (!isWanted(name))
        return;
    const auto snapshot = agentSnapshot(2'000'000, 1'000'000);
    Evaluator evaluator;
    std::shared_ptr<const Evaluation> evaluation;
    int count = 0;
    row(name + ": filter", medianOf(5, [&] {
            Lens lens;
            lens.frames.push_back(
                {.kind = FrameTermKind::Hide, .text = "module" + std::to_string(++count) + "::"});
            evaluation = evaluator.evaluate(snapshot, lens).value();
        }));
    char note[80];
    std::snprintf(note, sizeof note, "%zu nodes", evaluation->tree->nodeCount());
    row(name + ": top table",
        medianOf(5, [&] { (void)topTable(*evaluation->tree, TopOrder::Self, 0, 0, {}); }), note);
    row(name + ": layout 1920 wide", medianOf(5, [&] {
            (void)layOutFlames(*evaluation->tree, TreeShape::kRoot, 1920, FlameOrder::HeaviestFirst, {});
        }));
    row(name + ": invert", medianOf(5, [&] { InvertedTree inverted(evaluation->tree); }));
}

void benchDifference()
{
    const std::string name = "difference of two trees of 1 M nodes";
    if (!isWanted(name))
        return;
    const auto sideOf = [](std::size_t samples) {
        const auto weights = Evaluator().evaluate(agentSnapshot(samples, 1'000'000), {}).value();
        return DifferenceSide{weights, weights, 1};
    };
    const DifferenceSide base = sideOf(2'000'000);
    const DifferenceSide current = sideOf(2'100'000);
    std::shared_ptr<const Difference> difference;
    const double compare = medianOf(7, [&] {
        difference = std::make_shared<const Difference>(
            differenceOf(base, current, Granularity::Function, {}, {}).value());
    });
    char note[80];
    std::snprintf(note, sizeof note, "%zu and %zu nodes", base.weights->tree->nodeCount(),
                  current.weights->tree->nodeCount());
    row(name + ": matched by names", compare, note);
    row(name + ": table",
        medianOf(7, [&] { (void)differenceTable(difference, DifferenceOrder::Self, 0, {}); }));
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 1)
        setFilter(argv[1]);
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "bench";
    std::filesystem::create_directories(folder);
    benchFile("wide",
              {.samples = 4'000'000, .stacks = 1'000'000, .functions = 200'000, .depth = 40, .threads = 16},
              folder);
    benchFile("deep",
              {.samples = 900'000, .stacks = 200'000, .functions = 20'000, .depth = 250, .threads = 4},
              folder);
    benchFile("names",
              {.samples = 300'000, .stacks = 1'000'000, .functions = 3'500'000, .depth = 20, .threads = 16},
              folder);
    benchFormats(folder);
    for (const std::size_t millions : {1U, 10U, 100U})
        benchSamples(millions);
    benchTree();
    benchDifference();
    benchTraces();
    benchWindow(argc, argv);
    benchOtlp();
    benchPort(folder);
    benchSymbols(folder);
    benchSampler(folder);
}
