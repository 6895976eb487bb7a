#pragma once

#include "model/store/symbols.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hearth {

/// The names of one build of a binary, as far as somebody asked for them: by place in the file, every text
/// once.
class NameBook {
public:
    SymbolSource source = SymbolSource::None;
    std::string file; ///< that the names are from

    bool contains(std::uint64_t offset) const { return m_places.contains(offset); }
    /// Innermost function first; empty if the place is not in the book.
    std::vector<SymbolLine> find(std::uint64_t offset) const;
    /// What is in the book stays.
    void add(std::uint64_t offset, std::span<const SymbolLine> chain);
    std::size_t size() const { return m_places.size(); }

    std::string encoded() const;
    /// @return nothing if the bytes are not whole, or not of a book
    static std::optional<NameBook> decoded(std::span<const std::uint8_t> bytes);

private:
    struct Line {
        std::uint32_t name = 0; ///< of m_texts
        std::uint32_t systemName = 0;
        std::uint32_t file = 0;
        std::int32_t column = 0;
        std::int64_t startLine = 0;
        std::int64_t line = 0;
    };
    struct Chain {
        std::uint32_t begin = 0; ///< of m_lines
        std::uint32_t count = 0;
    };

    std::uint32_t textId(const SharedText &text);

    std::vector<SharedText> m_texts; ///< the keys of m_textIds are in them
    std::unordered_map<std::string_view, std::uint32_t> m_textIds;
    std::vector<Line> m_lines;
    std::unordered_map<std::uint64_t, Chain> m_places;
};

} // namespace hearth
