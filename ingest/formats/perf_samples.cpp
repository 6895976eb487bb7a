#include "ingest/formats/perf_samples.h"

#include "ingest/bytes/text_codes.h"
#include "ingest/formats/perf_names.h"

#include <algorithm>

namespace hearth::perf {

namespace {

/// The lowest three bits of a record's misc: where the processor was.
constexpr std::uint16_t kModeMask = 7;
constexpr std::uint16_t kKernelMode = 1;
constexpr std::uint16_t kGuestKernelMode = 4;
constexpr std::uint16_t kCommIsExec = 1 << 13;
constexpr std::uint16_t kMmapHasBuildId = 1 << 14;

bool isKernelMode(std::uint16_t misc)
{
    return (misc & kModeMask) == kKernelMode || (misc & kModeMask) == kGuestKernelMode;
}

/// perf says behind the kernel's name what its start is called: "[kernel.kallsyms]_text".
std::string_view withoutStart(std::string_view path)
{
    const std::size_t bracket = path.find(']');
    return path.starts_with('[') && bracket != std::string_view::npos ? path.substr(0, bracket + 1) : path;
}

/// Its length, three bytes, and room for 20. Where perf broke down while it wrote a file, it is said of
/// records that have a device and an inode there.
std::string buildIdOf(std::span<const std::uint8_t> identity)
{
    constexpr std::size_t kLongest = 20;
    return identity[0] <= kLongest ? hexOf(identity.subspan(4).first(identity[0])) : std::string();
}

} // namespace

std::size_t Samples::addEvent(Event event)
{
    // Until the file says better names, those of two events may be the same.
    const std::size_t number = m_series.size();
    const std::size_t block =
        m_builder.block({.series = {{std::to_string(number), {}}}, .hasTimes = event.hasTimes()});
    m_builder.rename(block, event.name, unitOf(event.name));
    m_series.push_back({std::move(event), block});
    return number;
}

void Samples::rename(std::uint64_t id, std::string_view name)
{
    const auto found = m_eventOfId.find(id);
    if (found != m_eventOfId.end() && found->second < m_series.size() && !name.empty())
        m_builder.rename(m_series[found->second].block, name, unitOf(name));
}

const Samples::Series *Samples::seriesOf(Bytes body) const
{
    if (m_series.size() <= 1)
        return m_series.empty() ? nullptr : &m_series.front();
    const auto id = idOfSample(m_series.front().event, body);
    const auto found = id ? m_eventOfId.find(*id) : m_eventOfId.end();
    return found == m_eventOfId.end() || found->second >= m_series.size() ? &m_series.front()
                                                                          : &m_series[found->second];
}

std::uint64_t Samples::timeOf(std::span<const std::uint8_t> record) const
{
    if (m_series.empty())
        return 0;
    Bytes bytes(record, m_isSwapped);
    const RecordHead head = readHead(bytes);
    const auto body = record.subspan(RecordHead::kSize);
    return head.type == static_cast<std::uint32_t>(RecordType::Sample)
               ? timeOfSample(seriesOf(bytes)->event, bytes)
               : timeOfRecord(m_series.front().event, body, m_isSwapped);
}

void Samples::take(std::span<const std::uint8_t> record)
{
    Bytes bytes(record, m_isSwapped);
    const RecordHead head = readHead(bytes);
    switch (static_cast<RecordType>(head.type)) {
    case RecordType::Sample:
        return takeSample(record.subspan(RecordHead::kSize), head.misc);
    case RecordType::Mmap:
        return takeMapping(bytes, head.misc, false);
    case RecordType::Mmap2:
        return takeMapping(bytes, head.misc, true);
    case RecordType::Comm:
        return takeComm(bytes, head.misc);
    case RecordType::Fork:
        return takeFork(bytes);
    case RecordType::Ksymbol:
        return takeSymbol(bytes);
    case RecordType::Lost:
        bytes.skip(8);
        return takeLoss(bytes.u64());
    case RecordType::LostSamples:
        return takeLoss(bytes.u64());
    default:
        return;
    }
}

void Samples::takeLoss(std::uint64_t count)
{
    m_builder.losses().add(Loss::DroppedBySender, std::min<std::uint64_t>(count, 1U << 30));
}

void Samples::takeMapping(Bytes body, std::uint16_t misc, bool isSecond)
{
    const std::uint32_t process = body.u32();
    body.skip(4);
    MappedBinary binary;
    binary.start = body.u64();
    binary.end = binary.start + body.u64();
    binary.offset = body.u64();
    std::string buildId;
    if (isSecond) {
        const auto identity = body.bytes(24);
        if ((misc & kMmapHasBuildId) != 0 && !identity.empty())
            buildId = buildIdOf(identity);
        body.skip(8);
    }
    const bool isKernel = process == Processes::kKernel || isKernelMode(misc);
    const std::string_view path = isKernel ? withoutStart(body.textToEnd()) : body.textToEnd();
    if (!body.isOk() || binary.end <= binary.start) {
        m_builder.losses().add(Loss::MalformedRecords);
        return;
    }
    if (path == "[kernel.kallsyms]" || path == "[guest.kernel.kallsyms]")
        binary.offset = binary.start; // its addresses are the same in memory as in its file
    binary.mapping =
        m_builder.mapping({.path = path, .buildId = buildId}, binary.start, binary.end, binary.offset);
    m_processes.map(isKernel ? Processes::kKernel : process, binary);
}

/// Code that the kernel made, of a BPF program for one: it has a name and no file.
void Samples::takeSymbol(Bytes body)
{
    MappedBinary binary;
    binary.start = body.u64();
    binary.end = binary.start + body.u32();
    body.skip(4);
    const std::string path = '[' + std::string(body.textToEnd()) + ']';
    if (!body.isOk() || binary.end <= binary.start)
        return;
    binary.mapping = m_builder.mapping({.path = path}, binary.start, binary.end);
    m_processes.map(Processes::kKernel, binary);
}

void Samples::takeComm(Bytes body, std::uint16_t misc)
{
    const std::uint32_t process = body.u32();
    const std::uint32_t thread = body.u32();
    m_processes.rename(process, thread, body.textToEnd(), (misc & kCommIsExec) != 0);
}

void Samples::takeFork(Bytes body)
{
    const std::uint32_t process = body.u32();
    const std::uint32_t parent = body.u32();
    const std::uint32_t thread = body.u32();
    m_processes.fork(process, thread, parent, body.u32());
}

void Samples::takeSample(std::span<const std::uint8_t> body, std::uint16_t misc)
{
    const Series *series = seriesOf(Bytes(body, m_isSwapped));
    if (series == nullptr || !readSample(series->event, Bytes(body, m_isSwapped), m_sample)) {
        m_builder.losses().add(Loss::MalformedRecords, "a sample is cut off");
        return;
    }
    unwind(misc);
    const std::uint64_t period = m_sample.period > 0 ? m_sample.period : 1;
    m_builder.add(series->block, stackOf(m_sample, misc),
                  m_processes.contextOf(m_sample.process, m_sample.thread, m_sample.cpu),
                  static_cast<std::int64_t>(m_sample.timeNs), static_cast<std::int64_t>(period));
}

/// What the kernel left to us: it copied the user's stack, and walked only its own.
void Samples::unwind(std::uint16_t misc)
{
    m_foreignCopies += m_sample.hasForeignCopy ? 1 : 0;
    std::vector<std::uint64_t> &chain = m_sample.chain;
    if (!m_sample.copy || std::ranges::find(chain, kUserMark) != chain.end())
        return;
    if (chain.empty() && isKernelMode(misc))
        chain = {kKernelMark, m_sample.ip};
    m_unwinder.walk(m_processes.spaceOf(m_sample.process), m_sample);
}

/// The same addresses are the same stack for as long as the same is mapped.
StackId Samples::stackOf(const Sample &sample, std::uint16_t misc)
{
    const bool isKernel = isKernelMode(misc);
    m_key.assign({m_processes.spaceOf(sample.process).version(),
                  m_processes.spaceOf(Processes::kKernel).version(), sample.ip, isKernel ? 1U : 0U});
    m_key.insert(m_key.end(), sample.chain.begin(), sample.chain.end());
    for (const Branch &branch : sample.branches)
        m_key.push_back(branch.from);
    std::uint32_t &known = m_stackOfChain[digestOf(
        {reinterpret_cast<const std::uint8_t *>(m_key.data()), m_key.size() * sizeof m_key[0]})];
    if (known != DigestMap::kNew)
        return StackId(known);
    m_frames.clear();
    appendChain(sample, isKernel);
    if (m_frames.empty())
        m_frames.push_back(frameOf(sample.ip, sample.process, isKernel, false));
    const StackId stack = m_builder.path(m_frames);
    known = stack.value;
    return stack;
}

void Samples::appendChain(const Sample &sample, bool isKernel)
{
    bool isCaller = false;
    for (const std::uint64_t ip : sample.chain) {
        if (ip < kFirstMark) {
            m_frames.push_back(frameOf(ip, sample.process, isKernel, isCaller));
            isCaller = true;
            continue;
        }
        isKernel = ip == kKernelMark || ip == kGuestKernelMark;
        isCaller = false;
        if (ip == kUserMark && !sample.branches.empty())
            return appendBranches(sample);
    }
    if (sample.chain.empty() && !sample.branches.empty())
        appendBranches(sample);
}

/// The processor's own record of calls: where the last one went, and where each came from.
void Samples::appendBranches(const Sample &sample)
{
    m_frames.push_back(frameOf(sample.branches.front().to, sample.process, false, false));
    for (const Branch &branch : sample.branches)
        m_frames.push_back(frameOf(branch.from, sample.process, false, false));
}

/// A caller's address is the one behind its call, which may be in another line or function.
FrameId Samples::frameOf(std::uint64_t ip, std::uint32_t process, bool isKernel, bool isCaller)
{
    Frame frame;
    frame.address = isCaller && ip > 0 ? ip - 1 : ip;
    std::string_view path;
    const AddressSpace &space = m_processes.spaceOf(isKernel ? Processes::kKernel : process);
    if (const MappedBinary *binary = space.find(frame.address)) {
        frame.address = frame.address - binary->start + binary->offset;
        frame.mapping = binary->mapping;
        const Batch &batch = m_builder.batch();
        path = batch.strings[batch.binaries[batch.mappings[binary->mapping.value].binary.value].path.value];
    }
    frame.kind = m_builder.text(isKernel ? std::string_view("kernel") : kindOf(path));
    return m_builder.frame(frame, {});
}

void Samples::addBuildId(std::string_view path, std::span<const std::uint8_t> buildId)
{
    m_buildIds.insert_or_assign(m_builder.text(withoutStart(path)), m_builder.text(hexOf(buildId)));
}

void Samples::finish()
{
    for (Binary &binary : m_builder.batch().binaries)
        if (const auto known = m_buildIds.find(binary.path);
            known != m_buildIds.end() && binary.buildId == StringId())
            binary.buildId = known->second;
    m_unwinder.finish();
    if (m_foreignCopies > 0)
        m_builder.losses().add(Loss::UnknownFields,
                               std::to_string(m_foreignCopies) +
                                   " samples have a copy of their stack, of a machine that is no x86-64");
}

} // namespace hearth::perf
