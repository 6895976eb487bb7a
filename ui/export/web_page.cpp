#include "ui/export/web_page.h"

#include "model/lens/units.h"
#include "ui/export/page_tree.h"
#include "ui/export/shown_text.h"
#include "ui/theme/figures.h"
#include "ui/theme/page_colors.h"

#include <QCryptographicHash>
#include <QFile>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <array>
#include <charconv>
#include <cmath>
#include <unordered_map>
#include <utility>

// The page is resources/web_page/page.html with style, script and data put into its places. What stands in
// the data is described at the head of page.js.

namespace hearth {

namespace {

constexpr std::array kThemes{std::pair{"light", ThemeKind::Light}, std::pair{"dark", ThemeKind::Dark}};

QByteArray resource(const QString &name)
{
    QFile file(QStringLiteral(":/web_page/") + name);
    [[maybe_unused]] const bool isOpen = file.open(QIODevice::ReadOnly);
    Q_ASSERT(isOpen); // it is a part of the program
    return file.readAll();
}

/// In one pass, so that nothing that is put in is taken for a place.
QByteArray filled(const QByteArray &page, const QHash<QByteArray, QByteArray> &places)
{
    QByteArray text;
    const QList<QByteArray> parts = page.split('@');
    for (qsizetype i = 0; i < parts.size(); ++i)
        text += i % 2 == 0 ? parts[i] : places.value(parts[i]);
    return text;
}

QByteArray sourceHash(const QByteArray &source)
{
    return "'sha256-" + QCryptographicHash::hash(source, QCryptographicHash::Sha256).toBase64() + '\'';
}

QByteArray variables(ThemeKind kind)
{
    const Theme &theme = themeOf(kind);
    const std::array<std::pair<const char *, QColor>, 10> colors{{{"panel", theme.panel},
                                                                  {"raised", theme.raised},
                                                                  {"line", theme.line},
                                                                  {"soft", theme.soft},
                                                                  {"text", theme.text},
                                                                  {"muted", theme.muted},
                                                                  {"faint", theme.faint},
                                                                  {"accent", theme.accent},
                                                                  {"bad", theme.bad},
                                                                  {"ink", theme.ink}}};
    QByteArray text = ":root {";
    for (const auto &[name, color] : colors)
        text += QByteArray(" --") + name + ": " + color.name().toLatin1() + ';';
    return text + " }\n";
}

QByteArray pageStyle()
{
    return variables(ThemeKind::Light) + "@media (prefers-color-scheme: dark) { " +
           variables(ThemeKind::Dark) + "}\n" + resource(QStringLiteral("page.css"));
}

/// JSON that may stand in a script element: nothing in it looks like the element's end or a comment.
QByteArray embedded(const QJsonObject &data)
{
    return QJsonDocument(data).toJson(QJsonDocument::Compact).replace('<', "\\u003c").replace('>', "\\u003e");
}

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

/// Without arguments, without template arguments, the last components; 0 if none is shorter.
QJsonValue shorterForms(const std::string &name)
{
    QJsonArray forms;
    std::size_t length = name.size();
    for (const NameDetail detail : {NameDetail::NoArguments, NameDetail::NoTemplates, NameDetail::Short}) {
        const std::string form = detailedName(name, detail);
        if (form.size() < std::exchange(length, form.size()))
            forms.append(shownText(form));
    }
    return forms.isEmpty() ? QJsonValue(0) : QJsonValue(forms);
}

/// Functions in the order in which the page's nodes mention them.
class FunctionList {
public:
    explicit FunctionList(NameDetail detail) : m_detail(detail) {}

    /// @param colors of its boxes in kThemes
    std::uint32_t add(EntryId id, const Entry &entry, const std::array<QString, 2> &colors, bool isNameless)
    {
        const auto [known, isNew] = m_known.try_emplace(id.value, static_cast<std::uint32_t>(m_known.size()));
        if (isNew) {
            const std::string name = detailedName(entry.name, m_detail);
            m_names.append(shownText(name));
            m_shorter.append(shorterForms(name));
            if (isNameless)
                m_nameless.append(static_cast<int>(known->second));
            m_placeOf.append(indexOf(entry.file.empty() ? shownText(entry.binary) : shownText(entry.file)));
            m_colorOf.append(colorIndex(colors));
        }
        return known->second;
    }

    void write(QJsonObject &data) const
    {
        data[QStringLiteral("names")] = m_names;
        data[QStringLiteral("shorter")] = m_shorter;
        data[QStringLiteral("nameless")] = m_nameless;
        data[QStringLiteral("places")] = m_places;
        data[QStringLiteral("placeOf")] = m_placeOf;
        data[QStringLiteral("colorOf")] = m_colorOf;
        data[QStringLiteral("colors")] = QJsonObject{{QLatin1String(kThemes[0].first), m_colors[0]},
                                                     {QLatin1String(kThemes[1].first), m_colors[1]}};
    }

private:
    int indexOf(const QString &place)
    {
        const auto known = m_indexOfPlace.constFind(place);
        if (known != m_indexOfPlace.constEnd())
            return *known;
        m_places.append(place);
        return m_indexOfPlace[place] = static_cast<int>(m_places.size()) - 1;
    }

    int colorIndex(const std::array<QString, 2> &colors)
    {
        const QString key = colors[0] + colors[1];
        const auto known = m_indexOfColor.constFind(key);
        if (known != m_indexOfColor.constEnd())
            return *known;
        m_colors[0].append(colors[0]);
        m_colors[1].append(colors[1]);
        return m_indexOfColor[key] = static_cast<int>(m_colors[0].size()) - 1;
    }

    NameDetail m_detail;
    std::unordered_map<std::uint32_t, std::uint32_t> m_known;
    QJsonArray m_names;
    QJsonArray m_shorter;
    QJsonArray m_nameless;
    QJsonArray m_places;
    QJsonArray m_placeOf;
    QJsonArray m_colorOf;
    std::array<QJsonArray, 2> m_colors;
    QHash<QString, int> m_indexOfPlace;
    QHash<QString, int> m_indexOfColor;
};

std::array<QString, 2> colorsOf(const FlameScene *scene, const Entry &entry)
{
    if (scene == nullptr)
        return {}; // a comparison colours by growth
    std::array<QString, 2> colors;
    for (std::size_t i = 0; i < kThemes.size(); ++i) {
        const ThemeKind theme = kThemes[i].second;
        colors[i] =
            (entry.isTag ? themeOf(theme).line : frameColor(scene->classOf(entry), entry.name, theme)).name();
    }
    return colors;
}

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
    for (const auto &[name, theme] : kThemes) {
        QJsonArray colors;
        for (int step = 0; step <= kSteps; ++step)
            colors.append(growthColor(2.0 * step / kSteps - 1, theme).name());
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
        for (const auto &[name, theme] : kThemes)
            one[QLatin1String(name)] = frameColor(kind, {}, theme).name();
        kinds.append(one);
    }
    return kinds;
}

/// @param tree JSON; written behind the other data as it is
QByteArray assembled(const PageWords &words, const QJsonObject &data, const QByteArray &tree)
{
    const QByteArray style = pageStyle();
    const QByteArray script = resource(QStringLiteral("page.js"));
    const auto escaped = [](const QString &text) { return text.toHtmlEscaped().toUtf8(); };
    QByteArray notes;
    for (const QString &note : words.notes)
        notes += "<li>" + escaped(note) + "</li>";
    QByteArray json = embedded(data);
    json.chop(1); // its closing brace
    return filled(resource(QStringLiteral("page.html")),
                  {{"policy", "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " +
                                  sourceHash(style) + "; script-src " + sourceHash(script)},
                   {"title", escaped(words.title)},
                   {"subtitle", escaped(words.subtitle)},
                   {"notes", notes},
                   {"style", style},
                   {"script", script},
                   {"data", json + ",\"tree\":" + tree + '}'}});
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
    FunctionList functions;
};

NodeLists nodeLists(const CallTree &tree, const PageTree &page, NameDetail detail, const FlameScene *scene)
{
    NodeLists lists{{}, {}, FunctionList(detail)};
    for (const PageTree::Node &node : page.nodes) {
        lists.depths.add(node.depth);
        if (node.merged > 0) {
            lists.names.add(-std::int64_t(node.merged));
        } else if (node.node == TreeShape::kRoot) {
            lists.names.add(0); // is not looked at
        } else {
            const EntryId id = tree.entryOf(node.node);
            const Entry &entry = tree.entries()[id];
            const bool isNameless =
                scene != nullptr && scene->classOf(entry) == FrameClass::NoSymbols && !entry.isTag;
            lists.names.add(lists.functions.add(id, entry, colorsOf(scene, entry), isNameless));
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
    data[QStringLiteral("root")] = shownText(rootText(evaluation));
    data[QStringLiteral("whole")] = qint64(evaluation.total);
    data[QStringLiteral("kinds")] = legendOf(sheet.scene);
    lists.functions.write(data);
    PageWords words{sheet.title, sheet.subtitle, notesOf(sheet, mergedNote(page, extents.front()))};
    return assembled(words, data,
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
        noise += difference.total[node.node.value].isSignificant() ? '0' : '1';
    }
    const std::string &unit = difference.series.unit;
    QJsonObject data = figureData(unit);
    data[QStringLiteral("growth")] = growthSteps();
    data[QStringLiteral("root")] =
        shownText(QStringLiteral("all · ") + valueText(difference.whole().base, unit) +
                  QStringLiteral(" → ") + valueText(difference.whole().current, unit));
    lists.functions.write(data);
    PageWords all = words;
    if (extents.front() == 0)
        all.notes += QStringLiteral("There is nothing to draw: neither side weighs anything.");
    if (const QString merged = mergedNote(page, extents.front()); !merged.isEmpty())
        all.notes += merged;
    return assembled(all, data,
                     "{\"name\":" + lists.names.text() + ",\"depth\":" + lists.depths.text() + ",\"base\":" +
                         base.text() + ",\"now\":" + now.text() + ",\"noise\":\"" + noise + "\"}");
}

} // namespace hearth
