#pragma once

#include "model/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hearth {

/// Bytes that can be read at any place, as often as one likes, by any thread.
class RandomBytes {
public:
    RandomBytes() = default;
    RandomBytes(const RandomBytes &) = delete;
    RandomBytes &operator=(const RandomBytes &) = delete;
    virtual ~RandomBytes() = default;

    virtual std::uint64_t size() const = 0;
    /// @return how many bytes there were; fewer than asked for at the end, also where a file has shrunk
    virtual std::size_t read(std::uint64_t offset, std::span<std::uint8_t> into) const = 0;
};

/// A part of such bytes. Nothing is mapped: a file that a compiler writes anew meanwhile costs an answer, not
/// the process, and memory is what is asked for.
class ByteRange {
public:
    ByteRange() = default;
    explicit ByteRange(std::shared_ptr<const RandomBytes> bytes);

    static Result<ByteRange> ofFile(const std::string &path);
    /// Takes over the descriptor of a regular file.
    static Result<ByteRange> ofDescriptor(int descriptor);
    static ByteRange ofMemory(std::vector<std::uint8_t> bytes);

    std::uint64_t size() const { return m_size; }
    bool isEmpty() const { return m_size == 0; }
    /// What there is of the part: less than asked for if it reaches beyond the end.
    ByteRange part(std::uint64_t offset, std::uint64_t size) const;

    /// @return nothing unless all of them are there
    std::optional<std::vector<std::uint8_t>> read(std::uint64_t offset, std::uint64_t size) const;
    /// All of them; nothing if there are more than that, or not all can be read.
    std::vector<std::uint8_t> all(std::uint64_t mostBytes) const;
    /// As far as it goes. @return how many bytes
    std::size_t read(std::uint64_t offset, std::span<std::uint8_t> into) const;
    /// The same. @return what was filled of it
    std::span<const std::uint8_t> filled(std::uint64_t offset, std::span<std::uint8_t> into) const
    {
        return into.first(read(offset, into));
    }
    /// The bytes up to the next zero, or to a limit beyond which nobody reads them.
    std::string text(std::uint64_t offset) const;

private:
    std::shared_ptr<const RandomBytes> m_bytes;
    std::uint64_t m_begin = 0;
    std::uint64_t m_size = 0;
};

} // namespace hearth
