#pragma once

#include "ingest/symbols/debuginfod.h"
#include "ingest/symbols/identity.h"
#include "ingest/symbols/name_cache.h"
#include "ingest/symbols/program.h"

#include <memory>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

namespace hearth {

/// Where to look for files beside the places where systems keep them.
struct SearchPlaces {
    std::vector<std::string> folders; ///< with programs and debug files, or such files themselves
    std::string systemDebug = "/usr/lib/debug";
    Debuginfod debuginfod{.servers = {}, .cache = defaultDebuginfodCache()};

    NameCache names; ///< found before; none unless set

    bool operator==(const SearchPlaces &) const = default;
};

/// Paths of files by the last part of their names.
using FileIndex = std::unordered_map<std::string, std::vector<std::string>>;

/// Finds the files of binaries on this machine. A file of another build is never taken. Of one thread.
class ProgramFinder {
public:
    explicit ProgramFinder(SearchPlaces places);

    struct Found {
        ProgramFiles files;  ///< without a program: none was found
        std::string problem; ///< why none, or what is missing of it
        std::string advice;
    };
    /// Looks again at what runs, since when it was made or last looked.
    void lookAtProcesses();

    /// @param hints paths that the data set names beside the binary's own
    /// @param notAfterNs a file without any identity is taken if it was not written later; 0: whenever
    /// @param asksServers else only what is on this machine; servers may take long
    Found find(const BinaryIdentity &binary, const std::vector<std::string> &hints, std::int64_t notAfterNs,
               bool asksServers = true, const std::stop_token &stop = {});

private:
    using ElfPointer = std::shared_ptr<const ElfFile>;

    ElfPointer program(const BinaryIdentity &binary, const std::vector<std::string> &hints,
                       std::int64_t notAfterNs, Found &found);
    ElfPointer taken(const std::string &path, const BinaryIdentity &binary, std::int64_t notAfterNs,
                     Found &found);
    ElfPointer debugFile(const ElfPointer &program);
    Result<std::string> fetched(Debuginfod::Kind kind, const std::string &buildId) const;
    ElfPointer supplementOf(const ElfFile &debug);
    std::vector<std::string> placesOf(const BinaryIdentity &binary, const std::vector<std::string> &hints);

    const SearchPlaces m_places;
    FileIndex m_inFolders;
    FileIndex m_running;
    std::vector<std::string> m_libraryFolders;
    bool m_asksServers = true; ///< for what is being looked for
    std::stop_token m_stop;    ///< of that
};

} // namespace hearth
