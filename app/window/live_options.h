#pragma once

#include "ingest/live/live_store.h"

#include <functional>

namespace hearth {

/// How the window keeps what arrives, over the port or from the sampler: within its budget of memory, and in
/// the journal.
/// @param published called after each snapshot, by another thread
LiveOptions liveOptions(std::function<void()> published);

} // namespace hearth
