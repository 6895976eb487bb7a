#pragma once

#include "agent/bpf/sampler.h"
#include "agent/process/binary_cache.h"
#include "agent/python/python_code.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hearth::agent {

/// CPython's trampolines push one word and call: the frame above begins behind it and the return address.
inline constexpr UnwindRule kTrampolineRule{
    .kind = kCfaFromSp, .savedFp = kFpUnchanged, .fpOffset = 0, .cfaOffset = 16};

/// What the kernel is told of processes, so that it walks their stacks itself: where their binaries are, and
/// how to unwind those. A process is told of once it was sampled, a binary once it turned up on a
/// stack.
class KernelTables {
public:
    KernelTables(Sampler &sampler, BinaryCache &binaries, RuleBook &book, PythonCode &python)
        : m_sampler(sampler), m_binaries(binaries), m_book(book), m_python(python)
    {}

    /// The rule at an address of a binary's file. Its table is made if it was not needed before.
    UnwindRule ruleAt(Binary &binary, std::uint64_t address);

    /// This memory holds CPython's trampolines (python -X perf): they keep no frame pointer, and say nothing.
    void noteTrampoline(const Process &process, const std::shared_ptr<const MappedCode> &code);
    bool isTrampoline(const std::shared_ptr<const MappedCode> &code) const
    {
        return m_trampolines.contains(code);
    }

    /// A stack of this process was left to user space.
    void noteCopy(const Process &process);

    /// Brings the kernel's view up to date, for processes whose code has changed too.
    void update(ProcessTable &processes);

    void forget(std::uint32_t process);
    void forget(const std::vector<std::shared_ptr<Binary>> &binaries);

private:
    struct Told {
        bool isTold = false;
        std::uint64_t version = 0;
    };

    void tell(const Process &process, Told &told);
    std::int64_t threadContextOf(const Process &process) const;
    std::optional<PythonLayout> pythonOf(const Process &process);
    void makeTrampolineRow(MappingRow &row);
    MappingRow rowOf(const std::shared_ptr<const MappedCode> &code);
    void addToKernel(Binary &binary);
    void keepToBudget();
    void dropCopies();

    Sampler &m_sampler;
    BinaryCache &m_binaries;
    RuleBook &m_book;
    PythonCode &m_python;
    std::unordered_map<std::uint32_t, Told> m_processes;
    std::set<std::uint32_t> m_toTell;
    std::vector<std::shared_ptr<Binary>> m_inKernel;
    std::vector<std::shared_ptr<Binary>> m_withTable;
    std::unordered_set<std::shared_ptr<const MappedCode>> m_trampolines;
    std::optional<std::uint32_t> m_trampolineSlot;
    std::vector<std::uint32_t> m_freedSlots; ///< after those who use them were told
    std::size_t m_kernelRows = 0;
};

} // namespace hearth::agent
