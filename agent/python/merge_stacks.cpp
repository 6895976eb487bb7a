#include "agent/python/merge_stacks.h"

#include <algorithm>

namespace hearth::agent {

namespace {

/// Pieces of CPython's stack, each what one call of the interpreter runs: from a number up to another.
struct Piece {
    std::size_t begin = 0;
    std::size_t end = 0;
};

std::vector<Piece> piecesOf(const std::vector<bool> &isEntry)
{
    std::vector<Piece> pieces;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < isEntry.size(); ++i)
        if (isEntry[i] || i + 1 == isEntry.size()) {
            pieces.push_back({begin, i + 1});
            begin = i + 1;
        }
    return pieces;
}

void append(std::vector<MergedFrame> &merged, const Piece &piece)
{
    for (std::size_t i = piece.begin; i < piece.end; ++i)
        merged.push_back({.isPython = true, .number = i});
}

} // namespace

std::vector<MergedFrame> mergeStacks(const std::vector<bool> &interprets, const std::vector<bool> &isEntry,
                                     bool isCut)
{
    const std::vector<Piece> pieces = piecesOf(isEntry);
    const auto calls = static_cast<std::size_t>(std::ranges::count(interprets, true));
    // How many at the leaf have no counterpart in the other stack.
    const std::size_t piecesAtLeaf = isCut || pieces.size() < calls ? 0 : pieces.size() - calls;
    const std::size_t callsAtLeaf = isCut || calls < pieces.size() ? 0 : calls - pieces.size();
    std::vector<MergedFrame> merged;
    for (std::size_t i = 0; i < piecesAtLeaf; ++i)
        append(merged, pieces[i]);
    std::size_t call = 0;
    for (std::size_t i = 0; i < interprets.size(); ++i) {
        if (!interprets[i]) {
            merged.push_back({.isPython = false, .number = i});
            continue;
        }
        const std::size_t piece = call - callsAtLeaf + piecesAtLeaf;
        if (call < callsAtLeaf || piece >= pieces.size())
            merged.push_back({.isPython = false, .number = i});
        else
            append(merged, pieces[piece]);
        ++call;
    }
    return merged;
}

} // namespace hearth::agent
