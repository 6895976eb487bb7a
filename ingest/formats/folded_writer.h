#pragma once

#include "model/store/snapshot.h"

#include <string>

namespace hearth {

/// One series as folded stacks: a line per distinct stack whose values do not add up to 0, ordered by text.
///
/// The format has no place for addresses, files, lines and attributes; stacks that differ in these only
/// become one line. Frames without a name are called [libfoo.so] by their binary, else [unknown], as is the
/// stack without frames. Inlined functions end in _[i]; kinds "kernel", "jit", "interpreted" and "c1" in
/// _[k], _[j], _[0] and _[1]. In names ';' becomes ':', a line break or another control character a blank,
/// and the '#' that would make a line a comment '_'. The first line is one that does not end in a number
/// ("worker 7"), which a reader would take for a count.
std::string foldedText(const Snapshot &snapshot, SeriesId series);

} // namespace hearth
