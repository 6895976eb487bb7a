#pragma once

#include "ingest/otlp/envelope.h"

namespace hearth::otlp {

/// 1.10 put other fields of a sample under the numbers of 1.8 and 1.9.
struct SampleVerdict {
    bool isOf1_10 = true;
    bool isGuess = false;
};

/// Reads samples both ways and counts what would be wrong with them.
SampleVerdict judgeSamples(const Envelope &envelope);

} // namespace hearth::otlp
