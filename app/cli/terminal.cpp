#include "app/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace hearth::cli {

namespace {

/// The character that begins at the front of `text`, and how many bytes it has; a byte that is no UTF-8
/// stands alone.
struct Character {
    char32_t code;
    std::size_t bytes;
};
Character firstCharacter(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead >= 0x80 && (lead < 0xc2 || lead > 0xf4 || bytes > text.size()))
        return {U'\ufffd', 1};
    char32_t code = bytes == 1 ? lead : lead & (0x7fU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((text[i] & 0xc0) != 0x80)
            return {U'\ufffd', 1};
        code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3f);
    }
    return {code, bytes};
}

std::size_t columnsOf(char32_t code)
{
    const bool isCombining = (code >= 0x300 && code < 0x370) || code == 0x200b || code == 0x200d ||
                             (code >= 0xfe00 && code < 0xfe10);
    const bool isWide = (code >= 0x1100 && code < 0x1160) || (code >= 0x2e80 && code < 0xa4d0) ||
                        (code >= 0xac00 && code < 0xd7a4) || (code >= 0xf900 && code < 0xfb00) ||
                        (code >= 0xfe30 && code < 0xfe70) || (code >= 0xff00 && code < 0xff61) ||
                        (code >= 0x1f300 && code < 0x1f650) || (code >= 0x20000 && code < 0x30000);
    return isCombining ? 0 : isWide ? 2 : 1;
}

} // namespace

void print(std::string_view text)
{
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void complain(std::string_view message)
{
    std::fflush(stdout);
    std::string text = "hearth: ";
    while (true) {
        const std::size_t end = message.find('\n');
        text += printable(message.substr(0, end)) + '\n';
        if (end == std::string_view::npos)
            break;
        message.remove_prefix(end + 1);
    }
    std::fwrite(text.data(), 1, text.size(), stderr);
}

std::size_t terminalWidth()
{
    if (::isatty(STDOUT_FILENO) == 0)
        return 0;
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

bool hasColour()
{
    const char *const noColour = std::getenv("NO_COLOR");
    const char *const terminal = std::getenv("TERM");
    return ::isatty(STDOUT_FILENO) != 0 && (noColour == nullptr || *noColour == '\0') &&
           (terminal == nullptr || std::strcmp(terminal, "dumb") != 0);
}

bool errorIsTerminal()
{
    return ::isatty(STDERR_FILENO) != 0;
}

std::size_t columnsOf(std::string_view text)
{
    std::size_t columns = 0;
    while (!text.empty()) {
        const Character character = firstCharacter(text);
        columns += columnsOf(character.code);
        text.remove_prefix(character.bytes);
    }
    return columns;
}

void StatusLine::show(const std::string &text)
{
    if (!m_isShown || text == m_text)
        return;
    m_text = text;
    std::fprintf(stderr, "\r%s\x1b[K", printable(text).c_str());
    std::fflush(stderr);
}

void StatusLine::clear()
{
    if (!m_text.empty())
        std::fputs("\r\x1b[K", stderr);
    m_text.clear();
}

std::string padded(std::string_view text, std::size_t width)
{
    const std::size_t columns = columnsOf(text);
    return std::string(text) + std::string(columns < width ? width - columns : 0, ' ');
}

std::string paddedLeft(std::string_view text, std::size_t width)
{
    const std::size_t columns = columnsOf(text);
    return std::string(columns < width ? width - columns : 0, ' ') + std::string(text);
}

std::string printable(std::string_view text)
{
    std::string shown;
    while (!text.empty()) {
        const Character character = firstCharacter(text);
        const bool isControl = character.code < 0x20 || (character.code >= 0x7f && character.code < 0xa0);
        if (isControl || (character.code == U'\ufffd' && character.bytes == 1))
            shown += "\ufffd";
        else
            shown += text.substr(0, character.bytes);
        text.remove_prefix(character.bytes);
    }
    return shown;
}

std::string elided(std::string_view text, std::size_t width)
{
    if (columnsOf(text) <= width)
        return std::string(text);
    std::vector<std::string_view> characters;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t bytes = firstCharacter(rest).bytes;
        characters.push_back(rest.substr(0, bytes));
        rest.remove_prefix(bytes);
    }
    // The end of a name tells more than its beginning: two thirds for it.
    const std::size_t headWidth = width / 3;
    std::string head;
    std::size_t used = 1;
    std::size_t front = 0;
    for (; front < characters.size() && columnsOf(head) + columnsOf(characters[front]) <= headWidth; ++front)
        head += characters[front];
    used += columnsOf(head);
    std::size_t back = characters.size();
    while (back > front && used + columnsOf(characters[back - 1]) <= width)
        used += columnsOf(characters[--back]);
    std::string shown = head + "…";
    for (; back < characters.size(); ++back)
        shown += characters[back];
    return shown;
}

} // namespace hearth::cli
