#include "ingest/symbols/identity.h"

#include <algorithm>
#include <cctype>

namespace hearth {

namespace {

bool equalsIgnoringCase(std::string_view a, std::string_view b)
{
    return std::ranges::equal(
        a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::string shortened(const std::string &id)
{
    constexpr std::size_t kEnough = 12;
    return id.size() <= kEnough ? id : id.substr(0, kEnough) + "…";
}

std::string described(const std::string &buildId, const std::string &goBuildId, const std::string &fileHash)
{
    if (!buildId.empty())
        return "build id " + shortened(buildId);
    if (!goBuildId.empty())
        return "Go build id " + shortened(goBuildId);
    return fileHash.empty() ? "no build id" : "file hash " + shortened(fileHash);
}

} // namespace

std::string BinaryIdentity::name() const
{
    const std::size_t slash = path.find_last_of('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

BinaryIdentity identityOf(const Snapshot &snapshot, BinaryId id)
{
    const Binary &binary = snapshot.binaries[id.value];
    BinaryIdentity identity{.path = std::string(snapshot.text(binary.path)),
                            .buildId = std::string(snapshot.text(binary.buildId)),
                            .goBuildId = std::string(snapshot.text(binary.goBuildId)),
                            .fileHash = std::string(snapshot.text(binary.fileHash))};
    constexpr std::string_view kDeleted = " (deleted)"; // as the kernel calls files that were replaced
    if (identity.path.ends_with(kDeleted))
        identity.path.resize(identity.path.size() - kDeleted.size());
    return identity;
}

Match compare(const BinaryIdentity &binary, const ElfFile &file)
{
    if (!binary.buildId.empty()) {
        // Formats that have one field for it put any kind there.
        const bool isSame =
            equalsIgnoringCase(binary.buildId, file.buildId()) || binary.buildId == file.goBuildId();
        if (isSame || !file.buildId().empty())
            return isSame ? Match::Same : Match::Different;
    }
    if (!binary.goBuildId.empty() && !file.goBuildId().empty())
        return binary.goBuildId == file.goBuildId() ? Match::Same : Match::Different;
    if (!binary.fileHash.empty())
        return equalsIgnoringCase(binary.fileHash, htlHash(file.bytes())) ? Match::Same : Match::Different;
    if (!binary.buildId.empty())
        return equalsIgnoringCase(binary.buildId, htlHash(file.bytes())) ? Match::Same : Match::Different;
    return Match::Unknown;
}

std::string describeBuild(const ElfFile &file)
{
    return described(file.buildId(), file.goBuildId(), {});
}

std::string describeBuild(const BinaryIdentity &binary)
{
    return described(binary.buildId, binary.goBuildId, binary.fileHash);
}

bool isKernel(const BinaryIdentity &binary)
{
    return binary.path.starts_with("[kernel") || binary.path.starts_with("[guest.kernel") ||
           binary.name() == "vmlinux";
}

bool isVdso(const BinaryIdentity &binary)
{
    return binary.path == "[vdso]" || binary.name().starts_with("linux-vdso");
}

bool isFile(const BinaryIdentity &binary)
{
    if (binary.path.empty())
        return binary.isKnown();
    return !binary.path.starts_with('[') && !binary.path.starts_with("//anon") &&
           !binary.path.starts_with("anon_inode:") && !binary.path.starts_with("/memfd:") &&
           !binary.path.starts_with("/dev/") && !binary.path.starts_with("/SYSV");
}

} // namespace hearth
