#include "ui/export/web_page.h"

#include "model/lens/units.h"
#include "ui/export/page_document.h"
#include "ui/export/page_functions.h"
#include "ui/export/page_tree.h"
#include "ui/export/shown_text.h"
#include "ui/theme/figures.h"
#include "ui/theme/page_colors.h"

#include <QJsonArray>
#include <QJsonObject>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace hearth {

namespace {

/// Numbers by node. Written by hand: a list of a million QJsonValues would be many times as large.
class NumberList {
public:
    void add(std::int64_t number)
    {
        std::array<char, 24> digits{};
        const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
        m_text.append(m_text.isEmpty() ? "[" : ",").append(digits.data(), end - digits.data());
    }
    QByteArray text() const { return m_text.isEmpty() ? QByteArrayLiteral("[]") : m_text + ']'; }

private:
    QByteArray m_text;
};

/// What values are written with.
QJsonObject figureData(const std::string &unit)
{
    QJsonArray units;
    for (const HumanUnit &known : humanUnits(unit))
        units.append(QJsonArray{QString::fromStdString(known.name), known.factor});
    return {{QStringLiteral("unit"), shownText(shownUnit(unit))},
            {QStringLiteral("units"), units},
            {QStringLiteral("zero"), shownText(valueText(0, unit))}};
}

QJsonObject growthSteps()
{
    constexpr int kSteps = 40; // even, so that there is one for no growth
    QJsonObject growth;
    for (const auto &[name, theme] : kPageThemes) {
        QJsonArray colors;
        for (int step = 0; step <= kSteps; ++step)
            colors.append(changeColor(2.0 * step / kSteps - 1, theme).name());
        growth[QLatin1String(name)] = colors;
    }
    return growth;
}

/// Pages colour by kind, whatever the window does.
QJsonArray legendOf(FlameScene scene)
{
    scene.coloring = FlameColoring::Kind;
    QJsonArray kinds;
    for (const FrameClass kind : kindsIn(scene)) {
        QJsonObject one{{QStringLiteral("name"), qString(nameOf(kind))}};
        for (const auto &[name, theme] : kPageThemes)
            one[QLatin1String(name)] = frameColor(kind, {}, theme).name();
        kinds.append(one);
    }
    return kinds;
}

QString mergedNote(const PageTree &page, double whole)
{
    if (page.mergedCount == 0)
        return {};
    return QStringLiteral("The lightest %1 of %2 boxes are merged with their neighbours: %3 of the width.")
        .arg(countText(page.mergedCount), countText(page.count), shareText(page.mergedExtent, whole));
}

/// Names and depths of a page's nodes, alike for both kinds of pages.
struct NodeLists {
    NumberList names;
    NumberList depths;
    PageFunctions functions;
};

NodeLists nodeLists(const CallTree &tree, const PageTree &page, NameDetail detail, const FlameScene *scene)
{
    NodeLists lists{{}, {}, PageFunctions(detail, scene)};
    for (const PageTree::Node &node : page.nodes) {
        lists.depths.add(node.depth);
        if (node.merged > 0) {
            lists.names.add(-std::int64_t(node.merged));
        } else if (node.node == TreeShape::kRoot) {
            lists.names.add(0); // is not looked at
        } else {
            const EntryId id = tree.entryOf(node.node);
            lists.names.add(lists.functions.add(id, tree.entries()[id]));
        }
    }
    return lists;
}

/// The weight of a node, or together of those that it stands for, by `self` and `total` of one.
template <class Self, class Total>
std::int64_t ownWeight(const PageTree &page, const PageTree::Node &node, Self self, Total total)
{
    if (node.merged == 0)
        return self(node.node);
    Sum sum{0};
    for (const NodeId one : page.mergedOf(node))
        sum.add(total(one));
    return sum.value;
}

} // namespace

QByteArray webPage(const FlameSheet &sheet, std::size_t mostNodes)
{
    const Evaluation &evaluation = *sheet.scene.evaluation;
    const CallTree &tree = *evaluation.tree;
    std::vector<double> extents(tree.nodeCount());
    for (std::size_t node = 0; node < extents.size(); ++node)
        extents[node] = tree.extent(NodeId(node));
    const PageTree page = pageTree(tree, extents, mostNodes);
    NodeLists lists = nodeLists(tree, page, sheet.detail, &sheet.scene);
    NumberList self;
    for (const PageTree::Node &node : page.nodes)
        self.add(ownWeight(
            page, node, [&](NodeId one) { return tree.self(one); },
            [&](NodeId one) { return tree.total(one); }));
    QJsonObject data = figureData(evaluation.series.unit);
    data[QStringLiteral("growsUp")] = sheet.scene.growsUp;
    data[QStringLiteral("root")] = shownText(rootText(sheet.scene));
    data[QStringLiteral("whole")] = qint64(evaluation.total);
    data[QStringLiteral("kinds")] = legendOf(sheet.scene);
    lists.functions.write(data);
    PageWords words{sheet.title, sheet.subtitle, notesOf(sheet, mergedNote(page, extents.front()))};
    if (sheet.scene.isInverted)
        words.notes += QStringLiteral("Callers are followed until they are too light to be drawn; what they "
                                      "weigh from there on counts as the last one's own.");
    return pageDocument(words, data,
                        "{\"name\":" + lists.names.text() + ",\"depth\":" + lists.depths.text() +
                            ",\"self\":" + self.text() + '}');
}

QByteArray webPage(const Difference &difference, const PageWords &words, NameDetail detail,
                   std::size_t mostNodes)
{
    const CallTree &tree = *difference.tree;
    std::vector<double> extents(tree.nodeCount());
    for (std::size_t node = extents.size(); node-- > 0;) {
        const Change &self = difference.self[node];
        extents[node] +=
            std::abs(static_cast<double>(self.base)) + std::abs(static_cast<double>(self.current));
        if (node > 0)
            extents[tree.parent(NodeId(node)).value] += extents[node];
    }
    const PageTree page = pageTree(tree, extents, mostNodes);
    NodeLists lists = nodeLists(tree, page, detail, nullptr);
    NumberList base;
    NumberList now;
    QByteArray noise;
    for (const PageTree::Node &node : page.nodes) {
        base.add(ownWeight(
            page, node, [&](NodeId one) { return difference.self[one.value].base; },
            [&](NodeId one) { return difference.total[one.value].base; }));
        now.add(ownWeight(
            page, node, [&](NodeId one) { return difference.self[one.value].current; },
            [&](NodeId one) { return difference.total[one.value].current; }));
        const bool isNoise = node.merged == 0 && !difference.total[node.node.value].isSignificant();
        noise += isNoise ? '1' : '0';
    }
    QJsonObject data = figureData(difference.series.unit);
    data[QStringLiteral("growth")] = growthSteps();
    data[QStringLiteral("root")] = shownText(rootText(difference));
    lists.functions.write(data);
    PageWords all = words;
    if (extents.front() == 0)
        all.notes += QStringLiteral("There is nothing to draw: neither side weighs anything.");
    if (const QString merged = mergedNote(page, extents.front()); !merged.isEmpty())
        all.notes += merged;
    return pageDocument(all, data,
                        "{\"name\":" + lists.names.text() + ",\"depth\":" + lists.depths.text() +
                            ",\"base\":" + base.text() + ",\"now\":" + now.text() + ",\"noise\":\"" + noise +
                            "\"}");
}

} // namespace hearth
