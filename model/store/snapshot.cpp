#include "model/store/snapshot.h"

#include <algorithm>

namespace hearth {

std::uint64_t Snapshot::sampleCount() const
{
    std::uint64_t count = 0;
    for (const SampleTable &table : tables)
        count += table.rows;
    return count;
}

Origin mergedOrigin(const Snapshot &snapshot)
{
    Origin merged;
    const auto takeText = [&](const Origin &origin, std::string Origin::*text) {
        if ((merged.*text).empty())
            merged.*text = origin.*text;
    };
    for (const Origin &origin : snapshot.origins) {
        if (merged.timeNs == 0 || (origin.timeNs != 0 && origin.timeNs < merged.timeNs))
            merged.timeNs = origin.timeNs;
        merged.durationNs += origin.durationNs;
        for (const std::string &comment : origin.comments)
            if (std::ranges::find(merged.comments, comment) == merged.comments.end())
                merged.comments.push_back(comment);
        for (const auto text : {&Origin::name, &Origin::format, &Origin::generation, &Origin::dropFrames,
                                &Origin::keepFrames, &Origin::defaultSeries, &Origin::docUrl})
            takeText(origin, text);
    }
    return merged;
}

} // namespace hearth
