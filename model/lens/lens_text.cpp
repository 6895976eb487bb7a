#include "model/lens/lens_text.h"

#include "model/lens/attribute_filter.h"
#include "model/lens/lens_quoting.h"
#include "model/lens/lens_words.h"
#include "model/lens/matcher.h"
#include "model/lens/tag_filter.h"
#include "model/lens/time_text.h"
#include "model/lens/utf8.h"
#include "model/result.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace hearth {

namespace {

constexpr std::size_t kMostBytes = std::size_t(64) << 10U;
constexpr std::size_t kMostTerms = 1000;

std::string inQuotes(std::string_view text)
{
    return '\'' + std::string(text) + '\'';
}

bool isHexOf(std::string_view text, std::size_t mostDigits)
{
    const auto isHex = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    };
    return !text.empty() && text.size() <= mostDigits && std::ranges::all_of(text, isHex);
}

std::string inLowerCase(std::string text)
{
    for (char &c : text)
        c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return text;
}

/// Reads one lens. Every function that reads something returns false once there is an error.
class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    tl::expected<Lens, LensError> parse() &&
    {
        if (m_text.size() > kMostBytes)
            return tl::unexpected(LensError{.message = "a lens is at most 64 KiB of text"});
        if (!readTerms())
            return tl::unexpected(LensError{.message = std::move(m_message),
                                            .column = countCodePoints(m_text.substr(0, m_errorAt))});
        return std::move(m_lens);
    }

private:
    bool fail(std::size_t at, std::string message)
    {
        m_errorAt = at;
        m_message = std::move(message);
        return false;
    }

    bool isAtEndOfTerm() const { return m_at == m_text.size() || isBlank(m_text[m_at]); }
    char peek() const { return m_text[m_at]; }

    bool readTerms();
    bool readTerm();
    bool readQuotedWords();
    bool readSlashes();
    bool readAttribute(std::vector<AttributeTerm> &terms);
    bool *flagNamed(std::string_view word);
    bool readSpanTerm();
    bool readDuration();
    bool readWord();
    bool readUnknownKey(std::string_view key);
    bool readValueOf(LensKey key, std::string_view name);

    std::optional<LensToken> readValue(std::string_view name);
    bool readList(std::string_view name, std::vector<LensToken> &items);
    bool readNames(std::string_view name, std::vector<std::string> &names);
    bool readGrouping(std::string_view name);

    bool addPath(PathTermKind kind, const LensToken &value, bool isNegated);
    bool addFrame(FrameTermKind kind, const LensToken &value);
    bool addTags(const LensToken &value, bool isNegated);
    bool setSeries(const LensToken &value);
    bool setTime(const LensToken &value);
    bool setTrace(const LensToken &value);
    bool addSpan(SpanTermKind kind, const LensToken &value);
    bool setGranularity(Granularity granularity, std::size_t at);
    bool checkRegex(std::string_view expression, std::size_t at);

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_termAt = 0;
    bool m_isNegated = false;
    Lens m_lens;

    bool m_hasSeries = false;
    bool m_hasTime = false;
    std::optional<Granularity> m_granularity;

    std::size_t m_errorAt = 0;
    std::string m_message;
};

bool Parser::readTerms()
{
    for (std::size_t terms = 0;; ++terms) {
        while (m_at < m_text.size() && isBlank(peek()))
            ++m_at;
        if (m_at == m_text.size())
            return true;
        if (terms == kMostTerms)
            return fail(m_at, "a lens has at most 1000 terms");
        if (!readTerm())
            return false;
        if (!isAtEndOfTerm())
            return fail(m_at, "a blank is missing behind the closing quote");
    }
}

bool Parser::readTerm()
{
    m_termAt = m_at;
    m_isNegated = peek() == '-';
    if (m_isNegated)
        ++m_at;
    if (isAtEndOfTerm())
        return fail(m_termAt, "nothing behind '-' to negate");
    switch (peek()) {
    case '-':
        return fail(m_at, "one '-' negates; a name that begins with '-' has to be in quotes");
    case '"':
        return readQuotedWords();
    case '/':
        return readSlashes();
    case '@':
        return readAttribute(m_lens.attributes);
    default:
        return readWord();
    }
}

bool Parser::readQuotedWords()
{
    const std::optional<LensToken> words = readValue({});
    return words && addPath(PathTermKind::Literal, *words, m_isNegated);
}

bool Parser::readSlashes()
{
    const std::size_t begin = m_at + 1;
    std::size_t end = begin;
    const auto closes = [&](std::size_t at) {
        return m_text[at] == '/' && (at + 1 == m_text.size() || isBlank(m_text[at + 1]));
    };
    while (end < m_text.size() && !closes(end))
        ++end;
    if (end >= m_text.size())
        return fail(m_at, "no '/' at the end of the expression; a path has to be in quotes");
    m_at = end + 1;
    const LensToken expression{.text = std::string(m_text.substr(begin, end - begin)),
                               .begin = begin,
                               .end = end,
                               .isQuoted = false};
    return addPath(PathTermKind::Regex, expression, m_isNegated);
}

bool Parser::readAttribute(std::vector<AttributeTerm> &terms)
{
    const std::size_t keyAt = m_at + 1;
    const std::optional<LensToken> key = readToken(m_text, keyAt, "=~");
    if (!key)
        return fail(keyAt, "the quote is not closed");
    m_at = key->end;
    if (key->text.empty() && !key->isQuoted)
        return fail(keyAt, "the name of an attribute is missing behind '@'");
    if (isAtEndOfTerm() || (peek() != '=' && peek() != '~'))
        return fail(m_at, "a value is missing; write @" + key->text + "=VALUE, @" + key->text + "~RE or @" +
                              key->text + "=A..B");
    const bool isRegex = peek() == '~';
    ++m_at;
    const std::optional<LensToken> value = readValue(m_text.substr(m_termAt, m_at - m_termAt));
    if (!value || (isRegex && !checkRegex(value->text, value->begin)))
        return false;
    AttributeTermKind kind = isRegex ? AttributeTermKind::Matches : AttributeTermKind::Equals;
    if (!isRegex && !value->isQuoted && QuantityRange::parse(value->text))
        kind = AttributeTermKind::Range;
    terms.push_back({kind, key->text, value->text, m_isNegated});
    return true;
}

bool Parser::readWord()
{
    const std::optional<LensToken> word = readToken(m_text, m_at);
    if (!word) // cannot be: it does not begin with a quote
        return fail(m_at, "the quote is not closed");
    if (isSpanTerm(word->text))
        return readSpanTerm();
    if (const std::size_t length = keyLength(word->text)) {
        const std::string_view name = m_text.substr(m_at, length);
        const std::optional<LensKey> key = lensKeyNamed(name);
        if (!key)
            return readUnknownKey(name);
        m_at += length + 1;
        return readValueOf(*key, name);
    }
    m_at = word->end;
    bool *const flag = flagNamed(word->text);
    if (flag == nullptr)
        return addPath(PathTermKind::Literal, *word, m_isNegated);
    if (m_isNegated)
        return fail(m_termAt, inQuotes(word->text) + " cannot be negated");
    *flag = true;
    return true;
}

/// What a word switches on; null if it is none of these.
bool *Parser::flagNamed(std::string_view word)
{
    if (word == kNoInlinesWord)
        return &m_lens.noInlines;
    if (word == kInvertedWord)
        return &m_lens.isInverted;
    if (word == kNoChildrenWord)
        return &m_lens.noChildren;
    return word == kEstimatedWord ? &m_lens.estimatesLinks : nullptr;
}

/// One of those that isSpanTerm() knows.
bool Parser::readSpanTerm()
{
    if (m_text.substr(m_at).starts_with(kErrorWord)) {
        m_at += kErrorWord.size();
        m_lens.spans.push_back({SpanTermKind::Failed, {}, 0, m_isNegated});
        return true;
    }
    if (m_text.substr(m_at).starts_with(kDurationWord))
        return readDuration();
    m_at += kSpanWord.size();
    if (peek() == '@')
        return readAttribute(m_lens.spanAttributes);
    ++m_at;
    const std::optional<LensToken> value = readValue("span~");
    return value && addSpan(SpanTermKind::Matches, *value);
}

bool Parser::readDuration()
{
    m_at += kDurationWord.size();
    const bool isLonger = m_text[m_at++] == '>';
    const bool isInclusive = !isAtEndOfTerm() && peek() == '=';
    m_at += isInclusive ? 1 : 0;
    const std::optional<LensToken> value = readValue(m_text.substr(m_termAt, m_at - m_termAt));
    if (!value)
        return false;
    const Result<std::int64_t> ns = parseDuration(value->text);
    if (!ns)
        return fail(value->begin, ns.error().message);
    const auto kind = isLonger ? (isInclusive ? SpanTermKind::AtLeast : SpanTermKind::Longer)
                               : (isInclusive ? SpanTermKind::AtMost : SpanTermKind::Shorter);
    m_lens.spans.push_back({kind, {}, *ns, m_isNegated});
    return true;
}

bool Parser::readUnknownKey(std::string_view key)
{
    if (key == kDurationWord)
        return fail(m_at, "a duration is compared; write duration>100ms or duration<=2s");
    const std::string_view nearest = nearestKey(key);
    return fail(m_at, "unknown key " + inQuotes(key) +
                          (nearest.empty() ? "; a name with ':' or '=' in it has to be in quotes"
                                           : "; did you mean " + inQuotes(nearest) + "?"));
}

bool Parser::readValueOf(LensKey key, std::string_view name)
{
    switch (key) {
    case LensKey::Regex:
    case LensKey::Focus:
    case LensKey::Ignore:
    case LensKey::Library:
    case LensKey::File:
    case LensKey::FrameKind:
    case LensKey::Self:
    case LensKey::TagFocus:
    case LensKey::TagIgnore:
    case LensKey::Span:
    case LensKey::SpanId:
        break;
    default:
        if (m_isNegated)
            return fail(m_termAt, inQuotes(name) + " cannot be negated");
    }
    switch (key) {
    case LensKey::Under:
        if (!m_lens.under.empty())
            return fail(m_termAt, "there is another 'under' before; a lens shows one subtree");
        return readNames(name, m_lens.under);
    case LensKey::TagRoot:
        return readNames(name, m_lens.tagRoot);
    case LensKey::TagLeaf:
        return readNames(name, m_lens.tagLeaf);
    case LensKey::By:
        return readGrouping(name);
    default:
        break;
    }
    const std::optional<LensToken> value = readValue(m_text.substr(m_at - name.size() - 1, name.size() + 1));
    if (!value)
        return false;
    switch (key) {
    case LensKey::Regex:
        return addPath(PathTermKind::Regex, *value, m_isNegated);
    case LensKey::Focus:
        return addPath(PathTermKind::Focus, *value, m_isNegated);
    case LensKey::Ignore:
        return addPath(PathTermKind::Focus, *value, !m_isNegated);
    case LensKey::Library:
        return addPath(PathTermKind::Library, *value, m_isNegated);
    case LensKey::File:
        return addPath(PathTermKind::File, *value, m_isNegated);
    case LensKey::FrameKind:
        return addPath(PathTermKind::FrameKind, *value, m_isNegated);
    case LensKey::Self:
        return addPath(PathTermKind::Self, *value, m_isNegated);
    case LensKey::Hide:
        return addFrame(FrameTermKind::Hide, *value);
    case LensKey::Show:
        return addFrame(FrameTermKind::Show, *value);
    case LensKey::From:
        return addFrame(FrameTermKind::From, *value);
    case LensKey::To:
        return addFrame(FrameTermKind::To, *value);
    case LensKey::Once:
        return addFrame(FrameTermKind::Once, *value);
    case LensKey::Collapse:
        return addFrame(FrameTermKind::Collapse, *value);
    case LensKey::Pivot:
        return addFrame(FrameTermKind::Pivot, *value);
    case LensKey::TagFocus:
        return addTags(*value, m_isNegated);
    case LensKey::TagIgnore:
        return addTags(*value, !m_isNegated);
    case LensKey::Series:
        return setSeries(*value);
    case LensKey::Time:
        return setTime(*value);
    case LensKey::Trace:
        return setTrace(*value);
    case LensKey::Span:
        return addSpan(SpanTermKind::Name, *value);
    case LensKey::SpanId:
        return addSpan(SpanTermKind::Id, *value);
    case LensKey::Granularity: {
        const std::optional<Granularity> granularity = granularityNamed(value->text, true);
        return granularity ? setGranularity(*granularity, value->begin)
                           : fail(value->begin,
                                  "unknown granularity " + inQuotes(value->text) +
                                      "; there are functions, filefunctions, files, lines, binaries and "
                                      "addresses");
    }
    case LensKey::Under:
    case LensKey::TagRoot:
    case LensKey::TagLeaf:
    case LensKey::By:
        break;
    }
    return true;
}

/// The token at hand; there has to be one. `name` is what stands before it.
std::optional<LensToken> Parser::readValue(std::string_view name)
{
    std::optional<LensToken> value = readToken(m_text, m_at);
    if (!value) {
        fail(m_at, "the quote is not closed");
    } else if (value->text.empty() && !value->isQuoted) {
        fail(m_at, "a value is missing behind " + inQuotes(name));
        value.reset();
    } else {
        m_at = value->end;
    }
    return value;
}

bool Parser::readList(std::string_view name, std::vector<LensToken> &items)
{
    for (const std::size_t begin = m_at;;) {
        std::optional<LensToken> item = readToken(m_text, m_at, ",");
        if (!item)
            return fail(m_at, "the quote is not closed");
        m_at = item->end;
        if (item->isQuoted || !item->text.empty()) // pprof does not mind a comma too many
            items.push_back(std::move(*item));
        if (isAtEndOfTerm() || peek() != ',')
            return !items.empty() || fail(begin, "a value is missing behind " + inQuotes(name));
        ++m_at;
    }
}

bool Parser::readNames(std::string_view name, std::vector<std::string> &names)
{
    std::vector<LensToken> items;
    if (!readList(name, items))
        return false;
    for (LensToken &item : items)
        names.push_back(std::move(item.text));
    return true;
}

bool Parser::readGrouping(std::string_view name)
{
    std::vector<LensToken> items;
    if (!readList(name, items))
        return false;
    for (LensToken &item : items) {
        const std::optional<Granularity> granularity =
            item.isQuoted ? std::nullopt : granularityNamed(item.text, false);
        if (!granularity)
            m_lens.groupBy.push_back(std::move(item.text));
        else if (!setGranularity(*granularity, item.begin))
            return false;
    }
    return true;
}

bool Parser::addPath(PathTermKind kind, const LensToken &value, bool isNegated)
{
    const bool isRegex = kind != PathTermKind::Literal && kind != PathTermKind::FrameKind;
    if (isRegex && !checkRegex(value.text, value.begin))
        return false;
    m_lens.paths.push_back({kind, value.text, isNegated});
    return true;
}

bool Parser::addFrame(FrameTermKind kind, const LensToken &value)
{
    m_lens.frames.push_back({kind, value.text});
    return checkRegex(value.text, value.begin);
}

bool Parser::addTags(const LensToken &value, bool isNegated)
{
    if (const Result<TagFilter> filter = TagFilter::parse(value.text); !filter)
        return fail(value.begin, filter.error().message);
    m_lens.tags.push_back({value.text, isNegated});
    return true;
}

bool Parser::setSeries(const LensToken &value)
{
    if (std::exchange(m_hasSeries, true))
        return fail(m_termAt, "there is another series before; a lens shows one");
    m_lens.series = value.text;
    return true;
}

bool Parser::setTime(const LensToken &value)
{
    if (std::exchange(m_hasTime, true))
        return fail(m_termAt, "there is another time before; a lens shows one range");
    const Result<TimeTerm> time = parseTimeTerm(value.text);
    if (!time)
        return fail(value.begin, time.error().message);
    m_lens.time = *time;
    return true;
}

bool Parser::setTrace(const LensToken &value)
{
    if (!m_lens.trace.empty())
        return fail(m_termAt, "there is another trace before; a lens shows one");
    if (!isHexOf(value.text, 32))
        return fail(value.begin, "a trace is 32 hex digits, or the first of them");
    m_lens.trace = inLowerCase(value.text);
    return true;
}

bool Parser::addSpan(SpanTermKind kind, const LensToken &value)
{
    if (kind == SpanTermKind::Matches && !checkRegex(value.text, value.begin))
        return false;
    if (kind == SpanTermKind::Id && !isHexOf(value.text, 16))
        return fail(value.begin, "the id of a span is 16 hex digits, or the first of them");
    std::string text = kind == SpanTermKind::Id ? inLowerCase(value.text) : value.text;
    m_lens.spans.push_back({kind, std::move(text), 0, m_isNegated});
    return true;
}

bool Parser::setGranularity(Granularity granularity, std::size_t at)
{
    if (m_granularity && *m_granularity != granularity)
        return fail(at, "rows are by " + std::string(nameOf(*m_granularity)) + " already");
    m_granularity = granularity;
    m_lens.granularity = granularity;
    return true;
}

bool Parser::checkRegex(std::string_view expression, std::size_t at)
{
    const Result<Matcher> matcher = Matcher::regex(expression);
    return matcher || fail(at, matcher.error().message);
}

} // namespace

tl::expected<Lens, LensError> parseLens(std::string_view text)
{
    return Parser(text).parse();
}

} // namespace hearth
