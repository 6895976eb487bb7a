#include "model/store/snapshot.h"

namespace hearth {

std::uint64_t Snapshot::sampleCount() const
{
    std::uint64_t count = 0;
    for (const SampleTable &table : tables)
        count += table.rows;
    return count;
}

} // namespace hearth
