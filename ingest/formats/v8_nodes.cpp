#include "ingest/formats/v8_nodes.h"

#include <algorithm>
#include <array>

namespace hearth {

namespace {

constexpr std::int64_t kLatestUs = 9'000'000'000'000'000;

std::int64_t clampedUs(std::int64_t us)
{
    return std::clamp<std::int64_t>(us, -kLatestUs, kLatestUs);
}

} // namespace

void V8CallFrame::readMember(JsonStream &json, std::string_view key, bool countsFromZero)
{
    if (key == "functionName")
        name = json.string();
    else if (key == "url")
        url = json.string();
    else if (key == "lineNumber")
        line = std::clamp<std::int64_t>(json.integer().value_or(-1), -1, 1 << 30) + (countsFromZero ? 1 : 0);
}

FrameId V8CallFrame::frame(ProfileBuilder &builder) const
{
    if (name == "(root)" && url.empty())
        return FrameId::none();
    return builder.frame({.name = name.empty() ? std::string_view("(anonymous)") : std::string_view(name),
                          .file = url,
                          .startLine = std::max<std::int64_t>(line, 0)},
                         0, url.empty() ? "" : "v8js");
}

void V8Nodes::setId(std::uint32_t node, std::uint64_t id)
{
    const std::uint32_t number = m_ids.numberOf(id);
    if (number >= m_rowOfId.size())
        m_rowOfId.resize(number + 1, TableNode::kNoParent);
    if (m_rowOfId[number] != TableNode::kNoParent)
        m_builder->losses().add(Loss::DuplicateIds, "node " + std::to_string(id));
    else
        m_rowOfId[number] = node;
}

void V8Nodes::addNode(std::uint64_t id, FrameId frame)
{
    setId(static_cast<std::uint32_t>(m_nodes.size()), id);
    m_nodes.push_back({.frame = frame});
    m_weights.push_back(0);
}

void V8Nodes::addSample(std::uint64_t node, std::int64_t deltaUs)
{
    m_samples.push_back(m_ids.numberOf(node));
    m_deltas.push_back(clampedUs(deltaUs));
}

void V8Nodes::readNode(JsonStream &json, std::uint32_t parent)
{
    const auto node = static_cast<std::uint32_t>(m_nodes.size());
    m_nodes.push_back({.parent = parent});
    m_weights.push_back(0);
    V8CallFrame callFrame;
    std::optional<std::uint64_t> id;
    std::vector<std::uint64_t> callees;
    const auto number = [&] { return static_cast<std::uint64_t>(json.integer().value_or(-1)); };
    json.forEachMember([&](std::string_view key) {
        if (key == "id")
            id = number();
        else if (key == "hitCount" || key == "selfSize")
            m_weights[node] = json.integer().value_or(0);
        else if (key == "callFrame")
            json.forEachMember([&](std::string_view member) { callFrame.readMember(json, member, true); });
        else if (key == "children")
            json.forEachElement([&] {
                if (json.kind() == JsonStream::Kind::Number)
                    callees.push_back(number());
                else
                    readNode(json, node);
            });
        else
            callFrame.readMember(json, key, false);
    });
    m_nodes[node].frame = callFrame.frame(*m_builder);
    if (!id)
        return;
    setId(node, *id);
    for (const std::uint64_t callee : callees)
        addCall(*id, callee);
}

void V8Nodes::readSamples(JsonStream &json)
{
    json.forEachElement([&] {
        m_samples.push_back(m_ids.numberOf(static_cast<std::uint64_t>(json.integer().value_or(-1))));
    });
}

void V8Nodes::readDeltas(JsonStream &json)
{
    json.forEachElement([&] { m_deltas.push_back(clampedUs(json.integer().value_or(0))); });
}

void V8Nodes::readTimestamps(JsonStream &json)
{
    json.forEachElement([&] {
        const double us = json.number().value_or(0) * 1e6;
        m_timestamps.push_back(us > -9e15 && us < 9e15 ? static_cast<std::int64_t>(us) : 0);
    });
}

void V8Nodes::link()
{
    for (const Call &call : m_calls)
        if (const std::uint32_t callee = rowOf(call.callee); callee != TableNode::kNoParent)
            m_nodes[callee].parent = rowOf(call.caller);
}

/// When each sample was taken, and when the last one ended, in microseconds.
std::vector<std::int64_t> V8Nodes::timesOf(std::int64_t startUs) const
{
    std::vector<std::int64_t> times;
    std::int64_t at = clampedUs(startUs);
    for (std::size_t sample = 0; sample < m_samples.size(); ++sample) {
        if (sample < m_timestamps.size())
            at = m_timestamps[sample];
        else if (sample < m_deltas.size())
            at = clampedUs(at + m_deltas[sample]);
        times.push_back(at);
    }
    return times;
}

void V8Nodes::finish(ContextId context, std::int64_t startUs, std::int64_t endUs)
{
    if (m_samples.empty())
        return finishWeights({.series = {{"samples", "count"}}});
    link();
    const std::vector<StackId> stacks = stacksOf(*m_builder, m_nodes);
    const std::size_t block =
        m_builder->block({.series = {{"samples", "count"}, {"time", "nanoseconds"}}, .hasTimes = true});
    const std::vector<std::int64_t> times = timesOf(startUs);
    for (std::size_t sample = 0; sample < m_samples.size(); ++sample) {
        const std::uint32_t row = rowOf(m_samples[sample]);
        if (row == TableNode::kNoParent)
            m_builder->losses().add(Loss::UnknownReferences, "a sample's node does not exist");
        const std::int64_t end =
            sample + 1 < times.size() ? times[sample + 1] : std::max(clampedUs(endUs), times[sample]);
        const std::array<std::int64_t, 2> values{
            1, std::clamp<std::int64_t>(end - times[sample], 0, kLatestUs) * 1000};
        m_builder->add(block, row == TableNode::kNoParent ? StackId() : stacks[row], context,
                       times[sample] * 1000, values);
    }
}

void V8Nodes::finishWeights(const BlockText &series)
{
    link();
    const std::vector<StackId> stacks = stacksOf(*m_builder, m_nodes);
    const std::size_t block = m_builder->block(series);
    for (std::size_t node = 0; node < m_weights.size(); ++node)
        if (m_weights[node] != 0)
            m_builder->add(block, stacks[node], ContextId(), 0, m_weights[node]);
}

} // namespace hearth
