#include "ingest/symbols/symbolizer.h"

#include "ingest/symbols/address_uses.h"
#include "ingest/symbols/kernel_symbols.h"
#include "model/views/frame_weights.h"

#include <algorithm>

namespace hearth {

namespace {

constexpr std::size_t kHottest = 500; ///< frames of a binary that are named before its others

bool isNameless(const Snapshot &snapshot, FrameId frame)
{
    const auto lines = snapshot.linesOf(frame);
    return std::ranges::all_of(lines, [](const Line &line) { return line.function.isNone(); });
}

bool isMadeAtRunTime(const Snapshot &snapshot, FrameId frame)
{
    const auto binary = snapshot.binaryOf(frame);
    if (!binary) {
        const std::string_view kind = snapshot.text(snapshot.frames[frame.value].kind);
        return kind == "native" || kind == "jit" || kind == "unknown";
    }
    const BinaryIdentity identity = identityOf(snapshot, *binary);
    return !isFile(identity) && !isKernel(identity) && !isVdso(identity);
}

/// Where the file is there and yet does not tell.
void describeGaps(BinarySymbols &symbols)
{
    if (symbols.source == SymbolSource::ExportedNames)
        symbols.problem = "stripped: only exported functions have names";
    else if (symbols.source == SymbolSource::None)
        symbols.problem = "stripped: no function has a name";
    if (symbols.source != SymbolSource::GoTable)
        return;
    symbols.problem.clear(); // nothing that debug information would add
    symbols.advice.clear();
}

} // namespace

struct Symbolizer::Kernel {
    KernelSymbols symbols = KernelSymbols::ofThisMachine();
    std::string buildId = kernelBuildId();
    std::int64_t startedNs = bootTimeNs();
};

/// Senders tell paths of programs beside those of mappings, of which some have the last part only.
Symbolizer::Hints Symbolizer::hintsIn(const Snapshot &snapshot)
{
    Hints hints;
    for (std::size_t i = 0; i < snapshot.attributes.size(); ++i) {
        const Attribute &attribute = snapshot.attributes[i];
        if (attribute.type == AttributeType::String &&
            snapshot.text(attribute.key) == "process.executable.path")
            hints.paths.emplace_back(snapshot.text(attribute.text()));
    }
    const Origin origin = mergedOrigin(snapshot);
    hints.sampledNs = origin.timeNs == 0 ? 0 : origin.timeNs + origin.durationNs;
    return hints;
}

Symbolizer::Symbolizer(SearchPlaces places) : m_places(std::move(places)) {}

Symbolizer::~Symbolizer() = default;

void Symbolizer::setPlaces(SearchPlaces places)
{
    m_places = std::move(places);
    m_finder.reset();
    std::erase_if(m_binaries, [](const auto &entry) {
        const SymbolSource source = entry.second.symbols.source;
        return source != SymbolSource::DebugInformation && source != SymbolSource::GoTable;
    });
    m_frames = 0;
    m_unnamed.clear();
    m_askedServers.clear();
}

std::vector<Symbolizer::Job> Symbolizer::jobsOf(const Snapshot &snapshot, const std::stop_token &stop)
{
    std::unordered_map<BinaryId, std::size_t> jobOf;
    std::vector<Job> jobs;
    const std::size_t frames = snapshot.frames.size();
    std::optional<std::vector<std::int64_t>> weights;
    for (; m_frames < frames; ++m_frames) {
        const FrameId frame(m_frames);
        const auto binary = snapshot.binaryOf(frame);
        if (!isNameless(snapshot, frame))
            continue;
        if (isMadeAtRunTime(snapshot, frame))
            m_newMade.push_back(frame);
        if (!binary)
            continue;
        if (!weights)
            weights = frameWeights(snapshot, stop);
        if (!weights)
            return {};
        const auto [place, isNew] = jobOf.try_emplace(*binary, jobs.size());
        if (isNew)
            jobs.push_back({.binary = *binary, .weight = 0, .frames = {}});
        Job &job = jobs[place->second];
        const std::int64_t weight = (*weights)[frame.value];
        job.weight = std::max(job.weight, weight);
        job.frames.push_back({frame, snapshot.frames[frame.value].address, weight});
    }
    std::ranges::stable_sort(jobs, std::greater(), &Job::weight);
    for (Job &job : jobs)
        std::ranges::stable_sort(job.frames, std::greater(), &Wanted::weight);
    return jobs;
}

/// Servers may take long. What is on this machine comes first, so that they delay nobody.
void Symbolizer::resolve(const Snapshot &snapshot, const Receiver &receiver, const std::stop_token &stop)
{
    const std::size_t framesBefore = m_frames;
    const std::vector<Job> jobs = jobsOf(snapshot, stop);
    SymbolProgress progress{.allBinaries = jobs.size()};
    std::optional<Hints> hints; // gathered when a binary is new
    std::vector<const Job *> forServers;
    const auto resolveOne = [&](const Job &job) {
        progress.binary = identityOf(snapshot, job.binary).name();
        if (receiver.progress)
            receiver.progress(progress);
        resolve(snapshot, job, hints, receiver, stop);
    };
    m_asksServers = false;
    for (const Job &job : jobs) {
        if (stop.stop_requested())
            break;
        resolveOne(job);
        if (mayBeAtServers(snapshot, job.binary))
            forServers.push_back(&job);
        else
            ++progress.binaries;
    }
    if (!stop.stop_requested())
        resolveMade(snapshot, receiver, stop);
    m_asksServers = true;
    for (const Job *const job : forServers) {
        if (stop.stop_requested())
            break;
        m_binaries.erase(job->binary);
        resolveOne(*job);
        ++progress.binaries;
        if (stop.stop_requested())
            m_binaries.erase(job->binary); // its servers did not get to answer
        else
            m_askedServers.insert(job->binary);
    }
    if (receiver.progress)
        receiver.progress(progress);
    if (stop.stop_requested()) {
        m_frames = framesBefore;
        m_newMade.clear();
    }
}

bool Symbolizer::mayBeAtServers(const Snapshot &snapshot, BinaryId binary) const
{
    const SymbolSource source = m_binaries.at(binary).symbols.source;
    return !m_places.debuginfod.servers.empty() && !m_askedServers.contains(binary) &&
           !identityOf(snapshot, binary).buildId.empty() &&
           (source == SymbolSource::None || source == SymbolSource::SymbolTable ||
            source == SymbolSource::ExportedNames);
}

/// Code without a file is named by the processes that it was sampled in, as long as they agree.
void Symbolizer::resolveMade(const Snapshot &snapshot, const Receiver &receiver, const std::stop_token &stop)
{
    if (!m_newMade.empty() && !isOfAnotherMachine(snapshot)) {
        auto uses = usesOf(snapshot, m_newMade, stop);
        for (const FrameId frame : m_newMade) {
            const Frame &row = snapshot.frames[frame.value];
            const std::uint64_t address =
                row.mapping.isNone() ? row.address
                                     : snapshot.mappings[row.mapping.value].memoryAddress(row.address);
            if (const auto found = uses.find(frame); found != uses.end())
                m_unnamed.push_back({.frame = frame, .address = address, .uses = std::move(found->second)});
        }
    }
    m_newMade.clear();
    SymbolUpdate update;
    std::erase_if(m_unnamed, [&](const Made &made) {
        auto found = m_made.find(made.address, made.uses);
        if (!found)
            return false;
        if (const auto binary = snapshot.binaryOf(made.frame))
            if (Known &known = m_binaries[*binary]; known.symbols.source == SymbolSource::None) {
                known.symbols.source = SymbolSource::MadeAtRunTime;
                known.symbols.file = found->source;
                known.symbols.problem = "what has no name had gone, or given its place to other code";
                known.symbols.advice.clear();
                update.binaries.push_back(known.symbols);
            }
        update.frames.push_back({made.frame, {std::move(found->line)}});
        return true;
    });
    if (!update.isEmpty())
        receiver.take(std::move(update));
}

const Symbolizer::Known &Symbolizer::known(const Snapshot &snapshot, BinaryId binary,
                                           std::optional<Hints> &hints, const std::stop_token &stop)
{
    const auto [place, isNew] = m_binaries.try_emplace(binary);
    Known &known = place->second;
    if (!isNew)
        return known;
    if (!hints)
        hints = hintsIn(snapshot);
    const BinaryIdentity identity = identityOf(snapshot, binary);
    known.symbols.binary = binary;
    known.symbols.name = identity.name();
    if (isKernel(identity)) {
        lookAtKernel(identity, hints->sampledNs, known);
        return known;
    }
    if (!m_finder)
        m_finder = std::make_unique<ProgramFinder>(m_places);
    ProgramFinder::Found found =
        m_finder->find(identity, hints->paths, hints->sampledNs, m_asksServers, stop);
    known.symbols.problem = std::move(found.problem);
    known.symbols.advice = std::move(found.advice);
    if (!found.files.program)
        return known;
    known.program = std::make_unique<Program>(std::move(found.files));
    known.symbols.source = known.program->source();
    known.symbols.file = known.program->sourceFile();
    describeGaps(known.symbols);
    return known;
}

/// Where the kernel lies differs from start to start.
void Symbolizer::lookAtKernel(const BinaryIdentity &identity, std::int64_t sampledNs, Known &known)
{
    if (!m_kernel)
        m_kernel = std::make_unique<Kernel>();
    const bool isAnother = !identity.buildId.empty() && identity.buildId != m_kernel->buildId;
    if (isAnother || (sampledNs != 0 && sampledNs < m_kernel->startedNs)) {
        known.symbols.problem =
            "the samples are of another kernel than the one that runs, or of an earlier start";
    } else if (m_kernel->symbols.isEmpty()) {
        known.symbols.problem = "the kernel does not tell where its functions are";
        known.symbols.advice = "sysctl kernel.kptr_restrict=0";
    } else {
        known.symbols.source = SymbolSource::Kernel;
        known.symbols.file = "/proc/kallsyms";
    }
}

void Symbolizer::resolve(const Snapshot &snapshot, const Job &job, std::optional<Hints> &hints,
                         const Receiver &receiver, const std::stop_token &stop)
{
    const bool isNew = !m_binaries.contains(job.binary);
    const Known &binary = known(snapshot, job.binary, hints, stop);
    SymbolUpdate update;
    if (isNew)
        update.binaries.push_back(binary.symbols);
    const std::span<const Wanted> frames(job.frames);
    for (std::size_t begin = 0; begin < frames.size() && !stop.stop_requested();) {
        const std::size_t count = begin == 0 ? std::min(kHottest, frames.size()) : frames.size() - begin;
        update.frames = namesOf(binary, frames.subspan(begin, count), stop);
        begin += count;
        if (!update.isEmpty() && !stop.stop_requested())
            receiver.take(std::exchange(update, {}));
    }
}

std::vector<FrameSymbols> Symbolizer::namesOf(const Known &binary, std::span<const Wanted> frames,
                                              const std::stop_token &stop) const
{
    std::vector<FrameSymbols> found;
    if (binary.symbols.source == SymbolSource::Kernel)
        for (const Wanted &frame : frames)
            if (const auto function = m_kernel->symbols.find(frame.address)) {
                SymbolLine line;
                line.name = function->name;
                line.systemName = function->name;
                found.push_back({frame.frame, {std::move(line)}});
            }
    if (!binary.program)
        return found;
    std::vector<Wanted> sorted(frames.begin(), frames.end());
    std::ranges::sort(sorted, {}, &Wanted::address);
    std::vector<std::uint64_t> offsets;
    for (const Wanted &frame : sorted)
        offsets.push_back(frame.address);
    auto names = binary.program->namesOf(offsets, stop);
    for (std::size_t i = 0; i < sorted.size(); ++i)
        if (!names[i].empty())
            found.push_back({sorted[i].frame, std::move(names[i])});
    return found;
}

} // namespace hearth
