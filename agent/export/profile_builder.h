#pragma once

#include "agent/export/sample.h"
#include "ingest/otlp/attributes.h"
#include "ingest/symbols/kernel_symbols.h"
#include "model/store/batch.h"
#include "model/store/stack_tree.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace hearth::agent {

enum class SymbolChoice : std::uint8_t { None, Names };

/// What goes along with every profile.
struct ProfileFacts {
    SymbolChoice symbols = SymbolChoice::Names;
    std::int64_t periodNs = 0;
    double offCpuScale = 1; ///< what one time off CPU that was looked at stands for
    std::uint64_t lost = 0; ///< samples and events so far that there was no room for
};

/// Makes a batch of samples, as OpenTelemetry's profiler would send them, and with names.
class ProfileBuilder {
public:
    ProfileBuilder(const KernelSymbols &kernel, const ProfileFacts &facts);

    /// @param timeNs since 1970
    void add(const Sample &sample, std::int64_t timeNs);

    bool isEmpty() const { return m_onCpu.size() == 0 && m_offCpu.size() == 0; }

    /// All that was added.
    Batch finish();

private:
    using MappingKey = std::tuple<const Binary *, std::uint64_t, std::uint64_t>;
    /// With the process if there is no binary, and with the line if the process tells it.
    using FrameKey = std::tuple<const Binary *, std::uint32_t, std::uint64_t, std::int64_t>;

    LinkId linkOf(const RecordHead &head);
    StackId stackOf(const Sample &sample);
    FrameId kernelFrame(std::uint64_t address);
    FrameId userFrame(std::uint32_t process, const UserFrame &frame);
    FrameId addUserFrame(const UserFrame &frame);
    FrameId stopFrame(UnwindStop stop);
    FrameId addFrame(Frame frame, std::span<const SymbolLine> chain);
    MappingId mappingOf(const PlacedBinary &placed);
    MappingId kernelMapping(std::string_view module);
    ContextId contextOf(const Sample &sample);
    AttributeSetId resourceOf(const Process &process);
    AttributeSetId scope();
    StringId string(std::string_view text);
    Attribute text(std::string_view key, std::string_view value);
    Attribute integer(std::string_view key, std::uint64_t value);
    void addBlock(const SampleRows &rows, std::string_view type, std::string_view unit);

    const KernelSymbols &m_kernel;
    const ProfileFacts m_facts;
    Batch m_batch;
    otlp::AttributeReader m_attributes;
    StackTree m_stacks;
    SampleRows m_onCpu{1};
    SampleRows m_offCpu{1};
    std::vector<FrameId> m_path;
    AttributeSetId m_scope;
    std::unordered_map<std::string, StringId> m_strings;
    std::map<MappingKey, MappingId> m_mappings;
    std::map<FrameKey, FrameId> m_userFrames;
    std::unordered_map<std::uint64_t, FrameId> m_kernelFrames;
    std::map<std::string, MappingId, std::less<>> m_kernelMappings;
    std::map<UnwindStop, FrameId> m_stopFrames;
    std::map<std::pair<std::array<std::uint8_t, 16>, std::array<std::uint8_t, 8>>, LinkId> m_links;
    std::map<std::tuple<std::uint32_t, std::string, std::string, std::string>, AttributeSetId> m_resources;
    std::map<std::tuple<AttributeSetId, std::uint32_t, std::uint32_t, std::uint32_t, std::string>, ContextId>
        m_contexts;
    std::vector<std::shared_ptr<Binary>> m_binaries; ///< kept, so that no other gets their addresses
};

} // namespace hearth::agent
