#include "ingest/symbols/debuginfod.h"

#include "ingest/bytes/text_codes.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

// Servers are asked by debuginfod-find in a process of its own: it takes its settings from the environment,
// may be ended at any time, and brings a TLS library that nothing else here needs.

extern char **environ;

namespace hearth {

namespace {

constexpr const char *kProgram = "debuginfod-find";
constexpr const char *kMostSilence = "20"; ///< seconds in which a server sends next to nothing
constexpr int kLookForStopMs = 200;

std::string variable(const char *name)
{
    const char *const value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

std::vector<std::string> environmentFor(const Debuginfod &debuginfod)
{
    std::vector<std::string> variables;
    for (char **entry = environ; *entry != nullptr; ++entry)
        if (!std::string_view(*entry).starts_with("DEBUGINFOD_"))
            variables.emplace_back(*entry);
    std::string urls;
    for (const std::string &server : debuginfod.servers)
        urls += (urls.empty() ? "" : " ") + server;
    variables.push_back("DEBUGINFOD_URLS=" + urls);
    variables.push_back("DEBUGINFOD_CACHE_PATH=" + debuginfod.cache);
    variables.push_back("DEBUGINFOD_TIMEOUT=" + std::string(kMostSilence)); // without it, a minute and a half
    return variables;
}

std::vector<char *> pointersTo(std::vector<std::string> &texts)
{
    std::vector<char *> pointers;
    for (std::string &text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

struct Child {
    pid_t process = -1;
    int output = -1;
};

Result<Child> start(std::vector<std::string> words, std::vector<std::string> variables)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return failure(std::strerror(errno));
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    Child child{.output = ends[0]};
    const int problem = ::posix_spawnp(&child.process, kProgram, &actions, nullptr, pointersTo(words).data(),
                                       pointersTo(variables).data());
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (problem == 0)
        return child;
    ::close(ends[0]);
    return failure(problem == ENOENT ? std::string(kProgram) + " is not installed" : std::strerror(problem));
}

/// Everything that it prints until it ends, or is ended.
std::string outputOf(const Child &child, const std::stop_token &stop)
{
    std::string output;
    std::array<char, 4096> piece;
    for (;;) {
        pollfd waiting{.fd = child.output, .events = POLLIN, .revents = 0};
        const int ready = ::poll(&waiting, 1, kLookForStopMs);
        if (stop.stop_requested())
            ::kill(child.process, SIGTERM);
        if (ready <= 0)
            continue;
        const ssize_t got = ::read(child.output, piece.data(), piece.size());
        if (got <= 0)
            return output;
        output.append(piece.data(), static_cast<std::size_t>(got));
    }
}

} // namespace

Result<std::string> Debuginfod::find(Kind kind, const std::string &buildId, const std::stop_token &stop) const
{
    if (buildId.empty() || !bytesOfHex(buildId))
        return failure("has no build id to ask for");
    const std::string word = kind == Kind::Program ? "executable" : "debuginfo";
    return fetch({kProgram, word, buildId}, cache + '/' + buildId + '/' + word, stop);
}

Result<std::string> Debuginfod::findSource(const std::string &path, const std::string &buildId,
                                           const std::stop_token &stop) const
{
    if (buildId.empty() || !bytesOfHex(buildId))
        return failure("has no build id to ask for");
    if (!path.starts_with('/'))
        return failure("has no whole path to ask for");
    std::string name = path; // as debuginfod's own tools call it in the cache
    std::ranges::replace(name, '/', '#');
    return fetch({kProgram, "source", buildId, path}, cache + '/' + buildId + "/source" + name, stop);
}

Result<std::string> Debuginfod::fetch(std::vector<std::string> words, const std::string &cached,
                                      const std::stop_token &stop) const
{
    std::error_code error;
    const auto size = std::filesystem::file_size(cached, error);
    if (!error && size > 0) // an empty file says that servers do not have it
        return cached;
    if (servers.empty())
        return failure("is not in debuginfod's cache");
    const auto child = start(std::move(words), environmentFor(*this));
    if (!child)
        return tl::unexpected(child.error());
    std::string path = outputOf(*child, stop);
    ::close(child->output);
    int status = 0;
    ::waitpid(child->process, &status, 0);
    path.erase(std::ranges::find(path, '\n'), path.end());
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || path.empty())
        return failure("no server has it");
    return path;
}

std::string defaultDebuginfodCache()
{
    if (const std::string path = variable("DEBUGINFOD_CACHE_PATH"); !path.empty())
        return path;
    if (const std::string path = variable("XDG_CACHE_HOME"); !path.empty())
        return path + "/debuginfod_client";
    return variable("HOME") + "/.cache/debuginfod_client";
}

} // namespace hearth
