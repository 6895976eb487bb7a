#include "ingest/symbols/made_code.h"

#include "ingest/symbols/jit_name.h"
#include "ingest/symbols/kernel_symbols.h"
#include "ingest/symbols/process_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>

namespace hearth {

namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

std::string folderOf(std::uint32_t process)
{
    return "/proc/" + std::to_string(process);
}

std::int64_t nowOf(clockid_t clock)
{
    timespec time{};
    ::clock_gettime(clock, &time);
    return time.tv_sec * kSecondNs + time.tv_nsec;
}

/// When a process was started, in nanoseconds since 1970; nothing if it has gone.
std::optional<std::int64_t> startedNs(std::uint32_t process)
{
    std::ifstream file(folderOf(process) + "/stat");
    std::string text;
    if (!std::getline(file, text))
        return std::nullopt;
    std::size_t place = text.rfind(')'); // behind its name, which may hold anything
    constexpr int kFieldsToStart = 20;
    for (int i = 0; i < kFieldsToStart && place != std::string::npos; ++i)
        place = text.find(' ', place + 1);
    if (place == std::string::npos)
        return std::nullopt;
    return bootTimeNs() + std::atoll(text.c_str() + place) * (kSecondNs / ::sysconf(_SC_CLK_TCK));
}

/// When a file came to be; nothing if there is none.
std::optional<std::int64_t> bornNs(const std::string &path)
{
    struct statx status{};
    if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BTIME | STATX_MTIME, &status) != 0)
        return std::nullopt;
    const auto &time = (status.stx_mask & STATX_BTIME) != 0 ? status.stx_btime : status.stx_mtime;
    return time.tv_sec * kSecondNs + time.tv_nsec;
}

std::string lastPart(const std::string &path)
{
    return path.substr(path.find_last_of('/') + 1);
}

/// Numbers of processes are used again. One that started later, or runs another program, is not the one that
/// was sampled; of one that has gone, its perf map must have been there by then, and the machine not have
/// been started since.
bool isTheSame(const AddressUse &use, const std::string &map)
{
    if (const auto started = startedNs(use.process)) {
        std::error_code error;
        const auto program = std::filesystem::read_symlink(folderOf(use.process) + "/exe", error);
        const bool isOther =
            !error && !use.program.empty() && lastPart(program.string()) != lastPart(use.program);
        return !isOther && (use.lastNs == 0 || *started <= use.lastNs);
    }
    const auto born = bornNs(map);
    return born && use.lastNs != 0 && *born <= use.lastNs && bootTimeNs() <= use.lastNs;
}

/// The jitdump that a process has mapped, as perf wants it to.
std::string jitDumpOf(std::uint32_t process)
{
    std::ifstream maps(folderOf(process) + "/maps");
    for (std::string line; std::getline(maps, line);) {
        const std::size_t slash = line.find('/');
        if (slash == std::string::npos || !line.ends_with(".dump"))
            continue;
        std::string path = line.substr(slash);
        if (lastPart(path).starts_with("jit-"))
            return path;
    }
    return {};
}

} // namespace

struct MadeCode::Process {
    explicit Process(std::uint32_t process) : map(process) {}

    PerfMapFile map;
    JitDump dump;
    std::string mapPath;
    std::string dumpPath;
    bool isTrusted = false;
};

MadeCode::MadeCode(std::string root) : m_root(std::move(root)) {}

MadeCode::~MadeCode() = default;

MadeCode::Process &MadeCode::processOf(const AddressUse &use)
{
    auto &process = m_processes[use.process];
    if (!process) {
        process = std::make_unique<Process>(use.process);
        process->mapPath = m_root + "tmp/perf-" + innermostNumber(use.process) + ".map";
        process->isTrusted = isTheSame(use, process->mapPath);
    }
    if (!process->isTrusted)
        return *process;
    process->map.readOn(static_cast<std::uint64_t>(nowOf(CLOCK_MONOTONIC)));
    if (process->dumpPath.empty())
        process->dumpPath = jitDumpOf(use.process);
    const int file = process->dumpPath.empty() ? -1 : openFileOf(use.process, process->dumpPath.substr(1));
    if (file < 0)
        return *process;
    if (const auto bytes = ByteRange::ofFile("/proc/self/fd/" + std::to_string(file)))
        process->dump.readOn(*bytes);
    ::close(file);
    return *process;
}

std::optional<MadeCode::Found> MadeCode::find(std::uint64_t address, const AddressUse &use)
{
    const Process &process = processOf(use);
    const auto made = [](const std::string &text, std::string file, std::int64_t line, std::string source) {
        const JitName name = parseJitName(text);
        Found found{.line = {}, .source = std::move(source)};
        found.line.name = name.name;
        found.line.systemName = text;
        found.line.file = file.empty() ? name.file : std::move(file);
        found.line.line = line == 0 ? name.line : line;
        return found;
    };
    const std::int64_t clocks = nowOf(CLOCK_REALTIME) - nowOf(CLOCK_MONOTONIC);
    const auto atTime = [&](std::int64_t ns) {
        return process.dump.find(
            address,
            ns == 0 ? ~std::uint64_t(0) : static_cast<std::uint64_t>(std::max<std::int64_t>(ns - clocks, 0)));
    };
    const auto last = atTime(use.lastNs);
    const auto first = atTime(use.firstNs);
    if (first && last && first->name != last->name)
        return std::nullopt; // other code took the place of the first
    if (last)
        return made(last->name, last->file, last->line, process.dumpPath);
    if (const auto name = process.map.map().nameAt(address))
        return made(std::string(*name), {}, 0, process.mapPath);
    return std::nullopt;
}

std::optional<MadeCode::Found> MadeCode::find(std::uint64_t address, std::span<const AddressUse> uses)
{
    std::optional<Found> found;
    for (const AddressUse &use : uses) {
        auto next = find(address, use);
        if (!next || (found && found->line != next->line))
            return std::nullopt;
        found = std::move(next);
    }
    return found;
}

} // namespace hearth
