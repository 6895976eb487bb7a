#include "ingest/formats/jfr_metadata.h"

#include "model/lens/utf8.h"

#include <algorithm>
#include <charconv>

namespace hearth::jfr {

namespace {

std::uint64_t numberOf(std::string_view text)
{
    std::uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

} // namespace

String readString(Bytes &bytes)
{
    enum Encoding : std::uint8_t { Null, Empty, Reference, Utf8, Characters, Latin1 };
    String string;
    switch (bytes.u8()) {
    case Reference:
        string.reference = bytes.number();
        string.isReference = true;
        break;
    case Utf8:
        string.text = bytes.text(bytes.number());
        break;
    case Characters:
        for (std::uint64_t left = bytes.number(); left > 0 && bytes.isOk(); --left) {
            const auto code = static_cast<std::uint32_t>(bytes.number());
            appendUtf8(string.text, isScalarValue(code) ? code : 0xfffd);
        }
        break;
    case Latin1:
        for (const char byte : bytes.text(bytes.number()))
            appendUtf8(string.text, static_cast<unsigned char>(byte));
        break;
    default:
        break;
    }
    return string;
}

std::string_view Metadata::Element::attribute(std::string_view key) const
{
    const auto found =
        std::ranges::find(attributes, key, [](const auto &attribute) { return attribute.first; });
    if (found != attributes.end())
        return found->second;
    return {};
}

/// Behind the head of the event: the strings, then a tree of elements that refer to them.
bool Metadata::read(Bytes bytes)
{
    bytes.number(); // when
    bytes.number(); // for how long
    bytes.number(); // its own number
    std::vector<std::string> strings;
    for (std::uint64_t left = bytes.number(); left > 0 && bytes.isOk(); --left)
        strings.push_back(readString(bytes).text);
    return readElement(bytes, strings, 0, 0) && bytes.isOk();
}

bool Metadata::readElement(Bytes &bytes, const std::vector<std::string> &strings, std::uint64_t parentType,
                           std::size_t depth)
{
    const auto string = [&] {
        const std::uint64_t index = bytes.number();
        return index < strings.size() ? strings[index] : std::string();
    };
    Element element;
    element.name = string();
    for (std::uint64_t left = bytes.number(); left > 0 && bytes.isOk(); --left) {
        std::string key = string();
        element.attributes.emplace_back(std::move(key), string());
    }
    std::uint64_t type = parentType;
    if (element.name == "class")
        takeClass(element, type);
    else if (element.name == "field")
        takeField(element, parentType);
    if (depth > kDeepest)
        return false;
    for (std::uint64_t left = bytes.number(); left > 0 && bytes.isOk(); --left)
        if (!readElement(bytes, strings, type, depth + 1))
            return false;
    return bytes.isOk();
}

void Metadata::takeClass(const Element &element, std::uint64_t &type)
{
    type = numberOf(element.attribute("id"));
    m_types[type].name = element.attribute("name");
}

void Metadata::takeField(const Element &element, std::uint64_t type)
{
    Field field;
    field.name = element.attribute("name");
    field.type = numberOf(element.attribute("class"));
    field.isReference = element.attribute("constantPool") == "true";
    field.isArray = element.attribute("dimension") == "1";
    m_types[type].fields.push_back(std::move(field));
}

} // namespace hearth::jfr
