#pragma once

#include <functional>
#include <vector>

namespace hearth::bench {

double median(std::vector<double> times);

/// In milliseconds.
double timed(const std::function<void()> &work);
double medianOf(int runs, const std::function<void()> &work);

} // namespace hearth::bench
