#pragma once

#include "model/result.h"
#include "model/store/snapshot.h"

#include <string>

namespace hearth {

/// The data set as one Profile message, not compressed. Every sample, label, line and mapping is kept;
/// samples of tables that lack a series have 0 there.
///
/// What pprof has no place for becomes labels: `timestamp_ns`, `trace_id`, `span_id`, and the attributes of
/// resource and scope. An error says what pprof's format cannot hold.
Result<std::string> pprofMessage(const Snapshot &snapshot);

} // namespace hearth
