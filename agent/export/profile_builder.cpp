#include "agent/export/profile_builder.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace hearth::agent {

namespace {

constexpr std::string_view kScopeName = "hearth-agent";
constexpr std::string_view kNativeKind = "native", kKernelKind = "kernel", kStopKind = "abort-marker";

/// What a stack begins with that is not complete. The kinds of stops are the addresses of such frames.
std::string_view stopName(UnwindStop stop)
{
    switch (stop) {
    case kStopTooDeep:
        return "[stack is deeper]";
    case kStopUnreadable:
        return "[stack cannot be read]";
    case kStopForeign:
        return "[32-bit program]";
    default:
        return "[stack is lost]";
    }
}

bool isCut(UnwindStop stop)
{
    return stop != kStopOutermost && stop != kStopNoUserStack;
}

std::array<SymbolLine, 1> named(std::string name, std::string file = {}, std::int64_t line = 0)
{
    return {SymbolLine{
        .name = std::move(name), .systemName = {}, .file = std::move(file), .startLine = line, .line = line}};
}

} // namespace

ProfileBuilder::ProfileBuilder(const KernelSymbols &kernel, const ProfileFacts &facts)
    : m_kernel(kernel), m_facts(facts), m_attributes(m_batch)
{
    std::vector<Attribute> attributes{text(otlp::kScopeNameKey, kScopeName),
                                      text(otlp::kScopeVersionKey, HEARTH_VERSION)};
    if (facts.lost > 0)
        attributes.push_back(integer("hearth.agent.lost", facts.lost));
    m_scope = m_attributes.addSet(attributes);
}

void ProfileBuilder::add(const Sample &sample, std::int64_t timeNs)
{
    const std::array<std::int64_t, 1> value{static_cast<std::int64_t>(sample.head.value)};
    SampleRows &rows = m_rows.try_emplace(static_cast<RecordKind>(sample.head.kind), 1).first->second;
    rows.add(stackOf(sample), contextOf(sample), linkOf(sample.head), timeNs, value);
    m_isEmpty = false;
}

LinkId ProfileBuilder::linkOf(const RecordHead &head)
{
    Link link;
    std::copy_n(head.trace, link.trace.size(), link.trace.begin());
    std::copy_n(head.span, link.span.size(), link.span.begin());
    if (link == Link())
        return {};
    const auto [known, isNew] = m_links.try_emplace({link.trace, link.span}, LinkId(m_batch.links.size()));
    if (isNew)
        m_batch.links.push_back(link);
    return known->second;
}

StackId ProfileBuilder::stackOf(const Sample &sample)
{
    m_path.clear();
    for (const std::uint64_t address : sample.kernelFrames) {
        m_path.push_back(kernelFrame(address));
        // What is above it in a thread that leaves is the sampler itself.
        const bool isLeaving = sample.head.kind == kRecordOffCpu || sample.head.kind == kRecordSwitch;
        const auto function = isLeaving ? m_kernel.find(address) : std::nullopt;
        if (function && function->name == "__schedule")
            m_path = {m_path.back()};
    }
    for (const UserFrame &frame : sample.userFrames)
        m_path.push_back(userFrame(sample.head.process, frame));
    if (isCut(sample.stop))
        m_path.push_back(stopFrame(sample.stop));
    return m_stacks.path(m_path);
}

FrameId ProfileBuilder::kernelFrame(std::uint64_t address)
{
    const auto [known, isNew] = m_kernelFrames.try_emplace(address);
    if (isNew) {
        const auto function = m_kernel.find(address);
        Frame frame;
        frame.kind = string(kKernelKind);
        frame.address = function ? address - function->base : address;
        frame.mapping = kernelMapping(function ? function->module : "vmlinux");
        known->second = function ? addFrame(frame, named(std::string(function->name))) : addFrame(frame, {});
    }
    return known->second;
}

std::size_t ProfileBuilder::HashFrame::operator()(const FrameKey &key) const
{
    const auto &[binary, process, address, name, line] = key;
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
    return (reinterpret_cast<std::uint64_t>(binary) ^ address ^ std::uint64_t(process) << 32) * kOdd ^
           std::hash<std::string>()(name) ^ static_cast<std::uint64_t>(line);
}

FrameId ProfileBuilder::userFrame(std::uint32_t process, const UserFrame &user)
{
    const Binary *binary = user.placed.binary.get();
    const auto [known, isNew] =
        m_userFrames.try_emplace(FrameKey(binary, binary == nullptr ? process : 0, user.address,
                                          user.name ? user.name->name : "", user.name ? user.name->line : 0));
    if (isNew)
        known->second = addUserFrame(user);
    if (m_facts.symbols == SymbolChoice::Full && binary != nullptr)
        ++m_unnamed[binary].weight;
    return known->second;
}

FrameId ProfileBuilder::addUserFrame(const UserFrame &user)
{
    Frame frame;
    frame.address = user.address;
    frame.kind = string(kNativeKind);
    if (user.placed.binary)
        return addBinaryFrame(frame, user);
    if (!user.name || m_facts.symbols == SymbolChoice::None)
        return addFrame(frame, {});
    if (!user.name->kind.empty()) {
        frame.kind = string(user.name->kind);
        frame.address = 0; // where it is interpreted or compiled to says nothing
    }
    return addFrame(frame, named(user.name->name, user.name->file, user.name->line));
}

FrameId ProfileBuilder::addBinaryFrame(Frame frame, const UserFrame &user)
{
    Binary &binary = *user.placed.binary;
    frame.mapping = mappingOf(user.placed);
    frame.address = m_batch.mappings[frame.mapping.value].fileAddress(user.address);
    if (m_facts.symbols == SymbolChoice::None || !binary.file)
        return addFrame(frame, {});
    if (m_facts.symbols == SymbolChoice::Names)
        return addFrame(frame, namesOf(binary).at(user.address));
    const FrameId id = addFrame(frame, {});
    m_unnamed[&binary].frames.emplace_back(id, user.address);
    return id;
}

FrameId ProfileBuilder::stopFrame(UnwindStop stop)
{
    const auto [known, isNew] = m_stopFrames.try_emplace(stop);
    if (isNew) {
        Frame frame;
        frame.kind = string(kStopKind);
        frame.address = stop;
        known->second = addFrame(frame, named(std::string(stopName(stop))));
    }
    return known->second;
}

/// @param chain empty if no name is known
FrameId ProfileBuilder::addFrame(Frame frame, std::span<const SymbolLine> chain)
{
    m_profile.setChain(frame, chain);
    m_batch.frames.push_back(frame);
    return FrameId(m_batch.frames.size() - 1);
}

MappingId ProfileBuilder::mappingOf(const PlacedBinary &placed)
{
    const auto [known, isNew] =
        m_mappings.try_emplace(MappingKey(placed.binary.get(), placed.segmentAddress, placed.segmentOffset),
                               MappingId(m_batch.mappings.size()));
    if (isNew) {
        const Binary &binary = *placed.binary;
        m_binaries.push_back(placed.binary);
        m_batch.binaries.push_back({.path = string(printable(binary.path)),
                                    .buildId = string(binary.buildId),
                                    .goBuildId = string(printable(binary.goBuildId)),
                                    .fileHash = string(binary.fileHash)});
        m_batch.mappings.push_back({.start = placed.segmentAddress,
                                    .limit = placed.segmentAddress + placed.segmentSize,
                                    .offset = placed.segmentOffset,
                                    .binary = BinaryId(m_batch.binaries.size() - 1),
                                    .flags = 0});
    }
    return known->second;
}

MappingId ProfileBuilder::kernelMapping(std::string_view module)
{
    const auto known = m_kernelMappings.find(module);
    if (known != m_kernelMappings.end())
        return known->second;
    const MappingId id(m_batch.mappings.size());
    m_batch.binaries.push_back({.path = string(module), .buildId = {}, .goBuildId = {}, .fileHash = {}});
    m_batch.mappings.push_back(
        {.start = 0, .limit = 0, .offset = 0, .binary = BinaryId(m_batch.binaries.size() - 1), .flags = 0});
    m_kernelMappings.emplace(module, id);
    return id;
}

ContextId ProfileBuilder::contextOf(const Sample &sample)
{
    const RecordHead &head = sample.head;
    const AttributeSetId resource = resourceOf(*sample.process);
    const std::string name = printable({head.comm, strnlen(head.comm, sizeof head.comm)});
    const std::uint32_t state = head.kind == kRecordOffCpu ? 1 + head.wasPreempted : 0;
    const auto [known, isNew] = m_contexts.try_emplace({resource, head.thread, head.cpu, state, name},
                                                       ContextId(m_batch.contexts.size()));
    if (isNew) {
        std::vector<Attribute> attributes{text("thread.name", name), integer("thread.id", head.thread),
                                          integer("cpu.logical_number", head.cpu)};
        if (head.kind == kRecordOffCpu)
            attributes.push_back(text("thread.state", head.wasPreempted != 0 ? "preempted" : "blocked"));
        m_batch.contexts.push_back(
            {.resource = resource, .scope = m_scope, .sample = m_attributes.addSet(attributes)});
    }
    return known->second;
}

AttributeSetId ProfileBuilder::resourceOf(const Process &process)
{
    const auto [known, isNew] =
        m_resources.try_emplace({process.number, process.program, process.container, process.resource});
    if (isNew) {
        std::vector<Attribute> attributes{integer("process.pid", process.number)};
        if (!process.program.empty()) {
            const std::string program = printable(process.program);
            attributes.push_back(text("process.executable.path", program));
            attributes.push_back(text("process.executable.name", program.substr(program.rfind('/') + 1)));
        }
        if (!process.container.empty())
            attributes.push_back(text("container.id", process.container));
        const std::string &own = process.resource;
        known->second = m_attributes.set({reinterpret_cast<const std::uint8_t *>(own.data()), own.size()},
                                         otlp::kResourceAttributes, attributes);
    }
    return known->second;
}

Attribute ProfileBuilder::text(std::string_view key, std::string_view value)
{
    Attribute attribute;
    attribute.key = string(key);
    attribute.bits = string(value).value;
    return attribute;
}

Attribute ProfileBuilder::integer(std::string_view key, std::uint64_t value)
{
    Attribute attribute;
    attribute.key = string(key);
    attribute.bits = value;
    attribute.type = AttributeType::Int;
    return attribute;
}

void ProfileBuilder::addBlock(RecordKind kind, std::string_view type, std::string_view unit)
{
    const auto rows = m_rows.find(kind);
    if (rows == m_rows.end())
        return;
    SampleBlock block;
    block.series.push_back({.type = string(type), .unit = string(unit)});
    block.hasTimes = true;
    if (kind == kRecordOnCpu && m_facts.clock == ClockEvent::CpuClock) {
        block.periodType = string("cpu");
        block.periodUnit = string("nanoseconds");
        block.period = m_facts.periodNs;
    }
    block.chunks.emplace_back(rows->second);
    m_batch.blocks.push_back(std::move(block));
}

Profile ProfileBuilder::finish()
{
    addBlock(kRecordOnCpu, m_facts.clock == ClockEvent::Cycles ? "cycles" : "samples", "count");
    addBlock(kRecordOffCpu, "off_cpu", "nanoseconds");
    addBlock(kRecordPageFault, "page_faults", "count");
    addBlock(kRecordSwitch, "context_switches", "count");
    m_batch.stacks.clear();
    for (std::size_t i = 0; i < m_stacks.size(); ++i)
        m_batch.stacks.push_back(m_stacks[StackId(i)]);
    for (const auto &binary : m_binaries)
        if (const auto unnamed = m_unnamed.find(binary.get()); unnamed != m_unnamed.end() && binary->file) {
            unnamed->second.file = binary->file;
            unnamed->second.identity = {.path = binary->path,
                                        .buildId = binary->buildId,
                                        .goBuildId = binary->goBuildId,
                                        .fileHash = binary->fileHash};
            m_profile.unnamed.push_back(std::move(unnamed->second));
            m_unnamed.erase(unnamed);
        }
    return std::move(m_profile);
}

} // namespace hearth::agent
