#pragma once

#include "model/views/advice.h"
#include "model/views/binary_table.h"
#include "model/views/data_set_facts.h"
#include "model/views/evaluator.h"
#include "model/views/top_table.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace hearth {

/// The heaviest values of an attribute. Its rows refer to its texts: it stays where it is made.
struct AttributeTop {
    std::string key;
    TopTable values; ///< rowCount says how many there are
};

/// What a data set is, what weighs most in what a lens shows of it, and what is worth a look.
struct Overview {
    std::shared_ptr<const Snapshot> snapshot;
    DataSetFacts facts;
    std::shared_ptr<const Evaluation> evaluation; ///< by function, without groups
    double named = 1;                             ///< share of what ran in functions with a name
    TopTable functions;                           ///< by what they weigh themselves
    BinaryTable binaries;                         ///< all, by what they weigh themselves
    std::deque<AttributeTop> attributes;          ///< processes and the like, as far as there are several
    std::vector<Advice> advice;                   ///< what helps most comes first
};

/// @param evaluator remembers what later calls need, too
/// @param rows at most so many of functions, and of each attribute
/// @return nothing if stopped, or if the lens does not fit the data set
std::optional<Overview> overviewOf(Evaluator &evaluator, const std::shared_ptr<const Snapshot> &snapshot,
                                   Lens lens, std::size_t rows, const std::stop_token &stop);

} // namespace hearth
