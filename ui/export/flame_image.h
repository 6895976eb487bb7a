#pragma once

#include "model/result.h"
#include "ui/export/flame_sheet.h"

#include <QImage>

namespace hearth {

/// Paints a sheet as the window would. REQUIRES: a QGuiApplication, for its fonts.
/// @param scale pixels of the picture by unit of the sheet
/// @return an error if the picture would be larger than can be painted
Result<QImage> flameImage(const FlameSheet &sheet, double scale);

} // namespace hearth
