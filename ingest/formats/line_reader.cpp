#include "ingest/formats/line_reader.h"

#include <algorithm>
#include <cstring>

namespace hearth {

namespace {

constexpr std::size_t kLongestLine = std::size_t(64) << 20;

} // namespace

LineReader::LineReader(InputStream &input, ReadWatch &watch, Losses &losses)
    : m_input(input), m_watch(watch), m_losses(losses)
{
    m_input.ensure(4);
    m_encoding = encodingOf(m_input.window());
    m_input.consume(markLength(m_input.window(), m_encoding));
}

bool LineReader::next(std::string_view &line)
{
    m_input.consume(m_scanned); // the line before
    m_scanned = 0;
    std::size_t at = 0;
    while (!findEnd(at)) {
        if (at > kLongestLine) {
            skipLong();
            at = 0;
        } else if (!m_input.extend()) {
            if (!takeLast(at))
                return false;
            break;
        }
        if (m_watch.isOver())
            return false;
    }
    ++m_number;
    m_scanned = std::min(at + unit(), m_input.window().size());
    const auto text = m_input.window().first(at);
    if (isWide()) {
        m_decoded.clear();
        appendUtf16(m_decoded, text, m_encoding);
        line = m_decoded;
    } else {
        line = {reinterpret_cast<const char *>(text.data()), text.size()};
    }
    return true;
}

/// Looks for the end of a line from `at` on, which is then there, or where to go on looking.
bool LineReader::findEnd(std::size_t &at) const
{
    const auto window = m_input.window();
    if (!isWide()) {
        const void *end =
            at < window.size() ? std::memchr(window.data() + at, '\n', window.size() - at) : nullptr;
        at = end != nullptr ? static_cast<std::size_t>(static_cast<const std::uint8_t *>(end) - window.data())
                            : window.size();
        return end != nullptr;
    }
    const std::size_t low = m_encoding == TextEncoding::Utf16Big ? 1 : 0;
    for (; at + 2 <= window.size(); at += 2)
        if (window[at + low] == '\n' && window[at + 1 - low] == 0)
            return true;
    return false;
}

/// The last line need not be ended; but where the input was cut off, it may lack its end: digits of a count.
bool LineReader::takeLast(std::size_t &size)
{
    size = m_input.window().size();
    if (size == 0)
        return false;
    if (!m_input.fault())
        return true;
    m_losses.add(Loss::UnreadableLines, "line " + std::to_string(m_number + 1) + " is cut off");
    return false;
}

void LineReader::skipLong()
{
    ++m_number;
    m_losses.add(Loss::OversizedFields, place() + " is longer than 64 MiB");
    for (;;) {
        std::size_t at = 0;
        const bool isFound = findEnd(at);
        m_input.consume(isFound ? at + unit() : at);
        if (isFound || !m_watch.goesOn(m_input.position(), 0, place()) || !m_input.extend())
            return;
    }
}

} // namespace hearth
