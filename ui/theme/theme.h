#pragma once

#include <QColor>

#include <cstdint>
#include <string_view>

namespace hearth {

enum class ThemeKind : std::uint8_t { Light, Dark, HighContrast };

/// Every colour of the window; nothing else names one.
struct Theme {
    QColor background; ///< behind panels
    QColor panel;      ///< views and docks
    QColor raised;     ///< bars, row of tabs, status
    QColor line;       ///< hairlines
    QColor soft;       ///< quiet fills
    QColor text;
    QColor muted;
    QColor faint; ///< decoration and placeholders only
    QColor accent;
    QColor accentFill;
    QColor warn;
    QColor bad;
    QColor good;
    QColor ink; ///< text on frames
    ThemeKind kind = ThemeKind::Light;
};

const Theme &theme();

/// What the desktop is set to, as far as its palette tells.
ThemeKind systemTheme();

/// Gives the application its palette and style.
void applyTheme(ThemeKind kind);

/// The kinds of frames that have a colour of their own.
enum class FrameClass : std::uint8_t {
    Native,
    Kernel,
    Go,
    Python,
    Jvm,
    V8,
    Ruby,
    Php,
    DotNet,
    Other,
    NoSymbols,
    OffCpu
};

/// @param kind as senders name it: "native", "cpython", "v8js" …; empty where the source says nothing, and
/// then the name of the source file or the binary tells
FrameClass frameClass(std::string_view kind, std::string_view name, std::string_view file = {},
                      std::string_view binary = {});

/// "native", "Python" …: what a legend says.
std::string_view nameOf(FrameClass frameClass);

/// The same function has the same colour everywhere and always; neighbours differ a little.
QColor frameColor(FrameClass frameClass, std::string_view name);

/// Of what grew or shrank between two data sets, for ink on it.
/// @param growth from -1, all gone, to 1, all new; 0: grey
QColor changeColor(double growth);

/// Towards the panel, for what does not match.
QColor dimmed(const QColor &color);

QColor mixed(const QColor &a, const QColor &b, double shareOfB);

} // namespace hearth
