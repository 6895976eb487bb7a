#include "tests/support/files.h"

#include "model/store/store.h"

#include <stdexcept>

namespace hearth::test {

namespace {

std::unique_ptr<ByteSource> sourceOf(const std::string &bytes)
{
    return memorySource({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()});
}

bool isReadable(const Format &format, const std::string &bytes)
{
    InputStream input(sourceOf(bytes));
    input.extend();
    ReadOptions options;
    options.name = "test";
    Result<Batch> batch = format.read(input, options);
    if (!batch)
        return false;
    Store store;
    store.append(std::move(*batch));
    (void)store.publish();
    return true;
}

} // namespace

Result<Batch> readFile(const std::string &bytes, ReadOptions options)
{
    options.name = "test";
    return readProfile(sourceOf(bytes), options);
}

std::shared_ptr<const Snapshot> openFile(const std::string &bytes)
{
    Store store;
    Result<Batch> batch = readFile(bytes);
    if (!batch)
        throw std::invalid_argument(batch.error().message);
    store.append(std::move(*batch));
    return store.publish();
}

std::string refusalOf(const std::string &bytes)
{
    const Result<Batch> batch = readFile(bytes);
    return batch ? std::string() : batch.error().message;
}

std::size_t readDamaged(const Format &format, const std::string &bytes)
{
    constexpr std::size_t kPlaces = 800;
    const std::size_t step = 1 + bytes.size() / kPlaces;
    std::size_t readable = 0;
    for (std::size_t size = 0; size < bytes.size(); size += step)
        readable += isReadable(format, bytes.substr(0, size)) ? step : 0;
    std::string changed = bytes;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        changed[at] = static_cast<char>(changed[at] ^ 0x55);
        (void)isReadable(format, changed);
        changed[at] = bytes[at];
    }
    return readable;
}

} // namespace hearth::test
