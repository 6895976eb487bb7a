#include "app/record/launch.h"

#include <linux/capability.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace hearth {

namespace {

constexpr std::string_view kAgent = "hearth-agent";

bool isProgram(const std::filesystem::path &path)
{
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

std::string findProgram(std::string_view name, std::string_view searchPath)
{
    while (!searchPath.empty()) {
        const std::size_t colon = std::min(searchPath.find(':'), searchPath.size());
        const std::filesystem::path folder(searchPath.substr(0, colon));
        if (folder.is_absolute() && isProgram(folder / name))
            return folder / name;
        searchPath.remove_prefix(std::min(colon + 1, searchPath.size()));
    }
    return {};
}

bool carriesCapabilities(const std::string &program)
{
    std::array<char, sizeof(vfs_ns_cap_data)> data{};
    const ssize_t size = ::getxattr(program.c_str(), "security.capability", data.data(), data.size());
    return size > 0 && givesSampling({data.data(), static_cast<std::size_t>(size)});
}

/// Whether a line of /proc/self/status begins so.
bool statusSays(std::string_view beginning)
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(beginning))
            return true;
    return false;
}

/// A word as shells take it, whatever is in it.
std::string quoted(const std::string &word)
{
    const auto isPlain = [](char character) {
        return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
               (character >= '0' && character <= '9') ||
               std::string_view("-_./:=,+@").find(character) != std::string_view::npos;
    };
    if (!word.empty() && std::ranges::all_of(word, isPlain))
        return word;
    std::string text = "'";
    for (const char character : word)
        text += character == '\'' ? std::string("'\\''") : std::string(1, character);
    return text + "'";
}

} // namespace

LaunchPlaces launchPlaces()
{
    const char *path = std::getenv("PATH");
    LaunchPlaces places{
        .agent = {}, .searchPath = path != nullptr ? path : "/usr/bin:/bin", .isRoot = ::geteuid() == 0};
    std::error_code error;
    const auto beside = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const auto &folder :
         {beside, beside.parent_path() / "libexec", beside.parent_path() / "libexec/hearth"})
        if (!error && places.agent.empty() && isProgram(folder / kAgent))
            places.agent = folder / kAgent;
    if (places.agent.empty())
        places.agent = findProgram(kAgent, places.searchPath);
    return places;
}

LaunchPlan planLaunch(const LaunchPlaces &places)
{
    LaunchPlan plan{.way = LaunchWay::NoAgent,
                    .agent = places.agent,
                    .pkexec = {},
                    .isRoot = places.isRoot,
                    .isGuarded = false};
    if (!isProgram(places.agent))
        return plan;
    plan.isGuarded = statusSays("NoNewPrivs:\t1");
    plan.way = LaunchWay::ByHand;
    if (places.isRoot || (!plan.isGuarded && carriesCapabilities(places.agent)))
        plan.way = LaunchWay::Direct;
    else if (plan.pkexec = findProgram("pkexec", places.searchPath); !plan.isGuarded && !plan.pkexec.empty())
        plan.way = LaunchWay::Polkit;
    return plan;
}

std::vector<std::string> launchWords(const LaunchPlan &plan, const std::vector<std::string> &options,
                                     bool mayAskHere)
{
    std::vector<std::string> words;
    if (plan.way == LaunchWay::Polkit) {
        words.push_back(plan.pkexec);
        if (!mayAskHere)
            words.emplace_back("--disable-internal-agent");
    }
    words.push_back(plan.agent);
    words.insert(words.end(), options.begin(), options.end());
    return words;
}

std::string sudoCommand(const LaunchPlan &plan, const std::vector<std::string> &options)
{
    std::string text = "sudo " + quoted(plan.agent);
    for (const std::string &option : options)
        text += " " + quoted(option);
    return text;
}

bool givesSampling(std::string_view fileCapabilities)
{
    // The layout is little-endian words: magic with flags, then permitted and inheritable for every 32.
    const auto word = [&](std::size_t index) {
        std::uint32_t value = 0;
        for (std::size_t byte = 0; byte < 4; ++byte)
            value |= std::uint32_t(static_cast<unsigned char>(fileCapabilities[index * 4 + byte]))
                     << (8 * byte);
        return value;
    };
    constexpr std::size_t kTwoSets = sizeof(vfs_cap_data);
    if (fileCapabilities.size() < kTwoSets || (word(0) & VFS_CAP_REVISION_MASK) < VFS_CAP_REVISION_2)
        return false;
    const std::uint32_t upper = word(3);
    constexpr std::uint32_t kNeeded = 1U << (CAP_BPF - 32) | 1U << (CAP_PERFMON - 32);
    return (word(0) & VFS_CAP_FLAGS_EFFECTIVE) != 0 && (upper & kNeeded) == kNeeded;
}

} // namespace hearth
