#pragma once

namespace hearth::bench {

/// What people wait for in the window: frames, changes of the lens, tables of a million rows, live data.
void benchWindow(int &argc, char **argv);

} // namespace hearth::bench
