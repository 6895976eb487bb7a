#pragma once

#include "app/record/launch.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

enum class FailureKind : std::uint8_t {
    AgentNotFound,
    VersionMismatch,
    Dismissed,     ///< the user did not authorise it
    NoPolkitAgent, ///< nobody could be asked
    NoPrivileges,  ///< there is no way to ask
    CapabilityMissing,
    NoBtf,
    OldKernel,
    Lockdown,
    ProcessGone,
    CommandNotFound,
    CgroupNotFound,
    Other,
};

/// The one thing to do about it.
enum class FailureRemedy : std::uint8_t {
    TryAgain,
    ChooseTarget, ///< and record that
    CopyCommand,  ///< to be run in a terminal
    OtherSenders, ///< other profilers can send here
};

/// Why a recording could not be, what that means, and what to do.
struct RecordingFailure {
    FailureKind kind = FailureKind::Other;
    std::string text; ///< whole sentences
    FailureRemedy remedy = FailureRemedy::TryAgain;
    std::string command; ///< to be copied
};

/// What this machine lets programs do, as far as anybody may read it.
struct KernelFacts {
    bool hasBtf = true;
    unsigned version = 0;      ///< major × 1000 + minor; 0: not known
    bool isLockedDown = false; ///< kernel lockdown for confidentiality
};
KernelFacts kernelFacts();

/// What is known of an agent that ended without having recorded.
struct AgentEnd {
    LaunchPlan plan;
    std::vector<std::string> options; ///< what it was asked to do
    std::string failed;               ///< why, in its own words; empty: it said nothing
    std::string errors;               ///< what came on standard error
    int exitStatus = 0;
    std::vector<std::string> missing; ///< capabilities
    bool isTargetGone = false;
    bool hasRecorded = false; ///< it began, and then ended without a word
};

RecordingFailure explain(const AgentEnd &end, const KernelFacts &kernel);

RecordingFailure agentNotFound();
RecordingFailure versionMismatch(const std::string &agentVersion);
RecordingFailure processGone(int process);
RecordingFailure cannotStart(const std::string &why);
RecordingFailure commandNotFound(const std::string &command, int error);
RecordingFailure noPrivileges(const LaunchPlan &plan, const std::vector<std::string> &options);

} // namespace hearth
