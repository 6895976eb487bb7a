#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// What somebody types to narrow a list: words, each of which has to be in one of the texts of a row, in any
/// case of ASCII letters.
class WordFilter {
public:
    explicit WordFilter(std::string_view typed);

    bool matches(std::initializer_list<std::string_view> texts) const;

private:
    std::vector<std::string> m_words; ///< in lower case
};

} // namespace hearth
