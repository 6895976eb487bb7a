#include "agent/session/recorder.h"

#include "agent/process/process_context.h"
#include "agent/python/merge_stacks.h"
#include "agent/session/clock.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hearth::agent {

namespace {

constexpr std::uint64_t kBeforeFirstLookNs = 400'000'000;
constexpr std::uint64_t kBetweenLooksNs = 5'000'000'000;

std::vector<std::uint64_t> wordsOf(std::span<const std::uint8_t> bytes, std::size_t count)
{
    std::vector<std::uint64_t> words(count);
    if (count > 0)
        std::memcpy(words.data(), bytes.data(), count * sizeof words[0]);
    return words;
}

/// Whether the frame is of CPython's loop that interprets; compilers split it, and newer versions are many
/// functions.
bool isInterpreter(const UserFrame &frame)
{
    const auto &binary = frame.placed.binary;
    if (!binary || !binary->python)
        return false;
    const std::vector<SymbolLine> &chain = namesOf(*binary).at(frame.address);
    return !chain.empty() && (chain.back().systemName.startsWith("_PyEval_EvalFrameDefault") ||
                              chain.back().systemName.startsWith("_TAIL_CALL_"));
}

} // namespace

Recorder::Recorder(Sampler &sampler, ProcessEvents &events, const ProfileFacts &facts)
    : m_sampler(sampler), m_events(events), m_facts(facts), m_kernel(KernelSymbols::ofThisMachine()),
      m_profile(std::make_unique<ProfileBuilder>(m_kernel, facts)), m_sinceEpoch(sinceEpoch())
{
    m_sampler.addRules(m_book);
}

/// Samples are read before events: so the events that a sample depends on are there. What happened after the
/// reading began is kept for the next time, when all that came before it will be known.
void Recorder::takeIn()
{
    const std::uint64_t until = monotonicNow();
    m_sampler.read([this](std::span<const std::uint8_t> record) {
        RecordHead head;
        if (record.size() < sizeof head)
            return;
        std::memcpy(&head, record.data(), sizeof head);
        m_rawSamples.push_back({head.timeNs, {record.begin(), record.end()}});
    });
    m_events.read(m_newEvents);
    if (std::exchange(m_eventsLost, m_events.lost()) != m_events.lost())
        m_processes.distrust();
    std::ranges::stable_sort(m_rawSamples, {}, &RawSample::timeNs);
    std::ranges::stable_sort(m_newEvents, {}, &ProcessEvent::timeNs);
    auto event = m_newEvents.begin();
    auto sample = m_rawSamples.begin();
    for (; sample != m_rawSamples.end() && sample->timeNs <= until; ++sample) {
        for (; event != m_newEvents.end() && event->timeNs <= sample->timeNs; ++event)
            m_processes.apply(*event);
        takeSample(sample->record);
    }
    for (; event != m_newEvents.end() && event->timeNs <= until; ++event)
        m_processes.apply(*event);
    m_rawSamples.erase(m_rawSamples.begin(), sample);
    m_newEvents.erase(m_newEvents.begin(), event);
    tidyUp();
}

void Recorder::takeSample(std::span<const std::uint8_t> record)
{
    Sample sample;
    std::memcpy(&sample.head, record.data(), sizeof sample.head);
    const std::size_t words = std::size_t(sample.head.kernelFrames) + sample.head.userFrames;
    if (record.size() != sizeof sample.head + words * sizeof(std::uint64_t) +
                             sample.head.pythonFrames * sizeof(PythonFrame) + sample.head.stackBytes ||
        sample.head.kind >= kRecordKinds)
        return;
    Process &process = m_processes.find(sample.head.process);
    sample.process = &process;
    lookForResource(process, sample.head.timeNs);
    const auto behindHead = record.subspan(sizeof sample.head);
    const auto behindKernel = behindHead.subspan(sample.head.kernelFrames * sizeof(std::uint64_t));
    if (sample.head.kind == kRecordLeftCopy) {
        if (m_left.size() >= kMostParked)
            m_left.clear(); // of threads that never came back
        m_left[sample.head.thread] = {sample.head.timeNs,
                                      walkCopy(sample.head, process, record.last(sample.head.stackBytes))};
        return;
    }
    sample.kernelFrames = wordsOf(behindHead, sample.head.kernelFrames);
    // All but the leaf are behind their calls.
    for (std::size_t i = 1; i < sample.kernelFrames.size(); ++i)
        --sample.kernelFrames[i];
    takeUserStack(sample, process, behindKernel);
    if (sample.head.kind == kRecordOffCpu)
        sample.head.value = static_cast<__u64>(static_cast<double>(sample.head.value) * m_facts.offCpuScale);
    m_profile->add(sample, static_cast<std::int64_t>(sample.head.timeNs) + m_sinceEpoch);
    ++m_counts.samples;
}

/// Programs publish it when they have begun, so those that live for a moment only are not asked.
void Recorder::lookForResource(Process &process, std::uint64_t nowNs)
{
    const auto [next, isNew] = m_nextLook.try_emplace(process.number, nowNs + kBeforeFirstLookNs);
    if (isNew || nowNs < next->second)
        return;
    next->second = nowNs + kBetweenLooksNs;
    if (std::string resource = publishedResource(process.number); !resource.empty())
        process.resource = std::move(resource);
}

void Recorder::takeUserStack(Sample &sample, Process &process, std::span<const std::uint8_t> behindKernel)
{
    const Walk walk = userWalk(sample, process, behindKernel);
    sample.stop = walk.stop;
    for (const std::uint64_t place : walk.places)
        sample.userFrames.push_back(frameAt(process, place, sample.head.timeNs));
    mergePython(sample, behindKernel.subspan(sample.head.userFrames * sizeof(std::uint64_t)));
    if (sample.stop == kStopOutermost)
        ++m_counts.complete;
    else if (sample.stop != kStopNoUserStack)
        ++m_counts.cut;
}

/// Stays without CPython's frames if one of them has no name: its process has ended.
void Recorder::mergePython(Sample &sample, std::span<const std::uint8_t> behindUser)
{
    std::vector<PythonFrame> frames(sample.head.pythonFrames);
    if (frames.empty())
        return;
    std::memcpy(frames.data(), behindUser.data(), frames.size() * sizeof frames[0]);
    std::vector<UserFrame> named;
    std::vector<bool> isEntry;
    for (const PythonFrame &frame : frames) {
        auto name = m_python.nameOf(sample.head.process, frame);
        if (!name)
            return;
        named.push_back(
            {.placed = {}, .address = frame.code & ~std::uint64_t(kPythonTag), .name = std::move(name)});
        isEntry.push_back((frame.code & kPythonEntry) != 0);
    }
    std::vector<bool> interprets;
    for (const UserFrame &frame : sample.userFrames)
        interprets.push_back(isInterpreter(frame));
    std::vector<UserFrame> merged;
    for (const MergedFrame &frame : mergeStacks(interprets, isEntry, sample.stop != kStopOutermost))
        merged.push_back(frame.isPython ? named[frame.number] : std::move(sample.userFrames[frame.number]));
    sample.userFrames = std::move(merged);
}

Walk Recorder::userWalk(const Sample &sample, Process &process, std::span<const std::uint8_t> behindKernel)
{
    const auto stop = static_cast<UnwindStop>(sample.head.stop);
    if (stop != kStopCopied)
        return {wordsOf(behindKernel, sample.head.userFrames), stop};
    return sample.head.kind == kRecordOffCpu
               ? leftWalk(sample.head)
               : walkCopy(sample.head, process, behindKernel.last(sample.head.stackBytes));
}

Walk Recorder::walkCopy(const RecordHead &head, Process &process, std::span<const std::uint8_t> stack)
{
    m_tables.noteCopy(process);
    return walkStack(head.registers, {head.registers.sp, stack},
                     [&](std::uint64_t address) { return ruleAt(process, address); });
}

/// The copy came when the thread left; now that it is back, one knows for how long.
Walk Recorder::leftWalk(const RecordHead &head)
{
    const auto left = m_left.find(head.thread);
    if (left == m_left.end() || left->second.timeNs != head.timeNs)
        return {{}, kStopLost};
    Walk walk = std::move(left->second.walk);
    m_left.erase(left);
    return walk;
}

UnwindRule Recorder::ruleAt(Process &process, std::uint64_t address)
{
    const auto code = process.codeAt(address);
    if (!code)
        return m_book[kRuleByFramePointer];
    if (m_tables.isTrampoline(code))
        return kTrampolineRule;
    const PlacedBinary placed = m_binaries.find(process, code);
    return m_tables.ruleAt(*placed.binary, address - placed.shift);
}

UserFrame Recorder::frameAt(Process &process, std::uint64_t address, std::uint64_t timeNs)
{
    const auto code = process.codeAt(address);
    if (code && !code->path.empty()) {
        const PlacedBinary placed = m_binaries.find(process, code);
        if (placed.binary->file)
            return {.placed = placed, .address = address - placed.shift, .name = {}};
    }
    UserFrame frame{.placed = {}, .address = address, .name = m_jit.nameAt(process, address, timeNs)};
    if (code && frame.name && frame.name->kind == "cpython")
        m_tables.noteTrampoline(process, code);
    if (code && !frame.name && code->path.starts_with('/')) // a file that could not be read
        frame.placed = m_binaries.find(process, code);
    if (frame.placed.binary)
        frame.address -= frame.placed.shift;
    return frame;
}

void Recorder::tidyUp()
{
    m_tables.forget(m_binaries.forgetOld());
    m_tables.update(m_processes);
    for (const std::uint32_t process : m_processes.forgetEnded()) {
        m_tables.forget(process);
        m_jit.forget(process);
        m_python.forget(process);
        m_nextLook.erase(process);
    }
}

std::optional<Profile> Recorder::profile()
{
    std::optional<Profile> profile;
    if (!m_profile->isEmpty())
        profile = m_profile->finish();
    m_facts.lost = counts().lost;
    m_profile = std::make_unique<ProfileBuilder>(m_kernel, m_facts);
    m_sinceEpoch = sinceEpoch();
    return profile;
}

RecorderCounts Recorder::counts() const
{
    RecorderCounts counts = m_counts;
    counts.lost = m_sampler.counts().lost + m_events.lost();
    counts.unreadable = m_binaries.unreadable();
    return counts;
}

} // namespace hearth::agent
