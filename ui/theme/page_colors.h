#pragma once

#include "ui/theme/theme.h"

#include <QColor>

#include <string_view>

// The theme's colours for what leaves the window: pictures and pages, whatever theme the window has.

namespace hearth {

const Theme &themeOf(ThemeKind kind);

/// Lets theme() and the colours of frames be those of a kind; there need not be an application.
void chooseColors(ThemeKind kind);

/// Has theme() and the colours of frames be those of a kind for as long as it lives, and then what they were.
class InColors {
public:
    explicit InColors(ThemeKind kind) : m_before(theme().kind) { chooseColors(kind); }
    ~InColors() { chooseColors(m_before); }
    InColors(const InColors &) = delete;
    InColors &operator=(const InColors &) = delete;

private:
    ThemeKind m_before;
};

QColor frameColor(FrameClass frameClass, std::string_view name, ThemeKind kind);

QColor changeColor(double growth, ThemeKind kind);

} // namespace hearth
