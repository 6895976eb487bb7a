#include "app/cli/command.h"
#include "app/cli/data_set.h"
#include "app/cli/json.h"
#include "app/cli/options.h"
#include "app/cli/terminal.h"
#include "ingest/client/client.h"
#include "ingest/formats/otlp_messages.h"
#include "ingest/otlp/generation.h"
#include "ingest/otlp/json/json_writer.h"
#include "model/lens/units.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace hearth::cli {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::duration;
using std::chrono::duration_cast;

constexpr int kMostTries = 10;
constexpr auto kLongestPause = std::chrono::seconds(5);

constexpr std::array kOptions{
    Option{.name = "to", .value = "ADDR", .help = "HOST:PORT, PORT or unix:PATH; localhost:11000 by default"},
    Option{.name = "grpc",
           .value = "",
           .help = "over gRPC, which messages in protobuf go by unless told otherwise"},
    Option{.name = "http", .value = "", .help = "over HTTP"},
    Option{.name = "json", .value = "", .help = "over HTTP, in JSON"},
    Option{.name = "rate", .value = "N", .help = "so many requests a second; by default as fast as they go"},
    Option{.name = "gzip", .value = "", .help = "compress requests"},
    Option{.name = "repeat", .value = "N", .help = "send everything N times"},
    Option{.name = "connections", .value = "N", .help = "over N connections at once"},
};

struct Message {
    std::vector<std::uint8_t> bytes;
    Signal signal = Signal::Profiles;
    Encoding encoding = Encoding::Protobuf;
};

struct Plan {
    Address address;
    ClientOptions client;
    bool isHttp = false;
    std::size_t rate = 0; ///< a second; 0: as fast as they go
    std::size_t requests = 0;
    std::size_t connections = 1;
    std::vector<Message> messages;
};

struct Tally {
    std::uint64_t accepted = 0;
    std::uint64_t refused = 0;
    std::uint64_t tries = 0;           ///< that were answered with "come again"
    std::int64_t rejected = 0;         ///< records of accepted requests
    std::uint64_t bytes = 0;           ///< of accepted requests, without compression
    std::vector<double> milliseconds;  ///< until the answer, one an accepted request
    std::vector<std::string> messages; ///< distinct ones
    std::string failure;               ///< why a connection gave up

    void add(Tally other)
    {
        accepted += other.accepted;
        refused += other.refused;
        tries += other.tries;
        rejected += other.rejected;
        bytes += other.bytes;
        milliseconds.insert(milliseconds.end(), other.milliseconds.begin(), other.milliseconds.end());
        for (const std::string &message : other.messages)
            note(message);
        if (failure.empty())
            failure = other.failure;
    }
    void note(const std::string &message)
    {
        constexpr std::size_t kMost = 20;
        if (!message.empty() && messages.size() < kMost &&
            std::ranges::find(messages, message) == messages.end())
            messages.push_back(message);
    }
};

Result<void> readMessages(const std::string &path, std::vector<Message> &messages)
{
    auto source = openSource(path);
    if (!source)
        return tl::unexpected(source.error());
    InputStream input(unpacked(std::move(*source)));
    const ReadOptions options;
    Losses losses;
    OtlpMessages stream(input, options, losses);
    const std::size_t before = messages.size();
    while (const auto message = stream.next())
        if (const auto signal = message->signal())
            messages.push_back({{message->bytes.begin(), message->bytes.end()}, *signal, message->encoding});
        else
            losses.add(Loss::MalformedRecords,
                       "what is there at byte " + std::to_string(message->position) + " is no OTLP");
    if (messages.size() == before)
        return failure(path + ": " + (losses.any() ? losses.details().front() : "it is empty"));
    for (const std::string &problem : losses.details())
        complain(path + ": " + problem);
    return {};
}

Result<Plan> planOf(const Arguments &arguments)
{
    Plan plan;
    const auto address = parseAddress(arguments.value("to").value_or("localhost"));
    const auto rate = arguments.number("rate", 0);
    const auto repeat = arguments.number("repeat", 1);
    const auto connections = arguments.number("connections", 1);
    if (!address)
        return failure("--to: " + address.error().message);
    for (const auto *const number : {&rate, &repeat, &connections})
        if (!*number)
            return tl::unexpected(number->error());
    if (*connections == 0)
        return failure("--connections needs at least one");
    if (arguments.files().empty())
        return failure("no file given");
    if (arguments.has("grpc") && (arguments.has("http") || arguments.has("json")))
        return failure("--grpc excludes --http and --json");
    plan.address = *address;
    plan.client.isGzip = arguments.has("gzip");
    plan.rate = *rate;
    plan.requests = *repeat; // of each message
    plan.connections = *connections;
    return plan;
}

Result<void> translateToJson(Message &message)
{
    if (message.encoding == Encoding::Json)
        return {};
    otlp::WireMessage wire{.signal = message.signal, .bytes = {message.bytes.begin(), message.bytes.end()}};
    if (message.signal == Signal::Profiles) {
        const auto detected = otlp::detectGeneration(message.bytes);
        if (!detected)
            return tl::unexpected(detected.error());
        wire.generation = detected->generation;
    }
    const std::string json = otlp::jsonOf({&wire, 1});
    message.bytes.assign(json.begin(), json.end());
    message.encoding = Encoding::Json;
    return {};
}

/// gRPC carries protobuf, HTTP both.
Result<void> chooseTransport(const Arguments &arguments, Plan &plan)
{
    const auto isJson = [](const Message &message) { return message.encoding == Encoding::Json; };
    const bool hasJson = std::ranges::any_of(plan.messages, isJson);
    if (hasJson && arguments.has("grpc"))
        return failure("gRPC carries protobuf, and there is JSON in the files; leave --grpc out");
    if (arguments.has("json"))
        for (Message &message : plan.messages)
            if (const auto translated = translateToJson(message); !translated)
                return translated;
    plan.isHttp = hasJson || arguments.has("http") || arguments.has("json");
    return {};
}

/// Sends one message until it is accepted or refused for good.
Result<void> deliver(Client &client, const Message &message, Tally &tally)
{
    for (int tries = 1;; ++tries) {
        const auto begin = Clock::now();
        const Result<SendAnswer> answer = client.send(message.signal, message.encoding, message.bytes);
        if (!answer)
            return tl::unexpected(answer.error());
        tally.note(answer->message);
        if (answer->verdict == SendAnswer::Verdict::Accepted) {
            tally.milliseconds.push_back(duration<double, std::milli>(Clock::now() - begin).count());
            ++tally.accepted;
            tally.rejected += answer->rejected;
            tally.bytes += message.bytes.size();
            return {};
        }
        if (answer->verdict == SendAnswer::Verdict::Refused) {
            ++tally.refused;
            return {};
        }
        ++tally.tries;
        if (tries == kMostTries)
            return failure("gave up after " + std::to_string(kMostTries) + " tries: " + answer->message);
        std::this_thread::sleep_for(std::min<Clock::duration>(answer->retryAfter, kLongestPause));
    }
}

/// One connection's part: the requests that it draws next, each at its time.
Tally sendOver(const Plan &plan, std::atomic<std::size_t> &nextRequest, Clock::time_point begin)
{
    const auto client =
        plan.isHttp ? httpClient(plan.address, plan.client) : grpcClient(plan.address, plan.client);
    Tally tally;
    for (std::size_t request = 0; (request = nextRequest++) < plan.requests;) {
        if (plan.rate > 0)
            std::this_thread::sleep_until(
                begin + duration_cast<Clock::duration>(
                            duration<double>(static_cast<double>(request) / static_cast<double>(plan.rate))));
        const Message &message = plan.messages[request % plan.messages.size()];
        if (const auto delivered = deliver(*client, message, tally); !delivered) {
            tally.failure = delivered.error().message;
            nextRequest = plan.requests; // the others need not go on either
        }
    }
    return tally;
}

Tally sendAll(const Plan &plan)
{
    Tally all;
    std::mutex mutex;
    std::atomic<std::size_t> nextRequest = 0;
    const auto begin = Clock::now();
    std::vector<std::jthread> connections;
    for (std::size_t i = 0; i < std::min(plan.connections, plan.requests); ++i)
        connections.emplace_back([&] {
            Tally tally = sendOver(plan, nextRequest, begin);
            const std::lock_guard lock(mutex);
            all.add(std::move(tally));
        });
    connections.clear();
    return all;
}

std::string report(Tally &tally, double seconds)
{
    std::ranges::sort(tally.milliseconds);
    const auto percentile = [&](std::size_t percent) {
        return tally.milliseconds[(tally.milliseconds.size() - 1) * percent / 100];
    };
    const auto perSecond = [&](std::uint64_t count) {
        return static_cast<std::int64_t>(static_cast<double>(count) / seconds);
    };
    const auto time = [](double milliseconds) {
        return humanValue(static_cast<std::int64_t>(milliseconds * 1e6), "nanoseconds");
    };
    std::string text = std::to_string(tally.accepted) + " requests accepted, " +
                       humanValue(static_cast<std::int64_t>(tally.bytes), "bytes") + ", in " +
                       time(seconds * 1000) + ": " + std::to_string(perSecond(tally.accepted)) +
                       " a second, " + humanValue(perSecond(tally.bytes), "bytes") + "/s\n";
    if (!tally.milliseconds.empty())
        text += "answered within " + time(percentile(50)) + " (median), " + time(percentile(99)) +
                " (99 %), " + time(tally.milliseconds.back()) + " (longest)\n";
    if (tally.rejected > 0)
        text += std::to_string(tally.rejected) + " records left out by the receiver\n";
    if (tally.refused > 0)
        text += std::to_string(tally.refused) + " requests refused\n";
    if (tally.tries > 0)
        text += std::to_string(tally.tries) + " times told to come again\n";
    return text;
}

Exit runSend(const Arguments &arguments)
{
    Result<Plan> plan = planOf(arguments);
    if (!plan) {
        complain(plan.error().message);
        return Exit::WrongUse;
    }
    for (const std::string &file : arguments.files())
        if (const auto read = readMessages(file, plan->messages); !read) {
            complain(read.error().message);
            return Exit::Unreadable;
        }
    if (const auto chosen = chooseTransport(arguments, *plan); !chosen) {
        complain(chosen.error().message);
        return Exit::WrongUse;
    }
    plan->requests *= plan->messages.size();
    const auto begin = Clock::now();
    Tally tally = sendAll(*plan);
    print(report(tally, duration<double>(Clock::now() - begin).count()));
    for (const std::string &message : tally.messages)
        complain(message);
    if (!tally.failure.empty())
        complain(tally.failure);
    return tally.failure.empty() && tally.refused == 0 ? Exit::Done : Exit::No;
}

} // namespace

const Command kSend{
    .name = "send",
    .usage = "FILE… [--to ADDR] [--grpc|--http|--json] [--rate N]",
    .summary = "send OTLP files to a receiver as an exporter would; exit 1 if not all was taken",
    .examples = "  hearth send out.otlp.zst\n"
                "  hearth send traces.jsonl --to localhost:4318\n"
                "  hearth send profiles.pb --to 4317 --repeat 1000 --rate 20 --connections 4 --gzip\n",
    .options = kOptions,
    .run = runSend,
};

} // namespace hearth::cli
