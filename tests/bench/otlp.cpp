#include "tests/bench/otlp.h"

#include "ingest/bytes/byte_sink.h"
#include "ingest/bytes/input_stream.h"
#include "ingest/otlp/decode.h"
#include "ingest/otlp/json/json_writer.h"
#include "model/store/store.h"
#include "tests/bench/agent_request.h"
#include "tests/bench/report.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

namespace hearth::bench {

namespace {

constexpr std::uint32_t kDistinct = 40;
constexpr std::uint32_t kRounds = 5;

double processorSeconds()
{
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::span<const std::uint8_t> bytesOf(const std::string &text)
{
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

DecodedOtlp decoded(Encoding encoding, std::span<const std::uint8_t> body)
{
    Result<DecodedOtlp> result = decodeOtlp(Signal::Profiles, encoding, body);
    if (!result || result->batch.blocks.empty()) {
        std::fprintf(stderr, "hearth-bench: a request cannot be decoded\n");
        std::exit(1);
    }
    return std::move(*result);
}

void benchRequests(const std::string &name, const std::vector<std::string> &bodies,
                   const std::function<void(const std::string &)> &take)
{
    if (!isWanted(name))
        return;
    const double begin = processorSeconds();
    for (std::uint32_t round = 0; round < kRounds; ++round)
        for (const std::string &body : bodies)
            take(body);
    const double seconds = processorSeconds() - begin;
    const auto samples = static_cast<double>(kSamplesOfAgentRequest * bodies.size() * kRounds);
    std::array<char, 80> note{};
    std::snprintf(note.data(), note.size(), "%.2f us of CPU a sample, requests of %zu KiB",
                  seconds * 1e6 / samples, bodies[0].size() / 1024);
    row(name, seconds * 1000, note.data());
}

std::string jsonOf(const std::string &bytes)
{
    const otlp::WireMessage message{
        .signal = Signal::Profiles, .generation = otlp::Generation::V1_10, .bytes = bytes};
    return otlp::jsonOf({&message, 1});
}

} // namespace

void benchOtlp()
{
    const std::array<std::string, 4> names{"OTLP: decode", "OTLP: decode and store",
                                           "OTLP: unpack gzip, decode and store",
                                           "OTLP: decode JSON and store"};
    if (std::ranges::none_of(names, isWanted))
        return;
    std::vector<std::string> plain;
    std::vector<std::string> gzip;
    std::vector<std::string> json;
    for (std::uint32_t number = 0; number < kDistinct; ++number) {
        plain.push_back(agentRequest(number));
        gzip.push_back(gzipped(plain.back()));
        json.push_back(jsonOf(plain.back()));
    }
    Store store;
    const auto storePlain = [&](const std::string &body) {
        store.append(std::move(decoded(Encoding::Protobuf, bytesOf(body)).batch));
    };
    benchRequests(names[0], plain,
                  [](const std::string &body) { (void)decoded(Encoding::Protobuf, bytesOf(body)); });
    benchRequests(names[1], plain, storePlain);
    benchRequests(names[2], gzip, [&](const std::string &body) {
        InputStream input(unpacked(memorySource(bytesOf(body))));
        while (input.extend()) {
        }
        store.append(std::move(decoded(Encoding::Protobuf, input.window()).batch));
    });
    benchRequests(names[3], json, [&](const std::string &body) {
        store.append(std::move(decoded(Encoding::Json, bytesOf(body)).batch));
    });
}

} // namespace hearth::bench
