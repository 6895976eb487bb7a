#include "agent/elf/file_bytes.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace hearth::agent {

namespace {

class FileOnDisk : public FileBytes {
public:
    FileOnDisk(int descriptor, std::uint64_t size) : m_descriptor(descriptor), m_size(size) {}
    FileOnDisk(const FileOnDisk &) = delete;
    FileOnDisk &operator=(const FileOnDisk &) = delete;
    ~FileOnDisk() override { close(m_descriptor); }

    std::uint64_t size() const override { return m_size; }

    std::size_t read(std::uint64_t offset, std::span<std::uint8_t> into) const override
    {
        std::size_t done = 0;
        while (done < into.size()) {
            const ssize_t count = pread(m_descriptor, into.data() + done, into.size() - done,
                                        static_cast<off_t>(offset + done));
            if (count < 0 && errno == EINTR)
                continue;
            if (count <= 0)
                break;
            done += static_cast<std::size_t>(count);
        }
        return done;
    }

private:
    const int m_descriptor;
    const std::uint64_t m_size;
};

class Memory : public FileBytes {
public:
    explicit Memory(std::vector<std::uint8_t> bytes) : m_bytes(std::move(bytes)) {}

    std::uint64_t size() const override { return m_bytes.size(); }

    std::size_t read(std::uint64_t offset, std::span<std::uint8_t> into) const override
    {
        if (offset >= m_bytes.size())
            return 0;
        const std::size_t count = std::min<std::size_t>(into.size(), m_bytes.size() - offset);
        std::copy_n(m_bytes.data() + offset, count, into.data());
        return count;
    }

private:
    const std::vector<std::uint8_t> m_bytes;
};

} // namespace

std::unique_ptr<FileBytes> bytesOfFile(int descriptor)
{
    struct stat status{};
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
        return std::make_unique<FileOnDisk>(descriptor, static_cast<std::uint64_t>(status.st_size));
    close(descriptor);
    return nullptr;
}

std::unique_ptr<FileBytes> bytesOfMemory(std::vector<std::uint8_t> bytes)
{
    return std::make_unique<Memory>(std::move(bytes));
}

} // namespace hearth::agent
