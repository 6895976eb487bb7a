#include "app/cli/data_set.h"

#include "app/cli/json.h"
#include "app/cli/less_base.h"
#include "app/cli/options.h"
#include "app/cli/terminal.h"
#include "ingest/formats/format.h"
#include "ingest/symbols/symbolizer.h"
#include "model/lens/lens_text.h"
#include "model/lens/matcher.h"
#include "model/lens/tag_filter.h"
#include "model/lens/units.h"
#include "model/store/store.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

namespace hearth::cli {

namespace {

/// Shows how far reading has come, while it takes longer than one likes to wait.
class Progress {
public:
    explicit Progress(std::string name) : m_name(std::move(name)), m_isShown(errorIsTerminal()) {}
    ~Progress()
    {
        if (m_shown > 0)
            std::fputs("\r\x1b[K", stderr);
    }
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;

    void show(std::uint64_t bytes)
    {
        constexpr std::uint64_t kStep = std::uint64_t(64) << 20;
        if (!m_isShown || bytes / kStep <= m_shown)
            return;
        m_shown = bytes / kStep;
        std::fprintf(stderr, "\r%s: %llu MiB\x1b[K", printable(m_name).c_str(),
                     static_cast<unsigned long long>(bytes >> 20));
    }

private:
    std::string m_name;
    bool m_isShown;
    std::uint64_t m_shown = 0;
};

void showSymbolProgress(const SymbolProgress &progress)
{
    if (!errorIsTerminal() || progress.allBinaries == 0)
        return;
    if (progress.binaries == progress.allBinaries)
        std::fputs("\r\x1b[K", stderr);
    else
        std::fprintf(stderr, "\rnames: %zu of %zu, %s\x1b[K", progress.binaries + 1, progress.allBinaries,
                     printable(progress.binary).c_str());
}

void complainOfLosses(const Snapshot &snapshot)
{
    for (std::size_t kind = 0; kind < kLossKinds; ++kind)
        if (const std::uint64_t count = snapshot.losses.count(static_cast<Loss>(kind)); count > 0)
            complain(std::to_string(count) + " × " +
                     std::string(describe(static_cast<Loss>(kind)).explanation));
    for (const std::string &detail : snapshot.losses.details())
        complain("  " + detail);
}

std::shared_ptr<const Snapshot> withSymbols(Store &store, const std::shared_ptr<const Snapshot> &snapshot,
                                            const Arguments &arguments)
{
    SearchPlaces places;
    places.names = defaultNameCache();
    places.folders = arguments.values("symbols-from");
    places.debuginfod.servers = arguments.values("debuginfod");
    bool hasNew = false;
    Symbolizer(std::move(places))
        .resolve(*snapshot,
                 {.take =
                      [&](const SymbolUpdate &update) {
                          store.apply(update);
                          hasNew = true;
                      },
                  .progress = showSymbolProgress},
                 {});
    return hasNew ? store.publish() : snapshot;
}

/// Checks the expression of an option now, so that the message can name the option.
Result<void> checkExpression(std::string_view option, const std::string &expression)
{
    const Result<Matcher> matcher = Matcher::regex(expression);
    if (!matcher)
        return failure("--" + std::string(option) + ": '" + expression + "': " + matcher.error().message);
    return {};
}

Result<void> addExpressions(const Arguments &arguments, Lens &lens)
{
    for (const std::string_view option : {"focus", "ignore", "hide", "show", "from"})
        for (const std::string &expression : arguments.values(option)) {
            if (expression.empty()) // as in pprof, an empty expression is none
                continue;
            if (const auto checked = checkExpression(option, expression); !checked)
                return checked;
            if (option == "focus" || option == "ignore")
                lens.paths.push_back(
                    {.kind = PathTermKind::Focus, .text = expression, .isNegated = option == "ignore"});
            else
                lens.frames.push_back({.kind = option == "hide"   ? FrameTermKind::Hide
                                               : option == "show" ? FrameTermKind::Show
                                                                  : FrameTermKind::From,
                                       .text = expression});
        }
    return {};
}

Result<void> addTags(const Arguments &arguments, Lens &lens)
{
    for (const std::string_view option : {"tagfocus", "tagignore"})
        for (const std::string &tags : arguments.values(option)) {
            if (tags.empty())
                continue;
            if (const auto filter = TagFilter::parse(tags); !filter)
                return failure("--" + std::string(option) + ": " + filter.error().message);
            lens.tags.push_back({.text = tags, .isNegated = option == "tagignore"});
        }
    for (const std::string &keys : arguments.values("tagroot"))
        for (std::string &key : splitAtCommas(keys))
            lens.tagRoot.push_back(std::move(key));
    for (const std::string &keys : arguments.values("tagleaf"))
        for (std::string &key : splitAtCommas(keys))
            lens.tagLeaf.push_back(std::move(key));
    return {};
}

std::optional<Granularity> granularityNamed(std::string_view word)
{
    struct Word {
        std::string_view word;
        Granularity granularity;
    };
    constexpr std::array kWords{
        Word{"function", Granularity::Function}, Word{"filefunction", Granularity::FileFunction},
        Word{"file", Granularity::File},         Word{"line", Granularity::Line},
        Word{"binary", Granularity::Binary},     Word{"address", Granularity::Address},
        Word{"addresse", Granularity::Address}};
    if (word.ends_with('s'))
        word.remove_suffix(1);
    const auto known = std::ranges::find(kWords, word, &Word::word);
    return known == kWords.end() ? std::nullopt : std::optional(known->granularity);
}

} // namespace

std::vector<std::string> splitAtCommas(std::string_view text)
{
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        if (comma != 0)
            parts.emplace_back(text.substr(0, comma));
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
    return parts;
}

std::shared_ptr<const Snapshot> openFiles(const Arguments &arguments, Exit &status, Opening opening)
{
    return openFiles(arguments.files(), arguments, status, opening);
}

std::shared_ptr<const Snapshot> openFiles(std::span<const std::string> files, const Arguments &arguments,
                                          Exit &status, Opening opening)
{
    if (files.empty()) {
        complain("no file given");
        status = Exit::WrongUse;
        return nullptr;
    }
    const Result<std::size_t> budget = memoryOption(arguments);
    if (!budget) {
        complain(budget.error().message);
        status = Exit::WrongUse;
        return nullptr;
    }
    Store store;
    for (const std::string &file : files) {
        Progress progress(file);
        ReadOptions options;
        const auto memoryLeft = [&] { return *budget - std::min(*budget, store.memoryUse().total()); };
        options.memoryBudget = memoryLeft();
        options.takePart = [&](Batch part) {
            store.append(std::move(part));
            return memoryLeft();
        };
        options.binaryFolders = arguments.values("symbols-from");
        options.wantsFindings = opening == Opening::Findings;
        options.progress = [&](std::uint64_t bytes) { progress.show(bytes); };
        Result<Batch> batch = readProfile(file, options);
        if (!batch) {
            complain(batch.error().message);
            status = Exit::Unreadable;
            return nullptr;
        }
        store.append(std::move(*batch));
    }
    std::shared_ptr<const Snapshot> snapshot = store.publish();
    if (opening == Opening::Symbols && !arguments.has("no-symbols"))
        snapshot = withSymbols(store, snapshot, arguments);
    complainOfLosses(*snapshot);
    return snapshot;
}

std::string titleOf(std::span<const std::string> files)
{
    std::string title = files[0] == "-" ? "standard input" : std::string(baseName(files[0]));
    if (files.size() > 1)
        title += ", " + std::to_string(files.size() - 1) + " more";
    return title;
}

Result<Lens> lensOf(const Arguments &arguments)
{
    std::string text;
    for (const std::string &part : arguments.values("lens"))
        text += (text.empty() ? "" : " ") + part;
    auto lens = parseLens(text);
    if (!lens)
        return failure("--lens cannot be understood\n" + pointAt(text, lens.error()));
    if (const auto series = arguments.value("series"))
        lens->series = *series;
    lens->noInlines |= arguments.has("noinlines");
    lens->isInverted |= arguments.has("inverted");
    if (const auto word = arguments.value("granularity")) {
        const auto granularity = granularityNamed(*word);
        if (!granularity)
            return failure("--granularity: '" + *word +
                           "' is none of functions, filefunctions, files, lines, binaries, addresses");
        lens->granularity = *granularity;
    }
    if (const auto added = addExpressions(arguments, *lens); !added)
        return tl::unexpected(added.error());
    if (const auto added = addTags(arguments, *lens); !added)
        return tl::unexpected(added.error());
    return *lens;
}

std::optional<Lens> lensOf(const Arguments &arguments, std::span<const std::string> by, Exit &status)
{
    Result<Lens> lens = lensOf(arguments);
    if (!lens) {
        complain(lens.error().message);
        status = Exit::WrongUse;
        return std::nullopt;
    }
    for (const std::string &word : by) {
        if (const auto granularity = granularityNamed(word))
            lens->granularity = *granularity;
        else
            lens->groupBy.push_back(word);
    }
    return std::move(*lens);
}

std::optional<Opened> open(const Arguments &arguments, std::span<const std::string> by, Exit &status)
{
    std::optional<Lens> lens = lensOf(arguments, by, status);
    if (!lens)
        return std::nullopt;
    Opened opened;
    opened.lens = std::move(*lens);
    opened.snapshot = openFiles(arguments, status, Opening::Symbols);
    if (!opened.snapshot)
        return std::nullopt;
    if (hasBase(arguments))
        return lessBase(arguments, std::move(opened), status);
    const auto evaluation = Evaluator().evaluate(opened.snapshot, opened.lens);
    if (!evaluation) {
        complain(evaluation.error().message);
        status = Exit::WrongUse;
        return std::nullopt;
    }
    opened.evaluation = *evaluation;
    complainOf(*opened.evaluation, opened.lens);
    return opened;
}

void complainOf(const Evaluation &evaluation, const Lens &lens)
{
    if (lens.estimatesLinks)
        complain("samples without a link are counted to the span of their thread and time: an estimate");
    if (!evaluation.warning.empty())
        complain(evaluation.warning);
    if (evaluation.overflowed)
        complain("a sum does not fit 64 bits; it is shown as the largest number that does");
    if (evaluation.matched == 0 && evaluation.total != 0)
        complain("no samples match " + printLens(lens));
}

void writeHead(Json &json, const Evaluation &evaluation)
{
    json.key("series")
        .beginObject()
        .key("type")
        .text(evaluation.series.type)
        .key("unit")
        .text(evaluation.series.unit);
    json.endObject().key("total").number(evaluation.total).key("matched").number(evaluation.matched);
}

std::string percent(std::int64_t value, std::int64_t whole)
{
    if (whole == 0)
        return "-";
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f%%",
                  100.0 * static_cast<double>(value) / static_cast<double>(whole));
    return text.data();
}

std::string describe(const Evaluation &evaluation)
{
    const std::string &unit = evaluation.series.unit;
    std::string text = evaluation.series.name() + ": " + humanValue(evaluation.matched, unit);
    if (evaluation.matched != evaluation.total)
        text += " of " + humanValue(evaluation.total, unit) + " (" +
                percent(evaluation.matched, evaluation.total) + ')';
    return printable(text);
}

std::string csvField(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string quoted = "\"";
    for (const char character : text) {
        if (character == '"')
            quoted += '"';
        quoted += character;
    }
    return quoted + '"';
}

} // namespace hearth::cli
