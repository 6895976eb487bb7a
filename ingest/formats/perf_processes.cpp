#include "ingest/formats/perf_processes.h"

#include <array>

namespace hearth::perf {

namespace {

/// A file can make processes that share what is mapped fork and map without end.
constexpr std::size_t kMostMappings = std::size_t(4) << 20;

} // namespace

std::uint64_t AddressSpace::nextVersion()
{
    static thread_local std::uint64_t last = 0;
    return ++last;
}

void AddressSpace::map(const MappedBinary &binary)
{
    auto next = m_binaries.lower_bound(binary.start);
    if (next != m_binaries.begin()) {
        MappedBinary &before = std::prev(next)->second;
        if (before.end > binary.end) { // what is behind the hole stays
            MappedBinary rest = before;
            rest.offset += binary.end - rest.start;
            rest.start = binary.end;
            m_binaries.emplace(rest.start, rest);
            next = m_binaries.lower_bound(binary.start);
        }
        before.end = std::min(before.end, binary.start);
    }
    while (next != m_binaries.end() && next->second.start < binary.end) {
        MappedBinary rest = next->second;
        next = m_binaries.erase(next);
        if (rest.end <= binary.end)
            continue;
        rest.offset += binary.end - rest.start;
        rest.start = binary.end;
        m_binaries.emplace(rest.start, rest);
        break;
    }
    m_binaries.insert_or_assign(binary.start, binary);
    m_version = nextVersion();
}

const MappedBinary *AddressSpace::find(std::uint64_t address) const
{
    const auto behind = m_binaries.upper_bound(address);
    if (behind == m_binaries.begin())
        return nullptr;
    const MappedBinary &binary = std::prev(behind)->second;
    return address < binary.end ? &binary : nullptr;
}

const AddressSpace &Processes::spaceOf(std::uint32_t process)
{
    static const AddressSpace kNothing;
    const auto found = m_spaces.find(process);
    return found == m_spaces.end() ? kNothing : *found->second;
}

void Processes::map(std::uint32_t process, const MappedBinary &binary)
{
    std::shared_ptr<AddressSpace> &space = m_spaces[process];
    const bool isShared = space && space.use_count() > 1;
    m_mappings += isShared ? space->size() + 1 : 1;
    if (m_mappings > kMostMappings) {
        m_builder.losses().add(Loss::OversizedFields, "more is mapped than Hearth keeps");
        return;
    }
    if (!space || isShared)
        space = space ? std::make_shared<AddressSpace>(*space) : std::make_shared<AddressSpace>();
    space->map(binary);
}

void Processes::rename(std::uint32_t process, std::uint32_t thread, std::string_view name, bool isExec)
{
    m_names[thread] = m_builder.text(name);
    if (isExec)
        m_spaces[process] = std::make_shared<AddressSpace>();
}

void Processes::fork(std::uint32_t process, std::uint32_t thread, std::uint32_t parent,
                     std::uint32_t parentThread)
{
    m_names[thread] = nameOf(parentThread);
    if (process == parent)
        return;
    if (const auto space = m_spaces.find(parent); space != m_spaces.end())
        m_spaces[process] = std::shared_ptr<AddressSpace>(space->second);
    else
        m_spaces.erase(process);
}

StringId Processes::nameOf(std::uint32_t thread) const
{
    const auto found = m_names.find(thread);
    return found == m_names.end() ? StringId() : found->second;
}

ContextId Processes::contextOf(std::uint32_t process, std::uint32_t thread, std::optional<std::uint32_t> cpu)
{
    const StringId processName = nameOf(process);
    const StringId threadName = nameOf(thread);
    const std::array<std::uint32_t, 5> key{process, thread, cpu.value_or(0xffffffffU), processName.value,
                                           threadName.value};
    std::uint32_t &known =
        m_contexts[digestOf({reinterpret_cast<const std::uint8_t *>(key.data()), sizeof key})];
    if (known != DigestMap::kNew)
        return ContextId(known);
    const auto text = [&](StringId id) { return m_builder.batch().strings[id.value]; };
    std::vector<Attribute> resource{m_builder.attribute("process.pid", std::int64_t(process))};
    std::vector<Attribute> sample{m_builder.attribute("thread.id", std::int64_t(thread))};
    if (processName != StringId())
        resource.push_back(m_builder.attribute("process.executable.name", text(processName)));
    if (threadName != StringId())
        sample.push_back(m_builder.attribute("thread.name", text(threadName)));
    if (cpu)
        sample.push_back(m_builder.attribute("cpu.logical_number", std::int64_t(*cpu)));
    const ContextId context = m_builder.context(m_builder.attributes(resource), m_builder.attributes(sample));
    known = context.value;
    return context;
}

} // namespace hearth::perf
