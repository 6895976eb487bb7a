#include "agent/session/session.h"

#include "agent/export/delivery.h"
#include "agent/export/profile_finisher.h"
#include "agent/process/cgroup.h"
#include "agent/process/proc_files.h"
#include "agent/session/clock.h"
#include "agent/session/command.h"
#include "agent/session/control.h"
#include "agent/session/priority.h"
#include "agent/session/privileges.h"
#include "agent/session/recorder.h"

#include <poll.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>

namespace hearth::agent {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kShortestOffCpuNs = 1000;
constexpr auto kBetweenRounds = 200ms, kShortestRound = 10ms;
constexpr auto kBetweenMessages = 1s;

void say(const std::string &text)
{
    std::fprintf(stderr, "hearth-agent: %s\n", text.c_str());
}

std::string counted(std::uint64_t count, const char *one, const char *many)
{
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

/// Signals that ask to end arrive at a descriptor. To be made before any thread is.
FileDescriptor endSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    return FileDescriptor(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

Result<SamplerOptions> samplerOptions(const Options &options)
{
    SamplerOptions sampler;
    sampler.frequency = options.frequency;
    sampler.clock = options.clock;
    sampler.config.countsEvents = options.clock == ClockEvent::Cycles ? 1 : 0;
    sampler.pageFaultPeriod = options.pageFaultPeriod;
    sampler.switchPeriod = options.switchPeriod;
    if (!options.processes.empty() || !options.command.empty())
        sampler.config.target = kTargetProcesses;
    if (options.offCpuShare > 0) {
        constexpr double kMost = 0xffffffff;
        sampler.config.offCpuChance = static_cast<__u32>(std::max(1.0, options.offCpuShare * kMost));
        sampler.config.shortestOffCpuNs = kShortestOffCpuNs;
    }
    if (!options.cgroup.empty()) {
        const auto cgroup = findCgroup(options.cgroup);
        if (!cgroup)
            return tl::unexpected(cgroup.error());
        sampler.config.target = kTargetCgroup;
        sampler.config.cgroup = cgroup->id;
        sampler.config.cgroupLevel = cgroup->level;
    }
    return sampler;
}

Result<std::unique_ptr<Delivery>> openDelivery(const Options &options)
{
    if (options.receiver)
        return deliveryTo(grpcClient(*options.receiver,
                                     {.isGzip = options.isGzip, .timeout = 5s, .userAgent = "hearth-agent"}));
    auto file = MessageFile::create(options.output);
    if (!file)
        return tl::unexpected(file.error());
    return deliveryInto(std::move(*file), packingOfName(options.output));
}

/// One recording: what it needs, in the order in which it has to be made.
class Session {
public:
    explicit Session(const Options &options) : m_options(options) {}

    Result<void> open();
    int run();

private:
    Result<void> openKernelSide();
    Result<void> addTargets();
    bool isOver();
    bool wasAskedToEnd();
    void send();
    void reportProgress() const;
    void reportEnd() const;

    const Options &m_options;
    FileDescriptor m_signals;
    ControlInput m_control;
    std::unique_ptr<Sampler> m_sampler;
    std::unique_ptr<ProcessEvents> m_events;
    std::optional<Command> m_command;
    std::optional<Recorder> m_recorder;
    std::unique_ptr<Delivery> m_delivery;
    std::optional<ProfileFinisher> m_finisher;
    Clock::time_point m_begin;
};

Result<void> Session::open()
{
    m_signals = endSignals();
    goFirst();
    if (auto opened = openKernelSide(); !opened)
        return opened;
    if (auto dropped = dropPrivileges(); !dropped)
        return dropped;
    if (!m_options.command
             .empty()) { // before there are threads, and with no more privilege than the caller's
        auto command = Command::start(m_options.command, m_options.isControlled);
        if (!command)
            return tl::unexpected(command.error());
        m_command = std::move(*command);
    }
    auto delivery = openDelivery(m_options);
    if (!delivery)
        return tl::unexpected(delivery.error());
    m_delivery = std::move(*delivery);
    m_finisher.emplace([this](std::string message) { m_delivery->add(std::move(message)); });
    m_recorder.emplace(
        *m_sampler, *m_events,
        ProfileFacts{.symbols = m_options.symbols,
                     .clock = m_options.clock,
                     .periodNs = 1'000'000'000 / m_options.frequency,
                     .offCpuScale = m_options.offCpuShare > 0 ? 1 / m_options.offCpuShare : 1});
    if (auto started = m_sampler->start(); !started)
        return started;
    return addTargets();
}

Result<void> Session::openKernelSide()
{
    const auto options = samplerOptions(m_options);
    if (!options)
        return tl::unexpected(options.error());
    auto sampler = Sampler::load(*options);
    if (!sampler)
        return tl::unexpected(sampler.error());
    auto events = ProcessEvents::open();
    if (!events)
        return tl::unexpected(events.error());
    m_sampler = std::move(*sampler);
    m_events = std::move(*events);
    return {};
}

/// The programs that add children are running already, so that none is born unseen.
Result<void> Session::addTargets()
{
    for (const std::uint32_t process : m_options.processes) {
        m_sampler->addTarget(process);
        if (readProcFile(process, "stat", 1).empty())
            return failure("there is no process " + std::to_string(process));
        for (const std::uint32_t member : familyOf(process))
            m_sampler->addTarget(member);
    }
    if (m_command) {
        m_sampler->addTarget(static_cast<std::uint32_t>(m_command->process()));
        m_command->letGo();
    }
    return {};
}

int Session::run()
{
    m_begin = Clock::now();
    auto nextMessage = m_begin + kBetweenMessages;
    while (!isOver()) {
        m_recorder->takeIn();
        if (Clock::now() < nextMessage)
            continue;
        nextMessage += kBetweenMessages;
        send();
        reportProgress();
    }
    m_recorder->takeIn();
    send();
    m_finisher->finish();
    m_delivery->finish();
    reportEnd();
    return m_command && m_command->hasEnded() ? m_command->status() : 0;
}

void Session::send()
{
    if (auto profile = m_recorder->profile())
        m_finisher->add(std::move(*profile));
}

/// Waits for the next round. @return whether there is to be none
bool Session::isOver()
{
    if (wasAskedToEnd() || (m_command && m_command->hasEnded()))
        return true;
    return m_options.duration && Clock::now() - m_begin >= *m_options.duration;
}

/// Waits until it is time for a round, the kernel has met a process that it does not know, or has little room
/// left.
bool Session::wasAskedToEnd()
{
    std::array<pollfd, 4> waited{
        pollfd{.fd = m_signals.get(), .events = POLLIN, .revents = 0},
        pollfd{.fd = m_options.isControlled ? STDIN_FILENO : -1, .events = POLLIN, .revents = 0},
        pollfd{.fd = m_sampler->descriptor(), .events = POLLIN, .revents = 0},
        pollfd{.fd = m_events->descriptor(), .events = POLLIN, .revents = 0}};
    poll(waited.data(), 2, static_cast<int>(kShortestRound / 1ms));
    if (waited[0].revents == 0 && waited[1].revents == 0)
        poll(waited.data(), waited.size(), static_cast<int>((kBetweenRounds - kShortestRound) / 1ms));
    if ((waited[0].revents & POLLIN) != 0)
        return true;
    return waited[1].revents != 0 && m_control.readsStop();
}

void Session::reportProgress() const
{
    if (m_options.isControlled)
        control::say(control::progress(m_recorder->counts(), m_delivery->counts()));
}

void Session::reportEnd() const
{
    reportProgress();
    const RecorderCounts counts = m_recorder->counts();
    const DeliveryCounts delivery = m_delivery->counts();
    std::string text = counted(counts.samples, "sample", "samples");
    if (counts.complete + counts.cut > 0)
        text += ", " + std::to_string(counts.complete * 1000 / (counts.complete + counts.cut) / 10) + "." +
                std::to_string(counts.complete * 1000 / (counts.complete + counts.cut) % 10) +
                " % of user stacks complete";
    if (counts.lost > 0)
        text += ", " + std::to_string(counts.lost) + " lost for lack of room";
    if (counts.unreadable > 0)
        text += ", " + counted(counts.unreadable, "binary", "binaries") + " that could not be read";
    say(text);
    if (delivery.dropped > 0)
        say(counted(delivery.dropped, "message", "messages") + " did not arrive: " + delivery.lastError);
}

} // namespace

Result<int> runSession(const Options &options)
{
    for (const MissingCapability &missing : missingCapabilities()) {
        say(missing.name + " is missing: " + missing.cost);
        if (options.isControlled)
            control::say(control::missing(missing));
    }
    Session session(options);
    if (auto opened = session.open(); !opened) {
        if (options.isControlled)
            control::say(control::failed(opened.error().message));
        return tl::unexpected(opened.error());
    }
    if (options.isControlled)
        control::say(control::recording());
    const int status = session.run();
    if (options.isControlled)
        control::say(control::ended(status));
    return status;
}

} // namespace hearth::agent
