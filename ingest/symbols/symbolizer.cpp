#include "ingest/symbols/symbolizer.h"

#include "ingest/symbols/address_uses.h"
#include "ingest/symbols/kernel_symbols.h"
#include "model/views/frame_weights.h"

#include <algorithm>
#include <utility>

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

/// Does it tell lines and inlined functions, of every function?
bool isGood(SymbolSource source)
{
    return source == SymbolSource::DebugInformation || source == SymbolSource::GoTable;
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

Symbolizer::~Symbolizer()
{
    for (auto &[id, known] : m_binaries)
        save(known, true);
    trimSaved();
}

void Symbolizer::setPlaces(SearchPlaces places)
{
    m_places = std::move(places);
    m_finder.reset();
    std::erase_if(m_binaries, [](const auto &entry) {
        return !isGood(entry.second.symbols.source) || (entry.second.isSearched && !entry.second.program);
    });
    m_frames = 0;
    m_unnamed.clear();
    m_askedServers.clear();
}

void Symbolizer::lookAgain(std::span<const BinaryId> binaries)
{
    m_finder.reset();
    for (const BinaryId binary : binaries) {
        if (const auto known = m_binaries.find(binary); known != m_binaries.end()) {
            save(known->second, true);
            if (m_kernel && isKernel(known->second.identity))
                *m_kernel = Kernel();
            m_binaries.erase(known);
        }
        m_askedServers.erase(binary);
    }
    m_frames = 0;
    m_unnamed.clear();
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
    std::vector<Job> jobs = jobsOf(snapshot, stop);
    SymbolProgress progress{.allBinaries = jobs.size()};
    std::optional<Hints> hints; // gathered when a binary is new
    std::vector<Job *> forServers;
    const auto resolveOne = [&](Job &job) {
        progress.binary = identityOf(snapshot, job.binary).name();
        if (receiver.progress)
            receiver.progress(progress);
        resolve(snapshot, job, hints, receiver, stop);
    };
    m_asksServers = false;
    for (Job &job : jobs) {
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
    for (Job *const job : forServers) {
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
    trimSaved();
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

Symbolizer::Known &Symbolizer::known(const Snapshot &snapshot, BinaryId binary)
{
    const auto [place, isNew] = m_binaries.try_emplace(binary);
    Known &known = place->second;
    if (!isNew)
        return known;
    known.identity = identityOf(snapshot, binary);
    known.symbols.binary = binary;
    known.symbols.name = known.identity.name();
    if (isKernel(known.identity))
        return known;
    known.book = m_places.names.load(known.identity);
    if (!known.book)
        return known;
    known.savedPlaces = known.book->size();
    known.symbols.source = known.book->source;
    known.symbols.file = known.book->file;
    return known;
}

/// Looks for the program, once.
void Symbolizer::search(const Snapshot &snapshot, Known &known, std::optional<Hints> &hints,
                        const std::stop_token &stop)
{
    if (std::exchange(known.isSearched, true))
        return;
    if (!hints)
        hints = hintsIn(snapshot);
    if (isKernel(known.identity))
        return lookAtKernel(known.identity, hints->sampledNs, known);
    if (!m_finder)
        m_finder = std::make_unique<ProgramFinder>(m_places);
    ProgramFinder::Found found =
        m_finder->find(known.identity, hints->paths, hints->sampledNs, m_asksServers, stop);
    known.symbols.problem = std::move(found.problem);
    known.symbols.advice = std::move(found.advice);
    if (!found.files.program)
        return;
    known.program = std::make_unique<Program>(std::move(found.files));
    if (known.book && !isGood(known.program->source()))
        return; // what is known is better than what is there now
    known.symbols.source = known.program->source();
    known.symbols.file = known.program->sourceFile();
    describeGaps(known.symbols);
    if (!isGood(known.symbols.source) || !m_places.names.isKept())
        return;
    if (!known.book)
        known.book.emplace();
    known.book->source = known.symbols.source;
    known.book->file = known.symbols.file;
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

void Symbolizer::resolve(const Snapshot &snapshot, Job &job, std::optional<Hints> &hints,
                         const Receiver &receiver, const std::stop_token &stop)
{
    const bool isNew = !m_binaries.contains(job.binary);
    Known &binary = known(snapshot, job.binary);
    SymbolUpdate update;
    update.frames = takeKnown(binary, job.frames);
    if (isNew && binary.book)
        update.binaries.push_back(binary.symbols);
    if (!job.frames.empty() && !binary.isSearched) {
        if (!update.isEmpty())
            receiver.take(std::exchange(update, {}));
        search(snapshot, binary, hints, stop);
        update.binaries.push_back(binary.symbols);
    }
    std::span<const Wanted> frames(job.frames);
    for (std::size_t count = kHottest; !stop.stop_requested(); count = frames.size()) {
        const auto part = frames.first(std::min(count, frames.size()));
        for (FrameSymbols &found : namesOf(binary, part, stop))
            update.frames.push_back(std::move(found));
        frames = frames.subspan(part.size());
        if (!update.isEmpty() && !stop.stop_requested())
            receiver.take(std::exchange(update, {}));
        if (frames.empty())
            break;
    }
    save(binary, false);
}

/// Names that were found before; the frames that got one are taken away.
std::vector<FrameSymbols> Symbolizer::takeKnown(const Known &known, std::vector<Wanted> &frames)
{
    std::vector<FrameSymbols> found;
    if (known.book)
        std::erase_if(frames, [&](const Wanted &frame) {
            std::vector<SymbolLine> chain = known.book->find(frame.address);
            if (chain.empty())
                return false;
            found.push_back({frame.frame, std::move(chain)});
            return true;
        });
    return found;
}

std::vector<FrameSymbols> Symbolizer::namesOf(Known &binary, std::span<const Wanted> frames,
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
    const bool isKept = binary.book && isGood(binary.program->source());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (names[i].empty())
            continue;
        if (isKept && names[i].back().line > 0) // else a file that comes later may tell more
            binary.book->add(sorted[i].address, names[i]);
        found.push_back({sorted[i].frame, std::move(names[i])});
    }
    return found;
}

/// Writes what was found if it is worth it: data that keeps coming would have the same written again and
/// again.
void Symbolizer::save(Known &known, bool isLast)
{
    if (!known.book)
        return;
    const std::size_t places = known.book->size();
    if (places == known.savedPlaces || (!isLast && places < known.savedPlaces + known.savedPlaces / 4))
        return;
    m_hasSaved |= m_places.names.save(known.identity, *known.book);
    known.savedPlaces = places;
}

/// Once after many were saved: it lists the whole folder.
void Symbolizer::trimSaved()
{
    if (std::exchange(m_hasSaved, false))
        m_places.names.trim();
}

} // namespace hearth
