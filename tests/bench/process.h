#pragma once

#include <functional>
#include <string>
#include <vector>

namespace hearth::bench {

/// What a process took.
struct ProcessRun {
    double milliseconds = 0;
    double cpuMilliseconds = 0;
    double peakMiB = 0;
};

/// A program with its output thrown away. Ends this one if it fails.
/// @param input file for its standard input; empty: none
ProcessRun runProcess(std::vector<std::string> words, const std::string &input = {});

/// Medians of several runs, and the highest peak.
ProcessRun medianRun(const std::function<ProcessRun()> &run);
ProcessRun medianRun(const std::vector<std::string> &words);

/// A copy of this process that does some work: what this one ever held would count as its peak.
ProcessRun runInChild(const std::function<void()> &work);

} // namespace hearth::bench
