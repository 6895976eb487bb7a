#pragma once

#include "ui/flame/flame_painter.h"

// What boxes measure, on the screen as in a picture.

namespace hearth {

inline constexpr int kBoxHeight = kFlameRowHeight - 1;
inline constexpr int kTextInset = 5;
inline constexpr int kNarrowestLabel = 22;
inline constexpr int kFootHeight = 3;

} // namespace hearth
