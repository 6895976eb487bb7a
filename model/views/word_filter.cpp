#include "model/views/word_filter.h"

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool containsFolded(std::string_view text, std::string_view lowerCase)
{
    if (text.size() < lowerCase.size())
        return false;
    for (std::size_t at = 0; at <= text.size() - lowerCase.size(); ++at) {
        std::size_t length = 0;
        while (length < lowerCase.size() && lower(text[at + length]) == lowerCase[length])
            ++length;
        if (length == lowerCase.size())
            return true;
    }
    return false;
}

} // namespace

WordFilter::WordFilter(std::string_view typed)
{
    std::string word;
    for (const char letter : typed) {
        if (letter != ' ')
            word += lower(letter);
        else if (!word.empty())
            m_words.push_back(std::exchange(word, {}));
    }
    if (!word.empty())
        m_words.push_back(std::move(word));
}

bool WordFilter::matches(std::initializer_list<std::string_view> texts) const
{
    return std::ranges::all_of(m_words, [&](const std::string &word) {
        return std::ranges::any_of(texts, [&](std::string_view text) { return containsFolded(text, word); });
    });
}

} // namespace hearth
