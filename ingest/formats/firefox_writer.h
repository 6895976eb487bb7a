#pragma once

#include "model/store/snapshot.h"

#include <string>

namespace hearth {

/// One series as a processed profile of the Firefox Profiler (version 48), which it opens without a server: a
/// thread for each process and thread, with every sample at its time, functions with files and lines,
/// binaries with their build ids.
///
/// Times are weights in milliseconds, bytes are bytes, all else are samples. Samples without a time are one
/// millisecond apart. Other series, other attributes, spans, log records and metrics are left out.
std::string firefoxText(const Snapshot &snapshot, SeriesId series);

} // namespace hearth
