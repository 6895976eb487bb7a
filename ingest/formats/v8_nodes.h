#pragma once

#include "ingest/formats/id_map.h"
#include "ingest/formats/json_stream.h"
#include "ingest/formats/parent_links.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hearth {

/// Where a function is: a callFrame, or what nodes of old versions have instead of one.
struct V8CallFrame {
    std::string name;
    std::string url;
    std::int64_t line = 0; ///< of its beginning, from 1 on; 0: not known

    void readMember(JsonStream &json, std::string_view key, bool countsFromZero);
    FrameId frame(ProfileBuilder &builder) const;
};

/// The call tree and the samples of one CPU profile of V8, as .cpuprofile files and Chrome traces have them:
/// nodes with ids, which say who calls them or whom they call, and samples that name a node, each so many
/// microseconds after the one before.
class V8Nodes {
public:
    explicit V8Nodes(ProfileBuilder &builder) : m_builder(&builder) {}
    /// The same for a copy of the builder.
    V8Nodes copyFor(ProfileBuilder &builder) const
    {
        V8Nodes copy = *this;
        copy.m_builder = &builder;
        return copy;
    }

    void readNodes(JsonStream &json)
    {
        json.forEachElement([&] { readNode(json); });
    }
    /// A node, perhaps with nodes in it, as versions of Chrome before 58 wrote them.
    void readNode(JsonStream &json, std::uint32_t parent = TableNode::kNoParent);
    void readSamples(JsonStream &json);
    void readDeltas(JsonStream &json);
    /// In seconds, as old versions wrote them instead of deltas.
    void readTimestamps(JsonStream &json);

    // The same, one by one.
    void addNode(std::uint64_t id, FrameId frame);
    void addCall(std::uint64_t caller, std::uint64_t callee)
    {
        m_calls.push_back({m_ids.numberOf(caller), m_ids.numberOf(callee)});
    }
    void addSample(std::uint64_t node, std::int64_t deltaUs);

    /// Adds what was read to the builder: a count and the time until the next sample.
    /// @param endUs 0: not known
    void finish(ContextId context, std::int64_t startUs, std::int64_t endUs);
    /// Adds what each node weighs by itself instead of samples.
    void finishWeights(const BlockText &series);

private:
    /// By the numbers of ids.
    struct Call {
        std::uint32_t caller = 0;
        std::uint32_t callee = 0;
    };

    /// @return kNoParent if there is no such node
    std::uint32_t rowOf(std::uint32_t id) const
    {
        return id < m_rowOfId.size() ? m_rowOfId[id] : TableNode::kNoParent;
    }
    void setId(std::uint32_t node, std::uint64_t id);
    void link();
    std::vector<std::int64_t> timesOf(std::int64_t startUs) const;

    ProfileBuilder *m_builder;
    IdMap m_ids;
    std::vector<std::uint32_t> m_rowOfId;
    std::vector<TableNode> m_nodes;
    std::vector<std::int64_t>
        m_weights; ///< of each node by itself: how often it was hit, or what it allocated
    std::vector<Call> m_calls;
    std::vector<std::uint32_t> m_samples;
    std::vector<std::int64_t> m_deltas;
    std::vector<std::int64_t> m_timestamps;
};

} // namespace hearth
