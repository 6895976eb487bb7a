#include "ui/flame/frame_labels.h"

#include "ui/theme/figures.h"

#include <QFontMetrics>

namespace hearth {

const QString &FrameLabels::fitting(EntryId id, std::string_view name, int room, const QFontMetrics &metrics,
                                    bool isBold)
{
    const std::uint64_t key = (std::uint64_t(id.value) << 32) |
                              (std::uint64_t(static_cast<std::uint32_t>(room)) << 1) | (isBold ? 1U : 0U);
    auto [known, isNew] = m_labels.try_emplace(key);
    if (isNew) {
        const std::string fitting = shortName(detailedName(name, m_detail), [&](std::string_view text) {
            return metrics.horizontalAdvance(qString(text)) <= room;
        });
        known->second = metrics.elidedText(qString(fitting), Qt::ElideRight, room);
        if (known->second == QChar(0x2026))
            known->second.clear();
    }
    return known->second;
}

} // namespace hearth
