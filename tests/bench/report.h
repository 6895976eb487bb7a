#pragma once

#include <string>

// The one table that hearth-bench prints.

namespace hearth::bench {

/// Only what contains the text is run.
void setFilter(const std::string &text);
bool isWanted(const std::string &name);

void row(const std::string &name, double milliseconds, const std::string &note = {});
/// @param part 1 is all
void share(const std::string &name, double part, const std::string &note = {});

} // namespace hearth::bench
