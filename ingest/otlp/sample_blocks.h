#pragma once

#include "model/store/batch.h"

#include <array>
#include <optional>

namespace hearth::otlp {

/// Turns the samples of profiles into blocks of the batch. A profile has one series; several that follow one
/// another and have the same samples, but for the values, were measured together and become one block.
class SampleBlocks {
public:
    explicit SampleBlocks(Batch &batch) : m_batch(batch) {}

    /// @param block without chunks
    void add(SampleBlock block, SampleRows rows);

    /// Ends the blocks at hand: what comes next does not belong to them.
    void flush();

private:
    struct Open {
        SampleBlock block;
        SampleRows rows;
    };

    static bool belongTogether(const Open &open, const SampleBlock &block, const SampleRows &rows);
    void flush(std::optional<Open> &open);

    Batch &m_batch;
    std::array<std::optional<Open>, 2> m_open; ///< without times, with times
};

} // namespace hearth::otlp
