#pragma once

namespace hearth::bench {

/// Agent-shaped requests, decoded and stored in this process, without a port: processor time a sample.
void benchOtlp();

} // namespace hearth::bench
