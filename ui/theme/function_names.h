#pragma once

#include "model/views/short_name.h"

#include <QString>

#include <string_view>

class QFontMetrics;

// How functions are called in tables and lists. Tool tips, and what is selected, have their names whole.

namespace hearth {

/// How much of them is shown, in all windows.
void showNames(NameDetail detail);

/// A name as it is to be shown.
QString functionText(std::string_view name);

/// The most telling form of such a name that fits a room.
QString functionText(std::string_view name, const QFontMetrics &metrics, int room);

} // namespace hearth
