#pragma once

#include "model/views/evaluator.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace hearth {

/// What a lens shows of a binary, and how much of that can be read.
struct BinaryRow {
    std::string_view path; ///< empty: of all frames without a binary, if some of them have no names
    std::int64_t self = 0;
    std::int64_t total = 0;
    std::int64_t nameless = 0; ///< at most so much would become readable by its symbols
    std::size_t frames = 0;
    std::size_t namelessFrames = 0;
    double named = 1;                       ///< share of what its frames weigh
    std::vector<BinaryId> builds;           ///< that have this path
    std::vector<std::string_view> buildIds; ///< of these, as far as they have any
    /// Of these builds, of the one that is worst off; null if nobody looked, because names came with samples.
    const BinarySymbols *symbols = nullptr;
};

/// For people: the last part of its path.
std::string_view nameOf(const BinaryRow &row);
/// Why frames of it have no names, or what else one would wish of its symbols. Never empty where a frame has
/// no name.
std::string_view problemOf(const BinaryRow &row);
/// What would help most; empty if nothing is known to.
std::string_view adviceOf(const BinaryRow &row);

/// Rows, those first that symbols would help most, then the heaviest; and what keeps their texts alive.
struct BinaryTable {
    std::vector<BinaryRow> rows;
    std::int64_t whole = 0; ///< what the lens shows of all
    std::vector<EntriesView> entries;
    std::shared_ptr<const Snapshot> snapshot;
};

/// @param evaluator remembers what later calls need, too
/// @return nothing if stopped, or if the lens cannot be evaluated
std::optional<BinaryTable> binaryTable(Evaluator &evaluator, const std::shared_ptr<const Snapshot> &snapshot,
                                       const Lens &lens, const std::stop_token &stop);

} // namespace hearth
