#pragma once

#include "ingest/symbols/made_code.h"
#include "ingest/symbols/program_finder.h"
#include "model/store/snapshot.h"
#include "model/store/symbols.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hearth {

/// How far the search for names has come.
struct SymbolProgress {
    std::size_t binaries = 0; ///< done
    std::size_t allBinaries = 0;
    std::string binary = {}; ///< at hand
};

/// Finds the names of the frames of one data set that came without. Of one thread; it may be called again
/// with later snapshots of the same data set, and costs what is new.
class Symbolizer {
public:
    explicit Symbolizer(SearchPlaces places);
    ~Symbolizer();

    struct Receiver {
        std::function<void(SymbolUpdate)> take; ///< some at a time, the heaviest first
        std::function<void(const SymbolProgress &)> progress = {};
    };
    void resolve(const Snapshot &snapshot, const Receiver &receiver, const std::stop_token &stop);

    /// What the data set says beside its binaries that helps to find them.
    struct Hints {
        std::vector<std::string> paths;
        std::int64_t sampledNs = 0; ///< when the last of the samples may have been taken; 0: not known
    };
    static Hints hintsIn(const Snapshot &snapshot);

    /// Other places: what was not found, or not well, is looked for again by the next resolve().
    void setPlaces(SearchPlaces places);
    /// Forgets what was found of these binaries, or that nothing was: what is there now counts by the next
    /// resolve().
    void lookAgain(std::span<const BinaryId> binaries);

private:
    struct Wanted {
        FrameId frame;
        std::uint64_t address = 0;
        std::int64_t weight = 0;
    };
    struct Job {
        BinaryId binary;
        std::int64_t weight = 0;
        std::vector<Wanted> frames;
    };
    struct Known {
        BinaryIdentity identity;
        std::unique_ptr<Program> program; ///< null if there is none, or nobody had to look
        BinarySymbols symbols;
        std::optional<NameBook> book; ///< what was found, now or before; of good names alone
        bool isSearched = false;      ///< for a program
        std::size_t savedPlaces = 0;  ///< of the book that are on disk
    };
    struct Kernel;
    /// A frame of code that has no file.
    struct Made {
        FrameId frame;
        std::uint64_t address = 0; ///< in its process
        std::vector<AddressUse> uses = {};
    };

    std::vector<Job> jobsOf(const Snapshot &snapshot, const std::stop_token &stop);
    Known &known(const Snapshot &snapshot, BinaryId binary);
    void search(const Snapshot &snapshot, Known &known, std::optional<Hints> &hints,
                const std::stop_token &stop);
    void save(Known &known, bool isLast);
    void trimSaved();
    bool mayBeAtServers(const Snapshot &snapshot, BinaryId binary) const;
    void lookAtKernel(const BinaryIdentity &identity, std::int64_t sampledNs, Known &known);
    void resolveMade(const Snapshot &snapshot, const Receiver &receiver, const std::stop_token &stop);
    void resolve(const Snapshot &snapshot, Job &job, std::optional<Hints> &hints, const Receiver &receiver,
                 const std::stop_token &stop);
    static std::vector<FrameSymbols> takeKnown(const Known &known, std::vector<Wanted> &frames);
    std::vector<FrameSymbols> namesOf(Known &binary, std::span<const Wanted> frames,
                                      const std::stop_token &stop) const;

    SearchPlaces m_places;
    std::unique_ptr<ProgramFinder> m_finder; ///< made when first needed: it looks at the whole machine
    std::unique_ptr<Kernel> m_kernel;        ///< read when first needed
    std::unordered_map<BinaryId, Known> m_binaries;
    std::unordered_set<BinaryId> m_askedServers;
    bool m_hasSaved = false;    ///< names, since they were last trimmed
    bool m_asksServers = false; ///< when all that is on this machine was looked for
    std::size_t m_frames = 0;   ///< so many were looked at
    MadeCode m_made;
    std::vector<FrameId> m_newMade;
    std::vector<Made> m_unnamed; ///< of code made at run time: it may get names yet
};

} // namespace hearth
