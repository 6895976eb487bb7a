#include "ingest/symbols/address_uses.h"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace hearth {

namespace {

/// A stack in a context, the key of what samples have in common.
std::uint64_t keyOf(std::uint64_t stack, std::uint64_t context)
{
    return stack << 32 | context;
}

struct Times {
    std::int64_t first = 0;
    std::int64_t last = 0;

    void add(std::int64_t from, std::int64_t to)
    {
        first = first == 0 ? from : std::min(first, from);
        last = std::max(last, to);
    }
};

using SampledTimes = std::unordered_map<std::uint64_t, Times>;

/// Of the stacks that matter, in which contexts and when they were sampled.
SampledTimes sampledTimes(const Snapshot &snapshot, const std::vector<bool> &matters,
                          const std::stop_token &stop)
{
    SampledTimes sampled;
    for (const SampleTable &table : snapshot.tables)
        for (const auto &chunk : table.chunks) {
            if (stop.stop_requested())
                return sampled;
            for (std::size_t row = 0; row < chunk->rows(); ++row) {
                const auto stack = static_cast<std::size_t>(chunk->stacks()[row]);
                if (!matters[stack])
                    continue;
                const auto time = table.hasTimes ? static_cast<std::int64_t>(chunk->times()[row]) : 0;
                sampled[keyOf(stack, chunk->contexts()[row])].add(time, time);
            }
        }
    return sampled;
}

/// What a context says of its process; of none, number 0.
AddressUse processOf(const Snapshot &snapshot, ContextId id)
{
    AddressUse use;
    const Context &context = snapshot.contexts[id.value];
    for (const AttributeSetId set : {context.resource, context.sample})
        for (const AttributeId attribute : snapshot.attributesOf(set)) {
            const Attribute &entry = snapshot.attributes[attribute.value];
            const std::string_view key = snapshot.text(entry.key);
            if (entry.type == AttributeType::Int && key == "process.pid")
                use.process = static_cast<std::uint32_t>(entry.integer());
            else if (entry.type == AttributeType::String &&
                     (key == "process.executable.path" ||
                      (key == "process.executable.name" && use.program.empty())))
                use.program = snapshot.text(entry.text());
        }
    return use;
}

void addUse(std::vector<AddressUse> &uses, const AddressUse &process, const Times &times)
{
    auto use = std::ranges::find(uses, process.process, &AddressUse::process);
    if (use == uses.end()) {
        uses.push_back(process);
        use = std::prev(uses.end());
    }
    Times all{use->firstNs, use->lastNs};
    all.add(times.first, times.last);
    use->firstNs = all.first;
    use->lastNs = all.last;
}

} // namespace

std::unordered_map<FrameId, std::vector<AddressUse>>
usesOf(const Snapshot &snapshot, const std::vector<FrameId> &frames, const std::stop_token &stop)
{
    std::vector<bool> isWanted(snapshot.frames.size());
    for (const FrameId frame : frames)
        isWanted[frame.value] = true;
    std::vector<bool> matters(snapshot.stacks.size());
    for (std::size_t stack = 1; stack < snapshot.stacks.size(); ++stack) {
        const StackNode &node = snapshot.stacks[stack];
        matters[stack] = isWanted[node.frame.value] || matters[node.parent.value];
    }
    std::unordered_map<FrameId, std::vector<AddressUse>> uses;
    for (const auto &[key, times] : sampledTimes(snapshot, matters, stop)) {
        const AddressUse process = processOf(snapshot, ContextId(key & 0xffffffff));
        if (process.process == 0)
            continue;
        for (std::size_t stack = key >> 32; stack != 0; stack = snapshot.stacks[stack].parent.value) {
            const FrameId frame = snapshot.stacks[stack].frame;
            if (isWanted[frame.value])
                addUse(uses[frame], process, times);
        }
    }
    return uses;
}

bool isOfAnotherMachine(const Snapshot &snapshot)
{
    std::array<char, 256> own{};
    ::gethostname(own.data(), own.size() - 1);
    for (std::size_t i = 0; i < snapshot.attributes.size(); ++i) {
        const Attribute &attribute = snapshot.attributes[i];
        if (attribute.type == AttributeType::String && snapshot.text(attribute.key) == "host.name" &&
            snapshot.text(attribute.text()) != own.data())
            return true;
    }
    return false;
}

} // namespace hearth
