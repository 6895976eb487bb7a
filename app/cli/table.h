#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hearth::cli {

/// Lines of numbers with a name at the end, aligned, and cut to the terminal's width at the name.
class Table {
public:
    /// @param fitName makes a name fit a number of columns
    Table(std::vector<std::string> head, bool isFull);

    /// @param indent columns before the name
    void add(std::vector<std::string> numbers, std::string_view name, std::size_t indent = 0,
             std::string_view detail = {});
    std::string str() const;

private:
    struct Row {
        std::vector<std::string> numbers;
        std::string name;
        std::string detail; ///< shown faintly behind the name, if there is room
        std::size_t indent;
    };

    std::vector<std::string> m_head; ///< the last is that of the name
    std::vector<Row> m_rows;
    std::vector<std::size_t> m_widths;
    bool m_isFull;
};

} // namespace hearth::cli
