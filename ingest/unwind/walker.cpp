#include "ingest/unwind/walker.h"

#include <cstring>

namespace hearth {

struct StackMemory {
    StackCopy stack;
};

static inline int readWord(StackMemory *memory, __u64 address, __u64 *word)
{
    const StackCopy &stack = memory->stack;
    if (address < stack.address || stack.bytes.size() < sizeof *word ||
        address - stack.address > stack.bytes.size() - sizeof *word)
        return 0;
    std::memcpy(word, stack.bytes.data() + (address - stack.address), sizeof *word);
    return 1;
}

} // namespace hearth

#include "ingest/unwind/step.h"

namespace hearth {

Walk walkStack(UnwindRegisters registers, const StackCopy &stack, const RuleLookup &ruleAt)
{
    StackMemory memory{stack};
    Walk walk;
    for (;;) {
        const std::uint64_t place = registers.ip - (registers.isReturnAddress != 0 ? 1 : 0);
        walk.places.push_back(place);
        switch (unwindStep(&memory, &registers, ruleAt(place))) {
        case kStepOutermost:
            return walk;
        case kStepUnreadable:
            walk.stop = kStopUnreadable;
            return walk;
        case kStepLost:
            walk.stop = kStopLost;
            return walk;
        default:
            break;
        }
        if (walk.places.size() == kMostUserFrames) {
            walk.stop = kStopTooDeep;
            return walk;
        }
    }
}

} // namespace hearth
