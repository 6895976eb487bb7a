#pragma once

#include "model/views/short_name.h"
#include "ui/flame/flame_painter.h"

#include <QString>
#include <QStringList>

#include <string>

namespace hearth {

/// A flame graph on paper: a picture with words around it, for whoever sees nothing but the file.
///
///     title           the data set
///     subtitle        series, weight, lens
///     boxes
///     notes, legend   what is merged; what colours mean
struct FlameSheet {
    FlameScene scene; ///< its layout is as wide as the sheet without its margins
    QString title;
    QString subtitle;
    int width = 0;
    NameDetail detail = NameDetail::Full;
};

inline constexpr int kSheetMargin = 10;
inline constexpr int kSheetHead = 48; ///< how far down the boxes begin
inline constexpr int kSheetFoot = 16; ///< the height of a line below the boxes

/// Lays an evaluation out on a sheet: all of its tree, upside down if the lens says so.
/// @param title what it is of; with the lens, where it says anything, it is what one needs to make it again
FlameSheet sheetOf(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const Evaluation> evaluation,
                   const Lens &lens, const QString &title, int width);

/// "cpu/nanoseconds · 5.82 s of 6.1 s · hide:^runtime"
QString subtitleOf(const Evaluation &evaluation, const Lens &lens);

/// "cpu/nanoseconds · 5.82 s → 6.1 s, +4.81 %"
QString subtitleOf(const Difference &difference);

/// What a reader must know to take a picture for what it is: no weight, negative weights, and then what is
/// merged.
QStringList notesOf(const FlameSheet &sheet, const QString &merged);
/// With the boxes that its layout merged.
QStringList notesOf(const FlameSheet &sheet);

/// Where row 0 is, as paintFlames() wants it.
int topOfRows(const FlameSheet &sheet);
int heightOf(const FlameSheet &sheet);

/// "1.27 s · 21.9 %"
QString weightText(const Evaluation &evaluation, std::int64_t value);

} // namespace hearth
