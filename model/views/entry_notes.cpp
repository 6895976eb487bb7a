#include "model/views/entry_notes.h"

#include "model/lens/attribute_keys.h"
#include "model/views/named_frames.h"

#include <set>

namespace hearth {

std::vector<std::string> entryNotesOf(const Snapshot &snapshot, std::string_view name)
{
    if (snapshot.frameNotes.size() + snapshot.mappingNotes.size() == 0)
        return {};
    const std::vector<bool> frames = framesNamed(snapshot, name);
    std::vector<bool> mappings(snapshot.mappings.size());
    for (std::size_t frame = 0; frame < frames.size(); ++frame)
        if (const MappingId mapping = snapshot.frames[frame].mapping; frames[frame] && !mapping.isNone())
            mappings[mapping.value] = true;
    std::set<std::string> notes;
    const auto add = [&](AttributeId id) {
        const Attribute &attribute = snapshot.attributes[id.value];
        std::string note(snapshot.text(attribute.key));
        note += " = " + printAttribute(snapshot, attribute);
        if (attribute.unit != StringId())
            note += ' ' + std::string(snapshot.text(attribute.unit));
        notes.insert(std::move(note));
    };
    for (const FrameNote &note : snapshot.frameNotes)
        if (frames[note.of.value])
            add(note.attribute);
    for (const MappingNote &note : snapshot.mappingNotes)
        if (mappings[note.of.value])
            add(note.attribute);
    return {notes.begin(), notes.end()};
}

} // namespace hearth
