#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hearth::cli {

/// Writes a result to standard output.
void print(std::string_view text);

/// Writes lines to standard error, the first beginning with the program's name.
void complain(std::string_view message);

/// How many columns there are for results; 0 if they do not go to a terminal.
std::size_t terminalWidth();

/// Whether results may be coloured: they go to a terminal, and NO_COLOR is not set.
bool hasColour();
/// Whether progress may be shown.
bool errorIsTerminal();

/// One line on a terminal that keeps changing; nothing where standard error is none.
class StatusLine {
public:
    StatusLine() : m_isShown(errorIsTerminal()) {}
    StatusLine(const StatusLine &) = delete;
    StatusLine &operator=(const StatusLine &) = delete;
    ~StatusLine() { clear(); }

    void show(const std::string &text);
    void clear();

private:
    const bool m_isShown;
    std::string m_text;
};

/// How many columns a text takes: one per character, two for wide ones (East Asian, emoji).
std::size_t columnsOf(std::string_view text);

/// The text with blanks behind it (or before it) up to a width.
std::string padded(std::string_view text, std::size_t width);
std::string paddedLeft(std::string_view text, std::size_t width);

/// The text without what a terminal would take as a command.
std::string printable(std::string_view text);

/// The text if it fits, else its beginning and its end with … between.
std::string elided(std::string_view text, std::size_t width);

} // namespace hearth::cli
