#pragma once

#include "ingest/formats/jfr_bytes.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hearth::jfr {

struct Field {
    std::string name;
    std::uint64_t type = 0;
    bool isReference = false; ///< into the pool of its type
    bool isArray = false;
};

/// What an event, or something that events refer to, is made of.
struct Type {
    std::string name;
    std::vector<Field> fields;
};

/// One field of a value as it was read.
struct Value {
    std::string_view field;
    std::uint64_t number = 0; ///< or a reference
    double real = 0;          ///< of numbers that are real
    String string;

    std::int64_t integer() const { return static_cast<std::int64_t>(number); }
};

/// The types of a chunk, which it describes itself.
class Metadata {
public:
    /// @return false if it is damaged
    bool read(Bytes bytes);

    const Type *find(std::uint64_t type) const
    {
        const auto found = m_types.find(type);
        return found == m_types.end() ? nullptr : &found->second;
    }

    /// Reads a value of a type; calls `take(value)` with its fields, and with those of values in it that are
    /// no references. An array is announced by its length, with `take` called before its elements.
    template <class Take>
    void readValue(Bytes &bytes, const Type &type, Take take) const
    {
        readFields(bytes, type, take, 0);
    }

private:
    static constexpr std::size_t kDeepest = 32;

    struct Element {
        std::string name;
        std::vector<std::pair<std::string, std::string>> attributes;

        std::string_view attribute(std::string_view key) const;
    };

    bool readElement(Bytes &bytes, const std::vector<std::string> &strings, std::uint64_t parentType,
                     std::size_t depth);
    void takeClass(const Element &element, std::uint64_t &type);
    void takeField(const Element &element, std::uint64_t type);

    template <class Take>
    void readFields(Bytes &bytes, const Type &type, Take &take, std::size_t depth) const
    {
        for (const Field &field : type.fields) {
            std::uint64_t count = 1;
            if (field.isArray) {
                count = bytes.number();
                if (count > bytes.left()) // every element takes a byte
                    return bytes.seek(~std::size_t(0));
                Value length;
                length.field = field.name;
                length.number = count;
                take(length);
            }
            for (std::uint64_t element = 0; element < count && bytes.isOk(); ++element)
                readField(bytes, field, take, depth);
        }
    }

    template <class Take>
    void readField(Bytes &bytes, const Field &field, Take &take, std::size_t depth) const
    {
        Value value;
        value.field = field.name;
        const Type *type = find(field.type);
        const std::string_view name = type != nullptr ? std::string_view(type->name) : std::string_view();
        if (field.isReference) {
            value.number = bytes.number();
        } else if (name == "java.lang.String") {
            value.string = readString(bytes);
        } else if (name == "boolean" || name == "byte") {
            value.number = bytes.u8();
        } else if (name == "float") {
            value.real = bytes.real32();
        } else if (name == "double") {
            value.real = bytes.real64();
        } else if (name == "int" || name == "long" || name == "short" || name == "char") {
            value.number = bytes.number();
        } else if (type != nullptr && !type->fields.empty() && depth < kDeepest) {
            return readFields(bytes, *type, take, depth + 1);
        } else {
            return bytes.seek(~std::size_t(0)); // of unknown length
        }
        take(value);
    }

    std::unordered_map<std::uint64_t, Type> m_types;
};

} // namespace hearth::jfr
