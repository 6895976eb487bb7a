#pragma once

#include "ingest/formats/id_map.h"
#include "ingest/formats/profile_builder.h"

#include <span>
#include <vector>

namespace hearth {

/// Stacks whose frames are known by a file's own numbers only, because what they are comes later in the file.
class LateStacks {
public:
    FrameId frame(std::uint64_t number) { return FrameId(m_frames.numberOf(number)); }
    StackId child(StackId parent, FrameId frame) { return m_stacks.child(parent, frame); }
    StackId path(std::span<const FrameId> leafFirst) { return m_stacks.path(leafFirst); }
    StackId parentOf(StackId stack) const { return m_stacks[stack].parent; }
    FrameId frameOf(StackId stack) const { return m_stacks[stack].frame; }

    /// How many frames were referred to; they count from 0.
    std::uint32_t frameCount() const { return m_frames.size(); }
    std::size_t bytes() const { return m_frames.bytes() + m_stacks.bytes(); }

    /// @param frames what each frame is. @return the builder's stacks
    std::vector<StackId> resolve(ProfileBuilder &builder, std::span<const FrameId> frames) const
    {
        std::vector<StackId> resolved(m_stacks.size());
        for (std::size_t stack = 1; stack < resolved.size(); ++stack) {
            const StackNode &node = m_stacks[StackId(stack)];
            resolved[stack] = builder.child(resolved[node.parent.value], frames[node.frame.value]);
        }
        return resolved;
    }

private:
    IdMap m_frames;
    StackTree m_stacks;
};

} // namespace hearth
