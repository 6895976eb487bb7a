#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace hearth::bench {

/// An OTLP request of profiles as an eBPF agent sends it: 10,000 samples with a time each and no value, in
/// some twenty processes, over stacks that come back from request to request, with a dictionary of its own.
/// 0.8 MB; the same number gives the same bytes.
std::string agentRequest(std::uint32_t number);

inline constexpr std::size_t kSamplesOfAgentRequest = 10'000;

} // namespace hearth::bench
