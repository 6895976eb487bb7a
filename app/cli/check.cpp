#include "app/cli/command.h"
#include "app/cli/compare.h"
#include "app/cli/data_set.h"
#include "app/cli/json.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "model/lens/matcher.h"
#include "model/lens/units.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace hearth::cli {

namespace {

constexpr std::array kOwnOptions{
    Option{.name = "max-growth",
           .value = "RE=PERCENT",
           .help =
               "stacks through functions that match may weigh so much more, taken together; several hold"},
};
constexpr auto kOptions =
    joined(kOwnOptions, kSideOptions, kReportOptions, kLensOptions, kSymbolOptions, kInputOptions);

struct Rule {
    std::string pattern;
    double mostGrowth = 0; ///< 0.05: five percent
};

enum class Verdict { Holds, Noise, Exceeded };

struct Outcome {
    Rule rule;
    Change change;
    Verdict verdict = Verdict::Holds;
};

Result<Rule> parseRule(const std::string &text)
{
    const std::size_t sign = text.rfind('=');
    if (sign == std::string::npos || sign == 0)
        return failure("--max-growth needs REGEX=PERCENT, not '" + text + "'");
    Rule rule{text.substr(0, sign), 0};
    std::string_view percent = std::string_view(text).substr(sign + 1);
    if (percent.ends_with('%'))
        percent.remove_suffix(1);
    const auto [end, error] =
        std::from_chars(percent.data(), percent.data() + percent.size(), rule.mostGrowth);
    if (error != std::errc() || end != percent.data() + percent.size() || !std::isfinite(rule.mostGrowth) ||
        rule.mostGrowth < 0)
        return failure("--max-growth: '" + text.substr(sign + 1) + "' is no percentage");
    if (const Result<Matcher> matcher = Matcher::regex(rule.pattern); !matcher)
        return failure("--max-growth: '" + rule.pattern + "': " + matcher.error().message);
    rule.mostGrowth /= 100;
    return rule;
}

Result<std::vector<Rule>> rulesOf(const Arguments &arguments)
{
    std::vector<Rule> rules;
    for (const std::string &text : arguments.values("max-growth")) {
        Result<Rule> rule = parseRule(text);
        if (!rule)
            return tl::unexpected(rule.error());
        rules.push_back(std::move(*rule));
    }
    if (rules.empty())
        return failure("nothing to check: --max-growth 'REGEX=PERCENT'");
    return rules;
}

/// Exceeded is what is above the limit by more than chance, not what has grown by more than chance and
/// happens to be above it: of programs that grew by just what is allowed, no more should fail than of any
/// others.
Verdict judge(const Change &change, double mostGrowth)
{
    const std::int64_t most = scaledBy(change.base, 1 + mostGrowth);
    if (change.current <= most)
        return Verdict::Holds;
    // Of the variance each side has its part; the base's is what the limit multiplies.
    const double both = static_cast<double>(change.base) + static_cast<double>(change.current);
    const double ofBase = change.variance * static_cast<double>(change.base) / both;
    const double squared = (1 + mostGrowth) * (1 + mostGrowth);
    const Change excess{most, change.current, change.variance + ofBase * (squared - 1)};
    return excess.isSignificant() ? Verdict::Exceeded : Verdict::Noise;
}

std::optional<Outcome> check(DifferenceEvaluator &evaluator, const Sides &sides, const Rule &rule,
                             Exit &status)
{
    Sides matching = sides;
    for (ComparedView *view : {&matching.base, &matching.current})
        view->lens.paths.push_back({.kind = PathTermKind::Regex, .text = rule.pattern});
    const auto difference = compare(evaluator, matching, status);
    if (!difference)
        return std::nullopt;
    const Change &whole = difference->whole();
    if (whole.base == 0 && whole.current == 0)
        complain("no stack on either side has a function that matches " + rule.pattern);
    return Outcome{rule, whole, judge(whole, rule.mostGrowth)};
}

std::string_view wordOf(Verdict verdict)
{
    return verdict == Verdict::Exceeded ? "exceeded" : verdict == Verdict::Noise ? "noise" : "holds";
}

/// As short as it was written: "5", "0.1".
std::string percentageOf(double share)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.10g", 100 * share);
    return text.data();
}

std::string jsonReport(const Difference &difference, Normalisation normalisation,
                       const std::vector<Outcome> &outcomes, bool isExceeded)
{
    Json json;
    json.beginObject();
    writeHead(json, difference, normalisation);
    json.key("exceeded").boolean(isExceeded).key("rows").beginArray();
    for (const Outcome &outcome : outcomes) {
        json.beginObject().key("pattern").text(outcome.rule.pattern);
        json.key("max_growth").real(100 * outcome.rule.mostGrowth);
        json.key("base").number(outcome.change.base).key("new").number(outcome.change.current);
        json.key("change").number(outcome.change.delta());
        json.key("verdict").text(wordOf(outcome.verdict)).endObject();
    }
    json.endArray().endObject();
    return json.str() + '\n';
}

std::string csvReport(const std::vector<Outcome> &outcomes)
{
    std::string text = "base,new,change,max_growth,verdict,pattern\n";
    for (const Outcome &outcome : outcomes)
        text += std::to_string(outcome.change.base) + ',' + std::to_string(outcome.change.current) + ',' +
                std::to_string(outcome.change.delta()) + ',' + percentageOf(outcome.rule.mostGrowth) + ',' +
                std::string(wordOf(outcome.verdict)) + ',' + csvField(outcome.rule.pattern) + '\n';
    return text;
}

std::string textReport(const Difference &difference, Normalisation normalisation,
                       const std::vector<Outcome> &outcomes, bool isFull)
{
    const std::string &unit = difference.series.unit;
    Table table({"base", "new", "change%", "limit", "", "functions"}, isFull);
    for (const Outcome &outcome : outcomes) {
        const std::string growth = growthText(outcome.change);
        table.add({humanValue(outcome.change.base, unit), humanValue(outcome.change.current, unit),
                   growth.empty() ? "0.00%" : growth, '+' + percentageOf(outcome.rule.mostGrowth) + '%',
                   std::string(wordOf(outcome.verdict))},
                  outcome.rule.pattern);
    }
    return describe(difference, normalisation) + '\n' + table.str();
}

Exit runCheck(const Arguments &arguments)
{
    Exit status = Exit::Done;
    const Result<std::vector<Rule>> rules = rulesOf(arguments);
    if (!rules) {
        complain(rules.error().message);
        return Exit::WrongUse;
    }
    const auto sides = openSides(arguments, {}, status);
    if (!sides)
        return status;
    DifferenceEvaluator evaluator;
    const auto all = compare(evaluator, *sides, status);
    if (!all)
        return status;
    std::vector<Outcome> outcomes;
    bool isExceeded = false;
    for (const Rule &rule : *rules) {
        const auto outcome = check(evaluator, *sides, rule, status);
        if (!outcome)
            return status;
        isExceeded = isExceeded || outcome->verdict == Verdict::Exceeded;
        outcomes.push_back(*outcome);
    }
    if (arguments.has("json"))
        print(jsonReport(*all, sides->normalisation, outcomes, isExceeded));
    else if (arguments.has("csv"))
        print(csvReport(outcomes));
    else
        print(textReport(*all, sides->normalisation, outcomes, arguments.has("full")));
    return isExceeded ? Exit::No : Exit::Done;
}

} // namespace

const Command kCheck{
    .name = "check",
    .usage = "BASE NEW --max-growth 'REGEX=PERCENT'… [--normalize BY] [filters]",
    .summary = "whether functions grew beyond a limit: status 1 if one did and that is no noise",
    .examples =
        "  hearth check before.pb.gz after.pb.gz --max-growth '.*=10%'\n"
        "  hearth check before.pb.gz after.pb.gz --max-growth '^json::=5%' --max-growth 'malloc=0%'\n"
        "  hearth check before.pb.gz after.pb.gz --normalize duration --max-growth '^handle=5%' --json\n",
    .options = kOptions,
    .run = runCheck,
};

} // namespace hearth::cli
