#pragma once

#include "model/views/waterfall.h"

#include <span>
#include <vector>

namespace hearth {

/// What the longest root of a trace was waiting for, from its start to its end.
///
/// Walks back from the end of a span: the child that ended last is what it waited for, before that child
/// started the one that ended last before then, and what is between is the span's own. Of children that go on
/// after their parent, or began before it, only what is within it counts.
std::vector<CriticalStep> criticalPath(std::span<const WaterfallRow> rows);

} // namespace hearth
