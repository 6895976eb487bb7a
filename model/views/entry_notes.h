#pragma once

#include "model/store/snapshot.h"

#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// What senders say of a function's frames and of the binaries that these are in, beyond what Hearth has a
/// place for: "key = value", each once, in order.
/// @param name of a function, or a binary in brackets
std::vector<std::string> entryNotesOf(const Snapshot &snapshot, std::string_view name);

} // namespace hearth
