#include "app/cli/compare.h"

#include "app/cli/data_set.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "model/lens/lens_text.h"
#include "model/lens/units.h"

#include <cstdio>

namespace hearth::cli {

namespace {

std::optional<Normalisation> normalisationNamed(std::string_view word)
{
    for (const Normalisation known :
         {Normalisation::None, Normalisation::Total, Normalisation::Duration, Normalisation::Requests})
        if (nameOf(known) == word)
            return known;
    return std::nullopt;
}

/// The files of the baseline and of the new side; nothing after complaining.
struct SideFiles {
    std::vector<std::string> base;
    std::vector<std::string> current;
};

std::optional<SideFiles> sideFiles(const Arguments &arguments)
{
    if (arguments.has("base")) {
        if (!arguments.files().empty())
            return SideFiles{arguments.values("base"), arguments.files()};
        complain("no file to compare with the baseline");
        return std::nullopt;
    }
    if (arguments.files().size() == 2)
        return SideFiles{{arguments.files()[0]}, {arguments.files()[1]}};
    complain(arguments.files().size() < 2
                 ? "two files are needed: BASE and NEW"
                 : "more than two files: say which are the baseline, each with --base FILE");
    return std::nullopt;
}

Result<Lens> baseLens(const Arguments &arguments, const Lens &lens)
{
    const auto text = arguments.value("base-lens");
    if (!text)
        return lens;
    auto parsed = parseLens(*text);
    if (!parsed)
        return failure("--base-lens cannot be understood\n" + pointAt(*text, parsed.error()));
    return *parsed;
}

std::string percentText(double share)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%+.2f%%", 100 * share);
    return text.data();
}

} // namespace

std::optional<Sides> openSides(const Arguments &arguments, std::span<const std::string> by, Exit &status)
{
    const auto lens = lensOf(arguments, by, status);
    if (!lens)
        return std::nullopt;
    status = Exit::WrongUse;
    const auto files = sideFiles(arguments);
    if (!files)
        return std::nullopt;
    const std::string word = arguments.value("normalize").value_or("none");
    const auto normalisation = normalisationNamed(word);
    const Result<Lens> ofBase = baseLens(arguments, *lens);
    if (!normalisation || !ofBase) {
        complain(!ofBase ? ofBase.error().message
                         : "--normalize takes total, duration, requests or none, not '" + word + "'");
        return std::nullopt;
    }
    status = Exit::Done;
    Sides sides{{nullptr, *ofBase},
                {nullptr, *lens},
                *normalisation,
                titleOf(files->base) + " > " + titleOf(files->current)};
    sides.base.snapshot = openFiles(files->base, arguments, status, Opening::Symbols);
    if (!sides.base.snapshot)
        return std::nullopt;
    sides.current.snapshot = files->base == files->current
                                 ? sides.base.snapshot
                                 : openFiles(files->current, arguments, status, Opening::Symbols);
    return sides.current.snapshot ? std::optional(std::move(sides)) : std::nullopt;
}

std::shared_ptr<const Difference> compare(DifferenceEvaluator &evaluator, const Sides &sides, Exit &status)
{
    const auto difference = evaluator.evaluate(sides.base, sides.current, sides.normalisation);
    if (!difference) {
        complain(difference.error().message);
        status = Exit::WrongUse;
        return nullptr;
    }
    if (!(*difference)->warning.empty())
        complain((*difference)->warning);
    if ((*difference)->overflowed)
        complain("a sum does not fit 64 bits; it is shown as the largest number that does");
    return *difference;
}

void writeHead(Json &json, const Difference &difference, Normalisation normalisation)
{
    json.key("series").beginObject().key("type").text(difference.series.type);
    json.key("unit").text(difference.series.unit).endObject();
    json.key("base").beginObject().key("total").number(difference.base->total);
    json.key("matched").number(difference.whole().base).endObject();
    json.key("new").beginObject().key("total").number(difference.current->total);
    json.key("matched").number(difference.whole().current).endObject();
    json.key("normalize").beginObject().key("by").text(nameOf(normalisation));
    json.key("factor").real(difference.scaling.factor).endObject();
}

std::string describe(const Difference &difference, Normalisation normalisation)
{
    const std::string &unit = difference.series.unit;
    const Change &whole = difference.whole();
    std::string text = difference.series.name() + ": " + humanValue(whole.base, unit) + " > " +
                       humanValue(whole.current, unit);
    if (const std::string growth = growthText(whole); !growth.empty())
        text += " (" + growth + (whole.isSignificant() ? ")" : ", noise)");
    if (normalisation != Normalisation::None) {
        std::array<char, 32> factor{};
        std::snprintf(factor.data(), factor.size(), "%.4g", difference.scaling.factor);
        text +=
            "; new side times " + std::string(factor.data()) + ", by " + std::string(nameOf(normalisation));
    }
    return printable(text);
}

std::string growthText(const Change &change)
{
    if (change.delta() == 0)
        return {};
    const auto growth = change.growth();
    return growth ? percentText(*growth) : "new";
}

std::string signedValue(std::int64_t value, const std::string &unit)
{
    return (value > 0 ? "+" : "") + humanValue(value, unit);
}

} // namespace hearth::cli
