#include "tests/bench/symbols.h"

#include "ingest/symbols/program.h"
#include "tests/bench/process.h"
#include "tests/bench/report.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace hearth::bench {

namespace {

constexpr std::size_t kPlaces = 100'000;
constexpr int kUnits = 50; ///< of 4 MB

/// Maps, sorting and closures of many types, as in C++ that people write: deep chains of inlined functions.
const char *const kSource = R"(
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
template <int N> struct Record {
    std::string name;
    int weight = N;
    std::vector<std::string> parts;
    bool operator<(const Record &other) const
    {
        return weight != other.weight ? weight < other.weight : name < other.name;
    }
};
template <int N> std::size_t work(const std::vector<std::string> &words)
{
    std::map<std::string, Record<N>> byName;
    std::unordered_map<std::string, std::vector<Record<N>>> groups;
    std::vector<Record<N>> all;
    for (const std::string &word : words) {
        Record<N> record{word, N, {word, word + std::to_string(N)}};
        byName[word] = record;
        groups[word.substr(0, N % 3)].push_back(record);
        all.push_back(std::move(record));
    }
    std::sort(all.begin(), all.end());
    std::stable_sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return b < a; });
    std::function<std::size_t(const Record<N> &)> size = [&](const Record<N> &record) {
        return record.parts.size() + byName.size() + N;
    };
    std::variant<int, std::string, Record<N>> either = all.front();
    std::size_t sum = std::visit([](const auto &value) { return sizeof(value); }, either);
    for (const auto &record : all)
        sum += size(record) + groups.size();
    return sum;
}
template <int... N> std::size_t all(const std::vector<std::string> &words, std::integer_sequence<int, N...>)
{
    return (work<N>(words) + ...);
}
std::size_t run(const std::vector<std::string> &words)
{
    return all(words, std::make_integer_sequence<int, 20>());
}
)";

/// One unit is compiled, and linked fifty times under other names: debug information as long as that of a
/// large program in the time of a small one. It is never run.
std::string programIn(const std::filesystem::path &folder)
{
    const std::string program = (folder / "symbols").string();
    if (std::filesystem::exists(program))
        return program;
    const std::filesystem::path parts = folder / "symbols.parts";
    std::filesystem::create_directories(parts);
    std::ofstream(parts / "unit.cpp") << kSource;
    std::string script = "set -e; cd '" + parts.string() + "'; c++ -std=c++20 -O2 -g -c unit.cpp -o unit.o; ";
    script += "for i in $(seq " + std::to_string(kUnits) +
              "); do objcopy --prefix-symbols=k${i}_ unit.o $i.o; done; ";
    script += "rm unit.o; c++ -nostdlib -no-pie -fuse-ld=mold -Wl,--build-id=sha1 "
              "-Wl,--unresolved-symbols=ignore-all -o '" +
              program + "' *.o";
    const int status = std::system(script.c_str());
    std::filesystem::remove_all(parts);
    if (status == 0)
        return program;
    std::fprintf(stderr, "hearth-bench: no program to be named: the compiler, objcopy or mold failed\n");
    std::exit(1);
}

/// Spread evenly over the code.
std::vector<std::uint64_t> placesIn(const ElfSection &code, std::uint64_t begin)
{
    std::vector<std::uint64_t> places;
    for (std::size_t i = 0; i < kPlaces; ++i)
        places.push_back(begin + code.size * i / kPlaces);
    return places;
}

} // namespace

void benchSymbols(const std::filesystem::path &folder)
{
    if (!isWanted("symbols"))
        return;
    const std::string path = programIn(folder);
    const auto file = ElfFile::open(path).value();
    const ElfSection &code = *file->section(".text");
    const std::string addresses = (folder / "symbols.addresses").string();
    std::ofstream list(addresses);
    for (const std::uint64_t address : placesIn(code, code.address))
        list << "0x" << std::hex << address << '\n';
    list.close();
    const std::vector<std::uint64_t> offsets = placesIn(code, code.offset);

    const ProcessRun peer = medianRun(
        [&] { return runProcess({"llvm-symbolizer-19", "--inlines", "--obj=" + path}, addresses); });
    const ProcessRun all = medianRun([&] {
        return runInChild([&] {
            const auto again = ElfFile::open(path).value();
            (void)Program({again, again, nullptr}).namesOf(offsets);
        });
    });
    const ProcessRun one = medianRun([&] {
        return runInChild([&] {
            const auto again = ElfFile::open(path).value();
            (void)Program({again, again, nullptr}).namesOf(std::span(offsets).subspan(kPlaces / 2, 1));
        });
    });
    char note[160];
    std::snprintf(note, sizeof note, "%.0f ms of CPU, peak %.0f MiB; %.0f MB of debug information",
                  peer.cpuMilliseconds, peer.peakMiB,
                  static_cast<double>(file->section(".debug_info")->size) / 1e6);
    row("symbols: llvm-symbolizer --inlines, 100 k places", peer.milliseconds, note);
    const auto tell = [&](const char *name, const ProcessRun &run) {
        std::snprintf(note, sizeof note, "%.0f ms of CPU = %.2f x llvm-symbolizer, peak %.0f MiB",
                      run.cpuMilliseconds, run.cpuMilliseconds / peer.cpuMilliseconds, run.peakMiB);
        row(name, run.milliseconds, note);
    };
    tell("symbols: hearth, 100 k places", all);
    tell("symbols: hearth, the first name", one);
}

} // namespace hearth::bench
