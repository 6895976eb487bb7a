#pragma once

#include <cstddef>
#include <vector>

namespace hearth::agent {

/// A frame of a merged stack: the number of one of the native stack, or of CPython's.
struct MergedFrame {
    bool isPython = false;
    std::size_t number = 0;

    bool operator==(const MergedFrame &) const = default;
};

/// Puts CPython's frames where they belong: in the place of the native frames of its interpreter. All stacks
/// are leaf first. A call of the interpreter from C runs all Python frames up to an entry:
///
///   native   add  INTERPRET  call  INTERPRET  main
///   Python        h g*             f*                  merged: add h g call f main
///
/// The two are counted from the outermost frame, where nothing is being called or left just now; from the
/// leaf if the native stack was cut there.
///
/// @param interprets of each native frame, whether it is the interpreter's
/// @param isEntry of each of CPython's, whether C called it
std::vector<MergedFrame> mergeStacks(const std::vector<bool> &interprets, const std::vector<bool> &isEntry,
                                     bool isCut);

} // namespace hearth::agent
