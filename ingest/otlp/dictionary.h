#pragma once

#include "ingest/otlp/attributes.h"
#include "ingest/otlp/layout.h"
#include "model/store/batch.h"

#include <array>
#include <vector>

namespace hearth::otlp {

/// The tables that samples refer to. Rows become rows of the batch when something refers to them: a
/// dictionary may hold much that no sample needs.
class Dictionary {
public:
    Dictionary(Batch &batch, AttributeReader &attributes, const Layout &layout)
        : m_batch(batch), m_attributeReader(attributes), m_layout(layout)
    {}

    /// Adds the rows of a table; those of all parts of a dictionary first, then finish().
    void add(TableRole table, Bytes row) { m_tables[static_cast<std::size_t>(table)].push_back(row); }
    /// Adds whatever tables a message has.
    void addTables(Bytes message);
    void finish();

    StringId string(std::uint64_t index) { return m_attributeReader.stringAt(index); }
    FrameId frame(std::uint64_t location);
    LinkId link(std::uint64_t index);
    /// @return null if there is no such row, or if it says nothing
    const Attribute *attribute(std::uint64_t index);

    /// A list of locations, the leaf first, as a stack.
    StackId stackOf(std::span<const std::uint64_t> locations);
    /// @return none if there is no such stack
    StackId stack(std::uint64_t index);

private:
    std::span<const Bytes> table(TableRole role) const { return m_tables[static_cast<std::size_t>(role)]; }
    /// Whether a reference means that there is nothing.
    bool isNull(TableRole role, std::uint64_t index) const;
    Bytes row(TableRole role, std::uint64_t index);

    FrameId addFrame(Bytes location);
    Line readLine(Bytes message);
    FunctionId function(std::uint64_t index);
    MappingId mapping(std::uint64_t index);
    /// @return false if the attribute has no place in these
    bool readMappingAttribute(const Attribute &attribute, Mapping &mapping, Binary &binary);
    bool readLocationAttribute(const Attribute &attribute, Frame &frame);
    AttributeId addAttribute(const Attribute &attribute);
    Attribute readAttribute(Bytes row);
    std::uint64_t scalar(const WireField &field);

    Batch &m_batch;
    AttributeReader &m_attributeReader;
    const Layout &m_layout;
    std::array<std::vector<Bytes>, 9> m_tables;

    // What rows became, by index; none if nothing referred to them yet.
    std::vector<StringId> m_strings;
    std::vector<FunctionId> m_functions;
    std::vector<MappingId> m_mappings;
    std::vector<FrameId> m_frames;
    std::vector<StackId> m_stacks;
    std::vector<LinkId> m_links;
    std::vector<Attribute> m_attributes;
    std::vector<bool> m_attributeIsRead;
    std::vector<std::pair<StringId, StringId>> m_units; ///< of keys, where attributes have none of their own

    std::vector<std::uint64_t> m_locations; ///< of the stack at hand
    std::vector<Line> m_lines;              ///< of the location at hand
};

} // namespace hearth::otlp
