#include "ui/code/source_pane.h"

#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

constexpr std::size_t kContext = 8;
constexpr std::int64_t kShortestFold = 8;

/// Those of two lists that follow each other or overlap become one.
std::vector<LineRange> merged(std::vector<LineRange> ranges)
{
    std::ranges::sort(ranges, {}, &LineRange::first);
    std::vector<LineRange> all;
    for (const LineRange &range : ranges)
        if (!all.empty() && range.first <= all.back().last)
            all.back().last = std::max(all.back().last, range.last);
        else
            all.push_back(range);
    return all;
}

} // namespace

SourcePane::SourcePane(QWidget *parent) : CodePane(parent)
{
    setAccessibleName(tr("Source"));
    connect(this, &CodePane::activated, this, &SourcePane::unfold);
}

void SourcePane::show(std::shared_ptr<const ShownSource> source, const std::string &unit, std::int64_t whole)
{
    const bool isSame = m_source && source && m_source->listed.source.file == source->listed.source.file;
    const std::int64_t line = currentLine();
    m_source = std::move(source);
    m_unit = unit;
    m_whole = whole;
    if (!isSame)
        m_opened.clear();
    arrange();
    if (!isSame)
        setCurrentRow(-1);
    else if (const int row = line != 0 ? rowOf(line) : -1; row >= 0)
        moveCurrentRow(row);
}

void SourcePane::setFolding(bool isFolding)
{
    const std::int64_t line = currentLine();
    m_isFolding = isFolding;
    m_opened.clear();
    arrange();
    setCurrentRow(rowOf(line));
}

/// The lines that are shown whatever is folded.
std::vector<LineRange> SourcePane::unfolded() const
{
    const std::int64_t count = lineCount();
    std::vector<LineRange> shown =
        linesAround(m_source->listed.source.lines, static_cast<std::size_t>(count), kContext);
    if (const std::int64_t first = m_source->firstLine; first > 0 && first <= count)
        shown.push_back({first, first});
    for (const LineRange &opened : m_opened)
        if (opened.last <= count) // or the file has become shorter
            shown.push_back(opened);
    if (!m_isFolding && count > 0)
        shown.push_back({1, count});
    return merged(std::move(shown));
}

void SourcePane::arrange()
{
    m_rows.clear();
    const std::vector<LineRange> shown = m_source ? unfolded() : std::vector<LineRange>();
    const std::int64_t count = lineCount();
    const auto addLines = [this](std::int64_t first, std::int64_t last) {
        for (std::int64_t line = first; line <= last; ++line)
            m_rows.push_back({{line, line}});
    };
    const auto addQuiet = [&](std::int64_t first, std::int64_t last) {
        if (last - first + 1 >= kShortestFold)
            m_rows.push_back({{first, last}});
        else
            addLines(first, last);
    };
    std::int64_t next = 1;
    for (const LineRange &range : shown) {
        addQuiet(next, std::min(count, range.first - 1));
        addLines(range.first, range.last);
        next = std::max(next, std::min(count, range.last) + 1);
    }
    addQuiet(next, count);

    std::vector<CodeWeight> weights(m_rows.size());
    if (m_source)
        for (const LineWeight &line : m_source->listed.source.lines)
            if (const int row = rowOf(line.line); row >= 0)
                weights[static_cast<std::size_t>(row)] = {line.self, line.total};
    setRows(std::move(weights), m_unit, m_whole, m_source ? m_source->widest : 0);
}

int SourcePane::rowOf(std::int64_t line) const
{
    const auto found =
        std::ranges::lower_bound(m_rows, line, {}, [](const Row &row) { return row.lines.last; });
    const bool isThere = found != m_rows.end() && line >= found->lines.first;
    return isThere ? static_cast<int>(found - m_rows.begin()) : -1;
}

void SourcePane::unfold(int row)
{
    if (!isFolded(row))
        return;
    const LineRange lines = m_rows[static_cast<std::size_t>(row)].lines;
    m_opened.push_back(lines);
    arrange();
    setCurrentRow(rowOf(lines.first));
}

std::int64_t SourcePane::currentLine() const
{
    if (currentRow() < 0 || isFolded(currentRow()))
        return 0;
    return m_rows[static_cast<std::size_t>(currentRow())].lines.first;
}

void SourcePane::goToLine(std::int64_t line)
{
    const int row = rowOf(line);
    if (row >= 0 && isFolded(row))
        unfold(row);
    if (row >= 0)
        setCurrentRow(rowOf(line));
}

void SourcePane::link(std::int64_t line, bool reveals)
{
    int row = line > 0 ? rowOf(line) : -1;
    if (reveals && row >= 0 && isFolded(row)) {
        unfold(row);
        row = rowOf(line);
    }
    std::vector<bool> linked(static_cast<std::size_t>(rowCount()));
    if (row >= 0)
        linked[static_cast<std::size_t>(row)] = true;
    setLinkedRows(std::move(linked));
    if (reveals && row >= 0 && !isVisibleRow(row))
        reveal(row);
}

std::int64_t SourcePane::heaviestLine() const
{
    if (!m_source || m_source->listed.source.lines.empty())
        return 0;
    return std::ranges::max(m_source->listed.source.lines, {}, &LineWeight::total).line;
}

std::int64_t SourcePane::lineCount() const
{
    const bool hasText = m_source && m_source->listed.found.text;
    return hasText ? static_cast<std::int64_t>(m_source->listed.found.text->lineCount()) : 0;
}

std::string_view SourcePane::lineText(std::int64_t line) const
{
    return m_source->listed.found.text ? m_source->listed.found.text->line(line) : std::string_view();
}

QString SourcePane::textOf(int row) const
{
    const LineRange &lines = m_rows[static_cast<std::size_t>(row)].lines;
    QStringList texts;
    for (std::int64_t line = lines.first; line <= lines.last; ++line)
        texts += qString(lineText(line));
    return texts.join(QLatin1Char('\n'));
}

QString SourcePane::describe(int row) const
{
    const LineRange &lines = m_rows[static_cast<std::size_t>(row)].lines;
    if (isFolded(row))
        return tr("Lines %1 to %2 have no samples. Enter or a double click shows them")
            .arg(lines.first)
            .arg(lines.last);
    const QString where = lines.first > 0 ? tr("Line %1").arg(lines.first) : tr("No line is known");
    return where + QStringLiteral(": ") + weightText(weightOf(row));
}

int SourcePane::gutterWidth() const
{
    const std::int64_t last = m_rows.empty() ? 0 : m_rows.back().lines.last;
    return static_cast<int>(std::max<qsizetype>(4, QString::number(last).size())) * digitWidth() + 20;
}

void SourcePane::paintGutterHead(QPainter &painter, const QRect &room) const
{
    painter.drawText(room.adjusted(0, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter, tr("line"));
}

void SourcePane::paintGutter(QPainter &painter, const QRect &room, int row) const
{
    const std::int64_t line = m_rows[static_cast<std::size_t>(row)].lines.first;
    painter.setPen(theme().faint);
    if (!isFolded(row))
        painter.drawText(room.adjusted(0, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter,
                         line > 0 ? QString::number(line) : QStringLiteral("?"));
}

void SourcePane::paintText(QPainter &painter, const QRect &room, int row) const
{
    const LineRange &lines = m_rows[static_cast<std::size_t>(row)].lines;
    const int flags = Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine | Qt::TextDontClip;
    if (isFolded(row)) {
        painter.setPen(theme().muted);
        painter.drawText(room, flags, tr("⋯ %1 lines").arg(lines.last - lines.first + 1));
        return;
    }
    painter.setPen(theme().text);
    painter.drawText(room, flags, shownCode(lineText(lines.first)));
}

} // namespace hearth
