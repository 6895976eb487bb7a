#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// The lines of a source file as UTF-8. They end as they do anywhere: \n, \r\n or \r.
class SourceText {
public:
    SourceText() = default;
    /// @param text valid UTF-8
    explicit SourceText(std::string text);

    std::size_t lineCount() const { return m_begins.size(); }
    /// Without its end. @param number from 1 on; empty where there is no such line
    std::string_view line(std::int64_t number) const;

private:
    std::string m_text;
    std::vector<std::uint32_t> m_begins;
};

} // namespace hearth
