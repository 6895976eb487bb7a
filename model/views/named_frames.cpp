#include "model/views/named_frames.h"

#include "model/views/entry_table.h"

#include <string>
#include <unordered_map>

namespace hearth {

std::vector<std::uint64_t> framesNamed(const Snapshot &snapshot, std::span<const std::string_view> names)
{
    std::unordered_map<std::string_view, std::uint64_t> bitsOf;
    for (std::size_t i = 0; i < names.size(); ++i)
        bitsOf[names[i]] |= std::uint64_t(1) << i;
    const auto bitsOfName = [&](std::string_view name) {
        const auto found = bitsOf.find(name);
        return found == bitsOf.end() ? 0 : found->second;
    };
    std::vector<std::uint64_t> ofFunction(snapshot.functions.size());
    for (std::size_t function = 0; function < ofFunction.size(); ++function)
        ofFunction[function] = bitsOfName(snapshot.text(snapshot.functions[function].name));
    std::vector<std::uint64_t> ofBinary(snapshot.binaries.size());
    for (std::size_t binary = 0; binary < ofBinary.size(); ++binary)
        ofBinary[binary] =
            bitsOfName('[' + std::string(baseName(snapshot.text(snapshot.binaries[binary].path))) + ']');
    std::vector<std::uint64_t> ofFrame(snapshot.frames.size());
    for (std::size_t frame = 0; frame < ofFrame.size(); ++frame) {
        const std::span<const Line> lines = snapshot.linesOf(FrameId(frame));
        for (const Line &line : lines)
            if (!line.function.isNone())
                ofFrame[frame] |= ofFunction[line.function.value];
        if (const auto binary = snapshot.binaryOf(FrameId(frame)); lines.empty() && binary)
            ofFrame[frame] = ofBinary[binary->value];
    }
    return ofFrame;
}

std::vector<bool> framesNamed(const Snapshot &snapshot, std::string_view name)
{
    std::vector<bool> found;
    found.reserve(snapshot.frames.size());
    for (const std::uint64_t bits : framesNamed(snapshot, std::span(&name, 1)))
        found.push_back(bits != 0);
    return found;
}

} // namespace hearth
