#include "model/views/merged_entries.h"

#include "model/store/row_index.h"
#include "model/store/string_table.h"

#include <memory>
#include <utility>

namespace hearth {

namespace {

class EntryIdentity {
public:
    explicit EntryIdentity(Granularity granularity) : m_granularity(granularity) {}

    std::uint64_t hash(const Entry &entry) const
    {
        std::uint64_t hash = hashText(entry.name);
        if (tellsFiles())
            hash = mixHash(hash, hashText(entry.file));
        if (tellsLines())
            hash = mixHash(hash, static_cast<std::uint64_t>(entry.line));
        if (m_granularity == Granularity::Address)
            hash = mixHash(hash, entry.address);
        return hash;
    }

    bool isSame(const Entry &a, const Entry &b) const
    {
        return a.name == b.name && (!tellsFiles() || a.file == b.file) &&
               (!tellsLines() || a.line == b.line) &&
               (m_granularity != Granularity::Address ||
                (a.address == b.address && baseName(a.binary) == baseName(b.binary)));
    }

private:
    bool tellsFiles() const { return m_granularity == Granularity::FileFunction || tellsLines(); }
    bool tellsLines() const
    {
        return m_granularity == Granularity::Line || m_granularity == Granularity::Address;
    }

    Granularity m_granularity;
};

} // namespace

MergedEntries mergeEntries(const EntriesView &base, const EntriesView &current, Granularity granularity)
{
    const EntryIdentity identity(granularity);
    Column<Entry> merged;
    merged.reserve(current.size());
    RowIndex index;
    index.reserve(current.size());
    for (std::size_t i = 0; i < current.size(); ++i) {
        merged.push_back(current[EntryId(i)]);
        index.insert(identity.hash(merged[i]), static_cast<std::uint32_t>(i));
    }
    std::vector<EntryId> ofBase;
    ofBase.reserve(base.size());
    forEachPrefetched(
        base.size(), index, [&](std::size_t i) { return identity.hash(base[EntryId(i)]); },
        [&](std::size_t i, std::uint64_t hash) {
            Entry entry = base[EntryId(i)];
            const std::uint32_t found =
                index.find(hash, [&](std::uint32_t row) { return identity.isSame(merged[row], entry); });
            if (found != RowIndex::kNoRow) {
                ofBase.push_back(EntryId(found));
                return;
            }
            entry.kind = {}; // an id of the other data set
            ofBase.push_back(EntryId(merged.size()));
            index.insert(hash, static_cast<std::uint32_t>(merged.size()));
            merged.push_back(entry);
        });
    auto texts = std::make_shared<std::pair<EntriesView, EntriesView>>(base, current);
    return {EntriesView(merged.view(), std::move(texts)), std::move(ofBase)};
}

} // namespace hearth
