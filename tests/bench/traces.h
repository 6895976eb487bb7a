#pragma once

namespace hearth::bench {

/// A million spans and ten million samples that ran in them.
void benchTraces();

} // namespace hearth::bench
