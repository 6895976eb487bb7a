#pragma once

#include "ui/export/flame_sheet.h"

#include <QByteArray>

namespace hearth {

/// A sheet as an SVG without scripts: boxes that name themselves when the mouse is over them. What fits a box
/// is guessed, since the reader's fonts are not known.
QByteArray flameSvg(const FlameSheet &sheet);

} // namespace hearth
