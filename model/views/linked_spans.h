#pragma once

#include "model/lens/compiled_lens.h"
#include "model/views/selected_samples.h"
#include "model/views/span_table.h"

#include <cstdint>
#include <vector>

namespace hearth {

/// By span, 1 or 0: whether the trace and all terms on spans of a lens hold for it. `table` is of `snapshot`.
std::vector<std::uint8_t> matchSpans(const CompiledLens &lens, const Snapshot &snapshot,
                                     const SpanTable &table);

/// By link: whether samples with it are looked at, because their span matches or is below one that does.
/// Where only ids are asked for, spans that have not been received match by theirs.
///
/// REQUIRES: lens.restrictsLinks()
std::vector<std::uint8_t> matchLinks(const CompiledLens &lens, const Snapshot &snapshot,
                                     const SpanTable &table);

/// All that a lens says of samples, for a single use; the Evaluator remembers between uses.
/// @param table of `snapshot`, if there is one already
/// @return an error if the lens does not fit the data set
Result<SampleSelection> selectionOf(const Snapshot &snapshot, const Lens &lens,
                                    const SpanTable *table = nullptr);

} // namespace hearth
