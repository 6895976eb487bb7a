#pragma once

#include <cstddef>

namespace hearth {

/// How much memory the user lets a data set take.
std::size_t memoryBudget();

} // namespace hearth
