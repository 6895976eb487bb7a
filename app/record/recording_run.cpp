#include "app/record/recording_run.h"

#include "app/record/child_process.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace hearth {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostRemembered = 16 * 1024; ///< of what the agent complains, and of an unended line

void ring(int wake)
{
    const std::uint64_t one = 1;
    if (::write(wake, &one, sizeof one) < 0)
        return; // it is ringing already
}

/// @return false at the end
bool readSome(int descriptor, std::string &text)
{
    std::array<char, 4096> bytes{};
    const ssize_t count = ::read(descriptor, bytes.data(), bytes.size());
    if (count > 0)
        text.append(bytes.data(), static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && errno == EINTR);
}

void keepEnd(std::string &text)
{
    if (text.size() > kMostRemembered)
        text.erase(0, text.size() - kMostRemembered);
}

} // namespace

/// What the thread waits for: a call from outside, the agent's two pipes, the ends of processes.
class RecordingRun::Watch {
public:
    Watch(int wake, const ChildProcess &agent, const std::vector<int> &targets)
    {
        for (const int descriptor : {wake, agent.output(), agent.errors()})
            m_waited.push_back({.fd = descriptor, .events = POLLIN, .revents = 0});
        for (const int target : targets)
            m_waited.push_back({.fd = target, .events = POLLIN, .revents = 0});
    }

    /// Waits until there is something.
    void wait()
    {
        for (pollfd &waited : m_waited)
            waited.revents = 0;
        ::poll(m_waited.data(), m_waited.size(), -1);
        if (m_waited[0].revents != 0) {
            std::uint64_t rings = 0;
            if (::read(m_waited[0].fd, &rings, sizeof rings) < 0)
                return;
        }
    }

    bool isOpen() const { return m_waited[1].fd >= 0 || m_waited[2].fd >= 0; }
    bool hasOutput() const { return m_waited[1].revents != 0; }
    bool hasErrors() const { return m_waited[2].revents != 0; }
    void closeOutput() { m_waited[1].fd = -1; }
    void closeErrors() { m_waited[2].fd = -1; }

    bool hasEnded(int target) const
    {
        return std::ranges::any_of(
            m_waited, [target](const pollfd &waited) { return waited.fd == target && waited.revents != 0; });
    }
    void forget(int target)
    {
        std::erase_if(m_waited, [target](const pollfd &waited) { return waited.fd == target; });
    }

private:
    std::vector<pollfd> m_waited;
};

RecordingRun::RecordingRun(RecordingOrder order, LaunchPlaces places, std::function<void()> changed)
    : m_order(std::move(order)), m_places(std::move(places)), m_changed(std::move(changed)),
      m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), m_thread([this] { work(); })
{}

RecordingRun::~RecordingRun()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isToQuit = true;
    }
    ring(m_wake);
    m_thread.join();
    for (const int target : m_targets)
        ::close(target);
    ::close(m_wake);
}

void RecordingRun::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isToStop = true;
    }
    ring(m_wake);
}

RecordingStatus RecordingRun::status() const
{
    const std::lock_guard lock(m_mutex);
    return m_status;
}

bool RecordingRun::wasAsked(bool RecordingRun::*what) const
{
    const std::lock_guard lock(m_mutex);
    return this->*what;
}

template <class Change>
void RecordingRun::change(const Change &change)
{
    {
        const std::lock_guard lock(m_mutex);
        change(m_status);
    }
    m_changed();
}

/// @return false
bool RecordingRun::fail(RecordingFailure failure)
{
    change([&](RecordingStatus &status) {
        status.phase = RecordingPhase::Failed;
        status.failure = std::move(failure);
    });
    return false;
}

// ---- the thread

void RecordingRun::work()
{
    m_plan = planLaunch(m_places);
    if (prepare())
        record();
}

/// Everything that can fail before somebody is asked for a password.
bool RecordingRun::prepare()
{
    if (m_plan.way == LaunchWay::NoAgent)
        return fail(agentNotFound());
    if (!agentFits() || !watchTargets())
        return false;
    if (m_plan.way == LaunchWay::ByHand)
        return fail(noPrivileges(m_plan, wordsByHand()));
    return startCommand();
}

bool RecordingRun::agentFits()
{
    auto agent = ChildProcess::start({m_plan.agent, "--version"}, ChildProcess::Errors::PassedOn);
    std::string said;
    if (agent) {
        agent->closeInput();
        while (said.size() < kMostRemembered && readSome(agent->output(), said)) {
        }
        agent->wait();
    }
    return said == "hearth-agent " HEARTH_VERSION "\n" ||
           fail(versionMismatch(said.substr(0, said.find('\n'))));
}

bool RecordingRun::watchTargets()
{
    for (const pid_t process : m_order.request.processes) {
        const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
        if (descriptor < 0)
            return fail(processGone(process));
        m_targets.push_back(descriptor);
    }
    return true;
}

bool RecordingRun::startCommand()
{
    const RecordingRequest &request = m_order.request;
    if (request.command.empty())
        return true;
    auto command = GatedCommand::start(request.command, request.directory, !m_order.isInTerminal);
    if (!command)
        return fail(cannotStart(command.error().message));
    m_command.emplace(std::move(*command));
    const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, m_command->process(), 0));
    if (descriptor >= 0)
        m_targets.push_back(descriptor);
    return true;
}

void RecordingRun::record()
{
    std::vector<std::string> options = agentOptions(m_order.request);
    if (m_command)
        options.insert(options.end(), {"--pid", std::to_string(m_command->process())});
    options.insert(options.end(), m_order.delivery.begin(), m_order.delivery.end());
    options.emplace_back("--control");
    auto agent = ChildProcess::start(launchWords(m_plan, options, m_order.isInTerminal),
                                     ChildProcess::Errors::Captured);
    if (!agent) {
        fail(cannotStart(agent.error().message));
        return;
    }
    if (m_plan.way == LaunchWay::Polkit)
        change([](RecordingStatus &status) { status.phase = RecordingPhase::Authorising; });
    Watch watch(m_wake, *agent, m_targets);
    std::string line;
    std::string errors;
    while (watch.isOpen()) {
        watch.wait();
        if (wasAsked(&RecordingRun::m_isToQuit))
            return;
        if (wasAsked(&RecordingRun::m_isToStop))
            tellToStop(*agent);
        std::string bytes;
        if (watch.hasOutput() && !readSome(agent->output(), bytes))
            watch.closeOutput();
        takeOutput(line, bytes);
        letCommandGo(*agent);
        if (watch.hasErrors() && !readSome(agent->errors(), errors))
            watch.closeErrors();
        keepEnd(errors);
        takeEnds(*agent, watch);
    }
    conclude(agent->wait(), errors);
}

void RecordingRun::takeOutput(std::string &rest, const std::string &bytes)
{
    rest += bytes;
    for (std::size_t end = 0; (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1))
        change([&](RecordingStatus &status) {
            takeAgentLine(status, m_words, std::string_view(rest).substr(0, end), Clock::now());
        });
    keepEnd(rest);
}

/// The command runs as soon as it is watched.
void RecordingRun::letCommandGo(ChildProcess &agent)
{
    if (!m_command || m_commandFailure || status().phase != RecordingPhase::Recording)
        return;
    if (const int error = m_command->letGo(); error != 0) {
        m_commandFailure = commandNotFound(m_order.request.command[0], error);
        tellToStop(agent);
    }
}

void RecordingRun::tellToStop(ChildProcess &agent)
{
    if (std::exchange(m_wasTold, true))
        return;
    if (status().phase == RecordingPhase::Authorising)
        agent.askToEnd(); // it is pkexec, which does not listen
    change([](RecordingStatus &status) {
        status.elapsed = status.elapsedAt(Clock::now());
        status.phase = RecordingPhase::Stopping;
    });
    agent.say("stop");
    agent.closeInput();
}

void RecordingRun::takeEnds(ChildProcess &agent, Watch &watch)
{
    const bool hadTargets = !m_targets.empty();
    std::erase_if(m_targets, [&](int target) {
        if (!watch.hasEnded(target))
            return false;
        watch.forget(target);
        ::close(target);
        return true;
    });
    if (!hadTargets || !m_targets.empty())
        return;
    const std::optional<int> commandStatus = m_command ? m_command->status() : std::nullopt;
    change([&](RecordingStatus &status) {
        status.isTargetGone = true;
        status.commandStatus = commandStatus.value_or(0);
    });
    tellToStop(agent);
}

void RecordingRun::conclude(int exitStatus, const std::string &errors)
{
    const RecordingStatus now = status();
    const bool hasRecorded = now.began != Clock::time_point();
    const bool wasStopped = m_wasTold && !now.isTargetGone && m_words.failed.empty();
    if (m_commandFailure)
        fail(*m_commandFailure);
    else if (m_words.hasEnded || (wasStopped && !hasRecorded))
        change([](RecordingStatus &status) { status.phase = RecordingPhase::Ended; });
    else
        fail(explain({.plan = m_plan,
                      .options = wordsByHand(),
                      .failed = m_words.failed,
                      .errors = errors,
                      .exitStatus = exitStatus,
                      .missing = now.missing,
                      .isTargetGone = now.isTargetGone,
                      .hasRecorded = hasRecorded},
                     kernelFacts()));
}

std::vector<std::string> RecordingRun::wordsByHand() const
{
    std::vector<std::string> words = agentOptions(m_order.request);
    words.insert(words.end(), m_order.deliveryByHand.begin(), m_order.deliveryByHand.end());
    if (!m_order.request.command.empty()) {
        words.emplace_back("--");
        words.insert(words.end(), m_order.request.command.begin(), m_order.request.command.end());
    }
    return words;
}

} // namespace hearth
