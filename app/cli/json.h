#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::cli {

/// Writes JSON as one goes along; commas and quotes look after themselves. Text that is not UTF-8 is taken as
/// Latin-1.
class Json {
public:
    Json &beginObject() { return open('{'); }
    Json &endObject() { return close('}'); }
    Json &beginArray() { return open('['); }
    Json &endArray() { return close(']'); }

    Json &key(std::string_view name);
    Json &text(std::string_view value);
    Json &number(std::int64_t value) { return raw(std::to_string(value)); }
    Json &real(double value); ///< null if it is no number
    Json &boolean(bool value) { return raw(value ? "true" : "false"); }
    Json &count(std::uint64_t value) { return raw(std::to_string(value)); }

    const std::string &str() const { return m_out; }

private:
    Json &open(char bracket);
    Json &close(char bracket);
    Json &raw(std::string_view value);
    void separate();
    void quote(std::string_view value);

    std::string m_out;
    bool m_needsComma = false;
};

} // namespace hearth::cli
