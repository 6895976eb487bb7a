#pragma once

#include <span>
#include <string>

namespace hearth {

/// Whether there is a display to show a window on.
bool hasDisplay();

/// Opens the window with these files, and returns when it is closed.
/// @param words options of the window and files
int runWindow(int argc, char **argv, std::span<const std::string> words);

} // namespace hearth
