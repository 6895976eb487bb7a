#include "ingest/bytes/byte_sink.h"

#include <fcntl.h>
#include <isa-l/igzip_lib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <vector>

namespace hearth {

namespace {

Result<void> writeAll(int descriptor, std::string_view bytes, const std::string &path)
{
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return failure("cannot write " + path + ": " + std::generic_category().message(errno));
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

/// Devices and pipes are written to as they are: a file in the place of /dev/null helps nobody.
bool isReplaceable(const std::string &path)
{
    struct stat known{};
    return ::stat(path.c_str(), &known) != 0 || S_ISREG(known.st_mode) || S_ISDIR(known.st_mode);
}

/// @param path what is said to be written, if it fails
Result<void> writeTo(const std::string &opened, const std::string &path, std::string_view bytes)
{
    const int descriptor = ::open(opened.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return failure("cannot write " + path + ": " + std::generic_category().message(errno));
    Result<void> written = writeAll(descriptor, bytes, path);
    if (::close(descriptor) != 0 && written)
        written = failure("cannot write " + path + ": " + std::generic_category().message(errno));
    return written;
}

} // namespace

std::string gzipped(std::string_view bytes)
{
    constexpr int kLevel = 2;
    std::vector<std::uint8_t> levelBuffer(ISAL_DEF_LVL2_DEFAULT);
    isal_zstream stream{};
    isal_deflate_init(&stream);
    stream.level = kLevel;
    stream.level_buf = levelBuffer.data();
    stream.level_buf_size = static_cast<std::uint32_t>(levelBuffer.size());
    stream.gzip_flag = IGZIP_GZIP;
    std::string packed;
    std::array<std::uint8_t, 65536> block;
    do {
        if (stream.avail_in == 0) {
            const std::string_view part = bytes.substr(0, std::size_t(1) << 30);
            // The library's interface lacks const; it does not write to its input.
            stream.next_in = reinterpret_cast<std::uint8_t *>(const_cast<char *>(part.data()));
            stream.avail_in = static_cast<std::uint32_t>(part.size());
            bytes.remove_prefix(part.size());
            stream.end_of_stream = bytes.empty();
        }
        stream.next_out = block.data();
        stream.avail_out = static_cast<std::uint32_t>(block.size());
        isal_deflate(&stream);
        packed.append(reinterpret_cast<const char *>(block.data()), block.size() - stream.avail_out);
    } while (stream.internal_state.state != ZSTATE_END);
    return packed;
}

Result<void> writeFile(const std::string &path, std::string_view bytes)
{
    if (path == "-")
        return writeAll(STDOUT_FILENO, bytes, "to standard output");
    if (!isReplaceable(path))
        return writeTo(path, path, bytes);
    const std::string partial = path + ".part";
    Result<void> written = writeTo(partial, path, bytes);
    if (written && std::rename(partial.c_str(), path.c_str()) != 0)
        written = failure("cannot write " + path + ": " + std::generic_category().message(errno));
    if (!written)
        ::unlink(partial.c_str());
    return written;
}

} // namespace hearth
