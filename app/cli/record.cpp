#include "app/cli/command.h"
#include "app/cli/signals.h"
#include "app/cli/terminal.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>

namespace hearth::cli {

namespace {

constexpr std::string_view kAgent = "hearth-agent";
constexpr int kAgentFailed = 125; ///< as env and timeout have it, so that it is no command's status

constexpr std::array kOptions{
    Option{.name = "all", .value = "", .help = "the whole machine, which is the default", .letter = 'a'},
    Option{.name = "pid",
           .value = "PID",
           .help = "this process and its children, any number of times",
           .letter = 'p'},
    Option{.name = "cgroup", .value = "DIRECTORY", .help = "what runs in this cgroup (version 2) and below"},
    Option{.name = "frequency",
           .value = "HZ",
           .help = "samples a second and processor, 1 to 1000; 97 by default",
           .letter = 'F'},
    Option{.name = "off-cpu", .value = "", .help = "also where threads wait, and for how long"},
    Option{.name = "symbols", .value = "WHAT", .help = "none, or names, which is the default"},
    Option{.name = "output",
           .value = "FILE",
           .help = "what to write: .otlp, .otlp.gz or .otlp.zst; by default named after the time",
           .letter = 'o'},
    Option{.name = "for", .value = "DURATION", .help = "end after that long, like 10s"},
    Option{.name = "limit", .value = "N", .help = "functions to print at the end; 20 by default"},
};

std::string outputNamedByTime()
{
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 64> name{};
    const std::size_t size =
        std::strftime(name.data(), name.size(), "recording-%Y%m%d-%H%M%S.otlp.zst", &local);
    return {name.data(), size};
}

/// Beside this program, where both are installed and built; else wherever the shell would find it.
std::string agentProgram()
{
    std::error_code error;
    const auto beside = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / kAgent;
    return !error && ::access(beside.c_str(), X_OK) == 0 ? beside.string() : std::string(kAgent);
}

std::vector<std::string> agentWords(const Arguments &arguments, const std::string &output)
{
    std::vector<std::string> words{agentProgram(), "--output", output};
    for (const std::string_view option : {"cgroup", "frequency", "symbols", "for"})
        if (const auto value = arguments.value(option))
            words.insert(words.end(), {"--" + std::string(option), *value});
    for (const std::string &process : arguments.values("pid"))
        words.insert(words.end(), {"--pid", process});
    if (arguments.has("off-cpu"))
        words.emplace_back("--off-cpu");
    if (!arguments.files().empty()) {
        words.emplace_back("--");
        words.insert(words.end(), arguments.files().begin(), arguments.files().end());
    }
    return words;
}

/// Runs the agent to its end. Signals that ask to end are its own affair: it has them from the terminal too.
/// @return its exit status
Result<int> runAgent(const std::vector<std::string> &words)
{
    std::vector<char *> arguments;
    for (const std::string &word : words)
        arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    pid_t agent = 0;
    const int error = posix_spawnp(&agent, arguments[0], nullptr, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    if (error != 0)
        return failure("cannot start " + words[0] + ": " + std::strerror(error));
    int status = 0;
    while (waitpid(agent, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Exit printTop(const Arguments &arguments, const std::string &output)
{
    const std::vector<std::string> words{output, "--limit", arguments.value("limit").value_or("20")};
    const auto parsed = Arguments::parse(words, kTop.options);
    return parsed ? kTop.run(*parsed) : Exit::WrongUse;
}

Exit runRecord(const Arguments &arguments)
{
    const std::string output = arguments.value("output").value_or(outputNamedByTime());
    const EndSignals signals;
    const auto status = runAgent(agentWords(arguments, output));
    if (!status) {
        complain(status.error().message);
        return Exit::Unreadable;
    }
    if (*status == kAgentFailed) {
        if (::geteuid() != 0)
            complain("recording needs privileges: try sudo hearth record …");
        return Exit::Unreadable;
    }
    if (*status != 0)
        complain("the command ended with status " + std::to_string(*status));
    complain("the recording is in " + output);
    std::error_code error;
    const bool isEmpty = std::filesystem::file_size(output, error) == 0 || error;
    return isEmpty ? Exit::Done : printTop(arguments, output);
}

} // namespace

const Command kRecord{
    .name = "record",
    .usage =
        "[-a | -p PID | --cgroup DIRECTORY | -- COMMAND…] [-F HZ] [--off-cpu] [-o FILE] [--for DURATION]",
    .summary = "sample what this machine runs, and print the functions that weigh most",
    .examples = "  sudo hearth record --for 10s\n"
                "  sudo hearth record -p 4711 --off-cpu --for 1min -o waiting.otlp.zst\n"
                "  sudo hearth record -F 500 -- make -j8\n",
    .options = kOptions,
    .run = runRecord,
};

} // namespace hearth::cli
