#pragma once

#include "model/views/difference.h"
#include "ui/export/flame_sheet.h"
#include "ui/export/page_document.h"

#include <QByteArray>

#include <memory>

namespace hearth {

/// Of each page: so many boxes are worth waiting for; what is lighter is merged, and the page says so.
inline constexpr std::size_t kMostPageNodes = 200'000;

/// What the sheet of a page is laid out for: inverted trees are followed as far as that is wide.
inline constexpr int kPageWidth = 12'500;

/// A flame graph as a page that needs nothing but a browser: to be searched and zoomed, in the reader's
/// theme, with all of its tree down to the lightest of `mostNodes`. It asks nobody for anything, and its
/// policy lets it not.
///
/// May be called on any thread.
QByteArray webPage(const FlameSheet &sheet, std::size_t mostNodes = kMostPageNodes);

/// The same of a comparison: boxes as wide as both sides together, red where it grew, blue where it shrank.
QByteArray webPage(const Difference &difference, const PageWords &words, NameDetail detail,
                   std::size_t mostNodes = kMostPageNodes);

} // namespace hearth
