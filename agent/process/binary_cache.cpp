#include "agent/process/binary_cache.h"

#include "agent/elf/file_hash.h"
#include "agent/file_descriptor.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace hearth::agent {

namespace {

constexpr std::size_t kMostFiles = 512; ///< each has a descriptor
constexpr std::size_t kMostCode = 65536;
constexpr std::size_t kVdsoBytes = 65536; ///< more than it ever had

std::string hex(std::string_view bytes)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const char byte : bytes) {
        text += kDigits[static_cast<unsigned char>(byte) >> 4];
        text += kDigits[static_cast<unsigned char>(byte) & 15];
    }
    return text;
}

std::string mapFile(const Process &process, const MappedCode &code)
{
    std::array<char, 96> path{};
    std::snprintf(path.data(), path.size(), "/proc/%u/map_files/%llx-%llx", process.number,
                  static_cast<unsigned long long>(code.begin), static_cast<unsigned long long>(code.end));
    return path.data();
}

/// Our own, which is every process's. There is no telling its size but from its own headers.
std::vector<std::uint8_t> ownVdso()
{
    const std::uint64_t address = getauxval(AT_SYSINFO_EHDR);
    const FileDescriptor memory(open("/proc/self/mem", O_RDONLY | O_CLOEXEC));
    std::vector<std::uint8_t> bytes(address != 0 && memory.isOpen() ? kVdsoBytes : 0);
    const ssize_t size = pread(memory.get(), bytes.data(), bytes.size(), static_cast<off_t>(address));
    bytes.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return bytes;
}

} // namespace

std::string_view Binary::name() const
{
    return std::string_view(path).substr(path.rfind('/') + 1);
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
    const auto &image = placed.binary->image;
    const ElfSegment *segment = image ? image->codeSegment(code.offset, code.end - code.begin) : nullptr;
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
    const std::string root = "/proc/" + std::to_string(process.number) + "/root";
    for (const std::string &file : {root + code.path, code.path, mapFile(process, code)})
        if (auto binary = openFile(file, code))
            return binary;
    ++m_unreadable;
    return nameless(code);
}

/// @return null if there is no such file, or it is not the one that was mapped
std::shared_ptr<Binary> BinaryCache::openFile(const std::string &file, const MappedCode &code)
{
    FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status{};
    if (!descriptor.isOpen() || fstat(descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
        (code.inode != 0 && status.st_ino != code.inode))
        return nullptr;
    const FileKey key{status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
                      status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
    if (const auto known = m_ofFile.find(key); known != m_ofFile.end())
        return code.buildId.empty() || known->second->buildId == hex(code.buildId) ? known->second : nullptr;
    auto image = ElfImage::open(bytesOfFile(descriptor.release()));
    if (!image)
        return nullptr;
    auto binary = std::make_shared<Binary>();
    binary->path = code.path;
    binary->buildId = image->gnuBuildId();
    binary->goBuildId = image->goBuildId();
    binary->fileHash = fileHash(image->bytes());
    binary->threadContext = threadContextVariable(*image);
    binary->image = std::move(*image);
    m_ofFile.emplace(key, binary);
    return code.buildId.empty() || binary->buildId == hex(code.buildId) ? binary : nullptr;
}

std::shared_ptr<Binary> BinaryCache::vdso()
{
    if (!m_vdso) {
        m_vdso = std::make_shared<Binary>();
        m_vdso->path = "linux-vdso.1.so";
        if (auto image = ElfImage::open(bytesOfMemory(ownVdso()))) {
            m_vdso->buildId = image->gnuBuildId();
            m_vdso->fileHash = fileHash(image->bytes());
            m_vdso->image = std::move(*image);
        }
    }
    return m_vdso;
}

std::shared_ptr<Binary> BinaryCache::nameless(const MappedCode &code)
{
    auto &binary = m_nameless[{code.path, code.buildId}];
    if (!binary) {
        binary = std::make_shared<Binary>();
        binary->path = code.path;
        binary->buildId = hex(code.buildId);
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
