#include "tests/bench/process.h"

#include "tests/bench/timing.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

extern char **environ;

namespace hearth::bench {

namespace {

double millisecondsOf(const timeval &time)
{
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

/// @param start makes the child; @return its number
ProcessRun measured(const char *name, const std::function<pid_t()> &start)
{
    ProcessRun run;
    rusage usage{};
    run.milliseconds = timed([&] {
        const pid_t child = start();
        int status = 0;
        if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0) {
            std::fprintf(stderr, "hearth-bench: %s failed\n", name);
            std::exit(1);
        }
    });
    run.cpuMilliseconds = millisecondsOf(usage.ru_utime) + millisecondsOf(usage.ru_stime);
    run.peakMiB = static_cast<double>(usage.ru_maxrss) / 1024;
    return run;
}

} // namespace

ProcessRun runProcess(std::vector<std::string> words, const std::string &input)
{
    std::vector<char *> arguments;
    for (std::string &word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!input.empty())
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
    const ProcessRun run = measured(arguments[0], [&] {
        pid_t child = -1;
        const int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
        return failed != 0 ? -1 : child;
    });
    posix_spawn_file_actions_destroy(&actions);
    return run;
}

ProcessRun runInChild(const std::function<void()> &work)
{
    return measured("a part of it", [&] {
        const pid_t child = fork();
        if (child == 0) {
            work();
            _exit(0);
        }
        return child;
    });
}

ProcessRun medianRun(const std::function<ProcessRun()> &run)
{
    constexpr int kRuns = 5;
    std::vector<double> times;
    std::vector<double> cpuTimes;
    ProcessRun result;
    for (int i = 0; i < kRuns; ++i) {
        const ProcessRun one = run();
        times.push_back(one.milliseconds);
        cpuTimes.push_back(one.cpuMilliseconds);
        result.peakMiB = std::max(result.peakMiB, one.peakMiB);
    }
    result.milliseconds = median(times);
    result.cpuMilliseconds = median(cpuTimes);
    return result;
}

ProcessRun medianRun(const std::vector<std::string> &words)
{
    return medianRun([&] { return runProcess(words); });
}

} // namespace hearth::bench
