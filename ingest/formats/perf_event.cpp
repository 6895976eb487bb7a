#include "ingest/formats/perf_event.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

namespace hearth::perf {

namespace {

/// What a sample has, in the order in which it has it, but for Identifier, which comes first.
enum SampleType : std::uint64_t {
    kIp = 1,
    kTid = 1 << 1,
    kTime = 1 << 2,
    kAddr = 1 << 3,
    kRead = 1 << 4,
    kCallchain = 1 << 5,
    kId = 1 << 6,
    kCpu = 1 << 7,
    kPeriod = 1 << 8,
    kStreamId = 1 << 9,
    kRaw = 1 << 10,
    kBranchStack = 1 << 11,
    kRegsUser = 1 << 12,
    kStackUser = 1 << 13,
    kIdentifier = 1 << 16,
};
enum ReadFormat : std::uint64_t { kEnabled = 1, kRunning = 2, kReadId = 4, kGroup = 8, kLost = 16 };
constexpr std::uint64_t kBranchIsCallStack = 1 << 11;
constexpr std::uint64_t kBranchHasIndex = 1 << 17;

constexpr std::size_t kBranchBytes = 24;

std::string nameOf(std::uint32_t type, std::uint64_t config)
{
    constexpr std::array<std::string_view, 10> kHardware{
        "cycles",        "instructions", "cache-references",        "cache-misses",           "branches",
        "branch-misses", "bus-cycles",   "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"};
    constexpr std::array<std::string_view, 11> kSoftware{
        "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
        "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
        "emulation-faults", "dummy",        "bpf-output"};
    if (type == 0 && config < kHardware.size())
        return std::string(kHardware[config]);
    if (type == 1 && config < kSoftware.size())
        return std::string(kSoftware[config]);
    return (type == 2 ? "tracepoint " : "event " + std::to_string(type) + ':') + std::to_string(config);
}

/// The flags of an attr are a bit field: the order of bits in it is that of the bytes.
std::uint64_t readFlags(Bytes &bytes)
{
    std::uint64_t flags = 0;
    for (unsigned byte = 0; byte < 8; ++byte) {
        std::uint64_t bits = bytes.u8();
        if (bytes.isSwapped()) {
            std::uint64_t reversed = 0;
            for (unsigned bit = 0; bit < 8; ++bit)
                reversed |= (bits >> bit & 1) << (7 - bit);
            bits = reversed;
        }
        flags |= bits << (8 * byte);
    }
    return flags;
}

void skipReadValues(const Event &event, Bytes &bytes)
{
    const std::uint64_t format = event.readFormat;
    const std::uint64_t times = ((format & kEnabled) != 0) + ((format & kRunning) != 0);
    const std::uint64_t eachValue = 1 + ((format & kReadId) != 0) + ((format & kLost) != 0);
    if ((format & kGroup) == 0) {
        bytes.skip(8 * (times + eachValue));
        return;
    }
    const std::uint64_t count = bytes.u64();
    bytes.skip(8 * times);
    bytes.skip(count > bytes.left() / 8 ? bytes.left() + 1 : count * 8 * eachValue);
}

/// @return false if there cannot be so many
bool readChain(Bytes &bytes, std::vector<std::uint64_t> &chain)
{
    const std::uint64_t count = bytes.u64();
    if (count > bytes.left() / 8)
        return false;
    chain.resize(count);
    for (std::uint64_t &ip : chain)
        ip = bytes.u64();
    return true;
}

bool readBranches(const Event &event, Bytes &bytes, std::vector<Branch> &branches)
{
    const std::uint64_t count = bytes.u64();
    if ((event.branchSampleType & kBranchHasIndex) != 0)
        bytes.skip(8);
    if (count > bytes.left() / kBranchBytes)
        return false;
    if ((event.branchSampleType & kBranchIsCallStack) == 0) {
        bytes.skip(count * kBranchBytes);
        return true;
    }
    branches.resize(count);
    for (Branch &branch : branches) {
        branch.from = bytes.u64();
        branch.to = bytes.u64();
        bytes.skip(8);
    }
    return true;
}

/// Registers are in the order of their bits. @return false if they are not those of x86-64
bool readRegisters(const Event &event, Bytes &bytes, CopiedStack &copy)
{
    constexpr std::uint64_t kOf64Bits = 2;
    constexpr unsigned kFp = 6, kSp = 7, kIp = 8, kLast = 23;
    constexpr std::uint64_t kNeeded = 1U << kFp | 1U << kSp | 1U << kIp;
    const std::uint64_t abi = bytes.u64();
    if (abi == 0)
        return false; // a thread of the kernel has none
    for (std::uint64_t left = event.userRegisters; left != 0; left &= left - 1) {
        const std::uint64_t value = bytes.u64();
        switch (std::countr_zero(left)) {
        case kFp:
            copy.fp = value;
            break;
        case kSp:
            copy.sp = value;
            break;
        case kIp:
            copy.ip = value;
            break;
        default:
            break;
        }
    }
    return abi == kOf64Bits && !bytes.isSwapped() && (event.userRegisters & kNeeded) == kNeeded &&
           event.userRegisters >> (kLast + 1) == 0;
}

/// How much there is room for, that, and how much of it was there to be copied.
std::span<const std::uint8_t> readStack(Bytes &bytes)
{
    const std::uint64_t room = bytes.u64();
    if (room == 0)
        return {};
    const auto stack = bytes.bytes(std::min<std::uint64_t>(room, bytes.left()));
    return stack.first(std::min<std::uint64_t>(bytes.u64(), stack.size()));
}

} // namespace

bool Event::hasTimes() const
{
    return (sampleType & kTime) != 0;
}

Event readEvent(Bytes &bytes, std::uint64_t size)
{
    constexpr std::uint64_t kFrequency = 1 << 10;
    constexpr std::uint64_t kIdsEverywhere = 1 << 18;
    const std::size_t before = bytes.left();
    Event event;
    const std::uint32_t type = bytes.u32();
    const std::uint32_t ownSize = bytes.u32();
    const std::uint64_t config = bytes.u64();
    event.period = bytes.u64();
    event.sampleType = bytes.u64();
    event.readFormat = bytes.u64();
    const std::uint64_t flags = readFlags(bytes);
    if (size == 0)
        size = ownSize;
    if (size >= 80) {
        bytes.skip(24); // wakeup, breakpoint or configuration
        event.branchSampleType = bytes.u64();
    }
    if (size >= 88)
        event.userRegisters = bytes.u64();
    const std::size_t read = before - bytes.left();
    bytes.skip(size > read ? size - read : 0);
    event.name = nameOf(type, config);
    event.hasIdsEverywhere = (flags & kIdsEverywhere) != 0;
    if ((flags & kFrequency) != 0)
        event.period = 0;
    return event;
}

std::optional<std::uint64_t> idOfSample(const Event &event, Bytes bytes)
{
    if ((event.sampleType & kIdentifier) != 0)
        return bytes.u64();
    if ((event.sampleType & kId) == 0)
        return std::nullopt;
    for (const std::uint64_t before : {kIp, kTid, kTime, kAddr})
        if ((event.sampleType & before) != 0)
            bytes.skip(8);
    return bytes.u64();
}

std::uint64_t timeOfSample(const Event &event, Bytes bytes)
{
    if (!event.hasTimes())
        return 0;
    for (const std::uint64_t before : {kIdentifier, kIp, kTid})
        if ((event.sampleType & before) != 0)
            bytes.skip(8);
    return bytes.u64();
}

/// Who and when come last, in the order of a sample, but with Identifier at the end.
std::uint64_t timeOfRecord(const Event &event, std::span<const std::uint8_t> body, bool isSwapped)
{
    if (!event.hasIdsEverywhere || !event.hasTimes())
        return 0;
    std::size_t behind = 8;
    for (const std::uint64_t later : {kId, kStreamId, kCpu, kIdentifier})
        if ((event.sampleType & later) != 0)
            behind += 8;
    return body.size() < behind ? 0 : Bytes(body.last(behind), isSwapped).u64();
}

bool readSample(const Event &event, Bytes bytes, Sample &sample)
{
    const auto has = [&](std::uint64_t part) { return (event.sampleType & part) != 0; };
    sample = {};
    if (has(kIdentifier))
        bytes.skip(8);
    if (has(kIp))
        sample.ip = bytes.u64();
    if (has(kTid)) {
        sample.process = bytes.u32();
        sample.thread = bytes.u32();
    }
    if (has(kTime))
        sample.timeNs = bytes.u64();
    for (const std::uint64_t unused : {kAddr, kId, kStreamId})
        if (has(unused))
            bytes.skip(8);
    if (has(kCpu)) {
        sample.cpu = bytes.u32();
        bytes.skip(4);
    }
    sample.period = has(kPeriod) ? bytes.u64() : event.period;
    if (has(kRead))
        skipReadValues(event, bytes);
    if (has(kCallchain) && !readChain(bytes, sample.chain))
        return false;
    if (has(kRaw))
        bytes.skip(bytes.u32());
    if (has(kBranchStack) && !readBranches(event, bytes, sample.branches))
        return false;
    CopiedStack copy;
    const bool isKnown = has(kRegsUser) && readRegisters(event, bytes, copy);
    if (has(kStackUser))
        copy.bytes = readStack(bytes);
    if (isKnown && !copy.bytes.empty())
        sample.copy = copy;
    sample.hasForeignCopy = !isKnown && !copy.bytes.empty();
    return bytes.isOk();
}

} // namespace hearth::perf
