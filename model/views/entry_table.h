#pragma once

#include "model/lens/lens.h"
#include "model/store/column.h"
#include "model/store/row_index.h"
#include "model/store/snapshot.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

using EntryId = Id<struct EntryTag>;

/// What a view shows as one row or box.
struct Entry {
    std::string_view name; ///< never empty: "[libc.so.6]" or "<unknown>" where nothing better is known
    std::string_view
        file; ///< file, line and binary are those of the first frame seen with this entry, unless the
    std::string_view binary; ///< granularity tells entries apart by them
    std::int64_t line = 0;
    std::uint64_t address = 0;
    StringId kind;           ///< of that first frame
    bool isTag = false;      ///< stands for an attribute's value
    bool isNameless = false; ///< what it is called was made up, because nobody said
};

/// The entries as they were at one moment. Copies share them; the table may grow meanwhile.
class EntriesView {
public:
    /// @param texts what owns the texts of the entries
    EntriesView(ColumnView<Entry> entries, std::shared_ptr<const void> texts)
        : m_entries(std::move(entries)), m_texts(std::move(texts))
    {}

    std::size_t size() const { return m_entries.size(); }
    const Entry &operator[](EntryId id) const { return m_entries[id.value]; }

private:
    ColumnView<Entry> m_entries;
    std::shared_ptr<const void> m_texts; ///< only kept alive
};

/// The entries of a data set at one granularity, numbered in the order in which frames mention them. Grows
/// with the data set. Texts stay valid as long as the table.
class EntryTable : public std::enable_shared_from_this<EntryTable> {
public:
    /// What is called so has neither a name nor a binary.
    static constexpr std::string_view kUnknown = "<unknown>";

    explicit EntryTable(Granularity granularity) : m_granularity(granularity) {}

    /// Must be called with each new snapshot of the data set before its frames are asked for.
    void follow(std::shared_ptr<const Snapshot> snapshot);

    /// Brings names of the frames behind this one into the cache, for a caller that goes through all of them.
    void prefetchBehind(FrameId frame) const;

    EntryId entryOf(FrameId frame, const Line &line);
    EntryId entryWithoutLine(FrameId frame);
    /// Of the frame's binary as a whole. REQUIRES: it has one.
    EntryId entryOfBinary(FrameId frame);

    /// A frame made of an attribute: its value is the name, its key stands where functions have their file.
    EntryId entryOfTag(std::string_view value, std::string_view key);

    std::string_view nameOf(EntryId entry) const { return m_entries[entry.value].name; }

    /// REQUIRES: a shared_ptr owns the table.
    EntriesView view() const { return {m_entries.view(), shared_from_this()}; }

private:
    const Function *innermostFunction(std::size_t frame) const;
    EntryId intern(const Entry &entry, std::uint64_t key);
    EntryId append(const Entry &entry);
    void indexAll();
    bool isSame(const Entry &a, const Entry &b) const;
    std::uint64_t keyOf(const Entry &entry) const;
    Entry describe(FrameId frame, std::string_view function, std::string_view file, std::int64_t line);
    std::string_view bracketed(BinaryId binary);
    std::string_view own(std::string text);

    Granularity m_granularity;
    std::shared_ptr<const Snapshot> m_snapshot;
    std::deque<std::string> m_texts; ///< names that are in no string table
    Column<Entry> m_entries;
    RowIndex m_index; ///< of the entries that are not distinct by the id of their name
    bool m_hasTags = false;
    std::vector<std::string_view> m_bracketed; ///< by binary: "[libc.so.6]"
    std::vector<EntryId> m_ofName; ///< by StringId of a function's name: a shortcut where only that counts
};

/// "/usr/lib/libc.so.6" → "libc.so.6"
std::string_view baseName(std::string_view path);

} // namespace hearth
