#include "model/store/batch.h"

namespace hearth {

Batch::Batch() : strings{{}}, stacks(1), attributeSets(1), contexts(1), links(1) {}

StringId Batch::addString(std::string_view text)
{
    const StringId id(strings.size());
    strings.push_back(arena.store(text));
    return id;
}

} // namespace hearth
