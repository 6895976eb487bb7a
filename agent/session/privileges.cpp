#include "agent/session/privileges.h"

#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

namespace hearth::agent {

namespace {

struct Needed {
    unsigned number;
    const char *name;
    const char *cost;
};

constexpr std::array kNeeded{
    Needed{CAP_BPF, "CAP_BPF", "no programs can be loaded into the kernel"},
    Needed{CAP_PERFMON, "CAP_PERFMON", "nothing can be sampled"},
    Needed{CAP_SYS_PTRACE, "CAP_SYS_PTRACE", "what other users' programs have mapped cannot be seen"},
    Needed{CAP_SYSLOG, "CAP_SYSLOG", "functions of the kernel have no names"},
    Needed{CAP_DAC_READ_SEARCH, "CAP_DAC_READ_SEARCH",
           "programs that only their owners may read have no names"},
};

using CapabilityData = std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3>;

CapabilityData capabilities()
{
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    CapabilityData data{};
    syscall(SYS_capget, &header, data.data());
    return data;
}

bool hasCapability(const CapabilityData &data, unsigned number)
{
    return (data.at(number / 32).permitted >> (number % 32) & 1U) != 0;
}

Result<void> keepNeeded()
{
    const CapabilityData now = capabilities();
    CapabilityData kept{};
    for (const Needed &needed : kNeeded)
        if (hasCapability(now, needed.number)) {
            kept.at(needed.number / 32).permitted |= 1U << (needed.number % 32);
            kept.at(needed.number / 32).effective |= 1U << (needed.number % 32);
        }
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    if (syscall(SYS_capset, &header, kept.data()) != 0)
        return failure(std::string("cannot give up capabilities: ") + std::strerror(errno));
    return {};
}

std::optional<std::uint32_t> numberIn(const char *variable)
{
    const char *text = std::getenv(variable);
    if (text == nullptr)
        return std::nullopt;
    const std::string_view view(text);
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), number);
    return error == std::errc() && end == view.data() + view.size() ? std::optional(number) : std::nullopt;
}

} // namespace

std::vector<MissingCapability> missingCapabilities()
{
    const CapabilityData data = capabilities();
    std::vector<MissingCapability> missing;
    for (const Needed &needed : kNeeded)
        if (!hasCapability(data, needed.number))
            missing.push_back({needed.name, needed.cost});
    return missing;
}

Caller caller()
{
    auto user = numberIn("SUDO_UID");
    if (!user)
        user = numberIn("PKEXEC_UID");
    if (geteuid() != 0 || !user || *user == 0)
        return {};
    const passwd *entry = getpwuid(*user);
    const auto group = numberIn("SUDO_GID");
    if (!group && entry == nullptr)
        return {};
    return {.user = *user, .group = group ? *group : entry->pw_gid, .isKnown = true};
}

/// A thread may always have less.
void giveUpCapabilities()
{
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    const CapabilityData none{};
    syscall(SYS_capset, &header, none.data());
}

Result<void> dropPrivileges()
{
    const Caller to = caller();
    if (to.isKnown) {
        const passwd *entry = getpwuid(to.user);
        // The capabilities outlive the change of user.
        if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0 ||
            (entry != nullptr ? initgroups(entry->pw_name, to.group) : setgroups(0, nullptr)) != 0 ||
            setresgid(to.group, to.group, to.group) != 0 || setresuid(to.user, to.user, to.user) != 0)
            return failure(std::string("cannot become the caller again: ") + std::strerror(errno));
    }
    return keepNeeded();
}

} // namespace hearth::agent
