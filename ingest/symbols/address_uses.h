#pragma once

#include "ingest/symbols/made_code.h"
#include "model/store/snapshot.h"

#include <stop_token>
#include <unordered_map>
#include <vector>

namespace hearth {

/// In which processes, and when, some frames were sampled, as far as the data set tells.
/// @return less than all if stopped
std::unordered_map<FrameId, std::vector<AddressUse>>
usesOf(const Snapshot &snapshot, const std::vector<FrameId> &frames, const std::stop_token &stop);

/// Whether a data set says that it is of another machine.
bool isOfAnotherMachine(const Snapshot &snapshot);

} // namespace hearth
