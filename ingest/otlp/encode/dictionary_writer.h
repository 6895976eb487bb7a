#pragma once

#include "model/store/snapshot.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hearth::otlp {

/// The dictionary of the profiles of a snapshot, in the newest generation. It grows by what is asked for, so
/// that nothing is in it that no sample refers to, and nothing twice. Row 0 of every table stands for "none".
class DictionaryWriter {
public:
    explicit DictionaryWriter(const Snapshot &snapshot);

    std::uint64_t string(StringId id)
    {
        return known(m_stringOf, id, [&] { return string(text(id)); });
    }
    std::uint64_t string(std::string_view text);
    std::uint64_t stack(StackId id);
    std::uint64_t link(LinkId id);
    std::uint64_t attribute(AttributeId id);
    std::uint64_t textAttribute(std::string_view key, std::string_view text);

    /// The ProfilesDictionary message.
    std::string finish() const;

private:
    /// Encoded rows, each distinct one once.
    class Table {
    public:
        explicit Table(std::string_view first) { add(first); }

        std::uint64_t add(std::string_view row);
        void write(std::string &dictionary, std::uint32_t field) const;

    private:
        std::unordered_map<std::string, std::uint64_t> m_indexOf;
        std::vector<const std::string *> m_rows; ///< keys of the map, which stay where they are
    };

    std::string_view text(StringId id) const { return m_snapshot.text(id); }
    std::uint64_t location(FrameId id);
    std::uint64_t function(FunctionId id);
    std::uint64_t mapping(MappingId id);
    std::uint64_t flagAttribute(std::string_view key);
    std::uint64_t addAttribute(std::uint64_t key, std::string_view anyValue, std::uint64_t unit);

    /// What a row of the snapshot became, made when it is first asked for.
    template <class RowId, class Make>
    static std::uint64_t known(std::vector<std::uint32_t> &indexOf, RowId id, Make make)
    {
        if (id.value >= indexOf.size())
            indexOf.resize(id.value + 1 + id.value / 2);
        if (indexOf[id.value] == 0) {
            const auto index = static_cast<std::uint32_t>(make());
            indexOf[id.value] = index + 1;
        }
        return indexOf[id.value] - 1;
    }

    template <class RowId>
    using NotesOf = std::unordered_multimap<RowId, AttributeId>;

    template <class RowId>
    void addNotes(std::string &attributes, const NotesOf<RowId> &notes, RowId id);

    const Snapshot &m_snapshot;
    NotesOf<FrameId> m_frameNotes;
    NotesOf<MappingId> m_mappingNotes;
    Table m_mappings;
    Table m_locations;
    Table m_functions;
    Table m_links;
    Table m_strings;
    Table m_attributes;
    Table m_stacks;
    // By row of the snapshot: index plus 1, 0 if there is none yet.
    std::vector<std::uint32_t> m_stringOf, m_stackOf, m_linkOf, m_attributeOf, m_locationOf, m_functionOf,
        m_mappingOf;
};

} // namespace hearth::otlp
