#include "agent/process/binary_cache.h"

#include "agent/file_descriptor.h"
#include "ingest/symbols/vdso.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace hearth::agent {

namespace {

constexpr std::size_t kMostFiles = 512; ///< each has a descriptor
constexpr std::size_t kMostCode = 65536;

std::string mapFile(const Process &process, const MappedCode &code)
{
    std::array<char, 96> path{};
    std::snprintf(path.data(), path.size(), "/proc/%u/map_files/%llx-%llx", process.number,
                  static_cast<unsigned long long>(code.begin), static_cast<unsigned long long>(code.end));
    return path.data();
}

/// The executable segment that has part of this piece of the file; null if there is none.
const ElfSegment *codeSegment(const ElfFile &file, std::uint64_t offset, std::uint64_t size)
{
    const auto found = std::ranges::find_if(file.segments(), [=](const ElfSegment &segment) {
        return segment.isExecutable && (segment.offset < offset ? offset - segment.offset < segment.size
                                                                : segment.offset - offset < size);
    });
    return found == file.segments().end() ? nullptr : &*found;
}

/// File systems that are made of others tell other devices for files than for what is mapped of them: there
/// the name has to do.
bool isThatFile(const struct stat &status, const MappedCode &code, bool isOfProcess)
{
    return status.st_dev == code.device ? status.st_ino == code.inode : isOfProcess;
}

std::shared_ptr<Binary> binaryOf(std::shared_ptr<const ElfFile> file, const std::string &path)
{
    auto binary = std::make_shared<Binary>();
    binary->path = path;
    binary->buildId = file->buildId();
    binary->goBuildId = file->goBuildId();
    binary->fileHash = htlHash(file->bytes());
    const ExportedSymbols exported(*file);
    binary->threadContext = threadContextVariable(*file, exported);
    binary->python = pythonBinary(*file, exported, binary->name());
    binary->file = std::move(file);
    return binary;
}

} // namespace

std::string_view Binary::name() const
{
    return std::string_view(path).substr(path.rfind('/') + 1);
}

BinaryNames &namesOf(Binary &binary)
{
    return binary.names ? *binary.names : binary.names.emplace(binary.file);
}

PlacedBinary BinaryCache::find(const Process &process, const std::shared_ptr<const MappedCode> &code)
{
    if (m_ofCode.size() > kMostCode)
        m_ofCode.clear();
    const auto known = m_ofCode.find(code.get());
    PlacedBinary placed = known != m_ofCode.end() ? known->second.placed : place(process, *code);
    if (known == m_ofCode.end())
        m_ofCode.emplace(code.get(), Known{.code = code, .placed = placed});
    placed.binary->lastUse = m_round;
    return placed;
}

const PlacedBinary *BinaryCache::known(const std::shared_ptr<const MappedCode> &code) const
{
    const auto known = m_ofCode.find(code.get());
    return known == m_ofCode.end() ? nullptr : &known->second.placed;
}

PlacedBinary BinaryCache::place(const Process &process, const MappedCode &code)
{
    PlacedBinary placed{.binary = code.path == "[vdso]" ? vdso() : open(process, code)};
    const auto &file = placed.binary->file;
    const ElfSegment *segment = file ? codeSegment(*file, code.offset, code.end - code.begin) : nullptr;
    if (segment == nullptr) { // its addresses are then those in the file
        placed.segmentAddress = code.offset;
        placed.segmentOffset = code.offset;
        placed.segmentSize = code.end - code.begin;
    } else {
        placed.segmentAddress = segment->address;
        placed.segmentOffset = segment->offset;
        placed.segmentSize = segment->size;
    }
    placed.shift = code.begin - code.offset + placed.segmentOffset - placed.segmentAddress;
    return placed;
}

std::shared_ptr<Binary> BinaryCache::open(const Process &process, const MappedCode &code)
{
    if (!code.path.starts_with('/'))
        return nameless(code);
    const std::string inProc = "/proc/" + std::to_string(process.number);
    std::vector<std::string> files{inProc + "/root" + code.path, code.path};
    if (code.path == process.program) // which can be read when it has been deleted
        files.push_back(inProc + "/exe");
    files.push_back(mapFile(process, code)); // other files too, by whom the kernel lets
    for (const std::string &file : files)
        if (auto binary = openFile(file, code, file.starts_with(inProc)))
            return binary;
    ++m_unreadable;
    return nameless(code);
}

/// @param isOfProcess the process itself sees it by this name
/// @return null if there is no such file, or it is not the one that was mapped
std::shared_ptr<Binary> BinaryCache::openFile(const std::string &file, const MappedCode &code,
                                              bool isOfProcess)
{
    FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status{};
    if (!descriptor.isOpen() || fstat(descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
        !isThatFile(status, code, isOfProcess))
        return nullptr;
    const FileKey key{status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
                      status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
    if (const auto known = m_ofFile.find(key); known != m_ofFile.end())
        return known->second;
    auto bytes = ByteRange::ofDescriptor(descriptor.release());
    auto opened = bytes ? ElfFile::of(std::move(*bytes), code.path) : tl::unexpected(bytes.error());
    if (!opened)
        return nullptr;
    return m_ofFile.emplace(key, binaryOf(std::move(*opened), code.path)).first->second;
}

std::shared_ptr<Binary> BinaryCache::vdso()
{
    constexpr const char *kPath = "linux-vdso.1.so";
    if (!m_vdso) {
        auto file = vdsoOfThisMachine();
        m_vdso = file ? binaryOf(std::move(file), kPath) : std::make_shared<Binary>();
        m_vdso->path = kPath;
    }
    return m_vdso;
}

std::shared_ptr<Binary> BinaryCache::nameless(const MappedCode &code)
{
    auto &binary = m_nameless[{code.path, code.inode}];
    if (!binary) {
        binary = std::make_shared<Binary>();
        binary->path = code.path;
    }
    return binary;
}

std::vector<std::shared_ptr<Binary>> BinaryCache::forgetOld()
{
    ++m_round;
    std::vector<std::shared_ptr<Binary>> forgotten;
    while (m_ofFile.size() > kMostFiles) {
        const auto oldest =
            std::ranges::min_element(m_ofFile, {}, [](const auto &file) { return file.second->lastUse; });
        forgotten.push_back(oldest->second);
        m_ofFile.erase(oldest);
    }
    if (!forgotten.empty() || m_nameless.size() > kMostCode) {
        m_ofCode.clear();
        m_nameless.clear();
    }
    return forgotten;
}

} // namespace hearth::agent
