#include "ingest/otlp/json/json_writer.h"

#include "ingest/bytes/text_codes.h"
#include "ingest/bytes/wire.h"
#include "ingest/otlp/json/json_text.h"
#include "ingest/otlp/json/schema.h"

#include <bit>
#include <cmath>
#include <vector>

namespace hearth::otlp {

namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t kDeepest = 512;

class JsonWriter {
public:
    void writeMembers(Bytes message, const Schema &schema, std::size_t depth);
    std::string m_out;

private:
    void writeField(const SchemaField &field, std::span<const WireField> values, std::size_t depth);
    void writeElements(const SchemaField &field, const WireField &value, bool &isFirst, std::size_t depth);
    void writeOne(const SchemaField &field, const WireField &value, std::size_t depth);
    void writeNumber(const SchemaField &field, std::uint64_t bits);
    void writeDouble(double number);
};

/// Writes the fields that the schema knows, in its order.
void JsonWriter::writeMembers(Bytes message, const Schema &schema, std::size_t depth)
{
    std::vector<WireField> fields;
    WireReader reader(message);
    WireField field;
    while (reader.next(field))
        fields.push_back(field);
    std::vector<WireField> values;
    for (const SchemaField &known : schema.fields) {
        values.clear();
        for (const WireField &candidate : fields)
            if (candidate.number == known.number)
                values.push_back(candidate);
        if (values.empty())
            continue;
        if (m_out.back() != '{')
            m_out += ',';
        appendJsonText(m_out, known.name);
        m_out += ':';
        writeField(known, values, depth);
    }
}

void JsonWriter::writeField(const SchemaField &field, std::span<const WireField> values, std::size_t depth)
{
    if (!field.isRepeated)
        return writeOne(field, values.back(), depth);
    m_out += '[';
    bool isFirst = true;
    for (const WireField &value : values)
        writeElements(field, value, isFirst, depth);
    m_out += ']';
}

/// A repeated number may be packed.
void JsonWriter::writeElements(const SchemaField &field, const WireField &value, bool &isFirst,
                               std::size_t depth)
{
    const auto separate = [&] {
        if (!isFirst)
            m_out += ',';
        isFirst = false;
    };
    const bool isNumber = field.kind != FieldKind::Message && field.kind != FieldKind::String &&
                          field.kind != FieldKind::Bytes && field.kind != FieldKind::Id;
    if (!isNumber || !value.isBytes()) {
        separate();
        return writeOne(field, value, depth);
    }
    const auto write = [&](std::uint64_t bits) {
        separate();
        writeNumber(field, bits);
    };
    const bool isFixed = field.kind == FieldKind::Fixed64 || field.kind == FieldKind::Sfixed64 ||
                         field.kind == FieldKind::Double;
    isFixed ? forEachFixed64(value, write) : forEachVarint(value, write);
}

void JsonWriter::writeOne(const SchemaField &field, const WireField &value, std::size_t depth)
{
    switch (field.kind) {
    case FieldKind::Message:
        m_out += '{';
        if (depth < kDeepest)
            writeMembers(value.bytes, *field.message, depth + 1);
        m_out += '}';
        return;
    case FieldKind::String:
        return appendJsonText(m_out, value.text());
    case FieldKind::Bytes:
        return appendJsonText(m_out, base64Of(value.bytes));
    case FieldKind::Id:
        return appendJsonText(m_out, hexOf(value.bytes));
    default:
        writeNumber(field, value.number64);
    }
}

void JsonWriter::writeNumber(const SchemaField &field, std::uint64_t bits)
{
    switch (field.kind) {
    case FieldKind::Bool:
        m_out += bits != 0 ? "true" : "false";
        return;
    case FieldKind::Double:
        return writeDouble(std::bit_cast<double>(bits));
    case FieldKind::Sint32:
        m_out += std::to_string(fromZigzag(bits));
        return;
    case FieldKind::Int64:
    case FieldKind::Sfixed64:
        ((m_out += '"') += std::to_string(static_cast<std::int64_t>(bits))) += '"';
        return;
    case FieldKind::Uint64:
    case FieldKind::Fixed64:
        ((m_out += '"') += std::to_string(bits)) += '"';
        return;
    default:
        m_out += std::to_string(static_cast<std::int64_t>(bits));
    }
}

void JsonWriter::writeDouble(double number)
{
    if (std::isfinite(number))
        appendJsonNumber(m_out, number);
    else
        m_out += std::isnan(number) ? "\"NaN\"" : number > 0 ? "\"Infinity\"" : "\"-Infinity\"";
}

} // namespace

std::string jsonOf(std::span<const WireMessage> messages)
{
    JsonWriter writer;
    writer.m_out = "{";
    for (const WireMessage &message : messages)
        writer.writeMembers(
            {reinterpret_cast<const std::uint8_t *>(message.bytes.data()), message.bytes.size()},
            schemaOf(message.signal, message.generation), 0);
    writer.m_out += '}';
    return std::move(writer.m_out);
}

} // namespace hearth::otlp
