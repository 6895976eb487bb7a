#pragma once

#include "model/store/snapshot.h"

#include <string>

namespace hearth {

/// One series as folded stacks: a line per distinct stack whose values do not add up to 0, ordered by text.
/// The format has no place for addresses, files, lines and attributes. A ';' in a name becomes ':', a line
/// break a blank.
std::string foldedText(const Snapshot &snapshot, SeriesId series);

} // namespace hearth
