#pragma once

#include "model/lens/matcher.h"
#include "model/store/snapshot.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace hearth {

/// Asks a matcher about each string of a data set at most once.
class StringMatches {
public:
    explicit StringMatches(Matcher matcher) : m_matcher(std::move(matcher)) {}

    bool matches(const Snapshot &snapshot, StringId id)
    {
        if (id.value >= m_answers.size())
            m_answers.resize(snapshot.strings.size(), Answer::NotAsked);
        Answer &answer = m_answers[id.value];
        if (answer == Answer::NotAsked)
            answer = m_matcher.matches(snapshot.text(id)) ? Answer::Yes : Answer::No;
        return answer == Answer::Yes;
    }
    bool matches(std::string_view text) const { return m_matcher.matches(text); }

private:
    enum class Answer : std::uint8_t { NotAsked, No, Yes };

    Matcher m_matcher;
    std::vector<Answer> m_answers;
};

} // namespace hearth
