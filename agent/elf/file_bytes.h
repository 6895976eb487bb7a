#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hearth::agent {

/// The bytes of a file or of a piece of memory, copied out piece by piece. Files are not mapped: a program
/// that shortens its own file must not bring down who looks at it.
class FileBytes {
public:
    FileBytes() = default;
    FileBytes(const FileBytes &) = delete;
    FileBytes &operator=(const FileBytes &) = delete;
    virtual ~FileBytes() = default;

    virtual std::uint64_t size() const = 0;

    /// @return how many bytes there are from `offset` on, at most as many as asked for
    virtual std::size_t read(std::uint64_t offset, std::span<std::uint8_t> into) const = 0;
};

/// Takes over the descriptor of a regular file. @return null if it is none
std::unique_ptr<FileBytes> bytesOfFile(int descriptor);
std::unique_ptr<FileBytes> bytesOfMemory(std::vector<std::uint8_t> bytes);

} // namespace hearth::agent
