#pragma once

#include "agent/file_descriptor.h"
#include "model/result.h"

#include <linux/perf_event.h>

#include <vector>

namespace hearth::agent {

/// Processors that are online.
std::vector<int> onlineProcessors();

/// An event of everything that runs on a processor.
Result<FileDescriptor> openPerfEvent(const perf_event_attr &attributes, int processor);

} // namespace hearth::agent
