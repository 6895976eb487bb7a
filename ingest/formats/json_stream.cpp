#include "ingest/formats/json_stream.h"

#include "model/lens/utf8.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

namespace hearth {

namespace {

constexpr std::size_t kLongestString = std::size_t(64) << 20;
constexpr std::size_t kLongestNumber = 1000;

bool isSpace(char character)
{
    return character == ' ' || character == '\n' || character == '\t' || character == '\r';
}

/// Ends a number or a word.
bool isDelimiter(char character)
{
    return isSpace(character) || character == ',' || character == ']' || character == '}' || character == ':';
}

/// Eight characters as a number, of which the first is the lowest byte.
std::uint64_t eightAt(const char *at)
{
    std::uint64_t word = 0;
    if constexpr (std::endian::native == std::endian::little)
        std::memcpy(&word, at, sizeof word);
    else
        for (std::size_t byte = 0; byte < 8; ++byte)
            word |= std::uint64_t(static_cast<unsigned char>(at[byte])) << (8 * byte);
    return word;
}

/// How many of the next eight characters are digits, from the first on, and what number they are.
/// REQUIRES: eight characters
std::size_t readEightDigits(const char *at, std::uint64_t &value)
{
    constexpr std::uint64_t kUpperHalves = 0xf0f0f0f0f0f0f0f0;
    constexpr std::uint64_t kThrees = 0x3030303030303030;
    std::uint64_t word = eightAt(at);
    // Digits are 0x30 to 0x39: the upper half is 3, and is so still when 6 is added. What that carries comes
    // from a byte that is none.
    const std::uint64_t others =
        ((word & kUpperHalves) ^ kThrees) | (((word + 0x0606060606060606) & kUpperHalves) ^ kThrees);
    const std::size_t digits = others == 0 ? 8 : static_cast<std::size_t>(std::countr_zero(others)) / 8;
    if (digits == 0)
        return 0;
    word = (word << (64 - 8 * digits)) & 0x0f0f0f0f0f0f0f0f; // zeros before it make it eight digits
    word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ff;
    word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffff;
    value = (word * 10000 + (word >> 32)) & 0xffffffff;
    return digits;
}

/// The same of at most 16 digits. REQUIRES: 16 characters
std::size_t readDigits(const char *at, std::int64_t &value)
{
    constexpr std::array<std::uint64_t, 9> kPowers{1,       10,        100,        1'000,      10'000,
                                                   100'000, 1'000'000, 10'000'000, 100'000'000};
    std::uint64_t upper = 0;
    std::uint64_t lower = 0;
    std::size_t digits = readEightDigits(at, upper);
    if (digits == 8) {
        const std::size_t more = readEightDigits(at + 8, lower);
        upper *= kPowers.at(more);
        digits += more;
    }
    value = static_cast<std::int64_t>(upper + lower);
    return digits;
}

/// The four digits behind "\u". @return nothing if they are none
std::optional<std::uint32_t> codeUnit(std::string_view digits)
{
    std::uint32_t unit = 0;
    const auto parsed =
        std::from_chars(digits.data(), digits.data() + std::min<std::size_t>(digits.size(), 4), unit, 16);
    if (digits.size() < 4 || parsed.ec != std::errc() || parsed.ptr != digits.data() + 4)
        return std::nullopt;
    return unit;
}

/// The first quotation mark or backslash, eight characters at a time as long as there are so many.
const char *findQuoteOrEscape(const char *at, const char *end)
{
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    constexpr std::uint64_t kHighs = 0x8080808080808080;
    for (; end - at >= 8; at += 8) {
        const std::uint64_t word = eightAt(at);
        const std::uint64_t quotes = word ^ (kOnes * '"');
        const std::uint64_t escapes = word ^ (kOnes * '\\');
        // A byte that is zero; those above it may be marked by what it borrows, and do not matter.
        const std::uint64_t found = (((quotes - kOnes) & ~quotes) | ((escapes - kOnes) & ~escapes)) & kHighs;
        if (found != 0)
            return at + std::countr_zero(found) / 8;
    }
    while (at != end && *at != '"' && *at != '\\')
        ++at;
    return at;
}

} // namespace

JsonStream::JsonStream(InputStream &input, ProfileBuilder &builder) : m_input(input), m_builder(builder)
{
    m_input.ensure(3);
    const auto window = m_input.window();
    if (window.size() >= 3 && window[0] == 0xef && window[1] == 0xbb && window[2] == 0xbf)
        m_input.consume(3);
    m_at = reinterpret_cast<const char *>(m_input.window().data());
    m_end = m_at + m_input.window().size();
}

std::uint64_t JsonStream::position() const
{
    return m_input.position() +
           static_cast<std::uint64_t>(m_at - reinterpret_cast<const char *>(m_input.window().data()));
}

/// Adds input behind what is at hand, which is from m_at on. @return false at the end
bool JsonStream::more()
{
    m_input.consume(static_cast<std::size_t>(m_at - reinterpret_cast<const char *>(m_input.window().data())));
    if (!m_builder.goesOn(m_input.position(),
                          [this] { return "byte " + std::to_string(m_input.position()); })) {
        m_isOk = false;
        return false;
    }
    const bool isMore = m_input.extend();
    m_at = reinterpret_cast<const char *>(m_input.window().data());
    m_end = m_at + m_input.window().size();
    return isMore;
}

void JsonStream::fail(Loss loss, const std::string &what)
{
    if (m_isOk)
        m_fault = InputFault{loss, what + " at byte " + std::to_string(position())};
    m_isOk = false;
}

void JsonStream::countLosses()
{
    if (m_fault)
        m_builder.losses().add(m_fault->loss, m_fault->message);
    if (m_tooDeep > 0)
        m_builder.losses().add(Loss::OversizedFields,
                               std::to_string(m_tooDeep) + " objects or arrays are nested too deeply");
}

char JsonStream::peekFurther()
{
    while (m_isOk) {
        while (m_at != m_end && isSpace(*m_at))
            ++m_at;
        if (m_at != m_end)
            return *m_at;
        if (!more())
            fail(Loss::TruncatedInput, "the JSON text ends early,");
    }
    return 0;
}

JsonStream::Kind JsonStream::kind()
{
    switch (peek()) {
    case '{':
        return Kind::Object;
    case '[':
        return Kind::Array;
    case '"':
        return Kind::String;
    case 't':
        return Kind::True;
    case 'f':
        return Kind::False;
    case 'n':
        return Kind::Null;
    case 0:
        return Kind::None;
    default:
        return Kind::Number;
    }
}

bool JsonStream::open(char bracket)
{
    if (peek() != bracket || !m_isOk) {
        m_isUnread = true;
        return false;
    }
    if (m_depth == kDeepest) {
        ++m_tooDeep;
        m_isUnread = true;
        return false;
    }
    ++m_at;
    ++m_depth;
    m_isFirst = true;
    m_isUnread = false;
    return true;
}

/// Steps over the bracket that ends an object or array, or over the comma in front of what follows.
bool JsonStream::isClosed(char bracket)
{
    const bool isFirst = std::exchange(m_isFirst, false);
    const char next = peek();
    if (!m_isOk)
        return true;
    if (next == bracket) {
        ++m_at;
        --m_depth;
        m_isUnread = false;
        return true;
    }
    if (isFirst)
        return false;
    if (next != ',') {
        fail(Loss::DamagedInput, "neither a comma nor an end");
        return true;
    }
    ++m_at;
    return false;
}

bool JsonStream::nextElement()
{
    if (isClosed(']'))
        return false;
    if (peek() == ']') { // behind a comma: some writers leave one there
        ++m_at;
        --m_depth;
        m_isUnread = false;
        return false;
    }
    return m_isOk;
}

bool JsonStream::nextMember(std::string &key)
{
    if (isClosed('}'))
        return false;
    if (peek() != '"') {
        fail(Loss::DamagedInput, "no key");
        return false;
    }
    key = stringToken();
    if (m_isOk && peek() != ':')
        fail(Loss::DamagedInput, "no colon behind a key");
    if (!m_isOk)
        return false;
    ++m_at;
    return true;
}

/// @return how far from m_at the quotation mark is that ends the string that begins there; 0 if there is none
std::size_t JsonStream::findStringEnd(bool &hasEscapes)
{
    for (std::size_t length = 1;;) {
        const char *const at = findQuoteOrEscape(m_at + length, m_end);
        length = static_cast<std::size_t>(at - m_at);
        if (at != m_end && *at == '"')
            return length;
        if (at != m_end && m_end - at >= 2) {
            hasEscapes = true;
            length += 2;
        } else if (length > kLongestString) {
            fail(Loss::DamagedInput, "a string of more than 64 MiB");
            return 0;
        } else if (!more()) {
            fail(Loss::TruncatedInput, "the JSON text ends within a string");
            return 0;
        }
    }
}

std::string_view JsonStream::stringToken()
{
    bool hasEscapes = false;
    const std::size_t length = findStringEnd(hasEscapes);
    if (length == 0)
        return {};
    const std::string_view text(m_at + 1, length - 1);
    m_at += length + 1;
    if (!hasEscapes)
        return text;
    unescape(text);
    return m_text;
}

void JsonStream::unescape(std::string_view text)
{
    constexpr std::string_view kLetters = "bfnrt";
    constexpr std::string_view kMeanings = "\b\f\n\r\t";
    m_text.clear();
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\' || at + 1 == text.size()) {
            m_text += text[at];
            continue;
        }
        const char letter = text[++at];
        if (const std::size_t known = kLetters.find(letter); known != std::string_view::npos) {
            m_text += kMeanings[known];
        } else if (letter != 'u') {
            m_text += letter;
        } else if (const auto unit = codeUnit(text.substr(at + 1))) {
            at += 4;
            std::uint32_t code = *unit;
            const bool isHigh = code >= 0xd800 && code < 0xdc00;
            const auto low = isHigh && text.substr(at + 1).starts_with("\\u") ? codeUnit(text.substr(at + 3))
                                                                              : std::nullopt;
            if (low && *low >= 0xdc00 && *low < 0xe000) {
                code = 0x10000 + ((code - 0xd800) << 10) + (*low - 0xdc00);
                at += 6;
            }
            appendUtf8(m_text, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
        }
    }
}

std::string_view JsonStream::string()
{
    if (peek() != '"') {
        skip();
        return {};
    }
    m_isUnread = false;
    return stringToken();
}

/// A number or a word; empty if there is none.
std::string_view JsonStream::scalarToken()
{
    peek();
    std::size_t length = 0;
    while (m_isOk) {
        while (m_at + length != m_end && !isDelimiter(m_at[length]))
            ++length;
        if (m_at + length != m_end || length > kLongestNumber)
            break;
        if (!more()) {
            if (m_depth > 0) // there may be more digits where the text went on
                fail(Loss::TruncatedInput, "the JSON text ends within a value");
            break;
        }
    }
    if (!m_isOk)
        return {};
    if (length == 0 || length > kLongestNumber)
        fail(Loss::DamagedInput, "no value");
    const std::string_view token(m_at, length);
    m_at += length;
    m_isUnread = false;
    return token;
}

/// Most numbers are short, and lie wholly in what is at hand: their digits as a whole number, divided by a
/// power of ten, both of which a double holds exactly. @return nothing if this one is different
std::optional<double> JsonStream::shortNumber()
{
    constexpr std::ptrdiff_t kMostCharacters = 36;
    constexpr std::size_t kExactDigits = 15;
    constexpr std::array kPowers{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    if (m_end - m_at < kMostCharacters)
        return std::nullopt;
    const bool isNegative = *m_at == '-';
    const char *at = m_at + (isNegative ? 1 : 0);
    std::int64_t whole = 0;
    const std::size_t digits = readDigits(at, whole);
    at += digits;
    std::int64_t behind = 0;
    std::size_t decimals = 0;
    if (*at == '.') {
        decimals = readDigits(++at, behind);
        at += decimals;
        if (decimals == 0)
            return std::nullopt;
    }
    if (digits == 0 || digits + decimals > kExactDigits || !isDelimiter(*at))
        return std::nullopt;
    const double scale = kPowers.at(decimals);
    const double value = (static_cast<double>(whole) * scale + static_cast<double>(behind)) / scale;
    m_at = at;
    m_isUnread = false;
    return isNegative ? -value : value;
}

std::optional<double> JsonStream::number()
{
    peek();
    if (const auto value = m_isOk ? shortNumber() : std::nullopt)
        return value;
    if (kind() != Kind::Number) {
        skip();
        return std::nullopt;
    }
    const std::string_view token = scalarToken();
    double value = 0;
    const auto parsed = std::from_chars(token.data(), token.data() + token.size(), value);
    if (parsed.ec == std::errc() && parsed.ptr == token.data() + token.size())
        return value;
    if (parsed.ec != std::errc::result_out_of_range)
        fail(Loss::DamagedInput, "no number");
    return std::nullopt;
}

/// Most whole numbers are short, and lie wholly in what is at hand. @return nothing if this one is different
std::optional<std::int64_t> JsonStream::shortInteger()
{
    constexpr std::ptrdiff_t kMostCharacters = 19;
    if (m_end - m_at < kMostCharacters)
        return std::nullopt;
    const bool isNegative = *m_at == '-';
    const char *at = m_at + (isNegative ? 1 : 0);
    std::int64_t value = 0;
    const std::size_t digits = readDigits(at, value);
    if (digits == 0 || !isDelimiter(at[digits]))
        return std::nullopt;
    m_at = at + digits;
    m_isUnread = false;
    return isNegative ? -value : value;
}

std::optional<std::int64_t> JsonStream::integer()
{
    constexpr double kLimit = 9.2e18;
    peek();
    if (const auto value = m_isOk ? shortInteger() : std::nullopt)
        return value;
    if (kind() != Kind::Number) {
        skip();
        return std::nullopt;
    }
    const std::string_view token = scalarToken();
    const char *const end = token.data() + token.size();
    std::int64_t whole = 0;
    if (const auto parsed = std::from_chars(token.data(), end, whole);
        parsed.ec == std::errc() && parsed.ptr == end)
        return whole;
    double value = 0;
    const auto parsed = std::from_chars(token.data(), end, value);
    if (parsed.ec == std::errc() && parsed.ptr == end)
        return static_cast<std::int64_t>(std::clamp(std::round(value), -kLimit, kLimit));
    if (parsed.ec != std::errc::result_out_of_range)
        fail(Loss::DamagedInput, "no number");
    return std::nullopt;
}

bool JsonStream::boolean()
{
    const bool isTrue = kind() == Kind::True;
    skip();
    return isTrue;
}

void JsonStream::skip()
{
    m_isUnread = false;
    std::size_t depth = 0;
    do {
        if (!skipToken(depth))
            return;
    } while (depth > 0);
}

/// @param depth how many brackets are open. @return false where the text cannot be read on
bool JsonStream::skipToken(std::size_t &depth)
{
    bool hasEscapes = false;
    switch (peek()) {
    case '{':
    case '[':
        ++depth;
        ++m_at;
        break;
    case '}':
    case ']':
        if (depth == 0) {
            fail(Loss::DamagedInput, "no value");
            return false;
        }
        --depth;
        ++m_at;
        break;
    case '"':
        m_at += findStringEnd(hasEscapes) + 1;
        break;
    case ',':
    case ':':
        if (depth == 0)
            fail(Loss::DamagedInput, "no value");
        ++m_at;
        break;
    default:
        scalarToken();
    }
    return m_isOk;
}

} // namespace hearth
