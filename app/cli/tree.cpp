#include "app/cli/command.h"
#include "app/cli/data_set.h"
#include "app/cli/json.h"
#include "app/cli/less_base.h"
#include "app/cli/name_option.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "model/lens/units.h"
#include "model/views/inverted_tree.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

namespace hearth::cli {

namespace {

constexpr std::array kOwnOptions{
    Option{.name = "inverted", .value = "", .help = "bottom-up: callers below what they call", .letter = 'i'},
    Option{.name = "depth", .value = "N", .help = "at most so many levels; 0 for all"},
    Option{.name = "min",
           .value = "PERCENT",
           .help = "leave out what weighs less than this share; 0.5 in text, else 0"},
    Option{.name = "by",
           .value = "WHAT",
           .help = "split by attributes first; function, line … says what a node is"},
};
constexpr auto kOptions = joined(kOwnOptions, kNameOptions, kReportOptions, kBaseOptions, kLensOptions,
                                 kSymbolOptions, kInputOptions);

/// A tree as the reports see it, whichever way it grows. Nodes are numbers of the tree's own.
struct TreeView {
    std::function<std::vector<std::uint32_t>(std::optional<std::uint32_t>)>
        children; ///< of a node, or the roots
    std::function<std::string(std::uint32_t)> name;
    std::function<std::int64_t(std::uint32_t)> self;
    std::function<std::int64_t(std::uint32_t)> total;
    std::function<double(std::uint32_t)> extent; ///< what may be below it, even if it adds up to nothing
};

template <class Ids>
std::vector<std::uint32_t> numbersOf(const Ids &ids)
{
    std::vector<std::uint32_t> numbers;
    for (const auto id : ids)
        numbers.push_back(id.value);
    return numbers;
}

TreeView topDown(const CallTree &tree)
{
    return {.children = [&](auto node) { return numbersOf(tree.heaviestChildren(NodeId(node.value_or(0)))); },
            .name = [&](auto node) { return std::string(tree.entries()[tree.entryOf(NodeId(node))].name); },
            .self = [&](auto node) { return tree.self(NodeId(node)); },
            .total = [&](auto node) { return tree.total(NodeId(node)); },
            .extent = [&](auto node) { return tree.extent(NodeId(node)); }};
}

TreeView bottomUp(InvertedTree &tree)
{
    return {.children =
                [&](auto node) { return numbersOf(node ? tree.expand(InvertedId(*node)) : tree.roots()); },
            .name =
                [&](auto node) {
                    return std::string(tree.tree().entries()[tree.entryOf(InvertedId(node))].name);
                },
            .self = [&](auto node) { return tree.self(InvertedId(node)); },
            .total = [&](auto node) { return tree.total(InvertedId(node)); },
            .extent = [&](auto node) { return std::abs(static_cast<double>(tree.total(InvertedId(node)))); }};
}

struct Bounds {
    std::size_t depth = 0; ///< 0: any
    double share = 0;      ///< of the total
    std::size_t rows = 0;  ///< 0: any
};

/// Calls `enter(node, depth)` and `leave(node)` for the nodes within the bounds, in depth, without recursion:
/// trees may be as deep as any program recursed.
template <class Enter, class Leave>
std::size_t walk(const TreeView &tree, const Bounds &bounds, std::int64_t total, Enter enter, Leave leave)
{
    const double smallest = bounds.share * std::abs(static_cast<double>(total));
    struct Level {
        std::uint32_t node;
        std::vector<std::uint32_t> children;
        std::size_t next;
    };
    std::vector<Level> levels;
    levels.push_back({0, tree.children(std::nullopt), 0});
    std::size_t rows = 0;
    std::size_t leftOut = 0;
    while (!levels.empty()) {
        Level &level = levels.back();
        if (level.next == level.children.size()) {
            if (levels.size() > 1)
                leave(level.node);
            levels.pop_back();
            continue;
        }
        const std::uint32_t node = level.children[level.next++];
        const bool isSmall = tree.extent(node) < smallest;
        if (isSmall || (bounds.rows != 0 && rows == bounds.rows)) {
            ++leftOut;
            continue;
        }
        ++rows;
        enter(node, levels.size() - 1);
        const bool isDeep = bounds.depth != 0 && levels.size() == bounds.depth;
        levels.push_back({node, isDeep ? std::vector<std::uint32_t>() : tree.children(node), 0});
    }
    return leftOut;
}

std::string jsonReport(const TreeView &tree, const Evaluation &evaluation, const Bounds &bounds)
{
    Json json;
    json.beginObject();
    writeHead(json, evaluation);
    json.key("rows").beginArray();
    walk(
        tree, bounds, evaluation.total,
        [&](std::uint32_t node, std::size_t) {
            json.beginObject().key("name").text(tree.name(node)).key("self").number(tree.self(node));
            json.key("total").number(tree.total(node)).key("children").beginArray();
        },
        [&](std::uint32_t) { json.endArray().endObject(); });
    json.endArray().endObject();
    return json.str() + '\n';
}

std::string csvReport(const TreeView &tree, const Evaluation &evaluation, const Bounds &bounds)
{
    std::string text = "depth,self,total,name\n";
    walk(
        tree, bounds, evaluation.total,
        [&](std::uint32_t node, std::size_t depth) {
            text += std::to_string(depth) + ',' + std::to_string(tree.self(node)) + ',' +
                    std::to_string(tree.total(node)) + ',' + csvField(tree.name(node)) + '\n';
        },
        [](std::uint32_t) {});
    return text;
}

std::string textReport(const TreeView &tree, const Evaluation &evaluation, const Bounds &bounds, bool isFull)
{
    const std::string &unit = evaluation.series.unit;
    Table table({"total", "total%", "self", "name"}, isFull);
    const std::size_t leftOut = walk(
        tree, bounds, evaluation.total,
        [&](std::uint32_t node, std::size_t depth) {
            table.add({humanValue(tree.total(node), unit), percent(tree.total(node), evaluation.total),
                       humanValue(tree.self(node), unit)},
                      tree.name(node), 2 * depth);
        },
        [](std::uint32_t) {});
    std::string text = describe(evaluation);
    if (leftOut > 0)
        text += "; " + std::to_string(leftOut) + " branches left out (--min 0 --limit 0 shows them)";
    return text + '\n' + table.str();
}

Result<Bounds> boundsOf(const Arguments &arguments, bool isText)
{
    Bounds bounds;
    const Result<std::size_t> depth = arguments.number("depth", 0);
    const Result<std::size_t> limit = arguments.number("limit", 0);
    if (!depth || !limit)
        return tl::unexpected(!depth ? depth.error() : limit.error());
    bounds.depth = *depth;
    bounds.rows = *limit;
    double minimum = isText ? 0.5 : 0;
    if (const auto text = arguments.value("min")) {
        const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), minimum);
        const std::string_view rest(end, static_cast<std::size_t>(text->data() + text->size() - end));
        if (error != std::errc() || (!rest.empty() && rest != "%") || !(minimum >= 0))
            return failure("--min needs a percentage, not '" + *text + "'");
    }
    bounds.share = minimum / 100;
    return bounds;
}

Exit runTree(const Arguments &arguments)
{
    Exit status = Exit::Done;
    const bool isText = !arguments.has("json") && !arguments.has("csv");
    const Result<Bounds> bounds = boundsOf(arguments, isText);
    const Result<NameDetail> detail = chosenNames(arguments);
    if (!bounds || !detail) {
        complain(bounds ? detail.error().message : bounds.error().message);
        return Exit::WrongUse;
    }
    const auto opened = open(arguments, splitAtCommas(arguments.value("by").value_or("")), status);
    if (!opened)
        return status;
    const Evaluation &evaluation = *opened->evaluation;
    std::optional<InvertedTree> inverted;
    if (opened->lens.isInverted)
        inverted.emplace(evaluation.tree, evaluation.groupDepth);
    TreeView tree = inverted ? bottomUp(*inverted) : topDown(*evaluation.tree);
    tree.name = [full = tree.name, detail = *detail](std::uint32_t node) {
        return detailedName(full(node), detail);
    };
    if (arguments.has("json"))
        print(jsonReport(tree, evaluation, *bounds));
    else if (arguments.has("csv"))
        print(csvReport(tree, evaluation, *bounds));
    else
        print(textReport(tree, evaluation, *bounds, arguments.has("full")));
    return status;
}

} // namespace

const Command kTree{
    .name = "tree",
    .usage = "FILE… [--inverted] [--depth N] [--min PERCENT] [filters]",
    .summary = "the call tree, from the roots or from the leaves",
    .examples = "  hearth tree cpu.pb.gz\n"
                "  hearth tree cpu.pb.gz --inverted --depth 4\n"
                "  hearth tree cpu.pb.gz --from '^main.handle' --min 1\n"
                "  hearth tree cpu.pb.gz --by thread\n",
    .options = kOptions,
    .run = runTree,
};

} // namespace hearth::cli
