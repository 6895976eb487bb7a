#pragma once

#include "model/views/entry_weights.h"
#include "model/views/evaluator.h"
#include "model/views/line_weights.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace hearth {

/// What samples that were taken in something weigh, and with those taken in what it called.
struct CodeWeight {
    std::int64_t self = 0;
    std::int64_t total = 0;

    bool operator==(const CodeWeight &) const = default;
};

/// A place in a binary's file that samples have on their stacks.
struct PlaceWeight {
    BinaryId binary;
    std::uint64_t offset = 0;
    CodeWeight weight;
};

/// A place of a function, which may have been inlined there.
struct FunctionPlace {
    PlaceWeight place;
    bool isInlined = false;
};

/// What lines and places weigh under a lens. Lines are those of functions, inlined ones too, as in pprof's
/// -list; places are counted once, whatever was inlined there, as in its -disasm. Immutable.
class CodeWeights {
public:
    /// @return nothing if stopped
    static std::optional<CodeWeights> build(std::shared_ptr<const Snapshot> snapshot,
                                            std::shared_ptr<const Evaluation> byLine,
                                            std::shared_ptr<const Evaluation> byAddress,
                                            const std::stop_token &stop);

    const Evaluation &evaluation() const { return *m_byLine; }

    /// A stack counts once, however often the function recurs in it.
    CodeWeight of(std::string_view function) const;
    /// By file and line. Lines without any weight are left out.
    std::vector<LineWeight> linesOf(std::string_view function) const;
    /// Wherever the function was seen, by binary and offset. Builds that share a path share what one place
    /// weighs in both.
    std::vector<FunctionPlace> placesOf(std::string_view function) const;
    /// What is known of a part of a binary's file, by offset.
    std::span<const PlaceWeight> placesIn(BinaryId binary, std::uint64_t begin, std::uint64_t end) const;

private:
    CodeWeights() = default;

    std::shared_ptr<const Snapshot> m_snapshot;
    std::shared_ptr<const Evaluation> m_byLine;
    EntryWeights m_lines;
    std::vector<PlaceWeight> m_places; ///< by binary and offset
};

/// Computes them, and remembers what the next lens or snapshot needs. Of one caller at a time.
class CodeWeigher {
public:
    /// @return null if stopped; an error if the lens does not fit the data set
    Result<std::shared_ptr<const CodeWeights>> weigh(const std::shared_ptr<const Snapshot> &snapshot,
                                                     const Lens &lens, const std::stop_token &stop = {});

private:
    Evaluator m_byLine;
    Evaluator m_byAddress;
    std::shared_ptr<const Evaluation> m_lines; ///< what the last weights were made of
    std::shared_ptr<const Evaluation> m_addresses;
    std::shared_ptr<const CodeWeights> m_last;
};

} // namespace hearth
