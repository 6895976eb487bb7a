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

/// The first digits of a trace id.
class TracePrefix {
public:
    /// REQUIRES: at most 32 hex digits. No digits match every link, but not "not linked".
    explicit TracePrefix(std::string_view hexDigits);

    bool matches(const Link &link) const;

private:
    std::array<std::uint8_t, 16> m_bits{};
    std::array<std::uint8_t, 16> m_mask{};
};

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

    std::vector<Path> paths;
    std::vector<FrameRule> frames;
    std::vector<Tag> tags;
    std::vector<AttributeFilter> attributes;
    std::optional<TracePrefix> trace;

    bool restrictsContexts() const { return !tags.empty() || !attributes.empty(); }
};

Result<CompiledLens> compile(const Lens &lens);

/// For each context from `contextBegin` on: do all tag and attribute terms hold?
std::vector<std::uint8_t> matchContexts(const CompiledLens &lens, const Snapshot &snapshot,
                                        std::size_t contextBegin = 0);

} // namespace hearth
