#include "app/cli/command.h"
#include "app/cli/data_set.h"
#include "app/cli/options.h"
#include "app/cli/signals.h"
#include "app/cli/terminal.h"
#include "ingest/formats/otlp_messages.h"
#include "ingest/live/decode_request.h"
#include "ingest/live/live_store.h"
#include "ingest/server/server.h"
#include "model/lens/units.h"

#include <algorithm>

namespace hearth::cli {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kBetweenStatus = 250ms;

constexpr std::array kOptions{
    Option{.name = "listen",
           .value = "ADDR",
           .help = "HOST:PORT, PORT or unix:PATH, any number of times; localhost:11000 by default"},
    Option{.name = "save",
           .value = "FILE",
           .help = "write everything to FILE as well: .otlp, .otlp.gz or .otlp.zst"},
    Option{.name = "for", .value = "DURATION", .help = "end after that long, like 30s"},
    Option{.name = "memory",
           .value = "SIZE",
           .help = "drop the oldest samples beyond this much, like 4G; by default half of the machine's"},
    Option{.name = "restore",
           .value = "",
           .help = "begin with what an earlier run received before it was killed"},
    Option{.name = "no-journal", .value = "", .help = "do not keep a journal on the disk"},
};

Result<std::vector<Address>> addressesOf(const Arguments &arguments)
{
    std::vector<Address> addresses;
    for (const std::string &text : arguments.values("listen")) {
        const auto address = parseAddress(text);
        if (!address)
            return failure("--listen: " + address.error().message);
        addresses.push_back(*address);
    }
    if (addresses.empty())
        addresses.push_back(*parseAddress("localhost"));
    return addresses;
}

Result<LiveOptions> liveOptions(const Arguments &arguments)
{
    LiveOptions options;
    const auto memory = memoryOption(arguments);
    if (!memory)
        return tl::unexpected(memory.error());
    options.memoryBudget = *memory;
    if (const auto path = arguments.value("save")) {
        auto file = MessageFile::create(*path);
        if (!file)
            return tl::unexpected(file.error());
        options.save = std::make_unique<MessageFile>(std::move(*file));
        options.savePacking = packingOfName(*path);
    }
    if (arguments.has("no-journal"))
        return options;
    auto journal = Journal::open({.directory = journalDirectory()});
    if (journal)
        options.journal = std::move(*journal);
    else // receiving matters more
        complain(journal.error().message);
    return options;
}

/// Adds the messages of a run to the live data. What is torn is said and left.
std::uint64_t restoreRun(LiveStore &live, const UnfinishedRun &run)
{
    std::uint64_t restored = 0;
    for (const auto &segment : run.segments) {
        auto source = openSource(segment);
        if (!source) {
            complain(source.error().message);
            continue;
        }
        InputStream input(unpacked(std::move(*source)));
        const ReadOptions options;
        Losses losses;
        OtlpMessages messages(input, options, losses);
        while (const auto message = messages.next()) {
            const auto taken = live.restore({.signal = message->signal().value_or(Signal::Profiles),
                                             .encoding = message->encoding,
                                             .body = message->bytes,
                                             .peer = "journal",
                                             .userAgent = {}});
            if (taken)
                ++restored;
            else
                complain(segment.string() + ": " + taken.error().message);
        }
        for (const std::string &problem : losses.details())
            complain(segment.string() + ": " + problem);
    }
    return restored;
}

/// Takes up runs that were killed, or says that they are there.
void offer(const std::vector<UnfinishedRun> &runs, LiveStore &live, bool isToRestore)
{
    for (const UnfinishedRun &run : runs) {
        const std::string size = humanValue(static_cast<std::int64_t>(run.bytes), "bytes");
        if (isToRestore)
            complain(std::to_string(restoreRun(live, run)) + " requests restored from " + run.path.string());
        else
            complain("an earlier run ended without stopping; what it received (" + size + ") is in " +
                     run.path.string() + ", and --restore takes it up");
    }
}

std::string addressText(const std::vector<Address> &addresses)
{
    std::string text;
    for (const Address &address : addresses)
        text += (text.empty() ? "" : ", ") + toString(address);
    return text;
}

std::string counts(const Senders &senders)
{
    std::string text = std::to_string(senders.requests) + " requests, " + std::to_string(senders.samples) +
                       " records, " + humanValue(static_cast<std::int64_t>(senders.bytes), "bytes") +
                       " from " + std::to_string(senders.senders.size()) +
                       (senders.senders.size() == 1 ? " sender" : " senders");
    if (senders.rejected > 0)
        text += ", " + std::to_string(senders.rejected) + " records left out";
    if (senders.refused > 0)
        text += ", " + std::to_string(senders.refused) + " requests refused";
    return text;
}

std::string status(const LiveStore &live)
{
    const auto snapshot = live.snapshot();
    std::string text = counts(*live.senders());
    if (snapshot)
        text +=
            ", " + humanValue(static_cast<std::int64_t>(snapshot->memory.total()), "bytes") + " in memory";
    if (const std::string problem = live.storageProblem(); !problem.empty())
        text += "; " + problem;
    return text;
}

/// Until a signal or the end of the time.
void showStatus(const LiveStore &live, EndSignals &signals, std::optional<std::chrono::nanoseconds> time)
{
    StatusLine line;
    const auto end = time ? Clock::now() + *time : Clock::time_point::max();
    for (std::chrono::nanoseconds left = 0ns; (left = end - Clock::now()) > 0ns;) {
        line.show(status(live));
        if (signals.arriveWithin(std::min<std::chrono::nanoseconds>(left, kBetweenStatus)))
            return;
    }
}

void complainOfReasons(const Senders &senders)
{
    for (const Sender &sender : senders.senders)
        for (const auto &[reason, count] : sender.reasons)
            complain(std::to_string(count) + " × " + reason + " (from " + sender.peer +
                     (sender.userAgent.empty() ? ")" : ", " + sender.userAgent + ")"));
}

Exit runServe(const Arguments &arguments)
{
    const auto addresses = addressesOf(arguments);
    const auto time = durationOption(arguments, "for");
    if (!addresses || !time || !arguments.files().empty()) {
        complain(!addresses ? addresses.error().message
                 : !time    ? time.error().message
                            : "serve opens no files; hearth send sends them");
        return Exit::WrongUse;
    }
    EndSignals signals;
    const auto unfinished = unfinishedRuns(journalDirectory());
    auto options = liveOptions(arguments);
    if (!options) {
        complain(options.error().message);
        return Exit::Unreadable;
    }
    LiveStore live(decodeRequest, std::move(*options));
    offer(unfinished, live, arguments.has("restore"));
    const auto server = Server::start(
        *addresses, [&live](const Request &request) { return live.receive(request); },
        [&live](const Refusal &refusal) { live.refused(refusal); });
    if (!server) {
        complain(server.error().message);
        return Exit::Unreadable;
    }
    complain("listening on " + addressText((*server)->addresses()));
    if (!std::ranges::all_of((*server)->addresses(), &Address::isLocal))
        complain("other machines can send here as well");
    showStatus(live, signals, *time);
    (*server)->stop();
    live.stop();
    if (arguments.has("restore"))
        std::ranges::for_each(unfinished, markFinished);
    complain("received " + status(live));
    complainOfReasons(*live.senders());
    return live.storageProblem().empty() ? Exit::Done : Exit::Unreadable;
}

} // namespace

const Command kServe{
    .name = "serve",
    .usage = "[--listen ADDR]… [--save FILE] [--for DURATION]",
    .summary = "receive OTLP profiles, traces, logs and metrics without a window",
    .examples = "  hearth serve --save out.otlp.zst\n"
                "  hearth serve --listen 11000 --listen 4317 --listen 4318 --for 10min\n"
                "  hearth serve --listen unix:/run/user/1000/hearth.sock\n"
                "  ssh -R 11000:localhost:11000 HOST    # and senders on HOST use localhost:11000\n",
    .options = kOptions,
    .run = runServe,
};

} // namespace hearth::cli
