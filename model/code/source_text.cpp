#include "model/code/source_text.h"

#include <utility>

namespace hearth {

SourceText::SourceText(std::string text) : m_text(std::move(text))
{
    std::size_t begin = 0;
    while (begin < m_text.size()) {
        m_begins.push_back(static_cast<std::uint32_t>(begin));
        const std::size_t end = m_text.find_first_of("\r\n", begin);
        if (end == std::string::npos)
            return;
        begin = end + (m_text.compare(end, 2, "\r\n") == 0 ? 2 : 1);
    }
}

std::string_view SourceText::line(std::int64_t number) const
{
    if (number < 1 || static_cast<std::uint64_t>(number) > m_begins.size())
        return {};
    const std::size_t begin = m_begins[static_cast<std::size_t>(number - 1)];
    return std::string_view(m_text).substr(begin, m_text.find_first_of("\r\n", begin) - begin);
}

} // namespace hearth
