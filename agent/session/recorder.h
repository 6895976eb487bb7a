#pragma once

#include "agent/bpf/sampler.h"
#include "agent/export/profile_builder.h"
#include "agent/process/binary_cache.h"
#include "agent/process/process_events.h"
#include "agent/process/process_table.h"
#include "agent/session/kernel_tables.h"
#include "agent/symbols/jit_symbols.h"
#include "ingest/unwind/walker.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace hearth::agent {

struct RecorderCounts {
    std::uint64_t samples = 0;
    std::uint64_t lost = 0;       ///< samples and process events that the kernel had no room for
    std::uint64_t complete = 0;   ///< user stacks that end at the outermost frame
    std::uint64_t cut = 0;        ///< and those that do not
    std::uint64_t unreadable = 0; ///< binaries that could not be opened
};

/// Takes what the kernel tells in the order in which it happened, and makes profiles of it. One thread.
class Recorder {
public:
    Recorder(Sampler &sampler, ProcessEvents &events, const ProfileFacts &facts);

    /// Takes in what has come; several times a second.
    void takeIn();

    /// Everything that was taken in since the last call; nothing if that is no sample.
    std::optional<Profile> profile();

    RecorderCounts counts() const;

private:
    struct RawSample {
        std::uint64_t timeNs = 0;
        std::vector<std::uint8_t> record;
    };

    /// The user's part of a stack that was left to user space when its thread left the processor.
    struct LeftStack {
        std::uint64_t timeNs = 0;
        Walk walk;
    };

    void takeSample(std::span<const std::uint8_t> record);
    void takeUserStack(Sample &sample, Process &process, std::span<const std::uint8_t> behindKernel);
    void mergePython(Sample &sample, std::span<const std::uint8_t> behindUser);
    void lookForResource(Process &process, std::uint64_t nowNs);
    Walk userWalk(const Sample &sample, Process &process, std::span<const std::uint8_t> behindKernel);
    Walk walkCopy(const RecordHead &head, Process &process, std::span<const std::uint8_t> stack);
    Walk leftWalk(const RecordHead &head);
    UserFrame frameAt(Process &process, std::uint64_t address, std::uint64_t timeNs);
    UnwindRule ruleAt(Process &process, std::uint64_t address);
    void tidyUp();

    Sampler &m_sampler;
    ProcessEvents &m_events;
    ProfileFacts m_facts;
    RuleBook m_book;
    ProcessTable m_processes;
    BinaryCache m_binaries;
    JitSymbols m_jit;
    PythonCode m_python;
    KernelTables m_tables{m_sampler, m_binaries, m_book, m_python};
    KernelSymbols m_kernel;
    std::unique_ptr<ProfileBuilder> m_profile;
    std::vector<RawSample> m_rawSamples;
    std::vector<ProcessEvent> m_newEvents;
    std::unordered_map<std::uint32_t, LeftStack> m_left;         ///< by thread
    std::unordered_map<std::uint32_t, std::uint64_t> m_nextLook; ///< for what a process says of itself
    std::int64_t m_sinceEpoch = 0;
    std::uint64_t m_eventsLost = 0;
    RecorderCounts m_counts;
};

} // namespace hearth::agent
