#pragma once

#include "ingest/formats/digest_map.h"
#include "ingest/formats/read_watch.h"
#include "model/store/batch.h"
#include "model/store/stack_tree.h"

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hearth {

struct FunctionText {
    std::string_view name;
    std::string_view file = {};
    std::int64_t startLine = 0;
    std::string_view systemName = {};
};

struct BinaryText {
    std::string_view path;
    std::string_view buildId = {};
};

/// What samples of a block are of.
struct BlockText {
    struct SeriesText {
        std::string type;
        std::string unit;
    };

    std::vector<SeriesText> series;
    bool hasTimes = false;
    std::string periodType = {};
    std::string periodUnit = {};
    std::int64_t period = 0;
};

/// Puts what a reader finds into a batch, each row once, and looks after the reader's limits.
class ProfileBuilder {
public:
    /// Previewed: what there is can be looked at whenever goesOn() is asked.
    /// InParts: what was read is handed over whenever it is much. All ids are stale then, except those of
    /// blocks, so goesOn() must be asked where none are held.
    enum class Delivery : std::uint8_t { Whole, Previewed, InParts };

    /// @param format as Origin::format
    ProfileBuilder(const ReadOptions &options, std::string_view format, Delivery delivery);
    /// One with the same rows, numbered alike, which delivers nothing before its end.
    ProfileBuilder(const ProfileBuilder &other);
    ProfileBuilder &operator=(const ProfileBuilder &) = delete;

    Batch &batch() { return m_batch; }
    Losses &losses() { return m_batch.losses; }
    ReadWatch &watch() { return m_watch; }

    StringId text(std::string_view text);
    FunctionId function(const FunctionText &function);
    MappingId mapping(const BinaryText &binary, std::uint64_t start = 0, std::uint64_t limit = 0,
                      std::uint64_t offset = 0);
    /// @param row without its lines
    FrameId frame(Frame row, std::span<const Line> lines);
    /// A frame of which a name is known, and perhaps where it is.
    FrameId frame(const FunctionText &function, std::int64_t line = 0, std::string_view kind = {});
    StackId child(StackId parent, FrameId frame) { return m_stacks.child(parent, frame); }
    /// Beyond a million frames those next to the root are left out, and that is counted.
    StackId path(std::span<const FrameId> leafFirst);

    Attribute attribute(std::string_view key, std::string_view value);
    Attribute attribute(std::string_view key, std::int64_t value, std::string_view unit = {});
    /// As a whole number if it is one.
    Attribute numberAttribute(std::string_view key, double value);
    AttributeSetId attributes(std::span<const Attribute> attributes);
    AttributeSetId attributes(std::initializer_list<Attribute> list)
    {
        return attributes(std::span<const Attribute>(list.begin(), list.size()));
    }
    /// The same where most sets are there only once: one that was there long ago may get a second row.
    AttributeSetId rareAttributes(std::span<const Attribute> attributes);
    ContextId context(AttributeSetId resource, AttributeSetId sample);
    LinkId link(const Link &link);
    /// The same of one that there is only once: need not be looked up.
    LinkId addLink(const Link &link)
    {
        m_batch.links.push_back(link);
        return LinkId(m_batch.links.size() - 1);
    }

    /// @return the number of the block of these samples; the same for the same text
    std::size_t block(const BlockText &text);
    /// Calls the only series of a block something else, where a file says late what it is.
    void rename(std::size_t block, std::string_view type, std::string_view unit)
    {
        m_blocks[block].text.series = {{std::string(type), std::string(unit)}};
    }
    void add(std::size_t block, StackId stack, ContextId context, std::int64_t time,
             std::span<const std::int64_t> values, LinkId link = LinkId());
    void add(std::size_t block, StackId stack, ContextId context, std::int64_t time, std::int64_t value)
    {
        add(block, stack, context, time, std::span<const std::int64_t>(&value, 1));
    }

    /// To be asked with every record. @param place for people: "line 12"
    /// @return false if reading is over
    template <class Place>
    bool goesOn(std::uint64_t position, Place place)
    {
        return !m_watch.isDue(position) || check(position, place());
    }

    /// @param complete adds to a copy of the builder what the reader would add to it if the input ended here
    void setPreview(std::function<void(ProfileBuilder &copy)> complete) { m_complete = std::move(complete); }

    /// How often what was read has been handed over.
    std::size_t parts() const { return m_parts; }

    /// What was read, or why that is nothing.
    Result<Batch> finish(const InputStream &input);

    std::size_t bytes() const;

private:
    struct Block {
        BlockText text;
        SampleRows rows;
        std::vector<SampleChunk> chunks;
    };

    /// A text that was there of late, in the batch.
    struct RecentText {
        std::string_view text;
        StringId id;
    };
    /// A set of attributes that was there of late.
    struct RecentSet {
        Digest digest;
        std::uint32_t number = 0; ///< 0: none
    };

    bool check(std::uint64_t position, const std::string &place);
    bool handOver(const std::string &place);
    void showSoFar() const;
    bool hasAnything() const;
    Batch takeBatch();
    SampleBlock takeBlock(Block &block);

    Digest internAll(std::span<const Attribute> attributes);
    std::uint32_t addAttributeSet();

    template <class Row>
    static std::uint32_t intern(DigestMap &known, std::vector<Row> &rows, const Row &row);

    const ReadOptions &m_options;
    Delivery m_delivery;
    Batch m_batch;
    ReadWatch m_watch;
    std::vector<Block> m_blocks;
    DigestMap m_blockOfText;
    std::size_t m_chunkBytes = 0;
    bool m_hasData = false;
    std::size_t m_parts = 0;
    std::function<void(ProfileBuilder &copy)> m_complete;

    StackTree m_stacks;
    DigestMap m_texts, m_functions, m_binaries, m_mappings, m_frames, m_attributes, m_attributeSets,
        m_contexts, m_links;
    std::vector<std::uint8_t> m_key; ///< of the row at hand
    std::vector<AttributeId> m_ids;
    std::array<RecentText, 256> m_recentTexts; ///< by length and some letters
    std::vector<RecentSet> m_recentSets;       ///< by digest
};

} // namespace hearth
