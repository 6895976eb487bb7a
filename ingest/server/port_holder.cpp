#include "ingest/server/port_holder.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

// Sockets that listen are lines of /proc/net/tcp and tcp6 (proc(5)):
//   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
//    0: 0100007F:2AF8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 31337 …
// and whose they are tells the symbolic link /proc/PID/fd/N, "socket:[31337]".

namespace hearth {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kListening = "0A";

/// The inodes of all listening sockets, by port.
std::multimap<std::uint16_t, std::string> listeningInodes(const fs::path &proc)
{
    std::multimap<std::uint16_t, std::string> inodes;
    for (const char *const table : {"net/tcp", "net/tcp6"}) {
        std::ifstream file(proc / table);
        for (std::string line; std::getline(file, line);) {
            std::istringstream words(line);
            std::array<std::string, 10> fields;
            for (std::string &field : fields)
                words >> field;
            const std::string &local = fields[1];
            const std::string &state = fields[3];
            const std::string &inode = fields[9];
            const std::size_t colon = local.rfind(':');
            std::uint16_t port = 0;
            if (state != kListening || colon == std::string::npos || inode.empty() ||
                std::from_chars(local.data() + colon + 1, local.data() + local.size(), port, 16).ec !=
                    std::errc())
                continue;
            inodes.emplace(port, inode);
        }
    }
    return inodes;
}

bool isNumber(const std::string &text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool hasOpen(const fs::path &process, const std::vector<std::string> &links)
{
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(process / "fd", error)) {
        const fs::path target = fs::read_symlink(entry.path(), error);
        if (!error && std::ranges::find(links, target.string()) != links.end())
            return true;
    }
    return false;
}

} // namespace

std::string portHolder(std::uint16_t port, const fs::path &proc)
{
    std::vector<std::string> links;
    const auto inodes = listeningInodes(proc);
    const auto [begin, end] = inodes.equal_range(port);
    for (auto inode = begin; inode != end; ++inode)
        links.push_back("socket:[" + inode->second + ']');
    if (links.empty())
        return {};
    std::error_code error;
    for (const auto &process : fs::directory_iterator(proc, error)) {
        const std::string pid = process.path().filename();
        if (!isNumber(pid) || !hasOpen(process.path(), links))
            continue;
        std::ifstream file(process.path() / "comm");
        std::string name;
        std::getline(file, name);
        return (name.empty() ? "a program" : name) + " (process " + pid + ')';
    }
    return "a process of another user";
}

std::optional<std::uint16_t> nextFreePort(std::uint16_t port, const fs::path &proc)
{
    const auto inodes = listeningInodes(proc);
    for (std::uint32_t next = std::uint32_t(port) + 1; next <= 65535; ++next)
        if (!inodes.contains(static_cast<std::uint16_t>(next)))
            return static_cast<std::uint16_t>(next);
    return std::nullopt;
}

} // namespace hearth
