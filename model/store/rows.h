#pragma once

#include "model/store/ids.h"

#include <array>
#include <cstdint>

// What one row of each table holds. Rows are plain values without padding surprises, so that columns can be
// copied as memory; their ids belong to the Tables (or Batch) that the row stands in.

namespace hearth {

struct Function {
    std::int64_t startLine = 0;
    StringId name;
    StringId systemName; ///< as the linker knows it, usually mangled
    StringId file;
    std::uint32_t reserved = 0;

    bool operator==(const Function &) const = default;
};
static_assert(sizeof(Function) == 24);

/// A place in a function: one element of a frame's chain.
struct Line {
    std::int64_t line = 0;
    FunctionId function = FunctionId::none();
    std::int32_t column = 0;

    bool operator==(const Line &) const = default;
};
static_assert(sizeof(Line) == 16);

struct Binary {
    StringId path;
    StringId buildId; ///< GNU build id, or whatever a format without a kind calls build id
    StringId goBuildId;
    StringId fileHash; ///< htlhash: of head, tail and length of the file

    bool operator==(const Binary &) const = default;
};
static_assert(sizeof(Binary) == 16);

/// What the writer of a profile claims to have resolved already for the addresses of a mapping.
enum MappingFlags : std::uint8_t {
    kHasFunctions = 1,
    kHasFilenames = 2,
    kHasLineNumbers = 4,
    kHasInlineFrames = 8
};

/// Where a binary was mapped in the process that was sampled.
struct Mapping {
    std::uint64_t start = 0;
    std::uint64_t limit = 0;
    std::uint64_t offset = 0;
    BinaryId binary;
    std::uint32_t flags = 0;

    /// Positions in a binary do not depend on where it was loaded.
    std::uint64_t fileAddress(std::uint64_t address) const { return address - start + offset; }
    std::uint64_t memoryAddress(std::uint64_t fileAddress) const { return fileAddress - offset + start; }

    bool operator==(const Mapping &) const = default;
};
static_assert(sizeof(Mapping) == 32);

/// One observed frame: an address in a binary, or the chain of lines that the sender named, or both.
struct Frame {
    std::uint64_t address = 0; ///< in the binary's file if there is a mapping, else as it was sent
    MappingId mapping =
        MappingId::none();       ///< the first that it was seen in; frames differ by its binary only
    StringId kind;               ///< "native", "kernel", "jvm" …, as sent; empty if unknown
    std::uint32_t lineBegin = 0; ///< chain of lines, innermost inlined function first
    std::uint32_t lineCount : 31 = 0;
    std::uint32_t isFolded : 1 = 0; ///< several functions share this address (identical code folding)
};
static_assert(sizeof(Frame) == 24);

/// A stack is its leaf frame and the stack of its caller.
struct StackNode {
    StackId parent = StackId::none();
    FrameId frame = FrameId::none();

    bool operator==(const StackNode &) const = default;
};
static_assert(sizeof(StackNode) == 8);

enum class AttributeType : std::uint32_t { String, Int, Double, Bool, Bytes, Json };

/// A key with a value. Strings, bytes and JSON (of lists and maps) are a StringId in `bits`.
struct Attribute {
    std::uint64_t bits = 0;
    StringId key;
    StringId unit;
    AttributeType type = AttributeType::String;
    std::uint32_t reserved = 0;

    bool hasText() const
    {
        return type == AttributeType::String || type == AttributeType::Bytes || type == AttributeType::Json;
    }
    StringId text() const { return StringId(static_cast<std::size_t>(bits)); }
    std::int64_t integer() const { return static_cast<std::int64_t>(bits); }

    bool operator==(const Attribute &) const = default;
};
static_assert(sizeof(Attribute) == 24);

/// What else a sender says of a frame or a mapping, one attribute a row. Few have any.
template <class RowId>
struct Note {
    RowId of;
    AttributeId attribute;

    bool operator==(const Note &) const = default;
};
using FrameNote = Note<FrameId>;
using MappingNote = Note<MappingId>;

/// A run of the attribute list column.
struct AttributeSet {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
};

/// Under which circumstances a sample was taken: attributes of its resource, of its scope, and its own.
struct Context {
    AttributeSetId resource;
    AttributeSetId scope;
    AttributeSetId sample;

    bool operator==(const Context &) const = default;
};

/// The span that a sample was taken in.
struct Link {
    std::array<std::uint8_t, 16> trace{};
    std::array<std::uint8_t, 8> span{};

    bool operator==(const Link &) const = default;
};

/// A sample type: what is counted, and in which unit.
struct Series {
    StringId type;
    StringId unit;

    bool operator==(const Series &) const = default;
};

} // namespace hearth
