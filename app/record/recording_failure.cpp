#include "app/record/recording_failure.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>

namespace hearth {

namespace {

constexpr unsigned kOldestKernel = 5015;
constexpr int kPkexecDismissed = 126, kPkexecNobody = 127;
constexpr const char *kPerf = "sudo perf record -a -g -F 97 -o perf.data -- sleep 10";

std::string versionText(unsigned version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000);
}

bool has(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

bool lacks(const AgentEnd &end, std::string_view capability)
{
    return std::ranges::any_of(end.missing,
                               [&](const std::string &line) { return line.starts_with(capability); });
}

std::string sentence(std::string text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    if (!text.empty() && text.back() != '.')
        text += '.';
    return text;
}

RecordingFailure noBtf()
{
    return {.kind = FailureKind::NoBtf,
            .text =
                "This kernel does not describe its own structures (there is no /sys/kernel/btf/vmlinux), so "
                "the sampler cannot find its way in it. Kernels built with CONFIG_DEBUG_INFO_BTF do; those "
                "of all larger distributions are. perf can record here, and Hearth opens its files.",
            .remedy = FailureRemedy::CopyCommand,
            .command = kPerf};
}

RecordingFailure oldKernel(unsigned version)
{
    return {.kind = FailureKind::OldKernel,
            .text = "The sampler needs Linux " + versionText(kOldestKernel) + " or newer; this is " +
                    versionText(version) + ". perf can record here, and Hearth opens its files.",
            .remedy = FailureRemedy::CopyCommand,
            .command = kPerf};
}

RecordingFailure lockdown()
{
    return {.kind = FailureKind::Lockdown,
            .text =
                "This kernel is locked down for confidentiality, so nobody may look into what it runs, not "
                "even root. Programs that profile themselves can still send their data here.",
            .remedy = FailureRemedy::OtherSenders,
            .command = {}};
}

/// Root without the capability is in a container: the rights have to come from outside.
RecordingFailure capabilityMissing(const AgentEnd &end)
{
    std::string text;
    for (const std::string &line : end.missing)
        text += (text.empty() ? "" : "; ") + line;
    RecordingFailure failure{.kind = FailureKind::CapabilityMissing,
                             .text = "The sampler has not the rights that it needs. " + sentence(text),
                             .remedy = FailureRemedy::CopyCommand,
                             .command = sudoCommand(end.plan, end.options)};
    if (end.plan.isRoot) {
        failure.text +=
            " Even root has not got them here, as in a container; it has to be started with them.";
        failure.command = "--pid=host --cap-add=BPF --cap-add=PERFMON --cap-add=SYS_PTRACE --cap-add=SYSLOG "
                          "--cap-add=DAC_READ_SEARCH";
    }
    return failure;
}

RecordingFailure dismissed()
{
    return {.kind = FailureKind::Dismissed,
            .text = "Recording was not authorised.",
            .remedy = FailureRemedy::TryAgain,
            .command = {}};
}

RecordingFailure nobodyToAsk(const AgentEnd &end)
{
    return {
        .kind = FailureKind::NoPolkitAgent,
        .text =
            "This session has nobody who could ask for the administrator's password (no polkit agent). The "
            "sampler can be started by hand in a terminal; what it sees is then shown here.",
        .remedy = FailureRemedy::CopyCommand,
        .command = sudoCommand(end.plan, end.options)};
}

RecordingFailure nothingToRecord(const std::string &why)
{
    return {.kind = FailureKind::ProcessGone,
            .text = "What was to be recorded does not run: " + sentence(why),
            .remedy = FailureRemedy::ChooseTarget,
            .command = {}};
}

/// pkexec's own answers; the agent did not get to say anything.
std::optional<RecordingFailure> refusal(const AgentEnd &end)
{
    if (end.plan.way != LaunchWay::Polkit || !end.failed.empty())
        return std::nullopt;
    if (end.exitStatus == kPkexecDismissed || has(end.errors, "dismissed"))
        return dismissed();
    if (has(end.errors, "No authentication agent") || has(end.errors, "no authentication agent"))
        return nobodyToAsk(end);
    if (has(end.errors, "Not authorized") || has(end.errors, "not authorized"))
        return dismissed();
    return end.exitStatus == kPkexecNobody ? std::optional(nobodyToAsk(end)) : std::nullopt;
}

std::string lastLine(std::string text)
{
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

RecordingFailure other(const AgentEnd &end)
{
    std::string why = !end.failed.empty() ? end.failed : lastLine(end.errors);
    if (why.empty())
        why = "it ended with status " + std::to_string(end.exitStatus);
    return {.kind = FailureKind::Other,
            .text = (end.hasRecorded ? "The sampler ended before it was told to; what it had sent is here: "
                                     : "The sampler could not record: ") +
                    sentence(why),
            .remedy = FailureRemedy::TryAgain,
            .command = {}};
}

} // namespace

KernelFacts kernelFacts()
{
    KernelFacts facts;
    facts.hasBtf = ::access("/sys/kernel/btf/vmlinux", F_OK) == 0;
    utsname name{};
    unsigned major = 0;
    unsigned minor = 0;
    if (::uname(&name) == 0 && std::sscanf(name.release, "%u.%u", &major, &minor) == 2 && minor < 1000)
        facts.version = major * 1000 + minor;
    std::ifstream lockdownFile("/sys/kernel/security/lockdown");
    std::string modes;
    std::getline(lockdownFile, modes);
    facts.isLockedDown = has(modes, "[confidentiality]");
    return facts;
}

RecordingFailure explain(const AgentEnd &end, const KernelFacts &kernel)
{
    if (end.hasRecorded)
        return other(end);
    if (const auto refused = refusal(end))
        return *refused;
    if (has(end.failed, "no process") || end.isTargetGone)
        return nothingToRecord(end.failed.empty() ? "it has ended" : end.failed);
    if (has(end.failed, "cgroup"))
        return {.kind = FailureKind::CgroupNotFound,
                .text = "That is nothing that can be recorded: " + sentence(end.failed),
                .remedy = FailureRemedy::ChooseTarget,
                .command = {}};
    if (kernel.version != 0 && kernel.version < kOldestKernel)
        return oldKernel(kernel.version);
    if (!kernel.hasBtf)
        return noBtf();
    if (kernel.isLockedDown)
        return lockdown();
    if (lacks(end, "CAP_BPF") || lacks(end, "CAP_PERFMON"))
        return capabilityMissing(end);
    return other(end);
}

RecordingFailure agentNotFound()
{
    return {
        .kind = FailureKind::AgentNotFound,
        .text =
            "hearth-agent, the sampler, is not beside hearth and not among the installed programs. Both come "
            "in one package; other profilers can send here without it.",
        .remedy = FailureRemedy::OtherSenders,
        .command = {}};
}

RecordingFailure versionMismatch(const std::string &agentVersion)
{
    return {.kind = FailureKind::VersionMismatch,
            .text = "hearth-agent is of another version (" +
                    sentence(agentVersion + ", this is " HEARTH_VERSION ")") +
                    " They have to be installed together.",
            .remedy = FailureRemedy::TryAgain,
            .command = {}};
}

RecordingFailure processGone(int process)
{
    return nothingToRecord("there is no process " + std::to_string(process));
}

RecordingFailure cannotStart(const std::string &why)
{
    return {.kind = FailureKind::Other,
            .text = sentence("The sampler " + why),
            .remedy = FailureRemedy::TryAgain,
            .command = {}};
}

RecordingFailure commandNotFound(const std::string &command, int error)
{
    return {.kind = FailureKind::CommandNotFound,
            .text = "The command cannot be run: " + sentence(command + ": " + std::strerror(error)),
            .remedy = FailureRemedy::ChooseTarget,
            .command = {}};
}

RecordingFailure noPrivileges(const LaunchPlan &plan, const std::vector<std::string> &options)
{
    return {
        .kind = FailureKind::NoPrivileges,
        .text =
            plan.isGuarded
                ? "This program runs where nothing it starts can gain rights, as in a sandbox. The sampler "
                  "can be started outside, in a terminal; what it sees is then shown here."
                : "The sampler needs rights that this user has not, and there is no pkexec to ask for them. "
                  "It can be started by hand in a terminal; what it sees is then shown here.",
        .remedy = FailureRemedy::CopyCommand,
        .command = sudoCommand(plan, options)};
}

} // namespace hearth
