#include "ingest/bytes/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace hearth {

namespace {

/// A file, pipe or terminal.
class FileSource : public ByteSource {
public:
    explicit FileSource(int descriptor) : m_descriptor(descriptor) {}
    ~FileSource() override
    {
        if (m_descriptor != STDIN_FILENO)
            ::close(m_descriptor);
    }

    std::size_t read(std::span<std::uint8_t> into) override
    {
        std::size_t filled = 0;
        while (filled < into.size()) {
            const ssize_t count = ::read(m_descriptor, into.data() + filled, into.size() - filled);
            if (count < 0 && errno == EINTR)
                continue;
            if (count < 0)
                m_fault = {Loss::DamagedInput, "cannot read on after byte " +
                                                   std::to_string(m_position + filled) + ": " +
                                                   std::generic_category().message(errno)};
            if (count <= 0)
                break;
            filled += static_cast<std::size_t>(count);
        }
        m_position += filled;
        return filled;
    }
    std::optional<InputFault> fault() const override { return m_fault; }

private:
    const int m_descriptor;
    std::uint64_t m_position = 0;
    std::optional<InputFault> m_fault;
};

class MemorySource : public ByteSource {
public:
    explicit MemorySource(std::span<const std::uint8_t> bytes) : m_rest(bytes) {}

    std::size_t read(std::span<std::uint8_t> into) override
    {
        const std::size_t count = std::min(into.size(), m_rest.size());
        std::copy_n(m_rest.begin(), count, into.begin());
        m_rest = m_rest.subspan(count);
        return count;
    }
    std::optional<InputFault> fault() const override { return std::nullopt; }

private:
    std::span<const std::uint8_t> m_rest;
};

} // namespace

Result<std::unique_ptr<ByteSource>> openSource(const std::string &path)
{
    if (path == "-")
        return std::make_unique<FileSource>(STDIN_FILENO);
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return failure("cannot open " + path + ": " + std::generic_category().message(errno));
    auto source = std::make_unique<FileSource>(descriptor);
    struct stat status{};
    if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode))
        return failure("cannot open " + path + ": it is a folder");
    return source;
}

std::unique_ptr<ByteSource> memorySource(std::span<const std::uint8_t> bytes)
{
    return std::make_unique<MemorySource>(bytes);
}

} // namespace hearth
