#pragma once

#include "model/store/snapshot.h"

#include <string>

namespace hearth::test {

/// Every span, log record and metric point with all that belongs to it, one a line, in order.
std::string dumpRecords(const Snapshot &snapshot);

} // namespace hearth::test
