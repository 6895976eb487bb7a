#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace hearth {

/// Which program listens on a TCP port of this machine: "grafana (process 4711)", or "a process of another
/// user" where that cannot be seen; empty if nothing listens.
std::string portHolder(std::uint16_t port, const std::filesystem::path &proc = "/proc");

/// The next port behind this one on which nothing listens.
std::optional<std::uint16_t> nextFreePort(std::uint16_t port, const std::filesystem::path &proc = "/proc");

} // namespace hearth
