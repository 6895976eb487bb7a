#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace hearth {

/// A text that never changes. Copies are the same text: a name that a hundred thousand lines have in common
/// is in memory once. Any thread.
class SharedText {
public:
    SharedText() = default;
    SharedText(std::string text)
        : m_text(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text)))
    {}
    SharedText(std::string_view text) : SharedText(std::string(text)) {}
    SharedText(const char *text) : SharedText(std::string(text)) {}

    operator std::string_view() const { return m_text ? std::string_view(*m_text) : std::string_view(); }
    std::string str() const { return std::string(std::string_view(*this)); }

    bool empty() const { return m_text == nullptr; }
    bool startsWith(std::string_view text) const { return std::string_view(*this).starts_with(text); }
    bool endsWith(std::string_view text) const { return std::string_view(*this).ends_with(text); }

    friend bool operator==(const SharedText &a, const SharedText &b)
    {
        return a.m_text == b.m_text || std::string_view(a) == std::string_view(b);
    }

private:
    std::shared_ptr<const std::string> m_text; ///< null if there is nothing in it
};

} // namespace hearth
