#pragma once

#include "model/lens/lens.h"
#include "model/result.h"
#include "model/store/snapshot.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace hearth {

/// By stack: whether a lens shows it. Empty: all are shown. If stopped, any of that.
Result<std::vector<bool>> shownStacks(const std::shared_ptr<const Snapshot> &snapshot, const Lens &lens,
                                      const std::stop_token &stop);

} // namespace hearth
