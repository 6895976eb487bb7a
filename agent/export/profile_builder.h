#pragma once

#include "agent/bpf/sampler.h"
#include "agent/export/profile.h"
#include "agent/export/sample.h"
#include "ingest/otlp/attributes.h"
#include "ingest/symbols/kernel_symbols.h"
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

enum class SymbolChoice : std::uint8_t {
    None,
    Names, ///< of functions, by symbol tables
    Full,  ///< with lines and what was inlined, by debug information
};

/// What goes along with every profile.
struct ProfileFacts {
    SymbolChoice symbols = SymbolChoice::Names;
    ClockEvent clock = ClockEvent::CpuClock;
    std::int64_t periodNs = 0;
    double offCpuScale = 1; ///< what one time off CPU that was looked at stands for
    std::uint64_t lost = 0; ///< samples and events so far that there was no room for
};

/// Makes a batch of samples, as OpenTelemetry's profiler would send them, and with names.
class ProfileBuilder {
public:
    ProfileBuilder(const KernelSymbols &kernel, const ProfileFacts &facts);
    ProfileBuilder(const ProfileBuilder &) = delete;
    ProfileBuilder &operator=(const ProfileBuilder &) = delete;

    /// @param timeNs since 1970
    void add(const Sample &sample, std::int64_t timeNs);

    bool isEmpty() const { return m_isEmpty; }

    /// All that was added.
    Profile finish();

private:
    using MappingKey = std::tuple<const Binary *, std::uint64_t, std::uint64_t>;
    /// With the process if there is no binary, and with name and line if the process tells them: it may have
    /// put other code there since.
    using FrameKey = std::tuple<const Binary *, std::uint32_t, std::uint64_t, std::string, std::int64_t>;

    struct HashFrame {
        std::size_t operator()(const FrameKey &key) const;
    };

    LinkId linkOf(const RecordHead &head);
    StackId stackOf(const Sample &sample);
    FrameId kernelFrame(std::uint64_t address);
    FrameId userFrame(std::uint32_t process, const UserFrame &frame);
    FrameId addUserFrame(const UserFrame &frame);
    FrameId addBinaryFrame(Frame frame, const UserFrame &user);
    FrameId stopFrame(UnwindStop stop);
    FrameId addFrame(Frame frame, std::span<const SymbolLine> chain);
    MappingId mappingOf(const PlacedBinary &placed);
    MappingId kernelMapping(std::string_view module);
    ContextId contextOf(const Sample &sample);
    AttributeSetId resourceOf(const Process &process);
    AttributeSetId scope();
    StringId string(std::string_view text) { return m_profile.string(text); }
    Attribute text(std::string_view key, std::string_view value);
    Attribute integer(std::string_view key, std::uint64_t value);
    void addBlock(RecordKind kind, std::string_view type, std::string_view unit);

    const KernelSymbols &m_kernel;
    const ProfileFacts m_facts;
    Profile m_profile;
    Batch &m_batch = m_profile.batch;
    otlp::AttributeReader m_attributes;
    StackTree m_stacks;
    std::map<RecordKind, SampleRows> m_rows;
    bool m_isEmpty = true;
    std::vector<FrameId> m_path;
    AttributeSetId m_scope;
    std::map<MappingKey, MappingId> m_mappings;
    std::unordered_map<FrameKey, FrameId, HashFrame> m_userFrames;
    std::unordered_map<const Binary *, UnnamedFrames> m_unnamed;
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
