#pragma once

#include "model/store/snapshot.h"

#include <string>

namespace hearth {

/// A data set as speedscope's JSON: a profile for each series of each thread, with every sample, in the order
/// of time where samples have one.
///
/// speedscope takes frames of different lines for different functions, so there is one frame a function,
/// without lines. Frames without a name are called [libfoo.so] by their binary. The format has no place for
/// addresses and for attributes other than the thread, and knows the units of time, bytes and none.
std::string speedscopeText(const Snapshot &snapshot);

} // namespace hearth
