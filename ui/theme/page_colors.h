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

/// Of what grew or shrank: grey at 0, to the full colour of growth at 1 and of shrinking at -1.
QColor growthColor(double growth, ThemeKind kind);

} // namespace hearth
