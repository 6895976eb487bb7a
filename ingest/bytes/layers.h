#pragma once

#include "ingest/bytes/byte_source.h"

#include <memory>
#include <span>
#include <vector>

// The layers that unpacked() takes off. Each reads a packed source and delivers what is in it.

namespace hearth {

/// A source whose first bytes can be looked at before they are read.
class PeekSource : public ByteSource {
public:
    explicit PeekSource(std::unique_ptr<ByteSource> source) : m_source(std::move(source)) {}

    /// The next bytes: `size`, or fewer if the end comes before.
    std::span<const std::uint8_t> peek(std::size_t size);

    std::size_t read(std::span<std::uint8_t> into) override;
    std::optional<InputFault> fault() const override { return m_source->fault(); }

private:
    std::unique_ptr<ByteSource> m_source;
    std::vector<std::uint8_t> m_peeked;
};

std::unique_ptr<ByteSource> gunzipped(std::unique_ptr<ByteSource> packed);
std::unique_ptr<ByteSource> unzstded(std::unique_ptr<ByteSource> packed);

} // namespace hearth
