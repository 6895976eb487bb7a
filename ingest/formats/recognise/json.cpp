#include "ingest/formats/recognise/kinds.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace hearth {

namespace {

constexpr std::string_view kSpace = " \t\r\n";

/// The keys of a JSON text, as far as it is at hand: those of the outermost object (or of the objects in the
/// outermost list), and all that are further inside.
class JsonKeys {
public:
    explicit JsonKeys(std::string_view text) : m_isJson(scan(text)) {}

    bool isJson() const { return m_isJson; }
    bool isList() const { return m_isList; }
    bool hasOuter(std::string_view key) const { return key.empty() || has(m_outer, key); }
    bool hasInner(std::string_view key) const { return key.empty() || has(m_inner, key); }

private:
    using Keys = std::vector<std::string_view>;
    static constexpr std::size_t kMostKeys = 4096;
    static constexpr std::size_t kDeepest = 256;

    static bool has(const Keys &keys, std::string_view key)
    {
        return std::ranges::find(keys, key) != keys.end();
    }

    bool scan(std::string_view text);
    bool takeToken(std::string_view &rest);
    bool takeString(std::string_view &rest);
    static bool takeWord(std::string_view &rest);
    void addKey(std::string_view key);

    Keys m_outer;
    Keys m_inner;
    std::string m_open; ///< the brackets that are open
    bool m_isList = false;
    bool m_isJson = false;
};

/// @return false at the first thing that no JSON text has, nor one a line
bool JsonKeys::scan(std::string_view text)
{
    std::string_view rest = text.substr(std::min(text.find_first_not_of(kSpace), text.size()));
    if (!rest.starts_with('{') && !rest.starts_with('['))
        return false;
    m_isList = rest.front() == '[';
    while (!rest.empty() && m_inner.size() < kMostKeys && m_open.size() < kDeepest) {
        if (m_open.empty() && rest.front() != '{' && rest.front() != '[')
            return false;
        if (!takeToken(rest))
            return false;
        rest.remove_prefix(std::min(rest.find_first_not_of(kSpace), rest.size()));
    }
    return true;
}

bool JsonKeys::takeToken(std::string_view &rest)
{
    const char first = rest.front();
    switch (first) {
    case '{':
    case '[':
        m_open += first;
        break;
    case '}':
    case ']':
        if (m_open.empty() || m_open.back() != (first == '}' ? '{' : '['))
            return false;
        m_open.pop_back();
        break;
    case ',':
    case ':':
        break;
    case '"':
        return takeString(rest);
    default:
        return takeWord(rest);
    }
    rest.remove_prefix(1);
    return true;
}

bool JsonKeys::takeString(std::string_view &rest)
{
    std::size_t end = 1;
    while (end < rest.size() && rest[end] != '"') {
        if (static_cast<unsigned char>(rest[end]) < ' ')
            return false;
        end += rest[end] == '\\' ? 2 : 1;
    }
    const std::string_view content = rest.substr(1, end - 1);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t behind = rest.find_first_not_of(kSpace);
    if (behind != std::string_view::npos && rest[behind] == ':' && m_open.back() == '{')
        addKey(content);
    return true;
}

/// A number, true, false or null, perhaps cut off at the end of what is at hand.
bool JsonKeys::takeWord(std::string_view &rest)
{
    const std::size_t end = std::min(rest.find_first_of(",:]}[{\" \t\r\n"), rest.size());
    const std::string_view word = rest.substr(0, end);
    const bool isLiteral = std::ranges::any_of(
        std::array<std::string_view, 3>{"true", "false", "null"}, [&](std::string_view literal) {
            return word == literal || (end == rest.size() && literal.starts_with(word));
        });
    if (!isLiteral && word.find_first_not_of("0123456789+-.eE") != std::string_view::npos)
        return false;
    rest.remove_prefix(end);
    return true;
}

void JsonKeys::addKey(std::string_view key)
{
    const bool isOuter = m_open == "{" || m_open == "[{";
    Keys &keys = isOuter ? m_outer : m_inner;
    if (keys.size() < kMostKeys && (keys.empty() || keys.back() != key))
        keys.push_back(key);
}

/// What the keys of a JSON format are; all must occur, empty ones always do.
struct JsonFormat {
    std::string_view name;
    std::array<std::string_view, 3> outer;
    std::string_view inner;
    const Format *format = nullptr; ///< that reads it
};
constexpr std::array kJsonFormats{
    JsonFormat{"file of OTLP profiles (JSON)", {"resourceProfiles"}, {}, &kOtlp},
    JsonFormat{"file of OTLP profiles (JSON)", {"resource_profiles"}, {}, &kOtlp},
    JsonFormat{"file of OTLP profiles (JSON)", {"dictionary"}, "stringTable", &kOtlp},
    JsonFormat{"file of OTLP profiles (JSON)", {"dictionary"}, "string_table", &kOtlp},
    JsonFormat{"file of OTLP traces (JSON)", {"resourceSpans"}, {}, &kOtlp},
    JsonFormat{"file of OTLP metrics (JSON)", {"resourceMetrics"}, {}, &kOtlp},
    JsonFormat{"file of OTLP logs (JSON)", {"resourceLogs"}, {}, &kOtlp},
    JsonFormat{"Chrome trace", {"traceEvents"}, {}, &kChromeTrace},
    JsonFormat{"Chrome trace", {"ph", "ts", "pid"}, {}, &kChromeTrace},
    JsonFormat{"Firefox profile", {"meta"}, "preprocessedProfileVersion", &kFirefox},
    JsonFormat{"Firefox profile", {"meta", "threads"}, {}, &kFirefox},
    JsonFormat{"Firefox profile", {"meta", "libs"}, {}, &kFirefox},
    JsonFormat{"Firefox profile of an old version", {"systemHost"}, {}},
    JsonFormat{"V8 heap snapshot", {"snapshot"}, "node_fields"},
    JsonFormat{"V8 heap profile", {"head"}, "selfSize", &kV8Heap},
    JsonFormat{"V8 CPU profile", {"nodes"}, "callFrame", &kV8Cpu},
    JsonFormat{"V8 CPU profile", {"nodes", "samples", "timeDeltas"}, {}, &kV8Cpu},
    JsonFormat{"V8 CPU profile of an old version", {"head"}, "functionName", &kV8Cpu},
    JsonFormat{"V8 tick log", {"code", "functions", "ticks"}, {}},
    JsonFormat{"stackprof profile", {"mode", "frames"}, {}},
    JsonFormat{"stackprof profile", {"mode", "raw"}, {}},
    JsonFormat{"Safari recording", {"recording"}, "sampleStackTraces"},
    JsonFormat{"GHC profile", {"rts_arguments"}, {}},
    JsonFormat{"DHAT profile", {"dhatFileVersion"}, {}},
    JsonFormat{"speedscope profile", {"shared", "profiles"}, {}, &kSpeedscope},
};

} // namespace

Recognition byJson(std::string_view head)
{
    const JsonKeys keys(head);
    if (!keys.isJson())
        return {};
    if (keys.hasOuter("hearthWorkspace") && !keys.isList())
        return {"workspace of Hearth", nullptr};
    if (keys.hasOuter("$schema") && contains(head, "speedscope.app/file-format-schema"))
        return {"speedscope profile", &kSpeedscope};
    for (const JsonFormat &format : kJsonFormats)
        if (keys.hasInner(format.inner) &&
            std::ranges::all_of(format.outer, [&](std::string_view key) { return keys.hasOuter(key); }))
            return {format.name, format.format};
    return {"JSON file", nullptr};
}

} // namespace hearth
