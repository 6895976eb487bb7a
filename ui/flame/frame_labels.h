#pragma once

#include "model/views/entry_table.h"
#include "model/views/short_name.h"

#include <QString>

#include <cstdint>
#include <unordered_map>

class QFontMetrics;

namespace hearth {

/// Names cut to the room that boxes have, by function and width: finding out what fits costs more than
/// drawing it.
class FrameLabels {
public:
    /// @param detail the most of a name that is shown
    explicit FrameLabels(NameDetail detail = NameDetail::Full) : m_detail(detail) {}

    /// Empty if nothing fits that would say anything.
    /// @param isBold `metrics` are those of the bold font
    const QString &fitting(EntryId id, std::string_view name, int room, const QFontMetrics &metrics,
                           bool isBold = false);
    void clear() { m_labels.clear(); }

private:
    NameDetail m_detail;
    std::unordered_map<std::uint64_t, QString> m_labels;
};

} // namespace hearth
