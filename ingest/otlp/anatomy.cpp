#include "ingest/otlp/anatomy.h"

#include "ingest/bytes/text_codes.h"
#include "ingest/bytes/wire.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_set>
#include <utility>

namespace hearth::otlp {

namespace {

constexpr std::size_t kDeepest = 64;       ///< messages in messages
constexpr std::size_t kLongestWay = 4;     ///< from a stack to the name of a function
constexpr std::size_t kMostNumbers = 1000; ///< of a packed field that are written out

/// Which table numbers in a field are rows of; empty: none.
std::string_view tableOfReference(std::string_view field)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kTables{
        {{"mappingIndex", "mappingTable"},
         {"locationIndex", "locationTable"},
         {"locationIndices", "locationTable"},
         {"functionIndex", "functionTable"},
         {"linkIndex", "linkTable"},
         {"stackIndex", "stackTable"},
         {"attributeIndices", "attributeTable"}}};
    if (field.ends_with("Strindex") || field.ends_with("Strindices"))
        return "stringTable";
    const auto *const known =
        std::ranges::find(kTables, field, &std::pair<std::string_view, std::string_view>::first);
    return known == kTables.end() ? std::string_view() : known->second;
}

/// The field by which a row of a table is known.
std::string_view nameField(std::string_view table)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kFields{
        {{"mappingTable", "filenameStrindex"},
         {"functionTable", "nameStrindex"},
         {"stackTable", "locationIndices"},
         {"linkTable", "traceId"}}};
    const auto *const known =
        std::ranges::find(kFields, table, &std::pair<std::string_view, std::string_view>::first);
    return known == kFields.end() ? std::string_view() : known->second;
}

const SchemaField *fieldOf(const Schema &schema, std::uint32_t number)
{
    const auto known = std::ranges::find(schema.fields, number, &SchemaField::number);
    return known == schema.fields.end() ? nullptr : &*known;
}

const SchemaField *fieldOf(const Schema &schema, std::string_view name)
{
    const auto known = std::ranges::find(schema.fields, name, &SchemaField::name);
    return known == schema.fields.end() ? nullptr : &*known;
}

bool isText(FieldKind kind)
{
    return kind == FieldKind::String || kind == FieldKind::Bytes || kind == FieldKind::Id;
}

std::string numberText(const SchemaField &field, std::uint64_t bits)
{
    switch (field.kind) {
    case FieldKind::Bool:
        return bits != 0 ? "true" : "false";
    case FieldKind::Double:
        return std::to_string(std::bit_cast<double>(bits));
    case FieldKind::Sint32:
        return std::to_string(fromZigzag(bits));
    case FieldKind::Uint64:
    case FieldKind::Fixed64:
        return std::to_string(bits);
    case FieldKind::Enum:
        if (bits < field.names.size())
            return std::string(field.names[bits]);
        [[fallthrough]];
    default:
        return std::to_string(static_cast<std::int64_t>(bits));
    }
}

template <class Take>
void forEachNumber(const SchemaField &field, const WireField &wire, Take take)
{
    const bool isWide = field.kind == FieldKind::Fixed64 || field.kind == FieldKind::Sfixed64 ||
                        field.kind == FieldKind::Double;
    if (isWide)
        forEachFixed64(wire, take);
    else
        forEachVarint(wire, take);
}

std::string numbersText(const SchemaField &field, const WireField &wire)
{
    std::string text;
    std::size_t count = 0;
    forEachNumber(field, wire, [&](std::uint64_t bits) {
        if (++count <= kMostNumbers)
            text += (text.empty() ? "" : ", ") + numberText(field, bits);
    });
    return count > kMostNumbers ? text + ", " + std::to_string(count - kMostNumbers) + " more" : text;
}

} // namespace

Anatomy::Anatomy(Signal signal, Generation generation, Bytes message)
    : m_message(message), m_schema(&schemaOf(signal, generation))
{
    findTables();
    markUses(m_message, *m_schema, 0);
    sumUp();
}

void Anatomy::findTables()
{
    const SchemaField *const dictionary = fieldOf(*m_schema, "dictionary");
    if (dictionary == nullptr)
        return;
    for (const SchemaField &field : dictionary->message->fields)
        m_tables.push_back({&field, {}, {}});
    WireReader reader(m_message);
    for (WireField outer; reader.next(outer);) {
        if (outer.number != dictionary->number || !outer.isBytes())
            continue;
        WireReader rows(outer.bytes);
        const std::uint8_t *begin = rows.position();
        for (WireField row; rows.next(row); begin = rows.position()) {
            const auto table = std::ranges::find(m_tables, row.number,
                                                 [](const Table &known) { return known.field->number; });
            if (table == m_tables.end() || !row.isBytes())
                continue;
            table->rows.push_back(row.bytes);
            table->bytes += static_cast<std::uint64_t>(rows.position() - begin);
        }
    }
    for (Table &table : m_tables)
        table.isUsed.resize(table.rows.size());
}

const Anatomy::Table *Anatomy::tableOf(std::string_view reference) const
{
    const std::string_view name = tableOfReference(reference);
    const auto table =
        std::ranges::find(m_tables, name, [](const Table &known) { return known.field->name; });
    return name.empty() || table == m_tables.end() ? nullptr : &*table;
}

void Anatomy::markUses(Bytes message, const Schema &schema, std::size_t depth)
{
    if (depth > kDeepest)
        return;
    if (schema.name == "Sample")
        ++m_samples;
    WireReader reader(message);
    for (WireField wire; reader.next(wire);) {
        const SchemaField *const field = fieldOf(schema, wire.number);
        if (field == nullptr)
            continue;
        if (field->kind == FieldKind::Message) {
            if (wire.isBytes())
                markUses(wire.bytes, *field->message, depth + 1);
        } else if (const Table *const table = isText(field->kind) ? nullptr : tableOf(field->name)) {
            auto &isUsed = m_tables[std::size_t(table - m_tables.data())].isUsed;
            forEachNumber(*field, wire, [&](std::uint64_t row) {
                if (row < isUsed.size())
                    isUsed[row] = true;
            });
        }
    }
}

void Anatomy::sumUp()
{
    for (const Table &table : m_tables) {
        TableUse use{.name = table.field->name, .entries = table.rows.size(), .bytes = table.bytes};
        std::unordered_set<std::string_view> known;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const Bytes bytes = table.rows[row];
            if (!known.insert({reinterpret_cast<const char *>(bytes.data()), bytes.size()}).second)
                ++use.duplicates;
            if (row > 0 && !table.isUsed[row])
                ++use.unused;
        }
        m_uses.push_back(use);
    }
}

std::vector<MessagePart> Anatomy::partsOf(Bytes message, const Schema &schema) const
{
    std::vector<MessagePart> parts;
    std::vector<std::uint64_t> rows(schema.fields.size()); // so many elements of each field were before
    WireReader reader(message);
    const std::uint8_t *begin = reader.position();
    for (WireField wire; reader.next(wire); begin = reader.position()) {
        const SchemaField *const field = fieldOf(schema, wire.number);
        MessagePart part;
        if (field == nullptr) {
            part.value = wire.isBytes() ? hexOf(wire.bytes) : std::to_string(wire.number64);
        } else {
            part = partOf(*field, wire);
            const auto table = std::ranges::find(m_tables, field, &Table::field);
            const std::uint64_t row = rows[std::size_t(field - schema.fields.data())]++;
            if (table != m_tables.end() && part.schema != nullptr)
                part.meaning = meaningOfRow(*table, row, 0);
        }
        part.number = wire.number;
        part.bytes = static_cast<std::size_t>(reader.position() - begin);
        parts.push_back(std::move(part));
    }
    return parts;
}

MessagePart Anatomy::partOf(const SchemaField &field, const WireField &wire) const
{
    MessagePart part;
    part.name = field.name;
    if (field.kind == FieldKind::Message) {
        part.content = wire.bytes;
        part.schema = field.message;
    } else if (field.kind == FieldKind::String) {
        part.value = wire.text();
    } else if (isText(field.kind)) {
        part.value = hexOf(wire.bytes);
    } else {
        part.value = numbersText(field, wire);
        std::size_t count = 0;
        forEachNumber(field, wire, [&](std::uint64_t row) {
            if (const std::string meaning =
                    ++count <= kMostNumbers ? meaningOfReference(field.name, row) : "";
                !meaning.empty())
                part.meaning += (part.meaning.empty() ? "" : ", ") + meaning;
        });
    }
    return part;
}

std::string Anatomy::meaningOfReference(std::string_view field, std::uint64_t row) const
{
    const Table *const table = tableOf(field);
    if (table == nullptr)
        return {};
    return row < table->rows.size()
               ? meaningOfRow(*table, row, 0)
               : "there is no such row: the table has " + std::to_string(table->rows.size());
}

/// What a row is called: the text of a string, the name of a function, of a stack the innermost function.
std::string Anatomy::meaningOfRow(const Table &table, std::uint64_t row, std::size_t depth) const
{
    if (row >= table.rows.size() || depth > kLongestWay)
        return {};
    const Bytes bytes = table.rows[row];
    if (table.field->kind == FieldKind::String)
        return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
    const Schema &schema = *table.field->message;
    if (table.field->name == "attributeTable")
        return nameIn(bytes, schema, "keyStrindex", depth) + '=' + nameIn(bytes, schema, "value", depth);
    if (table.field->name != "locationTable")
        return nameIn(bytes, schema, nameField(table.field->name), depth);
    for (const std::string_view lines : {"line", "lines"})
        if (std::string name = nameIn(bytes, schema, lines, depth); !name.empty())
            return name;
    const std::string binary = nameIn(bytes, schema, "mappingIndex", depth);
    const std::string address = nameIn(bytes, schema, "address", depth);
    return binary + (binary.empty() || address.empty() ? "" : " ") + address;
}

/// What the first element of a field says.
std::string Anatomy::nameIn(Bytes message, const Schema &schema, std::string_view field,
                            std::size_t depth) const
{
    const SchemaField *const wanted = fieldOf(schema, field);
    WireReader reader(message);
    for (WireField wire; wanted != nullptr && reader.next(wire);) {
        if (wire.number != wanted->number)
            continue;
        if (wanted->message == &schema::kAnyValue) {
            const std::vector<MessagePart> values = partsOf(wire.bytes, *wanted->message);
            return values.empty() ? std::string() : values.front().value;
        }
        if (wanted->kind == FieldKind::Message)
            return nameIn(wire.bytes, *wanted->message, "functionIndex", depth);
        if (wanted->kind == FieldKind::Id)
            return hexOf(wire.bytes);
        std::string name;
        bool isFirst = true;
        forEachNumber(*wanted, wire, [&](std::uint64_t number) {
            if (!std::exchange(isFirst, false))
                return;
            const Table *const table = tableOf(field);
            name = table != nullptr ? meaningOfRow(*table, number, depth + 1) : numberText(*wanted, number);
        });
        return name;
    }
    return {};
}

} // namespace hearth::otlp
