#pragma once

#include "model/store/column.h"
#include "model/store/ids.h"
#include "model/store/row_index.h"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace hearth {

/// Bytes that stay where they are until the arena goes.
class TextArena {
public:
    std::string_view store(std::string_view text);
    /// Takes over the blocks of another arena; its texts stay where they are.
    void adopt(TextArena &&other);
    std::size_t bytes() const { return m_bytes; }

private:
    std::vector<std::unique_ptr<char[]>> m_blocks;
    char *m_free = nullptr;
    std::size_t m_left = 0;
    std::size_t m_bytes = 0;
};

/// The published strings; keeps their bytes alive.
class StringsView {
public:
    StringsView() = default;
    StringsView(ColumnView<std::string_view> texts, std::shared_ptr<const TextArena> arena)
        : m_texts(std::move(texts)), m_arena(std::move(arena))
    {}

    std::size_t size() const { return m_texts.size(); }
    std::string_view operator[](StringId id) const { return m_texts[id.value]; }
    void prefetch(StringId id) const { __builtin_prefetch(m_texts.begin() + id.value); }

private:
    ColumnView<std::string_view> m_texts;
    std::shared_ptr<const TextArena> m_arena;
};

/// Every distinct string once; row 0 is the empty one.
class StringTable {
public:
    StringTable();

    StringId intern(std::string_view text);

    /// Interns those of a batch's `texts` that `which` lists, and notes their ids. `arena` holds the texts'
    /// bytes; it is adopted when most of it is new, which saves copying them.
    void internAll(std::span<const std::string_view> texts, std::span<const std::uint32_t> which,
                   std::span<StringId> ids, TextArena &&arena);

    std::string_view operator[](StringId id) const { return m_texts[id.value]; }
    std::size_t size() const { return m_texts.size(); }
    std::size_t bytes() const { return m_texts.bytes() + m_arena->bytes() + m_index.bytes(); }
    StringsView view() const { return {m_texts.view(), m_arena}; }

private:
    std::uint32_t find(std::string_view text, std::uint64_t hash) const
    {
        return m_index.find(hash, [&](std::uint32_t other) { return m_texts[other] == text; });
    }

    Column<std::string_view> m_texts;
    std::shared_ptr<TextArena> m_arena;
    RowIndex m_index;
};

/// Seeded hash of bytes, the one for every table that is keyed by text or by a row's memory.
std::uint64_t hashBytes(const void *data, std::size_t size);
inline std::uint64_t hashText(std::string_view text)
{
    return hashBytes(text.data(), text.size());
}

} // namespace hearth
