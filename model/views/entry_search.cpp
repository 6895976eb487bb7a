#include "model/views/entry_search.h"

#include "model/views/entry_weights.h"

#include <algorithm>

namespace hearth {

namespace {

char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool isSameLetter(char a, char b)
{
    return lower(a) == lower(b);
}

bool isWordLetter(char letter)
{
    const char small = lower(letter);
    return (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9') ||
           static_cast<unsigned char>(small) >= 0x80;
}

bool beginsWord(std::string_view name, std::size_t at)
{
    const bool isHump = at > 0 && name[at] != lower(name[at]) && name[at - 1] == lower(name[at - 1]);
    return at == 0 || !isWordLetter(name[at - 1]) || isHump;
}

bool hasLettersInOrder(std::string_view name, std::string_view letters)
{
    std::size_t found = 0;
    for (const char letter : name)
        if (found < letters.size() && isSameLetter(letter, letters[found]))
            ++found;
    return found == letters.size();
}

} // namespace

NameFit fitOf(std::string_view name, std::string_view typed)
{
    if (typed.empty())
        return NameFit::Inside;
    NameFit best = NameFit::None;
    for (auto at = name.begin();; ++at) {
        at = std::search(at, name.end(), typed.begin(), typed.end(), isSameLetter);
        if (at == name.end())
            break;
        const auto position = static_cast<std::size_t>(at - name.begin());
        if (position == 0)
            return name.size() == typed.size() ? NameFit::Whole : NameFit::Beginning;
        best = std::min(best, beginsWord(name, position) ? NameFit::Word : NameFit::Inside);
    }
    return best == NameFit::None && hasLettersInOrder(name, typed) ? NameFit::Letters : best;
}

std::optional<std::vector<EntryHit>> findEntries(const CallTree &tree, std::string_view typed,
                                                 std::size_t limit, const std::stop_token &stop)
{
    const auto weights = entryWeights(tree, stop);
    if (!weights)
        return std::nullopt;
    std::vector<EntryHit> hits;
    for (std::size_t i = 0; i < weights->total.size(); ++i) {
        if ((i & 0xfff) == 0 && stop.stop_requested())
            return std::nullopt;
        if (weights->total[i] == 0)
            continue;
        if (const NameFit fit = fitOf(tree.entries()[EntryId(i)].name, typed); fit != NameFit::None)
            hits.push_back({EntryId(i), fit, weights->total[i]});
    }
    const auto isBetter = [&](const EntryHit &a, const EntryHit &b) {
        return a.fit != b.fit ? a.fit < b.fit
                              : isHeavier(a.weight, tree.entries()[a.entry].name, b.weight,
                                          tree.entries()[b.entry].name);
    };
    const std::size_t kept = std::min(limit, hits.size());
    std::ranges::partial_sort(hits, hits.begin() + static_cast<std::ptrdiff_t>(kept), isBetter);
    hits.resize(kept);
    return hits;
}

} // namespace hearth
