#pragma once

#include "model/result.h"

#include <stop_token>
#include <string>
#include <vector>

namespace hearth {

/// Where files are fetched from by their build id, and kept for all programs that ask so.
struct Debuginfod {
    enum class Kind { Program, DebugInformation };

    std::vector<std::string> servers; ///< that the user agreed to; without any only the cache is looked into
    std::string cache;

    /// Takes as long as the network does. @return the path of a file
    Result<std::string> find(Kind kind, const std::string &buildId, const std::stop_token &stop = {}) const;
    /// The same of a source file that a program was made of. @param path as its debug information has it
    Result<std::string> findSource(const std::string &path, const std::string &buildId,
                                   const std::stop_token &stop = {}) const;

    bool operator==(const Debuginfod &) const = default;

private:
    Result<std::string> fetch(std::vector<std::string> words, const std::string &cached,
                              const std::stop_token &stop) const;
};

/// Where debuginfod's own tools keep what they fetched.
std::string defaultDebuginfodCache();

} // namespace hearth
