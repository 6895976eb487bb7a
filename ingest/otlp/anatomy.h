#pragma once

#include "ingest/otlp/json/schema.h"
#include "ingest/otlp/layout.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::otlp {

/// A field of a message, or one element of a repeated one.
struct MessagePart {
    std::string_view name;          ///< of the field; empty: the standard has none of this number
    std::uint32_t number = 0;       ///< of the field
    std::string value;              ///< of a scalar; numbers of a packed field together
    std::string meaning;            ///< what a reference leads to, or what a row of a table is
    std::size_t bytes = 0;          ///< in the message, with its head
    Bytes content = {};             ///< of a message
    const Schema *schema = nullptr; ///< of a message; null: a scalar
};

/// What a table of a dictionary is worth.
struct TableUse {
    std::string_view name;
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
    std::uint64_t unused = 0;     ///< entries that nothing refers to; the first, which means none, apart
    std::uint64_t duplicates = 0; ///< entries that are the same as one before them

    bool operator==(const TableUse &) const = default;
};

/// A message as it was sent, for whoever writes senders: its fields by name, what references lead to, and
/// what of its dictionary is of use. Nothing is decoded but what is asked for.
class Anatomy {
public:
    /// REQUIRES: `message` outlives this
    Anatomy(Signal signal, Generation generation, Bytes message);

    std::vector<MessagePart> parts() const { return partsOf(m_message, *m_schema); }
    /// REQUIRES: part.schema
    std::vector<MessagePart> partsOf(const MessagePart &part) const
    {
        return partsOf(part.content, *part.schema);
    }

    /// Empty where tables are not in one dictionary: before 1.7, and in other signals than profiles.
    const std::vector<TableUse> &tables() const { return m_uses; }
    std::uint64_t samples() const { return m_samples; }

private:
    struct Table {
        const SchemaField *field = nullptr;
        std::vector<Bytes> rows;
        std::vector<bool> isUsed;
        std::uint64_t bytes = 0; ///< of the rows, with their heads
    };

    std::vector<MessagePart> partsOf(Bytes message, const Schema &schema) const;
    MessagePart partOf(const SchemaField &field, const WireField &wire) const;
    std::string meaningOfReference(std::string_view field, std::uint64_t row) const;
    std::string meaningOfRow(const Table &table, std::uint64_t row, std::size_t depth) const;
    std::string nameIn(Bytes message, const Schema &schema, std::string_view field, std::size_t depth) const;
    const Table *tableOf(std::string_view reference) const;
    void findTables();
    void markUses(Bytes message, const Schema &schema, std::size_t depth);
    void sumUp();

    Bytes m_message;
    const Schema *m_schema;
    std::vector<Table> m_tables;
    std::vector<TableUse> m_uses;
    std::uint64_t m_samples = 0;
};

} // namespace hearth::otlp
