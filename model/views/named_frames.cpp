#include "model/views/named_frames.h"

#include "model/views/entry_table.h"

#include <algorithm>

namespace hearth {

std::vector<bool> framesNamed(const Snapshot &snapshot, std::string_view name)
{
    const bool isBinary = name.starts_with('[') && name.ends_with(']');
    const std::string_view binaryName = isBinary ? name.substr(1, name.size() - 2) : std::string_view();
    std::vector<bool> found(snapshot.frames.size());
    for (std::size_t frame = 0; frame < found.size(); ++frame) {
        const std::span<const Line> lines = snapshot.linesOf(FrameId(frame));
        found[frame] = std::ranges::any_of(lines, [&](const Line &line) {
            return !line.function.isNone() &&
                   snapshot.text(snapshot.functions[line.function.value].name) == name;
        });
        const auto binary = snapshot.binaryOf(FrameId(frame));
        if (isBinary && lines.empty() && binary)
            found[frame] = baseName(snapshot.text(snapshot.binaries[binary->value].path)) == binaryName;
    }
    return found;
}

} // namespace hearth
