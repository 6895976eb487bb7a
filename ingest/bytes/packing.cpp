#include "ingest/bytes/packing.h"

#include "ingest/bytes/byte_sink.h"

#include <zstd.h>

#include <memory>
#include <new>

namespace hearth {

namespace {

/// At the speed of the network and the disk: what agents send shrinks to a third even so.
constexpr int kZstdLevel = -1;

struct FreeContext {
    void operator()(ZSTD_CCtx *context) const { ZSTD_freeCCtx(context); }
};

std::string zstdFrame(std::span<const std::uint8_t> bytes)
{
    thread_local const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
    if (!context)
        throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kZstdLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    std::string frame(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size =
        ZSTD_compress2(context.get(), frame.data(), frame.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(size)) // there is room for the worst case, so only memory can be missing
        throw std::bad_alloc();
    frame.resize(size);
    return frame;
}

} // namespace

Packing packingOfName(std::string_view fileName)
{
    return fileName.ends_with(".gz")                                   ? Packing::Gzip
           : fileName.ends_with(".zst") || fileName.ends_with(".zstd") ? Packing::Zstd
                                                                       : Packing::None;
}

std::string packed(std::span<const std::uint8_t> bytes, Packing packing)
{
    const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    return packing == Packing::Gzip   ? gzipped(text)
           : packing == Packing::Zstd ? zstdFrame(bytes)
                                      : std::string(text);
}

} // namespace hearth
