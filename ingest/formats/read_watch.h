#pragma once

#include "ingest/formats/format.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace hearth {

/// What a reader looks after now and then: whether it is to stop, how far it is, whether there is memory
/// left.
class ReadWatch {
public:
    /// @param losses get it when the memory budget is reached
    ReadWatch(const ReadOptions &options, Losses &losses) : m_options(options), m_losses(losses) {}

    /// Cheap enough to be asked with every record: mostly it only looks at the position.
    bool isDue(std::uint64_t position) const { return position >= m_nextCheck; }

    /// @param place for people: "line 12"
    /// @return false if reading is over
    bool goesOn(std::uint64_t position, std::size_t bytesUsed, const std::string &place);

    bool isOver() const { return m_isOver; }
    bool isCancelled() const { return m_isCancelled; }

private:
    const ReadOptions &m_options;
    Losses &m_losses;
    std::uint64_t m_nextCheck = 0;
    bool m_isOver = false;
    bool m_isCancelled = false;
};

} // namespace hearth
