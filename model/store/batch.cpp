#include "model/store/batch.h"

namespace hearth {

Batch::Batch() : strings{{}}, stacks(1), attributeSets(1), contexts(1), links(1) {}

Batch Batch::copy() const
{
    Batch copy;
    copy.origin = origin;
    copy.losses = losses;
    copy.strings.clear();
    copy.strings.reserve(strings.size());
    for (const std::string_view text : strings)
        copy.strings.push_back(copy.arena.store(text));
    copy.functions = functions;
    copy.lines = lines;
    copy.binaries = binaries;
    copy.mappings = mappings;
    copy.frames = frames;
    copy.stacks = stacks;
    copy.frameNotes = frameNotes;
    copy.mappingNotes = mappingNotes;
    copy.attributes = attributes;
    copy.attributeLists = attributeLists;
    copy.attributeSets = attributeSets;
    copy.contexts = contexts;
    copy.links = links;
    copy.blocks = blocks;
    copy.spans = spans;
    copy.logs = logs;
    copy.metrics = metrics;
    copy.points = points;
    return copy;
}

StringId Batch::addString(std::string_view text)
{
    const StringId id(strings.size());
    strings.push_back(arena.store(text));
    return id;
}

} // namespace hearth
