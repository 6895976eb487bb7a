#include "ingest/journal/message_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace hearth {

namespace {

tl::unexpected<Error> cannotWrite(const std::string &path)
{
    return failure("cannot write " + path + ": " + std::strerror(errno));
}

} // namespace

std::string messageRecord(std::span<const std::uint8_t> message, Packing packing)
{
    std::vector<std::uint8_t> record;
    record.reserve(message.size() + 4);
    for (const int shift : {24, 16, 8, 0})
        record.push_back(static_cast<std::uint8_t>(message.size() >> shift));
    record.insert(record.end(), message.begin(), message.end());
    return packed(record, packing);
}

Result<MessageFile> MessageFile::create(const std::string &path)
{
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return cannotWrite(path);
    return MessageFile(path, descriptor);
}

MessageFile::MessageFile(MessageFile &&other) noexcept
    : m_path(std::move(other.m_path)), m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_size(other.m_size)
{}

MessageFile &MessageFile::operator=(MessageFile &&other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_size, other.m_size);
    return *this;
}

MessageFile::~MessageFile()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Result<void> MessageFile::append(std::string_view record)
{
    const std::uint64_t begin = m_size;
    while (!record.empty()) {
        const ssize_t count =
            ::pwrite(m_descriptor, record.data(), record.size(), static_cast<off_t>(m_size));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            const auto error = cannotWrite(m_path);
            m_size = begin;
            if (::ftruncate(m_descriptor, static_cast<off_t>(begin)) != 0) {
                // What is left of the record reads as a torn tail, and the next one overwrites it.
            }
            return error;
        }
        m_size += static_cast<std::uint64_t>(count);
        record.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

Result<void> MessageFile::sync() const
{
    // EINVAL: a pipe or a device, which has nothing to sync.
    if (::fdatasync(m_descriptor) != 0 && errno != EINVAL)
        return cannotWrite(m_path);
    return {};
}

} // namespace hearth
