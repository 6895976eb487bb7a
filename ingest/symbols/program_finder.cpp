#include "ingest/symbols/program_finder.h"

#include "ingest/bytes/text_codes.h"
#include "ingest/elf/cursor.h"
#include "ingest/symbols/vdso.h"

#include <isa-l/crc.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

namespace hearth {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostIndexed = 300'000; ///< files of a folder that somebody dropped without looking
constexpr std::string_view kDebugEnding = ".debug";

std::string lastPart(const std::string &path)
{
    return fs::path(path).filename().string();
}

/// "/.build-id/3f/2c…"
std::string byBuildId(const std::string &buildId)
{
    return buildId.size() < 3 ? std::string()
                              : "/.build-id/" + buildId.substr(0, 2) + '/' + buildId.substr(2);
}

FileIndex filesIn(const std::vector<std::string> &folders)
{
    FileIndex index;
    std::size_t count = 0;
    for (const std::string &folder : folders) {
        std::error_code error;
        if (fs::is_regular_file(folder, error)) {
            index[lastPart(folder)].push_back(folder);
            continue;
        }
        const auto options = fs::directory_options::skip_permission_denied;
        for (fs::recursive_directory_iterator entry(folder, options, error), end; !error && entry != end;
             entry.increment(error))
            if (entry->is_regular_file(error) && ++count <= kMostIndexed)
                index[lastPart(entry->path().string())].push_back(entry->path().string());
    }
    return index;
}

/// What processes have mapped to run, by paths that lead there from here, also into containers.
FileIndex filesOfProcesses()
{
    FileIndex index;
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen; // inode and device
    std::error_code error;
    for (fs::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error)) {
        const std::string process = entry->path().string();
        if (!std::isdigit(static_cast<unsigned char>(lastPart(process)[0])))
            continue;
        std::ifstream maps(process + "/maps");
        for (std::string line; std::getline(maps, line);) {
            const std::size_t slash = line.find('/');
            const std::size_t flags = line.find(' ');
            if (slash == std::string::npos || line.substr(flags + 3, 1) != "x")
                continue;
            const std::string path = process + "/root" + line.substr(slash);
            struct stat status{};
            if (::stat(path.c_str(), &status) == 0 && seen.emplace(status.st_ino, status.st_dev).second)
                index[lastPart(path)].push_back(path);
        }
    }
    return index;
}

/// Where loaders and shells look.
std::vector<std::string> systemFolders()
{
    std::vector<std::string> folders{"/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib"};
    std::error_code error;
    for (fs::directory_iterator entry("/etc/ld.so.conf.d", error), end; !error && entry != end;
         entry.increment(error)) {
        std::ifstream file(entry->path());
        for (std::string line; std::getline(file, line);)
            if (line.starts_with('/'))
                folders.push_back(line);
    }
    const char *const variable = std::getenv("PATH");
    std::string paths = variable == nullptr ? "/usr/bin:/bin" : variable;
    for (std::size_t begin = 0; begin < paths.size();) {
        const std::size_t end = std::min(paths.find(':', begin), paths.size());
        if (end > begin)
            folders.push_back(paths.substr(begin, end - begin));
        begin = end + 1;
    }
    return folders;
}

std::int64_t writtenAtNs(const std::string &path)
{
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0)
        return 0;
    return status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec;
}

std::uint32_t crcOf(const ByteRange &file)
{
    constexpr std::size_t kPiece = std::size_t(1) << 20;
    std::vector<std::uint8_t> piece(kPiece);
    std::uint32_t crc = 0;
    for (std::uint64_t position = 0; position < file.size();) {
        const auto bytes = file.filled(position, piece);
        if (bytes.empty())
            break;
        crc = crc32_gzip_refl(crc, bytes.data(), bytes.size());
        position += bytes.size();
    }
    return crc;
}

struct DebugLink {
    std::string name;
    std::uint32_t crc = 0;
};

std::optional<DebugLink> debugLinkOf(const ElfFile &program)
{
    const ByteRange section = program.content(".gnu_debuglink");
    const auto bytes = section.read(0, section.size());
    if (!bytes || bytes->empty())
        return std::nullopt;
    Cursor cursor(*bytes, program.byteOrder());
    DebugLink link{.name = std::string(cursor.text())};
    cursor.seek((cursor.position() + 3) & ~std::size_t(3));
    link.crc = cursor.u32();
    return cursor.isGood() && !link.name.empty() ? std::optional(link) : std::nullopt;
}

bool hasDebugInformation(const ElfFile &file)
{
    return file.section(".debug_info") != nullptr || file.section(".zdebug_info") != nullptr;
}

} // namespace

ProgramFinder::ProgramFinder(SearchPlaces places)
    : m_places(std::move(places)), m_inFolders(filesIn(m_places.folders)), m_running(filesOfProcesses()),
      m_libraryFolders(systemFolders())
{}

void ProgramFinder::lookAtProcesses()
{
    m_running = filesOfProcesses();
}

Result<std::string> ProgramFinder::fetched(Debuginfod::Kind kind, const std::string &buildId) const
{
    Debuginfod debuginfod = m_places.debuginfod;
    if (!m_asksServers)
        debuginfod.servers.clear();
    return debuginfod.find(kind, buildId, m_stop);
}

ProgramFinder::Found ProgramFinder::find(const BinaryIdentity &binary, const std::vector<std::string> &hints,
                                         std::int64_t notAfterNs, bool asksServers,
                                         const std::stop_token &stop)
{
    m_asksServers = asksServers;
    m_stop = stop;
    Found found;
    if (!isFile(binary) && !isVdso(binary)) {
        found.problem = "code without a file, as made at run time, whose process does not tell its names";
        found.advice =
            "run it so that it writes a perf map or a jitdump: node --perf-basic-prof, python3 -X perf, "
            "java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit, DOTNET_PerfMapEnabled=1";
        return found;
    }
    found.files.program = program(binary, hints, notAfterNs, found);
    if (!found.files.program)
        return found;
    found.problem.clear();
    found.files.debug = debugFile(found.files.program);
    if (found.files.debug)
        found.files.supplement = supplementOf(*found.files.debug);
    else
        found.problem = "no debug information: functions have no lines, and inlined ones are not seen";
    if (!found.files.debug)
        found.advice = "add its debug file, or build it with -g";
    return found;
}

ProgramFinder::ElfPointer ProgramFinder::program(const BinaryIdentity &binary,
                                                 const std::vector<std::string> &hints,
                                                 std::int64_t notAfterNs, Found &found)
{
    if (isVdso(binary)) {
        const ElfPointer file = vdsoOfThisMachine();
        return file && compare(binary, *file) != Match::Different ? file : nullptr;
    }
    for (const std::string &path : placesOf(binary, hints))
        if (ElfPointer file = taken(path, binary, notAfterNs, found))
            return file;
    if (!binary.buildId.empty())
        if (const auto path = fetched(Debuginfod::Kind::Program, binary.buildId))
            if (ElfPointer file = taken(*path, binary, notAfterNs, found))
                return file;
    if (found.problem.empty()) {
        found.problem = "no file of " + describeBuild(binary) + " is on this machine";
        found.advice = "add the file, or the folder it is in";
    }
    return nullptr;
}

/// @return null, and why in `found`, unless it is the file
ProgramFinder::ElfPointer ProgramFinder::taken(const std::string &path, const BinaryIdentity &binary,
                                               std::int64_t notAfterNs, Found &found)
{
    Result<ElfPointer> file = ElfFile::open(path);
    if (!file)
        return nullptr;
    switch (compare(binary, **file)) {
    case Match::Same:
        return *file;
    case Match::Different:
        found.problem = path + " is another build: it has " + describeBuild(**file) +
                        ", the samples are of " + describeBuild(binary);
        found.advice = "add the file that ran";
        return nullptr;
    case Match::Unknown:
        break;
    }
    const bool isNewer = notAfterNs != 0 && writtenAtNs(path) > notAfterNs;
    if (lastPart(path) != binary.name() || isNewer) {
        if (isNewer) {
            found.problem =
                path + " was written after the samples were taken, and they have no build id to tell";
            found.advice = "add the file that ran";
        }
        return nullptr;
    }
    return *file;
}

/// In the order in which they are to be tried.
std::vector<std::string> ProgramFinder::placesOf(const BinaryIdentity &binary,
                                                 const std::vector<std::string> &hints)
{
    std::vector<std::string> places;
    const std::string name = binary.name();
    const auto add = [&](const FileIndex &index, const std::string &fileName) {
        if (const auto found = index.find(fileName); found != index.end())
            places.insert(places.end(), found->second.begin(), found->second.end());
    };
    if (binary.path.starts_with('/'))
        places.push_back(binary.path);
    for (const std::string &hint : hints)
        if (lastPart(hint) == name)
            places.push_back(hint);
    if (!binary.buildId.empty())
        places.push_back(m_places.systemDebug + byBuildId(binary.buildId));
    add(m_inFolders, name);
    if (binary.isKnown())
        add(m_running, name);
    if (binary.isKnown() && !binary.path.starts_with('/'))
        for (const std::string &folder : m_libraryFolders)
            places.push_back(folder + '/' + name);
    return places;
}

ProgramFinder::ElfPointer ProgramFinder::debugFile(const ElfPointer &program)
{
    if (hasDebugInformation(*program))
        return program;
    std::vector<std::string> places;
    const std::string &buildId = program->buildId();
    if (!buildId.empty()) {
        places.push_back(m_places.systemDebug + byBuildId(buildId) + std::string(kDebugEnding));
        for (const std::string &folder : m_places.folders)
            places.push_back(folder + byBuildId(buildId) + std::string(kDebugEnding));
    }
    const auto link = debugLinkOf(*program);
    const std::string folder = fs::path(program->name()).parent_path().string();
    if (link)
        for (const std::string &place : {folder + '/' + link->name, folder + "/.debug/" + link->name,
                                         m_places.systemDebug + folder + '/' + link->name})
            places.push_back(place);
    const std::string name = lastPart(program->name());
    for (const std::string &fileName :
         {link ? link->name : name + std::string(kDebugEnding), name, buildId + ".debug"})
        if (const auto inFolders = m_inFolders.find(fileName); inFolders != m_inFolders.end())
            places.insert(places.end(), inFolders->second.begin(), inFolders->second.end());
    if (!buildId.empty())
        if (const auto path = fetched(Debuginfod::Kind::DebugInformation, buildId))
            places.push_back(*path);
    for (const std::string &place : places) {
        const auto file = ElfFile::open(place);
        if (!file || !hasDebugInformation(**file))
            continue;
        if (buildId.empty() ? link && crcOf((*file)->bytes()) == link->crc : (*file)->buildId() == buildId)
            return *file;
    }
    return nullptr;
}

/// ".gnu_debugaltlink" has its path and its build id.
ProgramFinder::ElfPointer ProgramFinder::supplementOf(const ElfFile &debug)
{
    const ByteRange section = debug.content(".gnu_debugaltlink");
    const std::string path = section.text(0);
    const auto id = section.read(path.size() + 1,
                                 section.size() - std::min<std::uint64_t>(path.size() + 1, section.size()));
    if (path.empty() || !id)
        return nullptr;
    const std::string buildId = hexOf(*id);
    const std::string folder = fs::path(debug.name()).parent_path().string();
    for (const std::string &place : {path.starts_with('/') ? path : folder + '/' + path,
                                     m_places.systemDebug + byBuildId(buildId) + std::string(kDebugEnding)})
        if (const auto file = ElfFile::open(place); file && (*file)->buildId() == buildId)
            return *file;
    return nullptr;
}

} // namespace hearth
