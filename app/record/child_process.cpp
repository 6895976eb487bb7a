#include "app/record/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace hearth {

namespace {

void closeIfOpen(int &descriptor)
{
    if (descriptor >= 0)
        ::close(std::exchange(descriptor, -1));
}

/// Both ends of a pipe; what has not been taken is closed.
struct Pipe {
    Pipe() = default;
    Pipe(const Pipe &) = delete;
    Pipe &operator=(const Pipe &) = delete;
    ~Pipe()
    {
        closeIfOpen(reads);
        closeIfOpen(writes);
    }
    bool open()
    {
        std::array<int, 2> ends{-1, -1};
        const bool isOpen = ::pipe2(ends.data(), O_CLOEXEC) == 0;
        reads = ends[0];
        writes = ends[1];
        return isOpen;
    }
    int reads = -1;
    int writes = -1;
};

/// How the child is to begin: with its pipes, nothing else that is open here, and no signal blocked.
class SpawnRules {
public:
    SpawnRules()
    {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
        sigset_t none;
        sigset_t asUsual;
        sigemptyset(&none);
        sigemptyset(&asUsual);
        sigaddset(&asUsual, SIGPIPE);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &asUsual);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    SpawnRules(const SpawnRules &) = delete;
    SpawnRules &operator=(const SpawnRules &) = delete;
    ~SpawnRules()
    {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    void connect(int end, int as) { posix_spawn_file_actions_adddup2(&actions, end, as); }

    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
};

} // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string> &words, Errors errors)
{
    Pipe input;
    Pipe output;
    Pipe error;
    if (!input.open() || !output.open() || (errors == Errors::Captured && !error.open()))
        return failure(std::string("cannot make a pipe: ") + std::strerror(errno));
    SpawnRules rules;
    rules.connect(input.reads, STDIN_FILENO);
    rules.connect(output.writes, STDOUT_FILENO);
    if (errors == Errors::Captured)
        rules.connect(error.writes, STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&rules.actions, STDERR_FILENO + 1);
    std::vector<char *> arguments;
    for (const std::string &word : words)
        arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    ChildProcess child;
    if (const int failed = ::posix_spawn(&child.m_process, arguments[0], &rules.actions, &rules.attributes,
                                         arguments.data(), environ);
        failed != 0)
        return failure("cannot start " + words[0] + ": " + std::strerror(failed));
    child.m_input = std::exchange(input.writes, -1);
    child.m_output = std::exchange(output.reads, -1);
    child.m_errors = std::exchange(error.reads, -1);
    return child;
}

ChildProcess::ChildProcess(ChildProcess &&other) noexcept
    : m_process(std::exchange(other.m_process, -1)), m_input(std::exchange(other.m_input, -1)),
      m_output(std::exchange(other.m_output, -1)), m_errors(std::exchange(other.m_errors, -1))
{}

ChildProcess::~ChildProcess()
{
    closeInput();
    closeIfOpen(m_output);
    closeIfOpen(m_errors);
}

/// A child that has ended meanwhile reads nothing any more: that is no reason to end with it.
void ChildProcess::say(const std::string &line) const
{
    const std::string text = line + "\n";
    sigset_t pipe;
    sigset_t before;
    ::sigemptyset(&pipe);
    ::sigaddset(&pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
    const bool isGone = ::write(m_input, text.data(), text.size()) < 0 && errno == EPIPE;
    constexpr timespec kNow{};
    if (isGone)
        ::sigtimedwait(&pipe, nullptr, &kNow); // else it comes when it is no longer held back
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void ChildProcess::closeInput()
{
    closeIfOpen(m_input);
}

void ChildProcess::askToEnd() const
{
    if (m_process > 0)
        ::kill(m_process, SIGTERM);
}

int ChildProcess::wait()
{
    int status = 0;
    while (m_process > 0 && ::waitpid(m_process, &status, 0) < 0 && errno == EINTR) {
    }
    m_process = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace hearth
