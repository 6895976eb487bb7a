#pragma once

#include "model/lens/lens.h"
#include "model/result.h"
#include "model/store/snapshot.h"

#include <memory>
#include <stop_token>

namespace hearth {

/// What a lens shows, as a data set of its own: the samples with all their series and whole stacks, whatever
/// the lens does to frames; the spans, log records and metric points of its time, attributes and spans. It
/// holds no more names and stacks than these need, and says in a comment that it is a part. The whole if the
/// lens leaves nothing out.
/// @return null if stopped; an error if the lens does not fit the data set
Result<std::shared_ptr<const Snapshot>> partOf(const std::shared_ptr<const Snapshot> &snapshot,
                                               const Lens &lens, const std::stop_token &stop);

} // namespace hearth
