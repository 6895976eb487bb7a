#include "agent/options.h"

#include "model/lens/time_text.h"

#include <getopt.h>

#include <array>
#include <charconv>
#include <string_view>

namespace hearth::agent {

namespace {

constexpr std::uint32_t kHighestFrequency = 1000;
constexpr double kUsualShare = -1; ///< until it is known what the target is
constexpr std::uint32_t kUsualPeriod = ~std::uint32_t(0);

enum LongOption {
    kCgroup = 256,
    kEvent,
    kOffCpu,
    kPageFaults,
    kSwitches,
    kSymbols,
    kTo,
    kGzip,
    kFor,
    kControl,
    kVersion
};

constexpr std::array kLongOptions{
    option{"all", no_argument, nullptr, 'a'},
    option{"pid", required_argument, nullptr, 'p'},
    option{"cgroup", required_argument, nullptr, kCgroup},
    option{"frequency", required_argument, nullptr, 'F'},
    option{"event", required_argument, nullptr, kEvent},
    option{"off-cpu", optional_argument, nullptr, kOffCpu},
    option{"page-faults", optional_argument, nullptr, kPageFaults},
    option{"switches", optional_argument, nullptr, kSwitches},
    option{"symbols", required_argument, nullptr, kSymbols},
    option{"to", required_argument, nullptr, kTo},
    option{"gzip", no_argument, nullptr, kGzip},
    option{"output", required_argument, nullptr, 'o'},
    option{"for", required_argument, nullptr, kFor},
    option{"control", no_argument, nullptr, kControl},
    option{"help", no_argument, nullptr, 'h'},
    option{"version", no_argument, nullptr, kVersion},
    option{nullptr, 0, nullptr, 0},
};

Result<std::uint32_t> numberOf(const char *name, std::string_view text, std::uint32_t least,
                               std::uint32_t most)
{
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < least || number > most)
        return failure(std::string(name) + " needs a number from " + std::to_string(least) + " to " +
                       std::to_string(most) + ", not '" + std::string(text) + "'");
    return number;
}

Result<void> addProcesses(Options &options, std::string_view list)
{
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        const auto process = numberOf("-p", list.substr(0, comma), 1, 1U << 22);
        if (!process)
            return tl::unexpected(process.error());
        options.processes.push_back(*process);
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return {};
}

Result<void> setDuration(Options &options, const std::string &text)
{
    const auto term = parseTimeTerm(".." + text);
    if (!term || !term->to || term->to->base != TimeBase::Start)
        return failure("--for needs a duration like 10s or 1.5min, not '" + text + "'");
    options.duration = std::chrono::nanoseconds(term->to->ns);
    return {};
}

Result<void> setReceiver(Options &options, const char *text)
{
    const auto address = parseAddress(text);
    if (!address)
        return failure("--to: " + address.error().message);
    options.receiver = *address;
    return {};
}

Result<void> setSymbols(Options &options, std::string_view text)
{
    if (text != "none" && text != "names" && text != "full")
        return failure("--symbols is none, names or full, not '" + std::string(text) + "'");
    options.symbols = text == "none"    ? SymbolChoice::None
                      : text == "names" ? SymbolChoice::Names
                                        : SymbolChoice::Full;
    return {};
}

Result<void> setClock(Options &options, std::string_view text)
{
    if (text != "cpu-clock" && text != "cycles")
        return failure("--event is cpu-clock or cycles, not '" + std::string(text) + "'");
    options.clock = text == "cycles" ? ClockEvent::Cycles : ClockEvent::CpuClock;
    return {};
}

Result<void> setPeriod(std::uint32_t &period, const char *name, const char *text)
{
    constexpr std::uint32_t kLongest = 1'000'000;
    if (text == nullptr) {
        period = kUsualPeriod;
        return {};
    }
    const auto number = numberOf(name, text, 1, kLongest);
    if (!number)
        return tl::unexpected(number.error());
    period = *number;
    return {};
}

/// Looking at every switch or fault of a whole machine would cost more than it tells.
void settle(Options &options)
{
    constexpr double kShareOfMachine = 0.05;
    constexpr std::uint32_t kPeriodOfMachine = 100;
    const bool isMachine = options.processes.empty() && options.command.empty() && options.cgroup.empty();
    if (options.offCpuShare == kUsualShare)
        options.offCpuShare = isMachine ? kShareOfMachine : 1;
    for (std::uint32_t *period : {&options.pageFaultPeriod, &options.switchPeriod})
        if (*period == kUsualPeriod)
            *period = isMachine ? kPeriodOfMachine : 1;
}

Result<void> setOffCpu(Options &options, const char *text)
{
    constexpr double kLowest = 1e-6;
    if (text == nullptr) {
        options.offCpuShare = kUsualShare;
        return {};
    }
    const std::string_view view(text);
    const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), options.offCpuShare);
    if (error != std::errc() || end != view.data() + view.size() || !(options.offCpuShare >= kLowest) ||
        options.offCpuShare > 1)
        return failure("--off-cpu needs a share above 0 and up to 1, not '" + std::string(text) + "'");
    return {};
}

Result<void> setFrequency(Options &options, const char *text)
{
    const auto frequency = numberOf("-F", text, 1, kHighestFrequency);
    if (!frequency)
        return tl::unexpected(frequency.error());
    options.frequency = *frequency;
    return {};
}

Result<void> apply(Options &options, int letter, const char *value)
{
    switch (letter) {
    case 'a':
        return {}; // is what happens anyway
    case 'p':
        return addProcesses(options, value);
    case 'F':
        return setFrequency(options, value);
    case 'o':
        options.output = value;
        return {};
    case kCgroup:
        options.cgroup = value;
        return {};
    case kEvent:
        return setClock(options, value);
    case kPageFaults:
        return setPeriod(options.pageFaultPeriod, "--page-faults", value);
    case kSwitches:
        return setPeriod(options.switchPeriod, "--switches", value);
    case kOffCpu:
        return setOffCpu(options, value);
    case kSymbols:
        return setSymbols(options, value);
    case kTo:
        return setReceiver(options, value);
    case kGzip:
        options.isGzip = true;
        return {};
    case kFor:
        return setDuration(options, value);
    case kControl:
        options.isControlled = true;
        return {};
    case 'h':
        options.wantsHelp = true;
        return {};
    case kVersion:
        options.wantsVersion = true;
        return {};
    default:
        return failure("hearth-agent --help lists the options");
    }
}

Result<void> check(const Options &options)
{
    const int targets = (options.processes.empty() ? 0 : 1) + (options.cgroup.empty() ? 0 : 1) +
                        (options.command.empty() ? 0 : 1);
    if (targets > 1)
        return failure("-p, --cgroup and a command exclude each other");
    if (options.receiver && !options.output.empty())
        return failure("--to and -o exclude each other");
    return {};
}

} // namespace

Result<Options> parseOptions(int argc, char **argv)
{
    Options options;
    optind = 1;
    for (int letter = 0; (letter = getopt_long(argc, argv, "+ap:F:o:h", kLongOptions.data(), nullptr)) != -1;)
        if (auto applied = apply(options, letter, optarg); !applied)
            return tl::unexpected(applied.error());
    options.command.assign(argv + optind, argv + argc);
    settle(options);
    if (auto checked = check(options); !checked)
        return tl::unexpected(checked.error());
    if (!options.receiver && options.output.empty())
        options.receiver = *parseAddress("localhost");
    return options;
}

std::string helpText()
{
    return "usage: hearth-agent [OPTIONS] [-- COMMAND…]\n"
           "\n"
           "Samples what the machine runs and sends it as OpenTelemetry profiles.\n"
           "\n"
           "  -a, --all              the whole machine, which is the default\n"
           "  -p, --pid PID[,PID…]   these processes and their children\n"
           "      --cgroup DIRECTORY what runs in this cgroup (version 2) and below\n"
           "  -- COMMAND…            start a command and follow it and its children until it ends\n"
           "  -F, --frequency HZ     samples a second and processor, 1 to 1000; 97 by default\n"
           "      --off-cpu[=SHARE]  also where threads wait, for this share of the times that they do; by "
           "default\n"
           "                         all of a process's, 0.05 of a whole machine's. Values stand for all.\n"
           "      --event EVENT      what the clock counts: cpu-clock, which is the default, or the "
           "processor's\n"
           "                         own cycles, where there are such\n"
           "      --page-faults[=N]  also page faults, one in N; by default all of a process's, one in 100 "
           "of a\n"
           "                         whole machine's. Values stand for all.\n"
           "      --switches[=N]     also context switches, in the same way\n"
           "      --symbols WHAT     none; names of functions, which is the default; or full, with files, "
           "lines\n"
           "                         and inlined functions where there is debug information\n"
           "      --to ADDRESS       HOST:PORT, PORT or unix:PATH of a receiver of OTLP over gRPC;\n"
           "                         localhost:11000 by default\n"
           "      --gzip             compress what is sent\n"
           "  -o, --output FILE      write to a file instead: .otlp, .otlp.gz or .otlp.zst\n"
           "      --for DURATION     end after that long, like 10s\n"
           "      --control          report on standard output and end when standard input does\n"
           "  -h, --help\n"
           "      --version\n";
}

} // namespace hearth::agent
