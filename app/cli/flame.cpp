#include "app/cli/command.h"
#include "app/cli/data_set.h"
#include "app/cli/less_base.h"
#include "app/cli/name_option.h"
#include "app/cli/terminal.h"
#include "ingest/bytes/byte_sink.h"
#include "ui/export/flame_image.h"
#include "ui/export/flame_svg.h"
#include "ui/export/web_page.h"
#include "ui/theme/page_colors.h"

#include <QBuffer>
#include <QGuiApplication>
#include <QLoggingCategory>

#include <array>
#include <charconv>

namespace hearth::cli {

namespace {

constexpr std::array kOwnOptions{
    Option{.name = "output",
           .value = "OUT",
           .help = "file to write: .svg, .png or .html; - for standard output",
           .letter = 'o'},
    Option{.name = "format", .value = "WORD", .help = "where the name does not tell: svg, png or html"},
    Option{.name = "inverted", .value = "", .help = "callees above callers", .letter = 'i'},
    Option{.name = "up", .value = "", .help = "flames that grow up, instead of icicles"},
    Option{.name = "by",
           .value = "WHAT",
           .help = "split by attributes first; function, line … says what a box is"},
    Option{.name = "theme",
           .value = "light|dark",
           .help = "colours of a picture; light by default. Pages have those of their reader"},
    Option{.name = "width", .value = "N", .help = "of a picture; 1200 by default"},
    Option{.name = "scale", .value = "N", .help = "pixels of a PNG by unit of its width; 2 by default"},
};
constexpr auto kOptions =
    joined(kOwnOptions, kNameOptions, kBaseOptions, kLensOptions, kSymbolOptions, kInputOptions);

enum class Form : std::uint8_t { Svg, Png, Html };

struct Wish {
    std::string output;
    Form form = Form::Svg;
    ThemeKind theme = ThemeKind::Light;
    int width = 0;
    double scale = 0;
    NameDetail detail = NameDetail::Full;
};

Result<Form> formOf(const Arguments &arguments, const std::string &output)
{
    const auto word = arguments.value("format");
    const std::string_view name = word ? std::string_view(*word) : std::string_view(output);
    const auto isOf = [&](std::string_view form) {
        return word ? name == form : name.ends_with("." + std::string(form));
    };
    if (isOf("svg"))
        return Form::Svg;
    if (isOf("png"))
        return Form::Png;
    if (isOf("html") || isOf("htm"))
        return Form::Html;
    return failure(word
                       ? "--format takes svg, png or html, not '" + *word + "'"
                       : output + ": it does not tell which format is meant; name it .svg, .png or .html, or "
                                  "say --format svg");
}

Result<ThemeKind> themeOption(const Arguments &arguments)
{
    const std::string word = arguments.value("theme").value_or("light");
    if (word != "light" && word != "dark")
        return failure("--theme takes light or dark, not '" + word + "'");
    return word == "light" ? ThemeKind::Light : ThemeKind::Dark;
}

Result<double> scaleOption(const Arguments &arguments)
{
    constexpr double kLargest = 8;
    const std::string text = arguments.value("scale").value_or("2");
    double scale = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), scale);
    if (error != std::errc() || end != text.data() + text.size() || !(scale >= 0.5 && scale <= kLargest))
        return failure("--scale needs a number from 0.5 to 8, not '" + text + "'");
    return scale;
}

Result<Wish> wishOf(const Arguments &arguments)
{
    constexpr std::size_t kNarrowest = 200;
    constexpr std::size_t kWidest = 16'000;
    const auto output = arguments.value("output");
    if (!output)
        return failure("flame needs a file to write: -o OUT.svg, OUT.png or OUT.html");
    const Result<Form> form = formOf(arguments, *output);
    const Result<ThemeKind> theme = themeOption(arguments);
    const Result<std::size_t> width = arguments.number("width", 1200);
    const Result<double> scale = scaleOption(arguments);
    const Result<NameDetail> detail = chosenNames(arguments);
    if (!form || !theme || !width)
        return tl::unexpected(!form ? form.error() : !theme ? theme.error() : width.error());
    if (!scale || !detail)
        return tl::unexpected(!scale ? scale.error() : detail.error());
    if (*width < kNarrowest || *width > kWidest)
        return failure("--width takes 200 to 16000, not " + std::to_string(*width));
    return Wish{*output, *form, *theme, static_cast<int>(*width), *scale, *detail};
}

/// Only painting needs Qt's application, for its fonts; no display.
Result<QByteArray> pngOf(const FlameSheet &sheet, double scale)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    // Where nobody is logged in, Qt warns that there is no folder for a display's socket; none is needed.
    QLoggingCategory::setFilterRules(QStringLiteral("default.warning=false"));
    std::array<char, 7> program{"hearth"};
    std::array<char *, 2> arguments{program.data(), nullptr};
    int count = 1;
    const QGuiApplication application(count, arguments.data());
    const Result<QImage> image = flameImage(sheet, scale);
    if (!image)
        return tl::unexpected(image.error());
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !image->save(&buffer, "PNG"))
        return failure("the picture cannot be written as PNG");
    return bytes;
}

Result<QByteArray> drawn(const FlameSheet &sheet, const Wish &wish)
{
    switch (wish.form) {
    case Form::Svg:
        return flameSvg(sheet);
    case Form::Png:
        return pngOf(sheet, wish.scale);
    case Form::Html:
        break;
    }
    return webPage(sheet);
}

Exit runFlame(const Arguments &arguments)
{
    Exit status = Exit::Done;
    const Result<Wish> wish = wishOf(arguments);
    if (!wish) {
        complain(wish.error().message);
        return Exit::WrongUse;
    }
    const auto opened = open(arguments, splitAtCommas(arguments.value("by").value_or("")), status);
    if (!opened)
        return status;
    chooseColors(wish->theme);
    const int width = wish->form == Form::Html ? kPageWidth : wish->width;
    FlameSheet sheet = sheetOf(opened->snapshot, opened->evaluation, opened->lens,
                               QString::fromStdString(titleOf(arguments.files())), width);
    sheet.detail = wish->detail;
    sheet.scene.growsUp = arguments.has("up");
    const Result<QByteArray> bytes = drawn(sheet, *wish);
    if (!bytes) {
        complain(bytes.error().message);
        return Exit::WrongUse;
    }
    if (const Result<void> written = writeFile(wish->output, {bytes->constData(), size_t(bytes->size())});
        !written) {
        complain(written.error().message);
        return Exit::Unreadable;
    }
    return status;
}

} // namespace

const Command kFlame{
    .name = "flame",
    .usage = "FILE… -o OUT.svg|OUT.png|OUT.html [--inverted] [--theme light|dark] [filters]",
    .summary = "a flame graph as a picture, or as a page to be searched and zoomed",
    .examples = "  hearth flame cpu.pb.gz -o cpu.html\n"
                "  hearth flame cpu.pb.gz -o cpu.svg --from '^main.handle'\n"
                "  hearth flame cpu.pb.gz -o cpu.png --theme dark --width 1600\n"
                "  hearth flame cpu.pb.gz -o - --format svg --by thread | ssh host 'cat > cpu.svg'\n",
    .options = kOptions,
    .run = runFlame,
};

} // namespace hearth::cli
