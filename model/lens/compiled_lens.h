#pragma once

#include "model/lens/attribute_filter.h"
#include "model/lens/lens.h"
#include "model/lens/matcher.h"
#include "model/lens/tag_filter.h"
#include "model/result.h"
#include "model/store/snapshot.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hearth {

/// The first digits of an id of so many bytes.
template <std::size_t Bytes>
class IdPrefix {
public:
    /// REQUIRES: at most two hex digits a byte. No digits match every id, but not the one of zeros.
    explicit IdPrefix(std::string_view hexDigits);

    bool matches(const std::array<std::uint8_t, Bytes> &id) const;

private:
    std::array<std::uint8_t, Bytes> m_bits{};
    std::array<std::uint8_t, Bytes> m_mask{};
};
using TracePrefix = IdPrefix<16>;
using SpanPrefix = IdPrefix<8>;

/// The terms of a lens with their expressions compiled. Cheap to copy, and good for any snapshot.
struct CompiledLens {
    struct Path {
        PathTermKind kind;
        Matcher matcher; ///< for what `kind` says: names, or names, files and binaries …
        bool isNegated;
    };
    struct FrameRule {
        FrameTermKind kind;
        Matcher matcher;
    };
    struct Tag {
        TagFilter filter;
        bool isNegated;
    };

    struct SpanCondition {
        SpanTermKind kind;
        std::string name;
        Matcher matcher;
        SpanPrefix id;
        std::int64_t ns;
        bool isNegated;
    };

    std::vector<Path> paths;
    std::vector<FrameRule> frames;
    std::vector<Tag> tags;
    std::vector<AttributeFilter> attributes;
    std::optional<TracePrefix> trace;
    std::vector<SpanCondition> spans;
    std::vector<AttributeFilter> spanAttributes;
    bool noChildren = false;
    bool estimatesLinks = false;

    bool restrictsContexts() const { return !tags.empty() || !attributes.empty(); }
    bool restrictsSpans() const { return !spans.empty() || !spanAttributes.empty(); }
    bool restrictsLinks() const { return trace || restrictsSpans(); }
};

Result<CompiledLens> compile(const Lens &lens);

/// For each context from `contextBegin` on: do all tag and attribute terms hold?
std::vector<std::uint8_t> matchContexts(const CompiledLens &lens, const Snapshot &snapshot,
                                        std::size_t contextBegin = 0);

} // namespace hearth
