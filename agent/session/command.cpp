#include "agent/session/command.h"

#include "agent/session/priority.h"

#include <fcntl.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace hearth::agent {

namespace {

constexpr int kCannotRun = 127;

void keepApart()
{
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
}

/// In the child: waits for the other end of the pipe to be closed, and becomes the command.
[[noreturn]] void runBehindGate(int gate, const std::vector<std::string> &words)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    std::signal(SIGPIPE, SIG_DFL);
    goWithTheRest();
    char byte = 0;
    while (read(gate, &byte, 1) < 0 && errno == EINTR) {
    }
    std::vector<char *> arguments;
    for (const std::string &word : words)
        arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    std::fprintf(stderr, "hearth-agent: cannot run %s: %s\n", arguments[0], std::strerror(errno));
    _exit(kCannotRun);
}

} // namespace

Result<Command> Command::start(const std::vector<std::string> &words, bool isApart)
{
    std::array<int, 2> pipe{};
    if (pipe2(pipe.data(), O_CLOEXEC) != 0)
        return failure(std::string("cannot make a pipe: ") + std::strerror(errno));
    FileDescriptor waits(pipe[0]);
    FileDescriptor gate(pipe[1]);
    const int process = fork();
    if (process < 0)
        return failure(std::string("cannot start a process: ") + std::strerror(errno));
    if (process == 0) {
        gate = FileDescriptor();
        if (isApart)
            keepApart();
        runBehindGate(waits.get(), words);
    }
    return Command(process, std::move(gate));
}

bool Command::hasEnded()
{
    if (m_hasEnded)
        return true;
    int status = 0;
    if (waitpid(m_process, &status, WNOHANG) != m_process)
        return false;
    m_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    m_hasEnded = true;
    return true;
}

} // namespace hearth::agent
