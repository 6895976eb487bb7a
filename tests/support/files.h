#pragma once

#include "ingest/formats/format.h"
#include "model/store/snapshot.h"

#include <memory>
#include <string>

// Files of any format in memory, for tests.

namespace hearth::test {

/// Recognised by content and read, as a file of the name "test" would be.
Result<Batch> readFile(const std::string &bytes, ReadOptions options = {});

/// Throws why it cannot be read.
std::shared_ptr<const Snapshot> openFile(const std::string &bytes);

/// Why a file cannot be read; empty if it can.
std::string refusalOf(const std::string &bytes);

/// Reads every beginning of a file with this format, and the file with each of its bytes changed in turn; of
/// files of more than 800 bytes, at evenly spread places. Whatever is read of it is put into a store, which
/// asserts that all of its references hold.
/// @return how many of the beginnings could be read, about
std::size_t readDamaged(const Format &format, const std::string &bytes);

} // namespace hearth::test
