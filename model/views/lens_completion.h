#pragma once

#include "model/views/evaluator.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

enum class CompletionKind : std::uint8_t {
    Key,
    Function,
    Binary,
    File,
    FrameKind,
    Attribute,
    Value,
    Series,
    Row,
    Span
};

/// What a term of a lens may become while it is typed.
struct Completion {
    CompletionKind kind = CompletionKind::Key;
    std::string term; ///< what to write instead of it
    std::string name; ///< what it is about: "json::parse" for `hide:^json::parse$`
    std::optional<std::int64_t> weight;
};

struct Completions {
    std::size_t begin = 0; ///< where in the text the term begins that is typed
    std::vector<Completion> items;
};

/// @param text up to the cursor
/// @return nothing if stopped
std::optional<Completions> completionsOf(const Snapshot &snapshot, const Evaluation &evaluation,
                                         std::string_view text, std::size_t limit,
                                         const std::stop_token &stop);

} // namespace hearth
