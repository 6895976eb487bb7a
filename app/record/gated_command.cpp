#include "app/record/gated_command.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

namespace hearth {

namespace {

constexpr int kCannotRun = 127;

struct User {
    uid_t user = 0;
    gid_t group = 0;
    std::string name;
};

std::optional<unsigned> numberIn(const char *variable)
{
    const char *text = std::getenv(variable);
    const std::string_view view(text != nullptr ? text : "");
    unsigned number = 0;
    const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), number);
    return !view.empty() && error == std::errc() && end == view.data() + view.size() ? std::optional(number)
                                                                                     : std::nullopt;
}

/// Who called sudo; nothing if nobody did.
std::optional<User> caller()
{
    const auto user = numberIn("SUDO_UID");
    const auto group = numberIn("SUDO_GID");
    if (::geteuid() != 0 || !user || *user == 0 || !group)
        return std::nullopt;
    const passwd *entry = ::getpwuid(*user);
    return User{.user = *user, .group = *group, .name = entry != nullptr ? entry->pw_name : ""};
}

bool become(const User &user)
{
    return (user.name.empty() ? ::setgroups(0, nullptr) : ::initgroups(user.name.c_str(), user.group)) == 0 &&
           ::setresgid(user.group, user.group, user.group) == 0 &&
           ::setresuid(user.user, user.user, user.user) == 0;
}

/// What the child needs; made before the fork, because little may be done behind it.
struct Order {
    std::vector<char *> arguments;
    const char *directory; ///< may be null
    std::optional<User> user;
    bool isApart;
    int gate;
    int answer;
};

[[noreturn]] void giveUp(int answer)
{
    const int error = errno;
    if (::write(answer, &error, sizeof error) < 0)
        ::_exit(kCannotRun);
    ::_exit(kCannotRun);
}

/// The port of a window is not for the commands that it starts.
void keepApart()
{
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
}

[[noreturn]] void runBehindGate(const Order &order)
{
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    std::signal(SIGPIPE, SIG_DFL);
    char byte = 0;
    ssize_t count = 0;
    while ((count = ::read(order.gate, &byte, 1)) < 0 && errno == EINTR) {
    }
    if (count != 1)
        ::_exit(0); // nobody watches any more: it must not run unseen
    if (order.isApart)
        keepApart();
    if ((order.user && !become(*order.user)) || (order.directory != nullptr && ::chdir(order.directory) != 0))
        giveUp(order.answer);
    ::execvp(order.arguments[0], order.arguments.data());
    giveUp(order.answer);
}

} // namespace

Result<GatedCommand> GatedCommand::start(const std::vector<std::string> &words, const std::string &directory,
                                         bool isApart)
{
    std::array<int, 2> gate{};
    std::array<int, 2> answer{};
    if (::pipe2(gate.data(), O_CLOEXEC) != 0)
        return failure(std::string("cannot make a pipe: ") + std::strerror(errno));
    if (::pipe2(answer.data(), O_CLOEXEC) != 0) {
        ::close(gate[0]);
        ::close(gate[1]);
        return failure(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    Order order{.arguments = {},
                .directory = directory.empty() ? nullptr : directory.c_str(),
                .user = caller(),
                .isApart = isApart,
                .gate = gate[0],
                .answer = answer[1]};
    for (const std::string &word : words)
        order.arguments.push_back(const_cast<char *>(word.c_str()));
    order.arguments.push_back(nullptr);
    const pid_t process = ::fork();
    if (process == 0) {
        ::close(gate[1]);
        runBehindGate(order);
    }
    const int error = errno;
    ::close(gate[0]);
    ::close(answer[1]);
    GatedCommand command(process, gate[1], answer[0]);
    if (process < 0)
        return failure(std::string("cannot start a process: ") + std::strerror(error));
    return command;
}

GatedCommand::GatedCommand(GatedCommand &&other) noexcept
    : m_process(std::exchange(other.m_process, -1)), m_gate(std::exchange(other.m_gate, -1)),
      m_answer(std::exchange(other.m_answer, -1)), m_status(other.m_status)
{}

GatedCommand::~GatedCommand()
{
    const bool neverRan = m_gate >= 0;
    for (const int descriptor : {m_gate, m_answer})
        if (descriptor >= 0)
            ::close(descriptor);
    if (neverRan && m_process > 0)
        ::waitpid(m_process, nullptr, 0);
}

int GatedCommand::letGo()
{
    if (m_gate < 0)
        return 0;
    const char open = 1;
    const bool isOpen = ::write(m_gate, &open, 1) == 1;
    ::close(std::exchange(m_gate, -1));
    if (!isOpen)
        return ECHILD;
    int error = 0;
    ssize_t count = 0;
    while ((count = ::read(m_answer, &error, sizeof error)) < 0 && errno == EINTR) {
    }
    return count == sizeof error ? error : 0;
}

std::optional<int> GatedCommand::status()
{
    int status = 0;
    if (!m_status && ::waitpid(m_process, &status, WNOHANG) == m_process)
        m_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return m_status;
}

} // namespace hearth
