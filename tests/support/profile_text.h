#pragma once

#include "model/lens/lens.h"
#include "model/store/batch.h"
#include "model/store/snapshot.h"
#include "model/store/store.h"

#include <memory>
#include <string>
#include <string_view>

// Profiles as text, for tests, and results as text to compare with.
//
//   main;parse@parse.c;alloc>inlined[libc.so] 3,100 | thread=worker bytes:64kb
//
// A line is a stack from its root, its values (one per series), and its labels. A frame is a chain of
// functions with what was inlined behind '>', each perhaps with '@FILE'; "[BINARY]" behind it says where it
// is from, and alone it is a frame without lines. "?" is a frame that nothing is known of, "-" a function
// without a name, "." the empty stack. A label is KEY=TEXT or KEY:NUMBER with a unit. A line that begins with
// "series", "period", "drop", "keep" or "default" followed by
// ':' describes the profile; "period: cpu/nanoseconds 10" is one. Among the labels "@NANOSECONDS" is the time
// of the sample, and "~1.2" its link: span 2 of trace 1.

namespace hearth::test {

Batch batchOf(std::string_view text);
std::shared_ptr<const Snapshot> snapshotOf(std::string_view text);

/// The top table of a lens's text, a line a row: "name self total".
std::string top(const std::shared_ptr<const Snapshot> &snapshot, std::string_view lens = {});
std::string top(const std::shared_ptr<const Snapshot> &snapshot, const Lens &lens);

/// The call tree, indented, a line a node: "name total self".
std::string tree(const std::shared_ptr<const Snapshot> &snapshot, std::string_view lens = {});
std::string invertedTree(const std::shared_ptr<const Snapshot> &snapshot, std::string_view lens = {});

/// Every sample with its stack, values and labels in the notation above, sorted: the state of a store as
/// text.
std::string dump(const Snapshot &snapshot);

} // namespace hearth::test
