#pragma once

#include "model/store/snapshot.h"

#include <string>

namespace hearth::otlp {

// The records of a snapshot as data messages, in order, below their resources and scopes; empty if there are
// none.

std::string tracesOf(const Snapshot &snapshot);
std::string logsOf(const Snapshot &snapshot);
std::string metricsOf(const Snapshot &snapshot);

} // namespace hearth::otlp
