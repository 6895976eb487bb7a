#include "ui/theme/theme.h"

#include "ui/theme/page_colors.h"

#include <QApplication>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace hearth {

namespace {

const Theme kLight{.background = QColor(0xf3, 0xf4, 0xf6),
                   .panel = QColor(0xff, 0xff, 0xff),
                   .raised = QColor(0xfa, 0xfb, 0xfc),
                   .line = QColor(0xdf, 0xe3, 0xe8),
                   .soft = QColor(0xec, 0xef, 0xf2),
                   .text = QColor(0x1a, 0x1e, 0x24),
                   .muted = QColor(0x5a, 0x64, 0x72),
                   .faint = QColor(0x8b, 0x95, 0xa3),
                   .accent = QColor(0x25, 0x63, 0xc9),
                   .accentFill = QColor(0xe3, 0xed, 0xfc),
                   .warn = QColor(0x9a, 0x5b, 0x00),
                   .bad = QColor(0xb3, 0x26, 0x1e),
                   .good = QColor(0x1b, 0x7f, 0x4d),
                   .ink = QColor(0x1a, 0x1e, 0x24),
                   .kind = ThemeKind::Light};

const Theme kDark{.background = QColor(0x14, 0x17, 0x1b),
                  .panel = QColor(0x1a, 0x1e, 0x23),
                  .raised = QColor(0x20, 0x25, 0x2b),
                  .line = QColor(0x2d, 0x34, 0x3c),
                  .soft = QColor(0x24, 0x2a, 0x31),
                  .text = QColor(0xe7, 0xea, 0xee),
                  .muted = QColor(0x9d, 0xa7, 0xb3),
                  .faint = QColor(0x6f, 0x7a, 0x87),
                  .accent = QColor(0x74, 0xa9, 0xff),
                  .accentFill = QColor(0x21, 0x33, 0x50),
                  .warn = QColor(0xf0, 0xb4, 0x5a),
                  .bad = QColor(0xff, 0x8a, 0x80),
                  .good = QColor(0x6f, 0xd1, 0x9b),
                  .ink = QColor(0x0f, 0x12, 0x16),
                  .kind = ThemeKind::Dark};

const Theme kHighContrast{.background = QColor(0, 0, 0),
                          .panel = QColor(0, 0, 0),
                          .raised = QColor(0, 0, 0),
                          .line = QColor(0xff, 0xff, 0xff),
                          .soft = QColor(0x30, 0x30, 0x30),
                          .text = QColor(0xff, 0xff, 0xff),
                          .muted = QColor(0xff, 0xff, 0xff),
                          .faint = QColor(0xc0, 0xc0, 0xc0),
                          .accent = QColor(0xff, 0xff, 0x00),
                          .accentFill = QColor(0x40, 0x40, 0x00),
                          .warn = QColor(0xff, 0xd0, 0x60),
                          .bad = QColor(0xff, 0x90, 0x90),
                          .good = QColor(0x90, 0xff, 0x90),
                          .ink = QColor(0, 0, 0),
                          .kind = ThemeKind::HighContrast};

const Theme *g_theme = &kLight;

/// Hue in degrees and chroma of OKLCH.
struct Hue {
    std::string_view name;
    double hue;
    double chroma;
};
constexpr std::array kHues{
    Hue{"native", 72, 0.105},  Hue{"kernel", 262, 0.035},     Hue{"Go", 200, 0.075},
    Hue{"Python", 142, 0.085}, Hue{"JVM", 36, 0.105},         Hue{"V8", 110, 0.10},
    Hue{"Ruby", 12, 0.10},     Hue{"PHP", 300, 0.07},         Hue{".NET", 285, 0.085},
    Hue{"others", 340, 0.08},  Hue{"no symbols", 255, 0.006}, Hue{"off-CPU", 250, 0.06}};

double gamma(double linear)
{
    linear = std::clamp(linear, 0.0, 1.0);
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

/// https://www.w3.org/TR/css-color-4/#ok-lab
QColor fromOklch(double lightness, double chroma, double hueDegrees)
{
    const double hue = hueDegrees * std::numbers::pi / 180;
    const double a = chroma * std::cos(hue);
    const double b = chroma * std::sin(hue);
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return QColor::fromRgbF(
        static_cast<float>(gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)),
        static_cast<float>(gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)),
        static_cast<float>(gamma(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)));
}

/// The same in every run of the program, unlike the hashes of tables.
std::uint32_t stableHash(std::string_view text)
{
    std::uint32_t hash = 2166136261U;
    for (const char character : text)
        hash = (hash ^ static_cast<unsigned char>(character)) * 16777619U;
    return hash ^ (hash >> 15);
}

/// From -1 to 1 in sixteen steps.
double jitter(std::uint32_t bits)
{
    return static_cast<double>(bits & 15U) / 7.5 - 1;
}

struct ColorTable {
    explicit ColorTable(bool isDark)
    {
        for (std::size_t kind = 0; kind < kHues.size(); ++kind)
            for (std::uint32_t step = 0; step < 256; ++step) {
                const double lightness = isDark ? 0.60 + 0.025 * jitter(step) : 0.80 + 0.03 * jitter(step);
                colors[kind][step] =
                    fromOklch(lightness, kHues[kind].chroma, kHues[kind].hue + 7 * jitter(step >> 4));
            }
    }
    std::array<std::array<QColor, 256>, kHues.size()> colors;
};

QPalette paletteOf(const Theme &theme)
{
    QPalette palette;
    palette.setColor(QPalette::Window, theme.background);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.panel);
    palette.setColor(QPalette::AlternateBase, theme.raised);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.faint);
    palette.setColor(QPalette::Button, theme.panel);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::Highlight, theme.accentFill);
    palette.setColor(QPalette::HighlightedText, theme.text);
    palette.setColor(QPalette::ToolTipBase, theme.raised);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::Light, theme.line);
    palette.setColor(QPalette::Midlight, theme.soft);
    palette.setColor(QPalette::Mid, theme.line);
    palette.setColor(QPalette::Dark, theme.muted);
    palette.setColor(QPalette::Shadow, theme.line);
    palette.setColor(QPalette::Disabled, QPalette::Text, theme.faint);
    palette.setColor(QPalette::Disabled, QPalette::ButtonText, theme.faint);
    palette.setColor(QPalette::Disabled, QPalette::WindowText, theme.faint);
    return palette;
}

/// What the palette cannot say: flat buttons, hairlines, tabs with one line under them.
QString styleSheetOf(const Theme &theme)
{
    QString sheet = QStringLiteral(R"(
QToolTip { background: @raised; color: @text; border: 1px solid @line; padding: 4px; }
QSplitter::handle { background: @panel; border: none; }
QSplitter::handle:vertical { height: 5px; border-bottom: 1px solid @line; }
QSplitter::handle:horizontal { width: 5px; border-right: 1px solid @line; }
QMainWindow::separator { background: @line; width: 1px; height: 1px; }
QPushButton { background: @panel; border: 1px solid @line; border-radius: 5px; padding: 5px 10px; }
QPushButton:hover { background: @soft; }
QPushButton:pressed, QPushButton:checked { background: @accentFill; color: @accent; border-color: @accentFill; }
QPushButton:focus { border: 1px solid @accent; }
QPushButton[quiet="true"] { border-color: transparent; background: transparent; }
QPushButton[quiet="true"]:hover { background: @soft; }
QPushButton[quiet="true"]:checked { background: @accentFill; color: @accent; }
QPushButton[primary="true"] { background: @accentFill; color: @accent; border-color: @accentFill; }
QPushButton[link="true"] { border: none; background: transparent; color: @accent; padding: 3px 6px; }
QPushButton[link="true"]:hover { text-decoration: underline; }
QPushButton[link="true"]:focus { border: 1px solid @accent; padding: 2px 5px; }
QPushButton[choice="true"] { color: @muted; }
QPushButton[choice="true"]:checked { color: @accent; background: transparent; }
QPushButton#go-to { text-align: left; }
QPushButton::menu-indicator { width: 0; }
QLabel[keys="true"] { color: @muted; background: @raised; border: 1px solid @line; border-radius: 3px; padding: 0 5px; font-size: 11px; }
QLabel[faint="true"] { color: @faint; }
QWidget[card="true"] { background: @panel; border: 1px solid @line; border-radius: 8px; }
QWidget[card="true"] QLabel { border: none; background: transparent; }
QWidget[card="true"] QLabel[keys="true"] { border: 1px solid @line; background: @raised; }
QWidget[code="true"] { background: @soft; border-radius: 5px; }
QLineEdit { background: @panel; border: 1px solid @line; border-radius: 5px; padding: 4px 8px;
  selection-background-color: @accentFill; selection-color: @text; }
QPlainTextEdit { background: @panel; border: 1px solid @line; border-radius: 5px; padding: 2px 4px;
  selection-background-color: @accentFill; selection-color: @text; }
QLineEdit:focus, QPlainTextEdit:focus { border-color: @accent; }
QLineEdit[quiet="true"] { border-color: transparent; background: transparent; }
QComboBox { background: @panel; border: 1px solid @line; border-radius: 5px; padding: 4px 8px; }
QComboBox:focus { border-color: @accent; }
QComboBox::drop-down { border: none; width: 18px; }
QComboBox QAbstractItemView { background: @panel; border: 1px solid @line; selection-background-color: @accentFill; selection-color: @text; }
QCheckBox { spacing: 8px; }
QTabBar { background: @raised; }
QTabBar::tab { background: @raised; color: @muted; padding: 8px 8px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text; font-weight: 600; border-bottom: 2px solid @accent; }
QTabBar::tab:hover { color: @text; }
QTabWidget::pane { border: none; border-top: 1px solid @line; }
QHeaderView { background: @panel; }
QHeaderView::section { background: @panel; color: @muted; border: none; border-bottom: 1px solid @line; padding: 3px 8px; }
QHeaderView::down-arrow, QHeaderView::up-arrow { subcontrol-position: top center; width: 8px; height: 6px; }
QTableView, QTreeView, QListView { background: @panel; border: none; outline: none; gridline-color: transparent;
  alternate-background-color: @panel; }
QTableView::item, QTreeView::item { padding: 0 8px; border: none; }
QTreeView::item { min-height: 22px; }
QTableView::item:selected, QTreeView::item:selected, QListView::item:selected { background: @accentFill; color: @text; border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @line; border-radius: 4px; min-height: 24px; min-width: 24px; margin: 1px; }
QScrollBar::handle:hover { background: @faint; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: none; border: none; width: 0; height: 0; }
QListView#completions { border: 1px solid @line; }
QMenu { background: @panel; border: 1px solid @line; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 12px; border-radius: 4px; }
QMenu::item:selected { background: @accentFill; color: @text; }
QMenu::item:disabled { color: @faint; }
QMenu::separator { height: 1px; background: @line; margin: 4px 8px; }
QStatusBar { background: @raised; border-top: 1px solid @line; }
QStatusBar::item { border: none; }
)");
    const std::array<std::pair<const char *, QColor>, 11> names{{{"@accentFill", theme.accentFill},
                                                                 {"@accent", theme.accent},
                                                                 {"@background", theme.background},
                                                                 {"@panel", theme.panel},
                                                                 {"@raised", theme.raised},
                                                                 {"@line", theme.line},
                                                                 {"@soft", theme.soft},
                                                                 {"@text", theme.text},
                                                                 {"@muted", theme.muted},
                                                                 {"@faint", theme.faint},
                                                                 {"@bad", theme.bad}}};
    for (const auto &[name, color] : names)
        sheet.replace(QLatin1String(name), color.name());
    return sheet;
}

} // namespace

const Theme &theme()
{
    return *g_theme;
}

const Theme &themeOf(ThemeKind kind)
{
    return kind == ThemeKind::Light ? kLight : kind == ThemeKind::Dark ? kDark : kHighContrast;
}

void chooseColors(ThemeKind kind)
{
    g_theme = &themeOf(kind);
}

ThemeKind systemTheme()
{
    const QPalette palette = QApplication::style()->standardPalette();
    return palette.color(QPalette::Window).lightness() < 128 ? ThemeKind::Dark : ThemeKind::Light;
}

void applyTheme(ThemeKind kind)
{
    chooseColors(kind);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(paletteOf(*g_theme));
    qApp->setStyleSheet(styleSheetOf(*g_theme));
}

namespace {

FrameClass classOfFile(std::string_view file, std::string_view binary)
{
    struct Ending {
        std::string_view ending;
        FrameClass frameClass;
    };
    constexpr std::array kEndings{
        Ending{".go", FrameClass::Go},   Ending{".py", FrameClass::Python}, Ending{".java", FrameClass::Jvm},
        Ending{".kt", FrameClass::Jvm},  Ending{".scala", FrameClass::Jvm}, Ending{".js", FrameClass::V8},
        Ending{".mjs", FrameClass::V8},  Ending{".ts", FrameClass::V8},     Ending{".rb", FrameClass::Ruby},
        Ending{".php", FrameClass::Php}, Ending{".cs", FrameClass::DotNet}, Ending{".erl", FrameClass::Other},
        Ending{".ex", FrameClass::Other}};
    if (binary.starts_with("[kernel") || binary.ends_with("vmlinux") || binary.ends_with(".ko"))
        return FrameClass::Kernel;
    for (const Ending &known : kEndings)
        if (file.ends_with(known.ending))
            return known.frameClass;
    return FrameClass::Native;
}

} // namespace

FrameClass frameClass(std::string_view kind, std::string_view name, std::string_view file,
                      std::string_view binary)
{
    struct Known {
        std::string_view kind;
        FrameClass frameClass;
    };
    constexpr std::array kKnown{Known{"native", FrameClass::Native},   Known{"rust", FrameClass::Native},
                                Known{"kernel", FrameClass::Kernel},   Known{"go", FrameClass::Go},
                                Known{"cpython", FrameClass::Python},  Known{"python", FrameClass::Python},
                                Known{"jvm", FrameClass::Jvm},         Known{"jit", FrameClass::Jvm},
                                Known{"interpreted", FrameClass::Jvm}, Known{"c1", FrameClass::Jvm},
                                Known{"v8js", FrameClass::V8},         Known{"v8", FrameClass::V8},
                                Known{"ruby", FrameClass::Ruby},       Known{"php", FrameClass::Php},
                                Known{"phpjit", FrameClass::Php},      Known{"dotnet", FrameClass::DotNet}};
    if (name.starts_with('[') || name == "<unknown>")
        return kind == "kernel" ? FrameClass::Kernel : FrameClass::NoSymbols;
    if (kind.empty())
        return classOfFile(file, binary);
    const auto known = std::ranges::find(kKnown, kind, &Known::kind);
    return known == kKnown.end() ? FrameClass::Other : known->frameClass;
}

std::string_view nameOf(FrameClass frameClass)
{
    return kHues[static_cast<std::size_t>(frameClass)].name;
}

QColor frameColor(FrameClass frameClass, std::string_view name)
{
    return frameColor(frameClass, name, g_theme->kind);
}

QColor frameColor(FrameClass frameClass, std::string_view name, ThemeKind kind)
{
    static const ColorTable light(false);
    static const ColorTable dark(true);
    const ColorTable &table = kind == ThemeKind::Dark ? dark : light;
    return table.colors[static_cast<std::size_t>(frameClass)][stableHash(name) & 255U];
}

QColor changeColor(double growth)
{
    return changeColor(growth, g_theme->kind);
}

QColor changeColor(double growth, ThemeKind kind)
{
    constexpr double kGrown = 40;
    constexpr double kShrunk = 250;
    // A small change can be told from none, and a large one from a small one.
    const double size = growth == 0 ? 0 : 0.25 + 0.75 * std::sqrt(std::min(1.0, std::abs(growth)));
    const bool isDark = kind == ThemeKind::Dark;
    return fromOklch((isDark ? 0.52 : 0.90) + (isDark ? 0.12 : -0.15) * size, 0.004 + 0.136 * size,
                     growth > 0 ? kGrown : kShrunk);
}

QColor mixed(const QColor &a, const QColor &b, double shareOfB)
{
    const auto mix = [shareOfB](int from, int to) {
        return static_cast<int>(std::lround(from + (to - from) * shareOfB));
    };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

QColor dimmed(const QColor &color)
{
    return mixed(color, g_theme->panel, 0.7);
}

} // namespace hearth
