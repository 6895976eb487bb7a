#include "app/cli/command.h"
#include "app/cli/data_set.h"
#include "app/cli/options.h"
#include "app/cli/signals.h"
#include "app/cli/terminal.h"
#include "app/record/recording_run.h"

#include <array>
#include <charconv>
#include <ctime>
#include <filesystem>

namespace hearth::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto kBetweenStatus = 100ms;

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
    Option{.name = "event", .value = "EVENT", .help = "what the clock counts: cpu-clock or cycles"},
    Option{.name = "page-faults", .value = "", .help = "also page faults"},
    Option{.name = "switches", .value = "", .help = "also context switches"},
    Option{
        .name = "symbols", .value = "WHAT", .help = "none, names, which is the default, or full: with lines"},
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

Result<std::vector<pid_t>> processesOf(const Arguments &arguments)
{
    std::vector<pid_t> processes;
    for (const std::string &list : arguments.values("pid"))
        for (const std::string &word : splitAtCommas(list)) {
            pid_t process = 0;
            const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), process);
            if (error != std::errc() || end != word.data() + word.size() || process <= 0)
                return failure("--pid needs the number of a process, not '" + word + "'");
            processes.push_back(process);
        }
    return processes;
}

Result<RecordingRequest> requestOf(const Arguments &arguments)
{
    auto processes = processesOf(arguments);
    const auto frequency = arguments.number("frequency", 0);
    if (!processes || !frequency)
        return tl::unexpected(!processes ? processes.error() : frequency.error());
    RecordingRequest request{.processes = std::move(*processes),
                             .cgroup = arguments.value("cgroup").value_or(""),
                             .command = arguments.files(),
                             .directory = {},
                             .frequency = static_cast<unsigned>(*frequency),
                             .isOffCpu = arguments.has("off-cpu"),
                             .event = arguments.value("event").value_or(""),
                             .hasPageFaults = arguments.has("page-faults"),
                             .hasSwitches = arguments.has("switches"),
                             .symbols = arguments.value("symbols").value_or("")};
    if ((request.processes.empty() ? 0 : 1) + (request.cgroup.empty() ? 0 : 1) +
            (request.command.empty() ? 0 : 1) >
        1)
        return failure("-p, --cgroup and a command exclude each other");
    return request;
}

RecordingOrder orderOf(const Arguments &arguments, RecordingRequest request, const std::string &output)
{
    // pkexec starts the agent in another folder.
    std::error_code error;
    std::vector<std::string> delivery{"--output", std::filesystem::absolute(output, error).string()};
    if (const auto duration = arguments.value("for"))
        delivery.insert(delivery.end(), {"--for", *duration});
    return {.request = std::move(request),
            .delivery = delivery,
            .deliveryByHand = delivery,
            .isInTerminal = true};
}

/// Until the recording is over. The line is not shown where a command prints what it likes.
RecordingStatus follow(RecordingRun &run, EndSignals &signals, bool isShown)
{
    StatusLine line;
    RecordingStatus status = run.status();
    for (; !status.isOver(); status = run.status()) {
        if (isShown)
            line.show(progressText(status, std::chrono::steady_clock::now()));
        if (signals.arriveWithin(kBetweenStatus))
            run.stop();
    }
    return status;
}

std::string summary(const RecordingStatus &status)
{
    std::string text = std::to_string(status.samples) + " samples in " + elapsedText(status.elapsed);
    if (status.complete + status.cut > 0)
        text += ", " +
                percent(static_cast<std::int64_t>(status.complete),
                        static_cast<std::int64_t>(status.complete + status.cut)) +
                " of user stacks complete";
    if (status.lost > 0)
        text += ", " + std::to_string(status.lost) + " lost for lack of room";
    if (status.dropped > 0)
        text += ", " + std::to_string(status.dropped) + " messages could not be written";
    return text;
}

void complainOf(const RecordingFailure &failure)
{
    complain(failure.text);
    if (failure.remedy == FailureRemedy::CopyCommand)
        complain("try: " + failure.command);
}

Exit printTop(const Arguments &arguments, const std::string &output)
{
    const std::vector<std::string> words{output, "--limit", arguments.value("limit").value_or("20")};
    const auto parsed = Arguments::parse(words, kTop.options);
    return parsed ? kTop.run(*parsed) : Exit::WrongUse;
}

Exit runRecord(const Arguments &arguments)
{
    auto request = requestOf(arguments);
    const auto duration = durationOption(arguments, "for");
    if (!request || !duration) {
        complain(!request ? request.error().message : duration.error().message);
        return Exit::WrongUse;
    }
    const bool isCommand = !request->command.empty();
    const std::string output = arguments.value("output").value_or(outputNamedByTime());
    EndSignals signals;
    RecordingRun run(orderOf(arguments, std::move(*request), output), launchPlaces(), [] {});
    const RecordingStatus status = follow(run, signals, !isCommand);
    for (const std::string &missing : status.missing)
        complain("missing " + missing);
    if (status.failure) {
        complainOf(*status.failure);
        return Exit::Unreadable;
    }
    if (status.commandStatus != 0)
        complain("the command ended with status " + std::to_string(status.commandStatus));
    complain(summary(status) + "; the recording is in " + output);
    return status.samples == 0 ? Exit::Done : printTop(arguments, output);
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
