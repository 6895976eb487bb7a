#include "ingest/symbols/name_cache.h"

#include "ingest/bytes/byte_range.h"
#include "ingest/bytes/byte_sink.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

namespace hearth {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostOfABook = std::uint64_t(64) << 20;
constexpr std::string_view kEnding = ".names";

bool isHex(std::string_view text)
{
    return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

} // namespace

NameCache::NameCache(std::string folder, std::uint64_t mostBytes)
    : m_folder(std::move(folder)), m_mostBytes(mostBytes)
{}

/// Ids come from senders: only what is hex and not long is the name of a file as it is.
std::string NameCache::pathOf(const BinaryIdentity &binary) const
{
    constexpr std::size_t kLongest = 64;
    if (m_folder.empty() || !binary.isKnown())
        return {};
    if (!binary.buildId.empty() && binary.buildId.size() <= kLongest && isHex(binary.buildId))
        return m_folder + "/gnu-" + binary.buildId + std::string(kEnding);
    const std::string all = binary.buildId + '\n' + binary.goBuildId + '\n' + binary.fileHash;
    return m_folder + "/id-" + htlHash(ByteRange::ofMemory({all.begin(), all.end()})) + std::string(kEnding);
}

std::optional<NameBook> NameCache::load(const BinaryIdentity &binary) const
{
    const std::string path = pathOf(binary);
    if (path.empty())
        return std::nullopt;
    const Result<ByteRange> bytes = ByteRange::ofFile(path);
    if (!bytes)
        return std::nullopt;
    auto book = NameBook::decoded(bytes->all(kMostOfABook));
    std::error_code ignored; // what was read is good, wherever it stands in the queue of what may go
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
    return book;
}

bool NameCache::save(const BinaryIdentity &binary, const NameBook &book) const
{
    const std::string path = pathOf(binary);
    if (path.empty())
        return false;
    std::error_code failed;
    fs::create_directories(m_folder, failed);
    const std::string bytes = book.encoded();
    return !failed && bytes.size() <= kMostOfABook && writeFile(path, bytes);
}

void NameCache::trim() const
{
    struct Kept {
        fs::path path;
        fs::file_time_type used;
        std::uint64_t bytes = 0;
    };
    std::vector<Kept> all;
    std::uint64_t sum = 0;
    std::error_code failed;
    for (fs::directory_iterator entry(m_folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (entry->path().extension() != kEnding)
            continue;
        std::error_code gone; // another Hearth may trim, too
        Kept kept{entry->path(), entry->last_write_time(gone), 0};
        const std::uintmax_t bytes = entry->file_size(gone);
        if (gone)
            continue;
        kept.bytes = bytes;
        sum += bytes;
        all.push_back(std::move(kept));
    }
    std::ranges::sort(all, {}, &Kept::used);
    for (const Kept &oldest : all) {
        if (sum <= m_mostBytes)
            return;
        fs::remove(oldest.path, failed);
        sum -= oldest.bytes;
    }
}

NameCache defaultNameCache()
{
    const auto variable = [](const char *name) {
        const char *const value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
    };
    if (const std::string path = variable("XDG_CACHE_HOME"); !path.empty())
        return NameCache(path + "/hearth/names");
    const std::string home = variable("HOME");
    return NameCache(home.empty() ? home : home + "/.cache/hearth/names");
}

} // namespace hearth
