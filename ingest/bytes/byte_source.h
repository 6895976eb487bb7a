#pragma once

#include "model/result.h"
#include "model/store/losses.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace hearth {

/// Why bytes stopped coming before their end.
struct InputFault {
    Loss loss = Loss::TruncatedInput;
    std::string message; ///< names the layer and the place: "gzip stream ends early after 71234 bytes"
};

/// Bytes to be read once, from front to end.
class ByteSource {
public:
    ByteSource() = default;
    ByteSource(const ByteSource &) = delete;
    ByteSource &operator=(const ByteSource &) = delete;
    virtual ~ByteSource() = default;

    /// Fills `into` from its front. @return how many bytes; fewer than asked for only at the end, which may
    /// be a fault
    virtual std::size_t read(std::span<std::uint8_t> into) = 0;

    /// Why the end came early, once read() has returned fewer bytes than asked for.
    virtual std::optional<InputFault> fault() const = 0;
};

/// @param path "-" is standard input
Result<std::unique_ptr<ByteSource>> openSource(const std::string &path);
std::unique_ptr<ByteSource> memorySource(std::span<const std::uint8_t> bytes);

/// Takes off gzip (any number of members) and zstd, up to three layers; other bytes pass as they are.
std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> source);

} // namespace hearth
