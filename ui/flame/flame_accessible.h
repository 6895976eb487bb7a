#pragma once

namespace hearth {

class FlameView;

/// Lets screen readers see flame graphs as trees of their boxes. Called by each view; once is enough.
void makeFlamesAccessible();

/// Tells screen readers which box is selected now.
void tellSelection(FlameView &view);

} // namespace hearth
