#include "app/demo/demo.h"

#include "app/demo/demo_programs.h"
#include "model/views/log_list.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace hearth {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kPeriod = kSecond / 100;
constexpr std::int64_t kStart = 1'768'485'660 * kSecond; ///< 2026-01-15 14:01:00 UTC
constexpr std::int64_t kSeconds = 120;
constexpr std::uint32_t kPermille = 1000;

/// The same numbers in every run, whatever the standard library.
class Chance {
public:
    std::uint32_t below(std::uint32_t limit)
    {
        m_state = m_state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::uint32_t>((m_state >> 33) % limit);
    }

private:
    std::uint64_t m_state = 2026;
};

/// Puts frames, stacks and contexts into a batch, each once.
class DemoWriter {
public:
    explicit DemoWriter(Batch &batch) : m_batch(batch) {}

    StringId text(std::string_view text)
    {
        const auto [known, isNew] = m_texts.try_emplace(std::string(text));
        if (isNew)
            known->second = text.empty() ? StringId() : m_batch.addString(text);
        return known->second;
    }

    /// Frames from the root, parted by ';', in the notation of demo_programs.h.
    StackId stack(std::string_view description)
    {
        StackId stack;
        while (!description.empty()) {
            std::size_t end = description.find(';');
            while (end != std::string_view::npos && description.substr(end).starts_with(";i "))
                end = description.find(';', end + 1);
            stack = childOf(stack, frame(description.substr(0, end)));
            description.remove_prefix(end == std::string_view::npos ? description.size() : end + 1);
        }
        return stack;
    }

    using Pairs = std::initializer_list<std::pair<std::string_view, std::string_view>>;

    ContextId context(const DemoThread &thread)
    {
        return context(thread.service, thread.process, {{"thread.name", thread.name}});
    }

    ContextId context(std::string_view service, std::string_view process, Pairs own)
    {
        const AttributeSetId resource =
            attributes({{"service.name", service}, {"process.executable.name", process}});
        m_batch.contexts.push_back({resource, AttributeSetId(), attributes(own)});
        return ContextId(m_batch.contexts.size() - 1);
    }

private:
    AttributeSetId attributes(Pairs pairs)
    {
        AttributeSet set{static_cast<std::uint32_t>(m_batch.attributeLists.size()), 0};
        for (const auto &[key, value] : pairs) {
            if (value.empty())
                continue;
            m_batch.attributeLists.emplace_back(m_batch.attributes.size());
            Attribute attribute;
            attribute.key = text(key);
            attribute.bits = text(value).value;
            m_batch.attributes.push_back(attribute);
            ++set.count;
        }
        m_batch.attributeSets.push_back(set);
        return AttributeSetId(m_batch.attributeSets.size() - 1);
    }

    StackId childOf(StackId parent, FrameId frame)
    {
        const auto [known, isNew] = m_stacks.try_emplace({parent.value, frame.value});
        if (isNew) {
            known->second = StackId(m_batch.stacks.size());
            m_batch.stacks.push_back({parent, frame});
        }
        return known->second;
    }

    /// "k tcp_sendmsg": the letter says of which program it is; without a name it has no symbols.
    FrameId frame(std::string_view description)
    {
        const auto [known, isNew] = m_frames.try_emplace(std::string(description));
        if (!isNew)
            return known->second;
        const DemoCode &code = codeOf(description.front());
        Frame row;
        row.address = 0x1000 + 64 * m_batch.frames.size();
        row.mapping = mapping(code.binary);
        row.kind = text(code.kind);
        row.lineBegin = static_cast<std::uint32_t>(m_batch.lines.size());
        for (std::string_view rest = description; rest.size() > 2;) {
            const std::size_t end = std::min(rest.find(';'), rest.size());
            addLine(rest.substr(2, end - 2));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        std::reverse(m_batch.lines.begin() + row.lineBegin, m_batch.lines.end()); // innermost first
        row.lineCount = static_cast<std::uint32_t>(m_batch.lines.size() - row.lineBegin) & 0x7fffffffU;
        known->second = FrameId(m_batch.frames.size());
        m_batch.frames.push_back(row);
        return known->second;
    }

    /// "name@file:line", or nothing.
    void addLine(std::string_view description)
    {
        const std::size_t at = description.find('@');
        const std::string_view name = description.substr(0, at);
        if (name.empty())
            return;
        const std::string_view place = at == std::string_view::npos ? "" : description.substr(at + 1);
        const std::size_t colon = place.find(':');
        const std::int64_t line =
            colon == std::string_view::npos ? 0 : std::stoll(std::string(place.substr(colon + 1)));
        m_batch.functions.push_back({.startLine = line,
                                     .name = text(name),
                                     .systemName = text(name),
                                     .file = text(place.substr(0, colon))});
        m_batch.lines.push_back({.line = line + 3, .function = FunctionId(m_batch.functions.size() - 1)});
    }

    MappingId mapping(std::string_view binary)
    {
        const auto [known, isNew] = m_mappings.try_emplace(std::string(binary));
        if (isNew) {
            Binary row;
            row.path = text(binary);
            m_batch.binaries.push_back(row);
            known->second = MappingId(m_batch.mappings.size());
            m_batch.mappings.push_back(
                {.start = 0x400000, .limit = 0x800000, .binary = BinaryId(m_batch.binaries.size() - 1)});
        }
        return known->second;
    }

    Batch &m_batch;
    std::map<std::string, StringId> m_texts;
    std::map<std::string, FrameId> m_frames;
    std::map<std::string, MappingId> m_mappings;
    std::map<std::pair<std::uint32_t, std::uint32_t>, StackId> m_stacks;
};

/// What can be asked of the shop.
struct DemoRoute {
    StringId name;
    ContextId gateway;
    ContextId checkout;
};

/// The requests that a worker answers, one after the other, as spans: the gateway passes each on, and the
/// worker asks the database and another service. What is sampled meanwhile ran in the worker's own span, or
/// in that of the query.
///
///   GET /cart            gateway
///     proxy              gateway
///       GET /cart        checkout
///         SELECT items   checkout
///         rank           recommend
class DemoRequests {
public:
    DemoRequests(Batch &batch, DemoWriter &writer, std::string_view thread)
        : m_batch(batch), m_writer(writer),
          m_routes{route(writer, "GET", "/cart", thread), route(writer, "POST", "/checkout", thread)},
          m_proxyContext(writer.context("gateway", "gateway", {{"server.address", "checkout:8080"}})),
          m_queryContext(writer.context(
              "checkout", "checkout",
              {{"db.system.name", "postgresql"}, {"db.query.text", "SELECT * FROM items WHERE cart = $1"}})),
          m_rankContext(writer.context("recommend", "recommend.py", {{"rpc.method", "Rank"}})),
          m_proxy(writer.text("proxy")), m_query(writer.text("SELECT items")), m_rank(writer.text("rank"))
    {}

    LinkId linkAt(std::int64_t tick, bool isSlow, Chance &chance)
    {
        if (tick >= m_end)
            begin(tick, isSlow, chance);
        const bool isInQuery = tick >= m_queryBegin && tick < m_queryEnd;
        return isInQuery ? m_inner : m_outer;
    }

private:
    static DemoRoute route(DemoWriter &writer, const std::string &method, std::string_view path,
                           std::string_view thread)
    {
        return {
            writer.text(method + ' ' + std::string(path)),
            writer.context("gateway", "gateway", {{"http.request.method", method}, {"url.path", path}}),
            writer.context("checkout", "checkout",
                           {{"http.request.method", method}, {"http.route", path}, {"thread.name", thread}})};
    }

    void begin(std::int64_t tick, bool isSlow, Chance &chance)
    {
        constexpr std::uint32_t kErrors = 25; // out of a thousand
        const std::int64_t length = 6 + chance.below(18) + (isSlow ? 20 + chance.below(60) : 0);
        m_end = tick + length;
        m_queryBegin = tick + length / 4;
        m_queryEnd = m_queryBegin + length / 3;
        Link ids;
        for (std::uint8_t &byte : ids.trace)
            byte = static_cast<std::uint8_t>(chance.below(256));
        m_outer = newLink(ids, chance);
        m_inner = newLink(ids, chance);
        const LinkId root = newLink(ids, chance);
        const LinkId proxy = newLink(ids, chance);
        const LinkId rank = newLink(ids, chance);
        const DemoRoute &route = m_routes[chance.below(2)];
        const bool isFailed = chance.below(kPermille) < kErrors;
        const SpanStatus status = isFailed ? SpanStatus::Error : SpanStatus::Unset;
        add(m_queryBegin, m_queryEnd, m_inner, m_outer, {m_query, m_queryContext, SpanKind::Client});
        add(m_queryEnd + length / 8, m_end - length / 6, rank, m_outer,
            {m_rank, m_rankContext, SpanKind::Server});
        add(tick, m_end, m_outer, proxy, {route.name, route.checkout, SpanKind::Server, status});
        add(tick, m_end, proxy, root, {m_proxy, m_proxyContext, SpanKind::Client});
        add(tick, m_end, root, LinkId(), {route.name, route.gateway, SpanKind::Server, status});
        constexpr std::int64_t kLong = 60;
        if (isFailed)
            log(m_end - 1, m_outer, route.checkout, "payment was refused: card expired", kSeverityError);
        else if (length > kLong)
            log(m_queryEnd, m_inner, m_queryContext, "slow query, index on items.cart is not used",
                kSeverityWarn);
    }

    void log(std::int64_t tick, LinkId link, ContextId context, std::string_view text, std::uint32_t severity)
    {
        LogRecord record;
        record.timeNs = static_cast<std::uint64_t>(kStart + tick * kPeriod);
        record.body.bits = m_writer.text(text).value;
        record.link = link;
        record.context = context;
        record.severity = severity;
        m_batch.logs.rows.push_back(record);
    }

    LinkId newLink(Link ids, Chance &chance)
    {
        for (std::uint8_t &byte : ids.span)
            byte = static_cast<std::uint8_t>(1 + chance.below(255));
        m_batch.links.push_back(ids);
        return LinkId(m_batch.links.size() - 1);
    }

    struct What {
        StringId name;
        ContextId context;
        SpanKind kind;
        SpanStatus status = SpanStatus::Unset;
    };

    /// The outer ones start a little earlier and end a little later, by what a call takes.
    void add(std::int64_t begin, std::int64_t end, LinkId id, LinkId parent, const What &what)
    {
        constexpr std::int64_t kCall = kPeriod / 5;
        const std::int64_t calls = parent == LinkId() ? 2 : what.name == m_proxy ? 1 : 0;
        Span span;
        span.startNs = static_cast<std::uint64_t>(kStart + begin * kPeriod - calls * kCall);
        span.endNs = static_cast<std::uint64_t>(kStart + end * kPeriod + calls * kCall);
        span.id = id;
        span.parent = parent;
        span.context = what.context;
        span.name = what.name;
        span.kind = what.kind;
        span.status = what.status;
        m_batch.spans.rows.push_back(span);
    }

    Batch &m_batch;
    DemoWriter &m_writer;
    std::array<DemoRoute, 2> m_routes;
    ContextId m_proxyContext;
    ContextId m_queryContext;
    ContextId m_rankContext;
    StringId m_proxy;
    StringId m_query;
    StringId m_rank;
    LinkId m_outer;
    LinkId m_inner;
    std::int64_t m_end = 0; ///< in ticks, as the others
    std::int64_t m_queryBegin = 0;
    std::int64_t m_queryEnd = 0;
};

/// A thread with its stacks looked up.
struct Player {
    const DemoThread *thread = nullptr;
    ContextId context;
    std::vector<std::pair<StackId, std::uint32_t>> stacks; ///< with what they weigh, added up
    std::uint32_t weight = 0;
    std::vector<std::pair<StackId, std::uint32_t>> slowStacks;
    std::uint32_t slowWeight = 0;
    std::optional<DemoRequests> requests; ///< if it answers any
};

void addStacks(DemoWriter &writer, std::span<const DemoStack> from,
               std::vector<std::pair<StackId, std::uint32_t>> &to, std::uint32_t &weight)
{
    for (const DemoStack &stack : from) {
        weight += stack.weight;
        to.emplace_back(writer.stack(stack.frames), weight);
    }
}

StackId pick(const std::vector<std::pair<StackId, std::uint32_t>> &stacks, std::uint32_t number)
{
    for (const auto &[stack, upTo] : stacks)
        if (number < upTo)
            return stack;
    return stacks.back().first;
}

/// How busy a thread is, out of a thousand: waves of its own, and more while the shop is slow.
std::uint32_t activity(const DemoThread &thread, std::int64_t tick, bool isSlow)
{
    const std::int64_t wave = (tick / 7 + thread.phase) % 400;
    const std::int64_t swell = wave < 200 ? wave : 400 - wave;
    const auto busy = thread.busy * static_cast<std::uint32_t>(60 + swell) / 180;
    return std::min(kPermille, isSlow ? busy * thread.slowdown / 10 : busy);
}

bool isSlowAt(std::int64_t tick)
{
    return tick % 6000 > 4400 && tick % 6000 < 5900;
}

/// What the shop says of itself once a second: how many requests wait.
void addQueueLength(Batch &batch, DemoWriter &writer)
{
    batch.metrics.push_back({.name = writer.text("queue.length"),
                             .description = writer.text("requests that wait for a worker"),
                             .unit = writer.text("{request}"),
                             .metadata = {},
                             .kind = MetricKind::Gauge});
    const ContextId context = writer.context("checkout", "checkout", {});
    Chance chance;
    std::int64_t length = 2;
    for (std::int64_t second = 0; second < kSeconds; ++second) {
        const bool isSlow = isSlowAt(second * kSecond / kPeriod);
        length = std::clamp<std::int64_t>(length + chance.below(5) - (isSlow ? 1 : 3), 0, 40);
        MetricPoint point;
        point.timeNs = static_cast<std::uint64_t>(kStart + second * kSecond);
        point.value = Number::of(length);
        point.metric = MetricId(batch.metrics.size() - 1);
        point.context = context;
        batch.points.rows.push_back(point);
    }
}

} // namespace

Batch demoBatch()
{
    Batch batch;
    batch.origin.name = "demo";
    batch.origin.format = "otlp"; // what would have sent it
    batch.origin.timeNs = kStart;
    batch.origin.durationNs = kSeconds * kSecond;
    DemoWriter writer(batch);
    std::vector<Player> players;
    for (const DemoThread &thread : demoThreads()) {
        Player player;
        player.thread = &thread;
        player.context = writer.context(thread);
        addStacks(writer, thread.stacks, player.stacks, player.weight);
        addStacks(writer, thread.slowStacks, player.slowStacks, player.slowWeight);
        if (!thread.slowStacks.empty())
            player.requests.emplace(batch, writer, thread.name);
        players.push_back(std::move(player));
    }
    SampleBlock block;
    block.series = {{writer.text("samples"), writer.text("count")}};
    block.periodType = writer.text("cpu");
    block.periodUnit = writer.text("nanoseconds");
    block.period = kPeriod;
    block.hasTimes = true;
    SampleRows rows(1);
    Chance chance;
    Chance requestChance;
    constexpr std::array<std::int64_t, 1> kOne{1};
    for (std::int64_t tick = 0; tick < kSeconds * kSecond / kPeriod; ++tick) {
        const bool isSlow = isSlowAt(tick);
        for (Player &player : players) {
            const LinkId link =
                player.requests ? player.requests->linkAt(tick, isSlow, requestChance) : LinkId();
            if (chance.below(kPermille) >= activity(*player.thread, tick, isSlow))
                continue;
            const bool picksSlow = isSlow && player.slowWeight > 0;
            const StackId stack = picksSlow ? pick(player.slowStacks, chance.below(player.slowWeight))
                                            : pick(player.stacks, chance.below(player.weight));
            rows.add(stack, player.context, link, kStart + tick * kPeriod + chance.below(900'000), kOne);
            if (rows.size() == SampleChunk::kRows) {
                block.chunks.emplace_back(rows);
                rows.clear();
            }
        }
    }
    if (rows.size() > 0)
        block.chunks.emplace_back(rows);
    batch.blocks.push_back(std::move(block));
    addQueueLength(batch, writer);
    return batch;
}

} // namespace hearth
