#include "ingest/symbols/name_book.h"

#include "ingest/elf/cursor.h"

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

// A head, a checksum of what follows, then numbers (LEB128) and texts, each with its size before it: the
// source, the file, the texts, and by place in ascending order the chains.
constexpr std::string_view kHead = "hearth names 1\n";
constexpr std::uint64_t kMostLines = 4096; ///< of a chain; no program inlines that deep

void putNumber(std::string &bytes, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7U)
        bytes += static_cast<char>(value | 0x80U);
    bytes += static_cast<char>(value);
}

void putText(std::string &bytes, std::string_view text)
{
    putNumber(bytes, text.size());
    bytes += text;
}

/// FNV-1a: tells what was cut or damaged, not who meant harm.
std::uint64_t checksum(std::string_view bytes)
{
    std::uint64_t sum = 0xcbf29ce484222325U;
    for (const char byte : bytes)
        sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    return sum;
}

std::string_view asText(std::span<const std::uint8_t> bytes)
{
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

std::string_view readText(Cursor &cursor)
{
    const std::uint64_t size = cursor.uleb();
    return asText(cursor.bytes(size));
}

} // namespace

std::uint32_t NameBook::textId(const SharedText &text)
{
    const auto [known, isNew] =
        m_textIds.try_emplace(std::string_view(text), static_cast<std::uint32_t>(m_texts.size()));
    if (isNew)
        m_texts.push_back(text);
    return known->second;
}

std::vector<SymbolLine> NameBook::find(std::uint64_t offset) const
{
    std::vector<SymbolLine> chain;
    const auto place = m_places.find(offset);
    if (place == m_places.end())
        return chain;
    for (const Line &line : std::span(m_lines).subspan(place->second.begin, place->second.count))
        chain.push_back({.name = m_texts[line.name],
                         .systemName = m_texts[line.systemName],
                         .file = m_texts[line.file],
                         .startLine = line.startLine,
                         .line = line.line,
                         .column = line.column});
    return chain;
}

void NameBook::add(std::uint64_t offset, std::span<const SymbolLine> chain)
{
    const auto count = static_cast<std::uint32_t>(chain.size());
    const auto [place, isNew] = m_places.try_emplace(
        offset, Chain{.begin = static_cast<std::uint32_t>(m_lines.size()), .count = count});
    if (!isNew)
        return;
    for (const SymbolLine &line : chain)
        m_lines.push_back({.name = textId(line.name),
                           .systemName = textId(line.systemName),
                           .file = textId(line.file),
                           .column = line.column,
                           .startLine = line.startLine,
                           .line = line.line});
}

std::string NameBook::encoded() const
{
    std::string body;
    putNumber(body, static_cast<std::uint64_t>(source));
    putText(body, file);
    putNumber(body, m_texts.size());
    for (const SharedText &text : m_texts)
        putText(body, text);
    std::vector<std::pair<std::uint64_t, Chain>> places(m_places.begin(), m_places.end());
    std::ranges::sort(places, {}, [](const auto &place) { return place.first; });
    putNumber(body, places.size());
    for (const auto &[offset, chain] : places) {
        putNumber(body, offset);
        putNumber(body, chain.count);
        for (const Line &line : std::span(m_lines).subspan(chain.begin, chain.count))
            for (const auto number :
                 {std::uint64_t(line.name), std::uint64_t(line.systemName), std::uint64_t(line.file),
                  static_cast<std::uint64_t>(line.startLine), static_cast<std::uint64_t>(line.line),
                  std::uint64_t(static_cast<std::uint32_t>(line.column))})
                putNumber(body, number);
    }
    std::string bytes(kHead);
    for (std::uint64_t sum = checksum(body), i = 0; i < 8; ++i, sum >>= 8U)
        bytes += static_cast<char>(sum);
    return bytes + body;
}

std::optional<NameBook> NameBook::decoded(std::span<const std::uint8_t> bytes)
{
    Cursor cursor(bytes);
    if (asText(cursor.bytes(kHead.size())) != kHead)
        return std::nullopt;
    const std::uint64_t sum = cursor.u64();
    if (!cursor.isGood() || checksum(asText(bytes.subspan(cursor.position()))) != sum)
        return std::nullopt;
    NameBook book;
    const std::uint64_t source = cursor.uleb();
    if (source > static_cast<std::uint64_t>(SymbolSource::MadeAtRunTime))
        return std::nullopt;
    book.source = static_cast<SymbolSource>(source);
    book.file = readText(cursor);
    std::vector<SharedText> texts;
    for (std::uint64_t left = cursor.uleb(); left > 0 && cursor.isGood(); --left)
        texts.emplace_back(readText(cursor));
    const auto text = [&](std::uint64_t id) { return id < texts.size() ? texts[id] : SharedText(); };
    std::vector<SymbolLine> chain;
    for (std::uint64_t left = cursor.uleb(); left > 0 && cursor.isGood(); --left) {
        const std::uint64_t offset = cursor.uleb();
        const std::uint64_t count = cursor.uleb();
        if (count > kMostLines)
            return std::nullopt;
        chain.resize(count);
        for (SymbolLine &line : chain) {
            line.name = text(cursor.uleb());
            line.systemName = text(cursor.uleb());
            line.file = text(cursor.uleb());
            line.startLine = static_cast<std::int64_t>(cursor.uleb());
            line.line = static_cast<std::int64_t>(cursor.uleb());
            line.column = static_cast<std::int32_t>(cursor.uleb());
        }
        book.add(offset, chain);
    }
    return cursor.isGood() && cursor.isAtEnd() ? std::optional(std::move(book)) : std::nullopt;
}

} // namespace hearth
