#include "agent/session/kernel_tables.h"

#include "agent/process/proc_files.h"

#include <algorithm>
#include <limits>

namespace hearth::agent {

namespace {

constexpr std::size_t kMostKernelRows = std::size_t(8) << 20; ///< 8 bytes each
constexpr std::size_t kMostRowsKept = std::size_t(1) << 19; ///< in this process, to walk copies quickly with

constexpr std::size_t kMostTrampolines = 4096;

} // namespace

UnwindRule KernelTables::ruleAt(Binary &binary, std::uint64_t address)
{
    if (!binary.table && binary.inKernel) {
        const std::uint64_t place = address - binary.inKernel->base;
        return place <= std::numeric_limits<std::uint32_t>::max()
                   ? m_book[m_sampler.ruleInTable(binary.inKernel->slot, static_cast<std::uint32_t>(place))]
                   : m_book[kRuleByFramePointer];
    }
    if (!binary.table) {
        binary.table = binary.file ? unwindTableOf(*binary.file, m_book) : UnwindTable();
        m_withTable.push_back(binary.shared_from_this());
    }
    return m_book[binary.table->ruleAt(address)];
}

void KernelTables::noteCopy(const Process &process)
{
    m_toTell.insert(process.number);
}

void KernelTables::noteTrampoline(const Process &process, const std::shared_ptr<const MappedCode> &code)
{
    if (m_trampolines.size() >= kMostTrampolines)
        m_trampolines.clear();
    if (m_trampolines.insert(code).second)
        m_toTell.insert(process.number);
}

void KernelTables::update(ProcessTable &processes)
{
    for (const auto &[number, told] : m_processes)
        if (told.isTold && processes.find(number).version != told.version)
            m_toTell.insert(number);
    keepToBudget();
    for (const std::uint32_t number : m_toTell)
        tell(processes.find(number), m_processes[number]);
    m_toTell.clear();
    for (const std::uint32_t slot : m_freedSlots)
        m_sampler.removeTable(slot);
    m_freedSlots.clear();
    dropCopies();
}

void KernelTables::tell(const Process &process, Told &told)
{
    std::vector<MappingRow> rows;
    rows.reserve(process.code.size());
    for (const auto &code : process.code)
        rows.push_back(rowOf(code));
    m_sampler.addRules(m_book);
    told.version = process.version;
    told.isTold = !rows.empty() && m_sampler.setProcess(process.number, rows,
                                                        {.threadContext = threadContextOf(process),
                                                         .python = pythonOf(process),
                                                         .isWhole = process.code.size() < kMostMappings});
    if (!told.isTold)
        m_sampler.removeProcess(process.number);
}

/// Of the binaries that turned up on its stacks, the first that has the variable.
std::int64_t KernelTables::threadContextOf(const Process &process) const
{
    for (const auto &code : process.code) {
        const PlacedBinary *placed = m_binaries.known(code);
        if (placed == nullptr || !placed->binary->threadContext)
            continue;
        const bool isProgram = code->path == process.program;
        if (const std::int64_t offset =
                threadContextOffset(*placed->binary->threadContext, process.number, placed->shift, isProgram))
            return offset;
    }
    return 0;
}

/// Of the binaries that turned up on its stacks, the one with the interpreter.
std::optional<PythonLayout> KernelTables::pythonOf(const Process &process)
{
    for (const auto &code : process.code) {
        const PlacedBinary *placed = m_binaries.known(code);
        if (placed == nullptr || !placed->binary->python)
            continue;
        const PythonBinary &python = *placed->binary->python;
        const auto offsets = pythonOffsets(python, process.number, placed->shift);
        if (!offsets)
            return std::nullopt;
        m_python.know(process.number, python.minorVersion, *offsets);
        return offsets->layout;
    }
    return std::nullopt;
}

MappingRow KernelTables::rowOf(const std::shared_ptr<const MappedCode> &code)
{
    MappingRow row{.begin = code->begin, .end = code->end, .bias = 0, .table = kTableMissing, .rows = 0};
    if (isTrampoline(code)) {
        makeTrampolineRow(row);
        return row;
    }
    const PlacedBinary *placed = m_binaries.known(code);
    if (placed == nullptr) {
        if (code->path.empty())
            row.table = kTableByFramePointer;
        return row;
    }
    Binary &binary = *placed->binary;
    if (binary.table && binary.table->rows.empty())
        row.table = kTableByFramePointer;
    else if (binary.table && !binary.inKernel)
        addToKernel(binary);
    if (binary.inKernel) {
        row.bias = placed->shift + binary.inKernel->base;
        row.table = binary.inKernel->slot;
        row.rows = binary.inKernel->rows;
    }
    return row;
}

/// One table does for all of them: it has one row, which is good for any place.
void KernelTables::makeTrampolineRow(MappingRow &row)
{
    if (!m_trampolineSlot) {
        const UnwindRow only{.place = 0, .rule = m_book.number(kTrampolineRule), .reserved = 0};
        m_sampler.addRules(m_book);
        m_trampolineSlot = m_sampler.addTable({&only, 1});
    }
    row.table = m_trampolineSlot.value_or(kTableByFramePointer);
    row.bias = row.begin;
    row.rows = 1;
}

void KernelTables::addToKernel(Binary &binary)
{
    m_sampler.addRules(m_book);
    const auto slot = m_sampler.addTable(binary.table->rows);
    if (!slot)
        return;
    binary.inKernel = {.slot = *slot,
                       .rows = static_cast<std::uint32_t>(binary.table->rows.size()),
                       .base = binary.table->base};
    m_kernelRows += binary.inKernel->rows;
    m_inKernel.push_back(binary.shared_from_this());
}

/// Takes the tables that were not used for the longest time from the kernel.
void KernelTables::keepToBudget()
{
    std::ranges::sort(m_inKernel, std::greater(), [](const auto &binary) { return binary->lastUse; });
    std::vector<std::shared_ptr<Binary>> forgotten;
    for (std::size_t rows = m_kernelRows; rows > kMostKernelRows && forgotten.size() < m_inKernel.size();) {
        forgotten.push_back(m_inKernel[m_inKernel.size() - 1 - forgotten.size()]);
        rows -= forgotten.back()->inKernel->rows;
    }
    forget(forgotten);
}

/// Those that the kernel has are needed here only for the first samples of processes.
void KernelTables::dropCopies()
{
    std::ranges::sort(m_withTable, std::greater(), [](const auto &binary) { return binary->lastUse; });
    std::size_t rows = 0;
    std::erase_if(m_withTable, [&rows](const auto &binary) {
        rows += binary->table->rows.size();
        const bool isDropped = binary->inKernel && rows > kMostRowsKept;
        if (isDropped)
            binary->table.reset();
        return isDropped;
    });
}

void KernelTables::forget(std::uint32_t process)
{
    m_processes.erase(process);
    m_toTell.erase(process);
    m_sampler.removeProcess(process);
    m_sampler.removeTarget(process);
}

/// Whoever has one of them mapped is told anew, before its slot gets another table.
void KernelTables::forget(const std::vector<std::shared_ptr<Binary>> &binaries)
{
    bool wasInKernel = false;
    for (const auto &binary : binaries) {
        if (binary->inKernel) {
            m_freedSlots.push_back(binary->inKernel->slot);
            m_kernelRows -= binary->inKernel->rows;
            std::erase(m_inKernel, binary);
            wasInKernel = true;
        }
        binary->inKernel.reset();
        binary->table.reset();
        std::erase(m_withTable, binary);
    }
    for (const auto &[number, told] : m_processes)
        if (wasInKernel && told.isTold)
            m_toTell.insert(number);
}

} // namespace hearth::agent
