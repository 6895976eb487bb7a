#pragma once

#include "model/store/snapshot.h"

#include <string>

namespace hearth::otlp {

/// The samples of a snapshot as a data message of the newest generation; empty if it has no series.
///
/// Each series becomes a profile: series that were measured together become profiles with the same samples in
/// the same order. Samples with times are put together by what they refer to, the others stay as they are.
std::string profilesOf(const Snapshot &snapshot);

} // namespace hearth::otlp
