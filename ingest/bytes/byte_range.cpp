#include "ingest/bytes/byte_range.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace hearth {

namespace {

constexpr std::size_t kLongestText = 64 * 1024; ///< names of templates are long, but not that long

class FileBytes : public RandomBytes {
public:
    FileBytes(int descriptor, std::uint64_t size) : m_descriptor(descriptor), m_size(size) {}
    ~FileBytes() override { ::close(m_descriptor); }
    FileBytes(const FileBytes &) = delete;
    FileBytes &operator=(const FileBytes &) = delete;

    std::uint64_t size() const override { return m_size; }
    std::size_t read(std::uint64_t offset, std::span<std::uint8_t> into) const override
    {
        std::size_t filled = 0;
        while (filled < into.size()) {
            const ssize_t got = ::pread(m_descriptor, into.data() + filled, into.size() - filled,
                                        static_cast<off_t>(offset + filled));
            if (got < 0 && errno == EINTR)
                continue;
            if (got <= 0)
                break;
            filled += static_cast<std::size_t>(got);
        }
        return filled;
    }

private:
    const int m_descriptor;
    const std::uint64_t m_size;
};

class MemoryBytes : public RandomBytes {
public:
    explicit MemoryBytes(std::vector<std::uint8_t> bytes) : m_bytes(std::move(bytes)) {}

    std::uint64_t size() const override { return m_bytes.size(); }
    std::size_t read(std::uint64_t offset, std::span<std::uint8_t> into) const override
    {
        if (offset >= m_bytes.size())
            return 0;
        const std::size_t count = std::min<std::size_t>(into.size(), m_bytes.size() - offset);
        std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(offset), count, into.begin());
        return count;
    }

private:
    const std::vector<std::uint8_t> m_bytes;
};

} // namespace

ByteRange::ByteRange(std::shared_ptr<const RandomBytes> bytes)
    : m_bytes(std::move(bytes)), m_size(m_bytes->size())
{}

Result<ByteRange> ByteRange::ofFile(const std::string &path)
{
    // A fifo in a folder of binaries is not to be waited for.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return failure("cannot open " + path + ": " + std::strerror(errno));
    auto bytes = ofDescriptor(descriptor);
    if (!bytes)
        return failure(path + ' ' + bytes.error().message);
    return bytes;
}

Result<ByteRange> ByteRange::ofDescriptor(int descriptor)
{
    struct stat status{};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(descriptor);
        return failure("is no regular file");
    }
    return ByteRange(std::make_shared<FileBytes>(descriptor, static_cast<std::uint64_t>(status.st_size)));
}

ByteRange ByteRange::ofMemory(std::vector<std::uint8_t> bytes)
{
    return ByteRange(std::make_shared<MemoryBytes>(std::move(bytes)));
}

ByteRange ByteRange::part(std::uint64_t offset, std::uint64_t size) const
{
    ByteRange range = *this;
    const std::uint64_t skipped = std::min(offset, m_size);
    range.m_begin += skipped;
    range.m_size = std::min(size, m_size - skipped);
    return range;
}

std::optional<std::vector<std::uint8_t>> ByteRange::read(std::uint64_t offset, std::uint64_t size) const
{
    if (offset > m_size || size > m_size - offset)
        return std::nullopt;
    std::vector<std::uint8_t> bytes(size);
    if (read(offset, std::span(bytes)) < size)
        return std::nullopt;
    return bytes;
}

std::vector<std::uint8_t> ByteRange::all(std::uint64_t mostBytes) const
{
    return m_size <= mostBytes ? read(0, m_size).value_or(std::vector<std::uint8_t>())
                               : std::vector<std::uint8_t>();
}

std::size_t ByteRange::read(std::uint64_t offset, std::span<std::uint8_t> into) const
{
    if (offset >= m_size)
        return 0;
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), m_size - offset));
    return m_bytes->read(m_begin + offset, into.first(count));
}

std::string ByteRange::text(std::uint64_t offset) const
{
    std::string text;
    std::array<std::uint8_t, 1024> piece; // names of templates are long
    while (text.size() < kLongestText) {
        const std::size_t got = read(offset + text.size(), std::span(piece));
        const auto *const begin = reinterpret_cast<const char *>(piece.data());
        const std::size_t length = ::strnlen(begin, got);
        text.append(begin, length);
        if (length < got || got < piece.size())
            break;
    }
    return text;
}

} // namespace hearth
