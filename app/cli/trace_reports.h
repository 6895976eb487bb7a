#pragma once

#include "app/cli/data_set.h"
#include "model/views/trace_evaluator.h"

#include <optional>
#include <string>
#include <string_view>

namespace hearth::cli {

// What `hearth traces` and `hearth spans` have in common.

/// Files with what a lens shows of their traces.
struct OpenedTraces {
    std::shared_ptr<const Snapshot> snapshot;
    Evaluation samples; ///< series, total and matched alone; nothing if the files have no samples
    std::shared_ptr<const TraceEvaluation> traces;

    const SpanTable &table() const { return traces->study->table; }
    std::string_view text(StringId id) const { return snapshot->text(id); }
};

/// Complains of what is wrong with spans. @return nothing after complaining of a failure
std::optional<OpenedTraces> openTraces(const Arguments &arguments, Lens lens, Exit &status);

/// "2026-11-21T14:05:30.25Z"; "-" if it is not known.
std::string timeText(std::int64_t ns);

/// "418 ms"
std::string durationText(std::int64_t ns);

} // namespace hearth::cli
