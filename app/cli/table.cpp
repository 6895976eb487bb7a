#include "app/cli/table.h"

#include "app/cli/terminal.h"
#include "model/views/short_name.h"

#include <algorithm>

namespace hearth::cli {

namespace {

constexpr std::size_t kNarrowestName = 20;
constexpr std::string_view kFaint = "\x1b[2m";
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kPlain = "\x1b[0m";

std::string styled(std::string_view text, std::string_view style, bool isColoured)
{
    return isColoured ? std::string(style) + std::string(text) + std::string(kPlain) : std::string(text);
}

} // namespace

Table::Table(std::vector<std::string> head, bool isFull) : m_head(std::move(head)), m_isFull(isFull)
{
    for (std::size_t i = 0; i + 1 < m_head.size(); ++i)
        m_widths.push_back(columnsOf(m_head[i]));
}

void Table::add(std::vector<std::string> numbers, std::string_view name, std::size_t indent,
                std::string_view detail)
{
    for (std::size_t i = 0; i < numbers.size(); ++i)
        m_widths[i] = std::max(m_widths[i], columnsOf(numbers[i]));
    m_rows.push_back({std::move(numbers), printable(name), printable(detail), indent});
}

std::string Table::str() const
{
    const bool isColoured = hasColour();
    std::size_t before = 0;
    for (const std::size_t width : m_widths)
        before += width + 2;
    const std::size_t terminal = m_isFull ? 0 : terminalWidth();
    std::string head;
    for (std::size_t i = 0; i < m_widths.size(); ++i)
        head += paddedLeft(m_head[i], m_widths[i]) + "  ";
    std::string text = styled(head + m_head.back(), kBold, isColoured) + '\n';
    for (const Row &row : m_rows) {
        for (std::size_t i = 0; i < m_widths.size(); ++i)
            text += paddedLeft(row.numbers[i], m_widths[i]) + "  ";
        const std::size_t used = before + row.indent;
        const std::size_t room = terminal > used + kNarrowestName ? terminal - used : kNarrowestName;
        text += std::string(row.indent, ' ');
        if (terminal == 0) {
            text += row.name;
        } else {
            const auto fits = [room](std::string_view name) { return columnsOf(name) <= room; };
            const std::string name = elided(shortName(row.name, fits), room);
            text += name;
            if (!row.detail.empty() && columnsOf(name) + 2 + columnsOf(row.detail) <= room)
                text += styled("  " + row.detail, kFaint, isColoured);
        }
        text += '\n';
    }
    return text;
}

} // namespace hearth::cli
