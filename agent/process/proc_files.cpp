#include "agent/process/proc_files.h"

#include "agent/file_descriptor.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <unordered_map>

namespace hearth::agent {

namespace {

constexpr std::size_t kMostMapsText = std::size_t(16) << 20;
constexpr std::size_t kMostStatusText = 8192;
constexpr std::size_t kMostProcesses = std::size_t(1) << 20;

/// The text up to a character, which is taken off together with it.
std::string_view takeUntil(std::string_view &text, char end)
{
    const std::size_t at = text.find(end);
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    return taken;
}

template <class Number>
std::optional<Number> numberOf(std::string_view text, int base)
{
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// A line: `begin-end perms offset device inode   path`.
std::optional<MappedCode> parseMapsLine(std::string_view line)
{
    MappedCode code;
    const auto begin = numberOf<std::uint64_t>(takeUntil(line, '-'), 16);
    const auto end = numberOf<std::uint64_t>(takeUntil(line, ' '), 16);
    const std::string_view permissions = takeUntil(line, ' ');
    const auto offset = numberOf<std::uint64_t>(takeUntil(line, ' '), 16);
    const auto major = numberOf<std::uint32_t>(takeUntil(line, ':'), 16);
    const auto minor = numberOf<std::uint32_t>(takeUntil(line, ' '), 16);
    const auto inode = numberOf<std::uint64_t>(takeUntil(line, ' '), 10);
    if (!begin || !end || !offset || !major || !minor || !inode || permissions.size() != 4 ||
        permissions[2] != 'x')
        return std::nullopt;
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return MappedCode{.begin = *begin,
                      .end = *end,
                      .offset = *offset,
                      .device = makedev(*major, *minor),
                      .inode = *inode,
                      .path = std::string(withoutDeleted(line))};
}

std::optional<std::uint32_t> parentOf(std::uint32_t process)
{
    std::string_view stat; // "PID (name that may have anything in it) S PPID …"
    const std::string text = readProcFile(process, "stat", kMostStatusText);
    stat = text;
    const std::size_t behindName = stat.rfind(')');
    if (behindName == std::string_view::npos || stat.size() < behindName + 4)
        return std::nullopt;
    stat.remove_prefix(behindName + 4);
    return numberOf<std::uint32_t>(takeUntil(stat, ' '), 10);
}

std::vector<std::uint32_t> allProcesses()
{
    std::vector<std::uint32_t> processes;
    std::error_code error;
    for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
         entry.increment(error))
        if (const auto process = numberOf<std::uint32_t>(entry->path().filename().native(), 10);
            process && processes.size() < kMostProcesses)
            processes.push_back(*process);
    return processes;
}

} // namespace

std::string_view withoutDeleted(std::string_view path)
{
    constexpr std::string_view kDeleted = " (deleted)";
    if (path.ends_with(kDeleted))
        path.remove_suffix(kDeleted.size());
    return path;
}

std::vector<MappedCode> parseMaps(std::string_view text)
{
    std::vector<MappedCode> maps;
    while (!text.empty() && maps.size() < kMostMappings)
        if (auto code = parseMapsLine(takeUntil(text, '\n')))
            maps.push_back(std::move(*code));
    return maps;
}

std::string containerId(std::string_view text)
{
    constexpr std::size_t kLength = 64;
    std::size_t length = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool isHex = (text[at] >= '0' && text[at] <= '9') || (text[at] >= 'a' && text[at] <= 'f');
        length = isHex ? length + 1 : 0;
        const bool endsHere =
            at + 1 == text.size() || std::string_view(".\n/").find(text[at + 1]) != std::string_view::npos;
        if (length == kLength && endsHere)
            return std::string(text.substr(at + 1 - kLength, kLength));
    }
    return {};
}

std::string readProcFile(std::uint32_t process, std::string_view name, std::size_t limit)
{
    const std::string path = "/proc/" + std::to_string(process) + "/" + std::string(name);
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string text;
    while (file.isOpen() && text.size() < limit) {
        constexpr std::size_t kPiece = 16384;
        const std::size_t before = text.size();
        text.resize(before + std::min(kPiece, limit - before));
        const ssize_t count = read(file.get(), text.data() + before, text.size() - before);
        text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        if (count <= 0)
            break;
    }
    return text;
}

std::string readProcLink(std::uint32_t process, std::string_view name)
{
    const std::string path = "/proc/" + std::to_string(process) + "/" + std::string(name);
    std::array<char, PATH_MAX> target{};
    const ssize_t length = readlink(path.c_str(), target.data(), target.size());
    return length > 0 ? std::string(target.data(), static_cast<std::size_t>(length)) : std::string();
}

std::vector<MappedCode> mapsOf(std::uint32_t process)
{
    return parseMaps(readProcFile(process, "maps", kMostMapsText));
}

std::vector<std::uint32_t> familyOf(std::uint32_t process)
{
    std::unordered_multimap<std::uint32_t, std::uint32_t> childrenOf;
    for (const std::uint32_t each : allProcesses())
        if (const auto parent = parentOf(each))
            childrenOf.emplace(*parent, each);
    std::vector<std::uint32_t> family{process};
    for (std::size_t i = 0; i < family.size(); ++i) {
        const auto [begin, end] = childrenOf.equal_range(family[i]);
        for (auto child = begin; child != end; ++child)
            if (std::ranges::find(family, child->second) == family.end())
                family.push_back(child->second);
    }
    return family;
}

} // namespace hearth::agent
