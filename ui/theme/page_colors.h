#pragma once

#include "ui/theme/theme.h"

#include <QColor>

#include <string_view>

// The theme's colours for what leaves the window: pictures and pages, whatever theme the window has.

namespace hearth {

const Theme &themeOf(ThemeKind kind);

/// Lets theme() and the colours of frames be those of a kind; there need not be an application.
void chooseColors(ThemeKind kind);

QColor frameColor(FrameClass frameClass, std::string_view name, ThemeKind kind);

QColor changeColor(double growth, ThemeKind kind);

} // namespace hearth
