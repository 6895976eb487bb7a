#pragma once

#include "ingest/formats/profile_builder.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hearth {

/// Reads a JSON text as it streams past. There is no tree: memory is what the longest string takes, and
/// arrays may be of any length.
///
/// A value is read by asking for it as what it is expected to be; one that is something else, or is not asked
/// for, is skipped. Where the text is damaged or ends, all loops end.
class JsonStream {
public:
    enum class Kind : std::uint8_t { Object, Array, String, Number, True, False, Null, None };

    /// @param builder asked whenever more input is needed whether to go on
    JsonStream(InputStream &input, ProfileBuilder &builder);

    /// Of the value that comes next.
    Kind kind();

    /// Reads an object. `visit(key)` is called in front of each value; the key is valid until the next call
    /// of anything.
    template <class Visit>
    void forEachMember(Visit visit)
    {
        if (!open('{'))
            return skipUnread();
        for (std::string key; nextMember(key);) {
            m_isUnread = true;
            visit(std::string_view(key));
            skipUnread();
        }
    }

    /// Reads an array. `visit()` is called in front of each element.
    template <class Visit>
    void forEachElement(Visit visit)
    {
        if (!open('['))
            return skipUnread();
        while (nextElement()) {
            m_isUnread = true;
            visit();
            skipUnread();
        }
    }

    /// Without escapes; valid until the next call of anything. Empty if it is no string.
    std::string_view string();
    std::optional<double> number();
    std::optional<std::int64_t> integer(); ///< rounded
    bool boolean();
    void skip();

    bool isOk() const { return m_isOk; }
    /// Counts among the builder's losses why the text could not be read to its end.
    void countLosses();
    /// The text need not end where it should.
    void forgiveEnd() { m_fault.reset(); }
    /// How many objects and arrays are open.
    std::size_t depth() const { return m_depth; }
    std::uint64_t position() const;

private:
    static constexpr std::size_t kDeepest = 3000;

    bool more();
    /// The next character that is no space, which stays. 0 at the end.
    char peek()
    {
        return m_isOk && m_at != m_end && static_cast<unsigned char>(*m_at) > ' ' ? *m_at : peekFurther();
    }
    char peekFurther();
    bool open(char bracket);
    bool nextMember(std::string &key);
    bool nextElement();
    bool isClosed(char bracket);
    std::string_view stringToken();
    std::size_t findStringEnd(bool &hasEscapes);
    void unescape(std::string_view text);
    std::string_view scalarToken();
    std::optional<std::int64_t> shortInteger();
    std::optional<double> shortNumber();
    bool skipToken(std::size_t &depth);
    void skipUnread()
    {
        if (m_isUnread && m_isOk)
            skip();
    }
    void fail(Loss loss, const std::string &what);

    InputStream &m_input;
    ProfileBuilder &m_builder;
    const char *m_at = nullptr;
    const char *m_end = nullptr;
    std::string m_text; ///< the string at hand, if it had escapes
    std::size_t m_depth = 0;
    std::uint64_t m_tooDeep = 0;
    bool m_isFirst = false;  ///< nothing was read of the object or array that was opened last
    bool m_isUnread = false; ///< a value is next that nobody has asked for yet
    bool m_isOk = true;
    std::optional<InputFault> m_fault;
};

} // namespace hearth
