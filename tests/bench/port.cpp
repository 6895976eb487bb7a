#include "tests/bench/port.h"

#include "ingest/client/client.h"
#include "tests/bench/agent_request.h"
#include "tests/bench/report.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

extern char **environ;

namespace hearth::bench {

namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr std::size_t kDistinctRequests = 32;

[[noreturn]] void fail(const std::string &what)
{
    std::fprintf(stderr, "hearth-bench: %s\n", what.c_str());
    std::exit(1);
}

struct Usage {
    double cpuSeconds = 0;
    double peakMiB = 0;
};

/// `hearth serve` on a port that it chooses.
class ServingProcess {
public:
    ServingProcess(const std::filesystem::path &folder, const std::vector<std::string> &options)
    {
        ::setenv("XDG_STATE_HOME", folder.c_str(), 1);
        std::vector<std::string> words{
            (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "hearth").string(), "serve",
            "--listen", "127.0.0.1:0"};
        words.insert(words.end(), options.begin(), options.end());
        std::vector<char *> arguments;
        for (std::string &word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        std::array<int, 2> pipe{};
        if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
            fail("no pipe");
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, pipe[1], STDERR_FILENO);
        if (::posix_spawn(&m_process, arguments[0], &actions, nullptr, arguments.data(), environ) != 0)
            fail("hearth serve does not start");
        posix_spawn_file_actions_destroy(&actions);
        ::close(pipe[1]);
        m_said = pipe[0];
        m_address = {"127.0.0.1", readPort(), {}};
    }
    ServingProcess(const ServingProcess &) = delete;
    ServingProcess &operator=(const ServingProcess &) = delete;

    const Address &address() const { return m_address; }

    Usage stop()
    {
        ::kill(m_process, SIGTERM);
        int status = 0;
        rusage usage{};
        if (::wait4(m_process, &status, 0, &usage) < 0 || status != 0)
            fail("hearth serve did not end well");
        ::close(m_said);
        const auto seconds = [](const timeval &time) {
            return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
        };
        return {seconds(usage.ru_utime) + seconds(usage.ru_stime),
                static_cast<double>(usage.ru_maxrss) / 1024};
    }

private:
    std::uint16_t readPort() const
    {
        const std::string before = "listening on 127.0.0.1:";
        std::string said;
        std::array<char, 4096> block{};
        while (said.find(before) == std::string::npos || !said.ends_with('\n')) {
            const ssize_t count = ::read(m_said, block.data(), block.size());
            if (count <= 0)
                fail("hearth serve says: " + said);
            said.append(block.data(), static_cast<std::size_t>(count));
        }
        return static_cast<std::uint16_t>(std::atoi(said.c_str() + said.find(before) + before.size()));
    }

    pid_t m_process = 0;
    int m_said = -1;
    Address m_address;
};

struct Load {
    bool isGzip = false;
    bool isHttp = false;
    std::size_t connections = 2;
    std::size_t requests = 0;
    double perSecond = 0; ///< 0: as fast as they go
};

void sendUntilTaken(Client &client, const std::string &request)
{
    const std::span bytes(reinterpret_cast<const std::uint8_t *>(request.data()), request.size());
    while (true) {
        const auto answer = client.send(Signal::Profiles, Encoding::Protobuf, bytes);
        if (!answer)
            fail("no answer: " + answer.error().message);
        if (answer->verdict == SendAnswer::Verdict::Accepted)
            return;
        if (answer->verdict == SendAnswer::Verdict::Refused)
            fail("a request was refused: " + answer->message);
        std::this_thread::sleep_for(answer->retryAfter);
    }
}

/// @return how long each answer took, sorted
std::vector<double> send(const Address &address, const std::vector<std::string> &requests, const Load &load)
{
    std::atomic<std::size_t> next = 0;
    std::vector<double> times(load.requests);
    const auto begin = Clock::now();
    std::vector<std::jthread> connections;
    for (std::size_t i = 0; i < load.connections; ++i)
        connections.emplace_back([&] {
            const ClientOptions options{.isGzip = load.isGzip};
            const auto client = load.isHttp ? httpClient(address, options) : grpcClient(address, options);
            for (std::size_t request = 0; (request = next++) < load.requests;) {
                if (load.perSecond > 0)
                    std::this_thread::sleep_until(
                        begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                                    static_cast<double>(request) / load.perSecond)));
                const std::string &bytes = requests[request % requests.size()];
                const auto sent = Clock::now();
                sendUntilTaken(*client, bytes);
                times[request] = Milliseconds(Clock::now() - sent).count();
            }
        });
    connections.clear();
    std::ranges::sort(times);
    return times;
}

const std::vector<std::string> &agentRequests()
{
    static const std::vector<std::string> requests = [] {
        std::vector<std::string> made;
        for (std::uint32_t number = 0; number < kDistinctRequests; ++number)
            made.push_back(agentRequest(number));
        return made;
    }();
    return requests;
}

void benchLoad(const std::string &name, const Load &load, const std::filesystem::path &folder,
               const std::vector<std::string> &options)
{
    if (!isWanted(name))
        return;
    const std::vector<std::string> &requests = agentRequests();
    ServingProcess serving(folder, options);
    const auto begin = Clock::now();
    const std::vector<double> times = send(serving.address(), requests, load);
    const double milliseconds = Milliseconds(Clock::now() - begin).count();
    const Usage usage = serving.stop();
    const auto samples = static_cast<double>(load.requests * kSamplesOfAgentRequest);
    std::array<char, 200> note{};
    std::snprintf(
        note.data(), note.size(),
        "%.2f M samples/s, receiver's CPU %.2f us a sample, peak %.0f MiB, answers %.1f ms, 99 %% in %.1f ms",
        samples / milliseconds / 1000, usage.cpuSeconds * 1e6 / samples, usage.peakMiB,
        times[times.size() / 2], times[times.size() * 99 / 100]);
    row(name, milliseconds, note.data());
}

} // namespace

void benchPort(const std::filesystem::path &folder)
{
    const std::size_t ten = 1000; // million samples
    benchLoad("port: gRPC, 10 M samples", {.requests = ten}, folder, {"--no-journal"});
    benchLoad("port: gRPC, 10 M samples, with journal", {.requests = ten}, folder, {});
    benchLoad("port: gRPC, 10 M samples, gzip", {.isGzip = true, .requests = ten}, folder, {"--no-journal"});
    benchLoad("port: HTTP, 10 M samples", {.isHttp = true, .requests = ten}, folder, {"--no-journal"});
    benchLoad("port: gRPC, 100 k samples a second", {.requests = 100, .perSecond = 10}, folder, {});
    benchLoad("port: gRPC, 1,000 connections", {.connections = 1000, .requests = 2000}, folder,
              {"--no-journal"});
}

} // namespace hearth::bench
