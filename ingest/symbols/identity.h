#pragma once

#include "ingest/elf/elf_file.h"
#include "model/store/snapshot.h"

#include <string>

namespace hearth {

/// What a data set knows of a binary, by which its file can be told from other builds.
struct BinaryIdentity {
    std::string path; ///< as the process saw it, or only the last part
    std::string buildId;
    std::string goBuildId;
    std::string fileHash;

    std::string name() const; ///< the last part of the path
    bool isKnown() const { return !buildId.empty() || !goBuildId.empty() || !fileHash.empty(); }
};

BinaryIdentity identityOf(const Snapshot &snapshot, BinaryId binary);

enum class Match {
    Same,
    Different,
    Unknown, ///< nothing that could be compared
};
Match compare(const BinaryIdentity &binary, const ElfFile &file);

/// Which build a file is, for people: "build id 3f2c…".
std::string describeBuild(const ElfFile &file);
std::string describeBuild(const BinaryIdentity &binary);

/// Whether there is, or was, a file: no name in brackets, no memory without one.
bool isFile(const BinaryIdentity &binary);
bool isKernel(const BinaryIdentity &binary);
bool isVdso(const BinaryIdentity &binary);

} // namespace hearth
