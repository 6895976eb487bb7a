#include "model/store/string_table.h"

#include <algorithm>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hearth {

namespace {
constexpr std::size_t kBlockSize = 256 * 1024;
}

std::uint64_t hashBytes(const void *data, std::size_t size)
{
    return XXH3_64bits_withSeed(data, size, hashSeed());
}

std::string_view TextArena::store(std::string_view text)
{
    if (text.empty())
        return {};
    if (text.size() > m_left) {
        const std::size_t size = std::max(kBlockSize, text.size());
        auto block = std::make_unique_for_overwrite<char[]>(size);
        char *const begin = block.get();
        m_blocks.push_back(std::move(block));
        m_bytes += size;
        if (size - text.size() < m_left) { // a long text gets a block of its own; the current one goes on
            std::memcpy(begin, text.data(), text.size());
            return {begin, text.size()};
        }
        m_free = begin;
        m_left = size;
    }
    std::memcpy(m_free, text.data(), text.size());
    const std::string_view stored{m_free, text.size()};
    m_free += text.size();
    m_left -= text.size();
    return stored;
}

StringTable::StringTable() : m_arena(std::make_shared<TextArena>())
{
    intern({});
}

StringId StringTable::intern(std::string_view text)
{
    const std::uint64_t hash = hashText(text);
    const std::uint32_t row = m_index.find(hash, [&](std::uint32_t other) { return m_texts[other] == text; });
    if (row != RowIndex::kNoRow)
        return StringId(row);
    const StringId id(m_texts.size());
    m_texts.push_back(m_arena->store(text));
    m_index.insert(hash, id.value);
    return id;
}

} // namespace hearth
