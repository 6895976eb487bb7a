#include "agent/session/control.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <string_view>

namespace hearth::agent {

namespace control {

std::string missing(const MissingCapability &capability)
{
    return "missing " + capability.name + " " + capability.cost;
}

std::string recording()
{
    return "recording";
}

std::string progress(const RecorderCounts &counts, const DeliveryCounts &delivery)
{
    return "samples=" + std::to_string(counts.samples) + " lost=" + std::to_string(counts.lost) +
           " complete=" + std::to_string(counts.complete) + " cut=" + std::to_string(counts.cut) +
           " unreadable=" + std::to_string(counts.unreadable) +
           " dropped=" + std::to_string(delivery.dropped);
}

std::string ended(int status)
{
    return "ended " + std::to_string(status);
}

std::string failed(const std::string &message)
{
    std::string line = "failed " + message;
    for (char &character : line)
        if (character == '\n')
            character = ' ';
    return line;
}

void say(const std::string &line)
{
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

} // namespace control

bool ControlInput::readsStop()
{
    constexpr std::size_t kLongestLine = 256;
    std::array<char, kLongestLine> bytes{};
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count <= 0)
        return true;
    for (const char byte : std::string_view(bytes.data(), static_cast<std::size_t>(count))) {
        if (byte == '\n' && m_line == "stop")
            return true;
        if (byte == '\n')
            m_line.clear();
        else if (m_line.size() < kLongestLine)
            m_line += byte;
    }
    return false;
}

} // namespace hearth::agent
