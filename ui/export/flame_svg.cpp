#include "ui/export/flame_svg.h"

#include "ui/export/shown_text.h"
#include "ui/flame/flame_measures.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QXmlStreamWriter>

#include <algorithm>
#include <cmath>
#include <ranges>

namespace hearth {

namespace {

constexpr double kFontSize = 12;

/// How wide text is in the usual fonts, rather too much than too little.
double widthOf(QStringView text)
{
    double width = 0;
    for (const QChar character : text) {
        const char16_t unit = character.unicode();
        const bool isNarrow = QStringView(u"iljtfrI.,:;'|!()[] -").contains(character);
        const bool isWide = QStringView(u"mwMW@%…").contains(character);
        const bool isFullWidth = unit >= 0x1100 && !(unit >= 0x2000 && unit < 0x2e80);
        width += isFullWidth ? 1.05 : isNarrow ? 0.38 : isWide ? 0.95 : character.isUpper() ? 0.72 : 0.59;
    }
    return width * kFontSize;
}

QString elided(const QString &text, double room)
{
    if (widthOf(text) <= room)
        return text;
    qsizetype length = 0;
    for (double width = widthOf(u"…"); length < text.size(); ++length) {
        width += widthOf(QStringView(text).sliced(length, 1));
        if (width > room)
            break;
    }
    if (length > 0 && text[length - 1].isHighSurrogate())
        --length;
    return length == 0 ? QString() : text.left(length) + QChar(0x2026);
}

QString number(double value)
{
    return QString::number(std::round(value * 10) / 10);
}

class Drawing {
public:
    explicit Drawing(const FlameSheet &sheet)
        : m_sheet(sheet), m_scene(sheet.scene), m_tree(*sheet.scene.evaluation->tree), m_xml(&m_bytes)
    {}

    QByteArray draw()
    {
        m_xml.writeStartDocument();
        begin();
        drawPatterns();
        drawWords();
        drawRoot();
        int row = 1;
        for (const NodeId ancestor : m_scene.ancestors)
            drawAncestor(ancestor, row++);
        for (const FlameRow &boxes : m_scene.layout->rows) {
            for (const FlameBox &box : boxes)
                box.merged == 0 ? drawBox(box, row) : drawMerged(box, row);
            ++row;
        }
        m_xml.writeEndDocument();
        return std::move(m_bytes);
    }

private:
    using Attributes = std::initializer_list<std::pair<const char *, QString>>;

    void begin()
    {
        const QString width = QString::number(m_sheet.width);
        const QString height = QString::number(heightOf(m_sheet));
        m_xml.writeStartElement(QStringLiteral("svg"));
        write({{"xmlns", QStringLiteral("http://www.w3.org/2000/svg")},
               {"width", width},
               {"height", height},
               {"viewBox", QStringLiteral("0 0 %1 %2").arg(width, height)},
               {"font-family", QStringLiteral("system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', "
                                              "sans-serif")},
               {"font-size", QString::number(kFontSize)},
               {"fill", theme().ink.name()}});
        m_xml.writeTextElement(QStringLiteral("title"),
                               m_sheet.title + QStringLiteral(" – ") + m_sheet.subtitle);
        element("rect", {{"width", width}, {"height", height}, {"fill", theme().panel.name()}});
    }

    /// Hatches: of what has no symbols, over the box's own colour, and of what is merged.
    void drawPatterns()
    {
        m_xml.writeStartElement(QStringLiteral("defs"));
        drawPattern(QStringLiteral("nameless"), theme().text, QStringLiteral("0.14"));
        drawPattern(QStringLiteral("merged"), theme().muted, QStringLiteral("0.35"));
        m_xml.writeEndElement();
    }
    void drawPattern(const QString &id, const QColor &color, const QString &opacity)
    {
        m_xml.writeStartElement(QStringLiteral("pattern"));
        write({{"id", id},
               {"width", QStringLiteral("8")},
               {"height", QStringLiteral("8")},
               {"patternUnits", QStringLiteral("userSpaceOnUse")}});
        element("path", {{"d", QStringLiteral("M-2,2 2,-2M0,8 8,0M6,10 10,6")},
                         {"stroke", color.name()},
                         {"stroke-opacity", opacity}});
        m_xml.writeEndElement();
    }

    void drawWords()
    {
        const double room = m_sheet.width - 2 * kSheetMargin;
        text(kSheetMargin, 20, elided(m_sheet.title, room), theme().text, true);
        text(kSheetMargin, 38, elided(m_sheet.subtitle, room), theme().muted);
        double bottom = kSheetHead + m_scene.rowCount() * kFlameRowHeight + kSheetMargin / 2.0;
        for (const QString &note : notesOf(m_sheet))
            text(kSheetMargin, bottom += kSheetFoot, note, theme().muted);
        drawLegend();
    }

    void drawLegend()
    {
        constexpr double kMark = 9;
        const double bottom = heightOf(m_sheet) - kSheetMargin;
        double right = m_sheet.width - kSheetMargin;
        const std::vector<FrameClass> kinds = kindsIn(m_scene);
        for (const FrameClass kind : std::views::reverse(kinds)) {
            const QString name = qString(hearth::nameOf(kind));
            right -= widthOf(name);
            text(right, bottom, name, theme().muted);
            right -= kMark + 5;
            rect(right, bottom - kMark, kMark, kMark, frameColor(kind, {}).name());
            right -= 14;
        }
    }

    double topOf(int row) const
    {
        const int top = topOfRows(m_sheet);
        return m_scene.growsUp ? top - (row + 1) * kFlameRowHeight + 1 : top + row * kFlameRowHeight;
    }

    void drawRoot()
    {
        const double width = m_sheet.width - 2 * kSheetMargin;
        rect(kSheetMargin, topOf(0), width, kBoxHeight, theme().soft.name());
        label(kSheetMargin, topOf(0), elided(shownText(rootText(m_scene)), width), theme().text);
    }

    void drawAncestor(NodeId node, int row)
    {
        const double width = m_sheet.width - 2 * kSheetMargin;
        m_xml.writeStartElement(QStringLiteral("g"));
        drawTitle(node);
        rect(kSheetMargin, topOf(row), width, kBoxHeight, dimmed(boxColor(m_scene, node)).name());
        label(kSheetMargin, topOf(row), labelOf(node, width), theme().muted);
        m_xml.writeEndElement();
    }

    /// Neighbours share an edge; a gap of one unit parts them where there is room for it.
    double shownWidth(const FlameBox &box) const
    {
        return box.width > 2 ? box.width - 1 : std::max(0.5, box.width);
    }

    void drawBox(const FlameBox &box, int row)
    {
        const double left = kSheetMargin + box.left;
        const double width = shownWidth(box);
        const Entry &entry = m_scene.entryOf(box.node);
        const bool isMatch = m_scene.isMatch(m_tree.entryOf(box.node));
        const bool isDimmed = !m_scene.matches.empty() && !isMatch;
        const QColor color = boxColor(m_scene, box.node);
        const QString fill = (isDimmed ? dimmed(color) : color).name();
        // No gap towards the function whose code it is.
        const double reach = m_tree.isInlined(box.node) ? 1 : 0;
        const double top = m_scene.growsUp ? topOf(row) : topOf(row) - reach;
        m_xml.writeStartElement(QStringLiteral("g"));
        drawTitle(box.node);
        rect(left, top, width, kBoxHeight + reach, fill);
        if (!m_scene.difference && m_scene.classOf(entry) == FrameClass::NoSymbols && !entry.isTag)
            rect(left, top, width, kBoxHeight + reach, QStringLiteral("url(#nameless)"));
        drawSelf(box, left, width, row);
        label(left, topOf(row), labelOf(box.node, width), isDimmed ? theme().muted : theme().ink, isMatch);
        m_xml.writeEndElement();
    }

    /// What a function weighs itself, as a darker foot at the right end, where nothing hangs below it.
    void drawSelf(const FlameBox &box, double left, double width, int row)
    {
        const double total = m_tree.extent(box.node);
        const double self = std::abs(static_cast<double>(m_tree.self(box.node)));
        if (self == 0 || total == 0 || width < 3)
            return;
        const double part = std::max(1.0, width * std::min(1.0, self / total));
        element("rect", {{"x", number(left + width - part)},
                         {"y", number(topOf(row) + (m_scene.growsUp ? 0 : kBoxHeight - kFootHeight))},
                         {"width", number(part)},
                         {"height", QString::number(kFootHeight)},
                         {"fill", QStringLiteral("#000")},
                         {"fill-opacity", QStringLiteral("0.28")}});
    }

    void drawMerged(const FlameBox &box, int row)
    {
        m_xml.writeStartElement(QStringLiteral("g"));
        m_xml.writeTextElement(QStringLiteral("title"),
                               QStringLiteral("%1 narrow boxes\n%2")
                                   .arg(countText(box.merged), weightText(*m_scene.evaluation, box.total)));
        const double left = kSheetMargin + box.left;
        rect(left, topOf(row), shownWidth(box), kBoxHeight, theme().soft.name());
        rect(left, topOf(row), shownWidth(box), kBoxHeight, QStringLiteral("url(#merged)"));
        m_xml.writeEndElement();
    }

    void drawTitle(NodeId node)
    {
        if (m_scene.difference)
            return m_xml.writeTextElement(QStringLiteral("title"),
                                          nameOf(node) +
                                              changeLine("total", m_scene.difference->total[node.value]) +
                                              changeLine("self", m_scene.difference->self[node.value]));
        m_xml.writeTextElement(
            QStringLiteral("title"),
            nameOf(node) + QStringLiteral("\ntotal ") + weightText(*m_scene.evaluation, m_tree.total(node)) +
                QStringLiteral("\nself ") + weightText(*m_scene.evaluation, m_tree.self(node)));
    }

    QString changeLine(const char *what, const Change &change) const
    {
        const std::string &unit = m_scene.difference->series.unit;
        return shownText(QLatin1String(what) + QLatin1Char(' ') + valueText(change.base, unit) +
                         QStringLiteral(" → ") + valueText(change.current, unit) + QStringLiteral(", ") +
                         growthText(change))
            .prepend(QLatin1Char('\n'));
    }

    QString nameOf(NodeId node) const
    {
        return shownText(detailedName(m_scene.entryOf(node).name, m_sheet.detail));
    }

    /// Colours alone would not tell everybody what grew.
    QString signOf(NodeId node) const
    {
        if (!m_scene.difference || !m_scene.difference->total[node.value].isSignificant())
            return {};
        return m_scene.difference->total[node.value].delta() > 0 ? QStringLiteral("+ ")
                                                                 : QStringLiteral("− ");
    }

    /// The most telling form of its name that fits; empty if none does.
    QString labelOf(NodeId node, double width)
    {
        if (width < kNarrowestLabel)
            return {};
        const double room = width - 2 * kTextInset;
        const std::string name = nameOf(node).toStdString();
        const QString sign = signOf(node);
        return elided(
            sign + qString(shortName(
                       name, [&](std::string_view form) { return widthOf(sign + qString(form)) <= room; })),
            room);
    }

    void label(double left, double top, const QString &words, const QColor &color, bool isBold = false)
    {
        constexpr double kBaseline = 13.5;
        if (!words.isEmpty())
            text(left + kTextInset, top + kBaseline, words, color, isBold);
    }

    void text(double left, double baseline, const QString &words, const QColor &color, bool isBold = false)
    {
        m_xml.writeStartElement(QStringLiteral("text"));
        write({{"x", number(left)}, {"y", number(baseline)}});
        if (color != theme().ink)
            write({{"fill", color.name()}});
        if (isBold)
            write({{"font-weight", QStringLiteral("600")}});
        m_xml.writeCharacters(words);
        m_xml.writeEndElement();
    }

    void rect(double left, double top, double width, double height, const QString &fill)
    {
        element("rect", {{"x", number(left)},
                         {"y", number(top)},
                         {"width", number(width)},
                         {"height", number(height)},
                         {"fill", fill}});
    }

    void element(const char *name, Attributes attributes)
    {
        m_xml.writeEmptyElement(QLatin1String(name));
        write(attributes);
    }

    void write(Attributes attributes)
    {
        for (const auto &[name, value] : attributes)
            m_xml.writeAttribute(QLatin1String(name), value);
    }

    const FlameSheet &m_sheet;
    const FlameScene &m_scene;
    const CallTree &m_tree;
    QByteArray m_bytes;
    QXmlStreamWriter m_xml;
};

} // namespace

QByteArray flameSvg(const FlameSheet &sheet)
{
    return Drawing(sheet).draw();
}

} // namespace hearth
