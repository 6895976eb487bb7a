#include "agent/process/process_table.h"

#include "agent/process/proc_files.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>

namespace hearth::agent {

namespace {

constexpr std::size_t kMostCgroupText = 16384;

} // namespace

std::shared_ptr<const MappedCode> Process::codeAt(std::uint64_t address) const
{
    const auto behind =
        std::ranges::upper_bound(code, address, {}, [](const auto &each) { return each->begin; });
    if (behind == code.begin() || address >= (*std::prev(behind))->end)
        return nullptr;
    return *std::prev(behind);
}

void ProcessTable::apply(const ProcessEvent &event)
{
    switch (event.kind) {
    case ProcessEvent::Kind::Mapped:
        // Of a process from before nothing is remembered until somebody asks: /proc will say it then.
        if (const auto known = m_processes.find(event.process); known != m_processes.end()) {
            if (known->second.program.empty())
                known->second.program = event.code.path;
            map(known->second, std::make_shared<const MappedCode>(event.code));
        }
        break;
    case ProcessEvent::Kind::Executed: {
        Process &process = m_processes[event.process];
        process.number = event.process;
        process.program.clear();
        process.resource.clear();
        process.code.clear();
        process.isRead = true;
        ++process.version;
        lives(event.process);
        break;
    }
    case ProcessEvent::Kind::Forked:
        fork(event);
        break;
    case ProcessEvent::Kind::Ended:
        m_ended.push_back(event.process);
        break;
    }
}

/// A child has what its parent has, until it executes something else.
void ProcessTable::fork(const ProcessEvent &event)
{
    const Process &parent = find(event.parent);
    Process child = parent;
    child.number = event.process;
    child.version = 1;
    child.resource.clear();              // children do not have it
    child.isRead = !parent.code.empty(); // if the parent has gone already, the child itself may still say
    m_processes.insert_or_assign(event.process, std::move(child));
    lives(event.process); // the number is used again
}

void ProcessTable::lives(std::uint32_t number)
{
    std::erase(m_ended, number);
    std::erase(m_endedBefore, number);
}

/// What is mapped takes the place of what was there.
void ProcessTable::map(Process &process, std::shared_ptr<const MappedCode> code)
{
    std::erase_if(process.code,
                  [&](const auto &each) { return each->begin < code->end && code->begin < each->end; });
    if (process.code.size() >= kMostMappings)
        return;
    const auto behind =
        std::ranges::upper_bound(process.code, code->begin, {}, [](const auto &each) { return each->begin; });
    process.code.insert(behind, std::move(code));
    ++process.version;
}

Process &ProcessTable::find(std::uint32_t number)
{
    Process &process = m_processes[number];
    process.number = number;
    if (!process.isRead)
        read(process);
    return process;
}

void ProcessTable::distrust()
{
    for (auto &[number, process] : m_processes)
        process.isRead = false;
}

void ProcessTable::read(Process &process)
{
    process.isRead = true;
    process.program = withoutDeleted(readProcLink(process.number, "exe"));
    process.container = containerId(readProcFile(process.number, "cgroup", kMostCgroupText));
    process.code.clear();
    for (MappedCode &code : mapsOf(process.number))
        process.code.push_back(std::make_shared<const MappedCode>(std::move(code)));
    ++process.version;
}

/// A process is gone when its number is free: newer kernels say that one ends when it executes something
/// else.
std::vector<std::uint32_t> ProcessTable::forgetEnded()
{
    std::vector<std::uint32_t> forgotten;
    std::erase_if(m_endedBefore, [&](std::uint32_t number) {
        const bool isGone = kill(static_cast<pid_t>(number), 0) != 0 && errno == ESRCH;
        if (isGone)
            forgotten.push_back(number);
        return isGone;
    });
    for (const std::uint32_t number : forgotten)
        m_processes.erase(number);
    m_endedBefore.insert(m_endedBefore.end(), m_ended.begin(), m_ended.end());
    m_ended.clear();
    return forgotten;
}

} // namespace hearth::agent
