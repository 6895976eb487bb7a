#include "model/store/string_table.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hearth {

namespace {
constexpr std::size_t kBlockSize = std::size_t(256) * 1024;
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

void TextArena::adopt(TextArena &&other)
{
    m_blocks.insert(m_blocks.end(), std::make_move_iterator(other.m_blocks.begin()),
                    std::make_move_iterator(other.m_blocks.end()));
    m_bytes += other.m_bytes;
    other = TextArena();
}

StringTable::StringTable() : m_arena(std::make_shared<TextArena>())
{
    intern({});
}

StringId StringTable::intern(std::string_view text)
{
    const std::uint64_t hash = hashText(text);
    if (const std::uint32_t known = find(text, hash); known != RowIndex::kNoRow)
        return StringId(known);
    const StringId id(m_texts.size());
    m_texts.push_back(m_arena->store(text));
    m_index.insert(hash, id.value);
    return id;
}

void StringTable::internAll(std::span<const std::string_view> texts, std::span<const std::uint32_t> which,
                            std::span<StringId> ids, TextArena &&arena)
{
    const std::size_t firstNew = m_texts.size();
    std::size_t newBytes = 0;
    forEachPrefetched(
        which.size(), m_index, [&](std::size_t i) { return hashText(texts[which[i]]); },
        [&](std::size_t i, std::uint64_t hash) {
            const std::string_view text = texts[which[i]];
            std::uint32_t row = find(text, hash);
            if (row == RowIndex::kNoRow) {
                row = static_cast<std::uint32_t>(m_texts.size());
                m_texts.push_back(text);
                m_index.insert(hash, row);
                newBytes += text.size();
            }
            ids[which[i]] = StringId(row);
        });
    if (newBytes > arena.bytes() / 2) {
        m_arena->adopt(std::move(arena));
        return;
    }
    for (std::size_t row = firstNew; row < m_texts.size(); ++row)
        m_texts.replace(row, m_arena->store(m_texts[row]));
}

} // namespace hearth
