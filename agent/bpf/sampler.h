#pragma once

#include "agent/bpf/record.h"
#include "ingest/unwind/rule_book.h"
#include "model/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace hearth::agent {

/// What the sampling clock counts.
enum class ClockEvent : std::uint8_t {
    CpuClock,
    Cycles, ///< of the processor itself, which virtual machines often do not have
};

struct SamplerOptions {
    std::uint32_t frequency = 97; ///< samples a second and processor
    ClockEvent clock = ClockEvent::CpuClock;
    std::uint32_t pageFaultPeriod = 0; ///< every so many page faults one is sampled; 0: none
    std::uint32_t switchPeriod = 0;    ///< the same of context switches
    SamplerConfig config{};
};

/// What the kernel has to know of a process beside what is mapped in it.
struct ProcessFacts {
    std::int64_t threadContext = 0; ///< as in ProcessRows
    std::optional<PythonLayout> python;
    bool isWhole = true; ///< the rows are all that is mapped
};

struct SamplerCounts {
    std::uint64_t samples = 0;
    std::uint64_t lost = 0;   ///< there was no room for them
    std::uint64_t copied = 0; ///< left to user space to walk
};

/// The BPF programs in the kernel, and the maps that they work by. One thread.
class Sampler {
public:
    /// Loads the programs. Samples come only after start().
    static Result<std::unique_ptr<Sampler>> load(const SamplerOptions &options);

    Sampler(const Sampler &) = delete;
    Sampler &operator=(const Sampler &) = delete;
    virtual ~Sampler() = default;

    virtual Result<void> start() = 0;

    /// Hands out the records that have come: a RecordHead and what is behind it.
    virtual void read(const std::function<void(std::span<const std::uint8_t>)> &take) = 0;

    /// Becomes readable when records should be read soon.
    virtual int descriptor() const = 0;

    virtual void addTarget(std::uint32_t process) = 0;
    virtual void removeTarget(std::uint32_t process) = 0;

    /// Makes rules known that the book got since the last time.
    virtual void addRules(const RuleBook &book) = 0;

    /// @return the slot of the table, if there was room for it
    virtual std::optional<std::uint32_t> addTable(std::span<const UnwindRow> rows) = 0;
    virtual void removeTable(std::uint32_t slot) = 0;

    /// The rule at a place by a table that the kernel has: slow, but it costs no memory here.
    virtual std::uint16_t ruleInTable(std::uint32_t slot, std::uint32_t place) const = 0;

    /// From now on stacks of this process are walked in the kernel.
    /// @return whether there was room
    virtual bool setProcess(std::uint32_t process, std::span<const MappingRow> rows,
                            const ProcessFacts &facts) = 0;
    virtual void removeProcess(std::uint32_t process) = 0;

    virtual SamplerCounts counts() const = 0;

protected:
    Sampler() = default;
};

} // namespace hearth::agent
