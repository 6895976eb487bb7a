#include "tests/bench/background.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

namespace hearth::bench {

namespace {

[[noreturn]] void become(std::vector<std::string> &words, const std::string &directory, int input)
{
    const int nothing = open("/dev/null", O_RDWR);
    dup2(input < 0 ? nothing : input, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    if (!directory.empty() && chdir(directory.c_str()) != 0)
        _exit(127);
    std::vector<char *> arguments;
    for (std::string &word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
}

} // namespace

Background::Background(std::vector<std::string> words, const std::string &directory, bool holdsInput)
{
    std::array<int, 2> pipe{-1, -1};
    if (holdsInput && pipe2(pipe.data(), O_CLOEXEC) != 0)
        std::abort();
    m_input = pipe[1];
    m_process = fork();
    if (m_process == 0)
        become(words, directory, pipe[0]);
    if (pipe[0] >= 0)
        close(pipe[0]);
}

Background::~Background()
{
    endInput();
    if (m_process < 0)
        return;
    kill(m_process, SIGKILL);
    waitpid(m_process, nullptr, 0);
}

void Background::endInput()
{
    if (const int input = std::exchange(m_input, -1); input >= 0)
        close(input);
}

bool Background::wait()
{
    int status = 0;
    return waitpid(std::exchange(m_process, -1), &status, 0) > 0 && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

/// Of its threads by the scheduler's own account: that of processes is kept in hundredths of a second.
double cpuMilliseconds(pid_t process)
{
    double nanoseconds = 0;
    std::error_code error;
    const std::string threads = "/proc/" + std::to_string(process) + "/task";
    for (const auto &thread : std::filesystem::directory_iterator(threads, error)) {
        double own = 0;
        std::ifstream(thread.path() / "schedstat") >> own;
        nanoseconds += own;
    }
    return nanoseconds / 1e6;
}

double statusMiB(pid_t process, const std::string &line)
{
    std::ifstream file("/proc/" + std::to_string(process) + "/status");
    for (std::string text; std::getline(file, text);)
        if (text.starts_with(line + ":"))
            return std::strtod(text.c_str() + line.size() + 1, nullptr) / 1024;
    return 0;
}

} // namespace hearth::bench
