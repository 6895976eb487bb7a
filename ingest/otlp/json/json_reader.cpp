#include "ingest/otlp/json/json_reader.h"

#include "ingest/bytes/text_codes.h"
#include "ingest/bytes/wire.h"
#include "ingest/bytes/wire_writer.h"
#include "ingest/otlp/json/schema.h"
#include "model/lens/utf8.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace hearth::otlp {

namespace {

namespace json = simdjson::ondemand;

constexpr std::size_t kDeepest = 256; ///< of messages within messages; attributes may be lists of lists

/// @return whether an object has this key, which must not be one of an object with keys of its own choice;
/// OTLP has none. A text in quotes that is followed by a colon is a key: within a string, quotes are escaped.
bool hasKey(std::string_view text, std::string_view key)
{
    const std::string quoted = '"' + std::string(key) + '"';
    for (std::size_t at = text.find(quoted); at != std::string_view::npos; at = text.find(quoted, at + 1)) {
        const std::size_t behind = text.find_first_not_of(" \t\r\n", at + quoted.size());
        if (behind != std::string_view::npos && text[behind] == ':')
            return true;
    }
    return false;
}

std::string snakeCase(std::string_view camel)
{
    std::string snake;
    for (const char letter : camel) {
        if (letter >= 'A' && letter <= 'Z')
            (snake += '_') += static_cast<char>(letter - 'A' + 'a');
        else
            snake += letter;
    }
    return snake;
}

bool hasEither(std::string_view text, std::string_view camel)
{
    const std::string snake = snakeCase(camel);
    return hasKey(text, camel) || (snake != camel && hasKey(text, snake));
}

/// JSON tells the generation by its names.
Generation generationOf(std::string_view text, bool hasTopLevelTables)
{
    const auto has = [&](std::string_view key) { return hasEither(text, key); };
    if (hasTopLevelTables)
        return Generation::V1_6;
    if (hasKey(text, "dictionary")) {
        const bool isOf1_7 = has("attributeUnits") || has("locationsLength") || has("defaultSampleTypeIndex");
        if (!has("stackTable") && (isOf1_7 || has("locationIndices")))
            return Generation::V1_7;
        return hasKey(text, "sample") && !hasKey(text, "samples") ? Generation::V1_8 : Generation::V1_10;
    }
    if (hasKey(text, "profile"))
        return Generation::V1_3;
    return has("stringTable") ? Generation::V1_4 : Generation::V1_10;
}

/// Writes messages of a length that is not known when they begin.
class MessageWriter {
public:
    void tag(std::uint32_t number, WireType type)
    {
        varint(std::uint64_t(number) << 3 | static_cast<std::uint64_t>(type));
    }
    void varint(std::uint64_t value) { WireWriter(m_out).varint(value); }
    void fixed(std::uint64_t value, std::size_t size)
    {
        for (std::size_t i = 0; i < size; ++i)
            m_out += static_cast<char>(value >> (8 * i) & 255);
    }
    void bytes(std::uint32_t number, std::string_view payload) { WireWriter(m_out).bytes(number, payload); }

    /// @return where the message begins, for close()
    std::size_t open(std::uint32_t number)
    {
        tag(number, WireType::Bytes);
        m_out.append(kLengthSize, '\0');
        return m_out.size();
    }
    /// Fills in the length, as a varint that is longer than it need be.
    void close(std::size_t begin)
    {
        const std::size_t length = m_out.size() - begin;
        for (std::size_t i = 0; i < kLengthSize; ++i)
            m_out[begin - kLengthSize + i] =
                static_cast<char>((length >> (7 * i) & 127) | (i + 1 < kLengthSize ? 128U : 0U));
    }

    bool isEmpty() const { return m_out.empty(); }
    std::string take() { return std::move(m_out); }

private:
    static constexpr std::size_t kLengthSize = 5; ///< holds lengths below 32 GiB

    std::string m_out;
};

template <class Number>
std::optional<Number> numberOf(std::string_view text)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Whole numbers may also be written like "1e3" or "5.0".
std::optional<std::uint64_t> wholeNumber(std::string_view text)
{
    if (const auto number = numberOf<std::int64_t>(text))
        return static_cast<std::uint64_t>(*number);
    if (const auto number = numberOf<std::uint64_t>(text))
        return number;
    const auto real = numberOf<double>(text);
    constexpr double kLargest = 9.2e18;
    if (!real || std::trunc(*real) != *real || std::abs(*real) > kLargest)
        return std::nullopt;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(*real));
}

std::optional<double> realNumber(std::string_view text)
{
    if (text == "NaN")
        return std::numeric_limits<double>::quiet_NaN();
    if (text == "Infinity" || text == "-Infinity")
        return text.front() == '-' ? -std::numeric_limits<double>::infinity()
                                   : std::numeric_limits<double>::infinity();
    return numberOf<double>(text);
}

std::optional<std::uint64_t> enumeratedNumber(std::string_view text, const SchemaField &field)
{
    if (const auto number = wholeNumber(text))
        return number;
    for (std::size_t value = field.names.size(); value-- > 0;)
        if (text == field.names[value] || text.ends_with('_' + std::string(field.names[value])))
            return value;
    return std::nullopt;
}

/// Ids of profiles are base64 by the letter of the standard, and end in '=' then.
std::optional<std::string> idOf(std::string_view text)
{
    std::optional<std::string> bytes = bytesOfHex(text);
    if (!bytes && text.ends_with('='))
        bytes = bytesOfBase64(text);
    return bytes;
}

class JsonReader {
public:
    JsonReader(std::string_view text, Losses &losses) : m_text(text), m_padded(text), m_losses(losses) {}

    Result<std::vector<WireMessage>> read();

private:
    struct Target {
        WireMessage message;
        const Schema *schema = nullptr;
        MessageWriter out;
        bool isPresent = false;
    };

    std::vector<WireMessage> readDocument();
    std::string place();
    void readMessage(json::object object, const Schema &schema, MessageWriter &out);
    void readField(json::value value, const SchemaField &field, MessageWriter &out);
    void readOne(json::value value, const SchemaField &field, MessageWriter &out);
    void writeScalar(json::value value, const SchemaField &field, MessageWriter &out);
    bool writeText(std::string_view text, const SchemaField &field, MessageWriter &out);
    std::optional<std::string_view> textOf(json::value value);
    const SchemaField *find(std::string_view key, const Schema &schema);
    void leaveOut(std::string_view why);

    std::string_view m_text;
    simdjson::padded_string m_padded;
    json::parser m_parser;
    json::document m_document;
    Losses &m_losses;
    std::string m_camel; ///< the key at hand if it was written otherwise
    std::string m_path;
    std::size_t m_depth = 0;
};

Result<std::vector<WireMessage>> JsonReader::read()
{
    try {
        return readDocument();
    } catch (const simdjson::simdjson_error &error) {
        return failure("not valid JSON" + place() + ": " + simdjson::error_message(error.error()));
    }
}

/// Where reading stopped, if it had begun.
std::string JsonReader::place()
{
    const char *at = nullptr;
    if (m_path.empty() || m_document.current_location().get(at) != simdjson::SUCCESS)
        return {};
    return " at byte " + std::to_string(at - m_padded.data()) + ", " + m_path;
}

std::vector<WireMessage> JsonReader::readDocument()
{
    m_document = m_parser.iterate(m_padded);
    bool hasTopLevelTables = false;
    for (auto member : m_document.get_object()) {
        const std::string_view key = member.unescaped_key();
        hasTopLevelTables |= key == "stringTable" || key == "string_table";
    }
    const Generation generation = generationOf(m_text, hasTopLevelTables);
    std::array<Target, 4> targets;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        targets[i].message = {.signal = static_cast<Signal>(i), .generation = generation, .bytes = {}};
        targets[i].schema = &schemaOf(static_cast<Signal>(i), generation);
    }
    m_document.rewind();
    for (auto member : m_document.get_object()) {
        const std::string_view key = member.unescaped_key();
        bool isKnown = false;
        for (Target &target : targets) {
            const SchemaField *field = find(key, *target.schema);
            if (field == nullptr)
                continue;
            isKnown = target.isPresent = true;
            m_path = field->name;
            readField(member.value(), *field, target.out);
            break;
        }
        if (!isKnown)
            m_losses.add(Loss::UnknownFields);
    }
    if (const char *at = nullptr; m_document.current_location().get(at) == simdjson::SUCCESS)
        m_losses.add(Loss::DamagedInput, "something stands behind the end of the JSON object");
    std::vector<WireMessage> messages;
    for (Target &target : targets)
        if (target.isPresent) {
            target.message.bytes = target.out.take();
            messages.push_back(std::move(target.message));
        }
    return messages;
}

const SchemaField *JsonReader::find(std::string_view key, const Schema &schema)
{
    if (key.find('_') != std::string_view::npos) {
        m_camel.clear();
        for (std::size_t i = 0; i < key.size(); ++i) {
            const bool isHump = key[i] == '_' && i + 1 < key.size();
            const char letter = key[isHump ? ++i : i];
            m_camel +=
                isHump && letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
        }
        key = m_camel;
    }
    const auto found = std::ranges::find(schema.fields, key, &SchemaField::name);
    return found == schema.fields.end() ? nullptr : &*found;
}

void JsonReader::leaveOut(std::string_view why)
{
    m_losses.add(Loss::MalformedRecords, m_path + ": " + std::string(why));
}

void JsonReader::readMessage(json::object object, const Schema &schema, MessageWriter &out)
{
    const std::size_t path = m_path.size();
    for (auto member : object) {
        const std::string_view key = member.unescaped_key();
        const SchemaField *field = find(key, schema);
        if (field == nullptr) {
            m_losses.add(Loss::UnknownFields);
            continue;
        }
        (m_path += '.') += field->name;
        readField(member.value(), *field, out);
        m_path.resize(path);
    }
}

void JsonReader::readField(json::value value, const SchemaField &field, MessageWriter &out)
{
    const json::json_type type = value.type();
    if (type == json::json_type::null)
        return;
    if (!field.isRepeated || type != json::json_type::array)
        return readOne(value, field, out);
    const std::size_t path = m_path.size();
    std::size_t index = 0;
    for (auto element : value.get_array()) {
        m_path += '[' + std::to_string(index++) + ']';
        readOne(element.value(), field, out);
        m_path.resize(path);
    }
}

void JsonReader::readOne(json::value value, const SchemaField &field, MessageWriter &out)
{
    if (field.kind != FieldKind::Message)
        return writeScalar(value, field, out);
    if (value.type() != json::json_type::object) {
        if (value.type() == json::json_type::null) // an element that is left out still has its index
            out.close(out.open(field.number));
        else
            leaveOut("not an object");
        return;
    }
    if (m_depth >= kDeepest) {
        m_losses.add(Loss::OversizedFields, m_path.substr(0, 200) + "…: nested too deeply");
        return;
    }
    ++m_depth;
    const std::size_t begin = out.open(field.number);
    readMessage(value.get_object(), *field.message, out);
    out.close(begin);
    --m_depth;
}

/// Numbers may be written in quotes, so all that is not nested is read as text first.
std::optional<std::string_view> JsonReader::textOf(json::value value)
{
    switch (value.type()) {
    case json::json_type::string: {
        std::string_view text;
        if (value.get_string().get(text) != simdjson::SUCCESS)
            return std::nullopt;
        return text;
    }
    case json::json_type::number:
    case json::json_type::boolean: {
        std::string_view token = value.raw_json_token();
        token = token.substr(0, token.find_first_of(" \t\r\n"));
        return token;
    }
    default:
        return std::nullopt;
    }
}

void JsonReader::writeScalar(json::value value, const SchemaField &field, MessageWriter &out)
{
    const std::optional<std::string_view> text = textOf(value);
    if (!text) {
        leaveOut("not a text, number or truth value that can be read");
        if (field.isRepeated && field.kind == FieldKind::String)
            out.bytes(field.number, {}); // texts behind it keep their index
        return;
    }
    if (!writeText(*text, field, out))
        leaveOut('"' + std::string(text->substr(0, 40)) + "\" is not what belongs here");
}

bool JsonReader::writeText(std::string_view text, const SchemaField &field, MessageWriter &out)
{
    const auto writeBytes = [&](const std::optional<std::string> &bytes) {
        if (bytes)
            out.bytes(field.number, *bytes);
        return bytes.has_value();
    };
    const auto writeVarint = [&](std::optional<std::uint64_t> number) {
        if (number) {
            out.tag(field.number, WireType::Varint);
            out.varint(*number);
        }
        return number.has_value();
    };
    const auto writeFixed = [&](std::optional<std::uint64_t> number, WireType type) {
        if (number) {
            out.tag(field.number, type);
            out.fixed(*number, type == WireType::Fixed64 ? 8 : 4);
        }
        return number.has_value();
    };
    switch (field.kind) {
    case FieldKind::String:
        out.bytes(field.number, text);
        return true;
    case FieldKind::Bytes:
        return writeBytes(bytesOfBase64(text));
    case FieldKind::Id:
        return writeBytes(idOf(text));
    case FieldKind::Int32:
    case FieldKind::Int64:
    case FieldKind::Uint64:
        return writeVarint(wholeNumber(text));
    case FieldKind::Sint32: {
        const auto number = wholeNumber(text);
        return writeVarint(number ? std::optional(toZigzag(static_cast<std::int64_t>(*number)))
                                  : std::nullopt);
    }
    case FieldKind::Fixed64:
    case FieldKind::Sfixed64:
        return writeFixed(wholeNumber(text), WireType::Fixed64);
    case FieldKind::Fixed32:
        return writeFixed(wholeNumber(text), WireType::Fixed32);
    case FieldKind::Bool:
        return text == "true" || text == "false" ? writeVarint(text == "true") : false;
    case FieldKind::Double: {
        const auto number = realNumber(text);
        return writeFixed(number ? std::optional(std::bit_cast<std::uint64_t>(*number)) : std::nullopt,
                          WireType::Fixed64);
    }
    case FieldKind::Enum:
        return writeVarint(enumeratedNumber(text, field));
    case FieldKind::Message:
        break;
    }
    return false;
}

} // namespace

Result<std::vector<WireMessage>> readJson(std::string_view text, Losses &losses)
{
    std::string repaired;
    if (!simdjson::validate_utf8(text.data(), text.size())) {
        repaired = repairUtf8(text);
        text = repaired;
        losses.add(Loss::DamagedInput, "bytes that are no UTF-8 became \xef\xbf\xbd");
    }
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return failure("nothing but blanks where JSON should be");
    return JsonReader(text, losses).read();
}

} // namespace hearth::otlp
