#include "model/lens/lens_words.h"

#include "model/lens/lens_quoting.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace hearth {

namespace {

struct KeyName {
    LensKey key;
    std::string_view name;
};
/// The first name of each key is the one that is printed. Behind it come the words of other tools.
constexpr KeyName kKeyNames[] = {
    {LensKey::Regex, "regex"},
    {LensKey::Focus, "focus"},
    {LensKey::Focus, "keep"},
    {LensKey::Focus, "SS"},
    {LensKey::Ignore, "ignore"},
    {LensKey::Ignore, "drop"},
    {LensKey::Ignore, "HS"},
    {LensKey::Library, "lib"},
    {LensKey::File, "file"},
    {LensKey::FrameKind, "type"},
    {LensKey::Self, "self"},
    {LensKey::Hide, "hide"},
    {LensKey::Hide, "HF"},
    {LensKey::Show, "show"},
    {LensKey::From, "from"},
    {LensKey::From, "show_from"},
    {LensKey::From, "show-from"},
    {LensKey::From, "SFF"},
    {LensKey::To, "to"},
    {LensKey::Once, "once"},
    {LensKey::Collapse, "collapse"},
    {LensKey::Pivot, "pivot"},
    {LensKey::Pivot, "P"},
    {LensKey::Under, "under"},
    {LensKey::TagFocus, "tagfocus"},
    {LensKey::TagIgnore, "tagignore"},
    {LensKey::Series, "series"},
    {LensKey::Series, "sample_index"},
    {LensKey::Time, "time"},
    {LensKey::Trace, "trace"},
    {LensKey::Span, kSpanWord},
    {LensKey::SpanId, "spanid"},
    {LensKey::TagRoot, "tagroot"},
    {LensKey::TagLeaf, "tagleaf"},
    {LensKey::By, "by"},
    {LensKey::Granularity, "granularity"},
};

struct GranularityName {
    Granularity granularity;
    std::string_view name;
    std::string_view plural; ///< what pprof calls it, or would
};
constexpr GranularityName kGranularityNames[] = {
    {Granularity::Function, "function", "functions"},
    {Granularity::FileFunction, "filefunction", "filefunctions"},
    {Granularity::File, "file", "files"},
    {Granularity::Line, "line", "lines"},
    {Granularity::Binary, "binary", "binaries"},
    {Granularity::Address, "address", "addresses"},
};

bool isKeyCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}

/// How many characters have to be typed, removed or replaced to make one word of the other.
std::size_t editDistance(std::string_view from, std::string_view to)
{
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (const char typed : from) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = diagonal + (typed == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

} // namespace

std::optional<LensKey> lensKeyNamed(std::string_view word)
{
    const auto *found = std::ranges::find(kKeyNames, word, &KeyName::name);
    return found == std::end(kKeyNames) ? std::nullopt : std::optional(found->key);
}

std::string_view nameOf(LensKey key)
{
    return std::ranges::find(kKeyNames, key, &KeyName::key)->name;
}

std::string_view nearestKey(std::string_view word)
{
    constexpr std::size_t kLongest = 16; // nothing longer is near to any key, and comparing costs
    std::string_view nearest;
    std::size_t best = word.size() <= 3 ? 2 : 3; // one mistake in a short word, two in a long one
    for (const KeyName &candidate : kKeyNames) {
        if (word.size() > kLongest || candidate.name.size() < 2)
            continue;
        const std::size_t distance = editDistance(word, candidate.name);
        if (distance < best && distance < candidate.name.size()) {
            best = distance;
            nearest = candidate.name;
        }
    }
    return nearest;
}

std::size_t keyLength(std::string_view word)
{
    std::size_t length = 0;
    while (length < word.size() && isKeyCharacter(word[length]))
        ++length;
    if (length == word.size() || (word[length] != ':' && word[length] != '='))
        return 0;
    const bool isDoubled = length + 1 < word.size() && word[length + 1] == word[length];
    return isDoubled ? 0 : length;
}

bool isSpanTerm(std::string_view word)
{
    const auto begins = [word](std::string_view name, std::string_view operators) {
        return word.starts_with(name) && word.size() > name.size() &&
               operators.find(word[name.size()]) != std::string_view::npos;
    };
    return word == kErrorWord || begins(kSpanWord, "~@") || begins(kDurationWord, "<>");
}

std::string_view comparisonOf(SpanTermKind kind)
{
    switch (kind) {
    case SpanTermKind::Longer:
        return ">";
    case SpanTermKind::AtLeast:
        return ">=";
    case SpanTermKind::Shorter:
        return "<";
    case SpanTermKind::AtMost:
        return "<=";
    default:
        return {};
    }
}

bool isPlainWord(std::string_view word)
{
    return canStandBare(word) && std::string_view("-@/").find(word[0]) == std::string_view::npos &&
           keyLength(word) == 0 && !isSpanTerm(word) && word != kNoInlinesWord && word != kInvertedWord &&
           word != kNoChildrenWord && word != kEstimatedWord;
}

std::optional<Granularity> granularityNamed(std::string_view word, bool acceptsPlural)
{
    for (const GranularityName &candidate : kGranularityNames)
        if (word == candidate.name || (acceptsPlural && word == candidate.plural))
            return candidate.granularity;
    return std::nullopt;
}

std::string_view nameOf(Granularity granularity)
{
    return std::ranges::find(kGranularityNames, granularity, &GranularityName::granularity)->name;
}

} // namespace hearth
