#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// How the agent gets the privileges that it needs.
enum class LaunchWay {
    Direct,  ///< it has them: this is root, or the file of the agent carries capabilities
    Polkit,  ///< pkexec asks the user
    ByHand,  ///< nobody can be asked: there is a command to be run by hand
    NoAgent, ///< hearth-agent is not installed
};

struct LaunchPlan {
    LaunchWay way = LaunchWay::NoAgent;
    std::string agent;      ///< its path
    std::string pkexec;     ///< its path, where it is the way
    bool isRoot = false;    ///< as in LaunchPlaces
    bool isGuarded = false; ///< no program started here can gain rights: in sandboxes
};

/// Where things are looked for.
struct LaunchPlaces {
    std::string agent;      ///< path of hearth-agent; empty: it was not found
    std::string searchPath; ///< folders of programs, as in PATH
    bool isRoot = false;    ///< this program has all rights that there are
};

/// hearth-agent beside this program, in its libexec folder, or where the shell would find it.
LaunchPlaces launchPlaces();

LaunchPlan planLaunch(const LaunchPlaces &places);

/// The command line that starts the agent.
/// @param mayAskHere pkexec may ask on the terminal where no desktop does it
std::vector<std::string> launchWords(const LaunchPlan &plan, const std::vector<std::string> &options,
                                     bool mayAskHere);

/// The same for a shell: "sudo '/usr/bin/hearth-agent' --pid 12".
std::string sudoCommand(const LaunchPlan &plan, const std::vector<std::string> &options);

/// Whether `security.capability` of a file gives it what sampling cannot do without: CAP_BPF and CAP_PERFMON.
bool givesSampling(std::string_view fileCapabilities);

} // namespace hearth
