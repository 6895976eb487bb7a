#include "ingest/formats/format.h"
#include "ingest/formats/line_reader.h"
#include "ingest/formats/profile_builder.h"

#include <algorithm>
#include <charconv>
#include <optional>

// massif's output: how much was allocated, from time to time, and for some of these times where.
//
//   desc: …  cmd: …  time_unit: i | ms | B
//   snapshot=2
//   time=23562861
//   mem_heap_B=164400
//   heap_tree=detailed | peak | empty
//   n2: 164400 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
//    n1: 164128 0x10929B: alloc (work.c:10)         as many callers follow, indented by one blank more
//    n0: 272 in 1 place, below massif's threshold (1.00%)

namespace hearth {

namespace {

constexpr std::size_t kDeepest = 500;

struct TreeLine {
    std::size_t depth = 0;
    std::int64_t bytes = 0;
    std::uint64_t address = 0;
    std::string_view text; ///< behind the address
};

std::optional<TreeLine> parseTreeLine(std::string_view line)
{
    TreeLine tree;
    tree.depth = line.find_first_not_of(' ');
    const std::size_t colon = line.find(": ");
    if (tree.depth == std::string_view::npos || line[tree.depth] != 'n' || colon == std::string_view::npos)
        return std::nullopt;
    const auto parsed = std::from_chars(line.data() + colon + 2, line.data() + line.size(), tree.bytes);
    if (parsed.ec != std::errc())
        return std::nullopt;
    tree.text = line.substr(static_cast<std::size_t>(parsed.ptr - line.data()));
    tree.text.remove_prefix(std::min(tree.text.find_first_not_of(' '), tree.text.size()));
    if (tree.text.starts_with("0x")) {
        const auto address =
            std::from_chars(tree.text.data() + 2, tree.text.data() + tree.text.size(), tree.address, 16);
        tree.text = tree.text.substr(static_cast<std::size_t>(address.ptr - tree.text.data()));
        tree.text.remove_prefix(std::min(tree.text.find_first_not_of(": "), tree.text.size()));
    }
    return tree;
}

/// A line of one tree, kept until it is known which tree is shown.
struct Node {
    std::size_t depth = 0;
    std::int64_t bytes = 0;
    FrameId frame = FrameId::none(); ///< none for all of it
};

class MassifReader {
public:
    MassifReader(InputStream &input, const ReadOptions &options)
        : m_input(input), m_builder(options, kMassif.name, ProfileBuilder::Delivery::Whole),
          m_lines(input, m_builder.watch(), m_builder.losses())
    {}

    Result<Batch> read();

private:
    void take(std::string_view line);
    void takeSetting(std::string_view key, std::string_view value);
    void takeNode(const TreeLine &line);
    void endTree();
    void addPoint(std::string_view name, std::int64_t bytes);
    void addSamples();
    FrameId frameOf(const TreeLine &line);

    InputStream &m_input;
    ProfileBuilder m_builder;
    LineReader m_lines;
    std::string m_timeUnit;
    std::int64_t m_time = 0;
    std::vector<Node> m_tree; ///< at hand
    bool m_isPeak = false;
    std::vector<Node> m_shown;
    bool m_showsPeak = false;
    std::size_t m_trees = 0;
};

Result<Batch> MassifReader::read()
{
    std::string_view line;
    while (m_builder.goesOn(m_lines.position(), [this] { return m_lines.place(); }) && m_lines.next(line))
        take(line.substr(0, line.find_last_not_of("\r") + 1));
    endTree();
    if (!m_builder.watch().isCancelled())
        addSamples();
    return m_builder.finish(m_input);
}

void MassifReader::take(std::string_view line)
{
    if (line.empty() || line.starts_with('#'))
        return;
    if (const auto node = parseTreeLine(line); node && (line.front() == 'n' || line.front() == ' '))
        return takeNode(*node);
    if (line.starts_with("cmd: ")) {
        m_builder.batch().origin.comments.emplace_back(line.substr(5));
        return;
    }
    if (line.starts_with("time_unit: ")) {
        m_timeUnit = line.substr(11);
        return;
    }
    const std::size_t equals = line.find('=');
    if (line.starts_with("desc: "))
        return;
    if (equals == std::string_view::npos)
        m_builder.losses().add(Loss::UnreadableLines, m_lines.place() + " cannot be understood");
    else
        takeSetting(line.substr(0, equals), line.substr(equals + 1));
}

void MassifReader::takeSetting(std::string_view key, std::string_view value)
{
    std::int64_t number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    if (key == "snapshot")
        endTree();
    else if (key == "time")
        m_time = number;
    else if (key == "heap_tree")
        m_isPeak = value == "peak";
    else if (key == "mem_heap_B" || key == "mem_heap_extra_B" || key == "mem_stacks_B")
        addPoint(key, number);
}

/// Time in other units than milliseconds is shown as if it were microseconds: it keeps the order and the
/// proportions.
void MassifReader::addPoint(std::string_view name, std::int64_t bytes)
{
    Batch &batch = m_builder.batch();
    const StringId text = m_builder.text(name);
    auto known = std::ranges::find(batch.metrics, text, &Metric::name);
    if (known == batch.metrics.end()) {
        Metric metric;
        metric.name = text;
        metric.unit = m_builder.text("By");
        known = batch.metrics.insert(known, metric);
    }
    const std::int64_t unit = m_timeUnit == "ms" ? 1'000'000 : 1000;
    MetricPoint point;
    if (__builtin_mul_overflow(std::max<std::int64_t>(m_time, 0), unit, &point.timeNs))
        point.timeNs = 0;
    point.value = Number::of(bytes);
    point.metric = MetricId(static_cast<std::size_t>(known - batch.metrics.begin()));
    batch.points.rows.push_back(point);
}

/// "alloc (work.c:10)", "start (in /usr/lib/libc.so.6)", "???", "in 3 places, below massif's threshold
/// (1.00%)"
FrameId MassifReader::frameOf(const TreeLine &tree)
{
    Frame frame;
    frame.address = tree.address;
    std::string_view name = tree.text;
    Line line;
    std::string_view file;
    const std::size_t open = name.rfind(" (");
    if (tree.address != 0 && open != std::string_view::npos && name.ends_with(')')) {
        std::string_view place = name.substr(open + 2, name.size() - open - 3);
        name = name.substr(0, open);
        if (place.starts_with("in ")) {
            frame.mapping = m_builder.mapping({.path = place.substr(3)});
            frame.address = 0; // it was one of memory
        } else if (const std::size_t colon = place.rfind(':'); colon != std::string_view::npos) {
            std::from_chars(place.data() + colon + 1, place.data() + place.size(), line.line);
            file = place.substr(0, colon);
        }
    }
    line.function = m_builder.function({.name = name, .file = file});
    return m_builder.frame(frame, {&line, name == "???" ? std::size_t(0) : std::size_t(1)});
}

void MassifReader::takeNode(const TreeLine &line)
{
    if (line.depth > kDeepest) {
        m_builder.losses().add(Loss::OversizedFields, m_lines.place() + " is nested too deeply");
        return;
    }
    m_tree.push_back({line.depth, line.bytes, line.depth == 0 ? FrameId::none() : frameOf(line)});
}

/// The tree of the peak is shown or, where there is none, the last one.
void MassifReader::endTree()
{
    if (m_tree.empty())
        return;
    ++m_trees;
    if (m_isPeak || !m_showsPeak)
        m_shown = std::move(m_tree);
    m_showsPeak |= m_isPeak;
    m_isPeak = false;
    m_tree.clear();
}

/// A node is what allocated, or was called by the node above it: callers lie inside. What none of its callers
/// is given is its own.
void MassifReader::addSamples()
{
    const std::size_t block = m_builder.block({.series = {{"space", "bytes"}}});
    std::vector<FrameId> path; // from what allocated to its outermost caller
    for (std::size_t at = 0; at < m_shown.size(); ++at) {
        const Node &node = m_shown[at];
        if (node.frame.isNone())
            continue;
        path.resize(node.depth, FrameId::none());
        path.back() = node.frame;
        std::int64_t left = node.bytes;
        for (std::size_t caller = at + 1; caller < m_shown.size() && m_shown[caller].depth > node.depth;
             ++caller)
            if (m_shown[caller].depth == node.depth + 1)
                left -= m_shown[caller].bytes;
        std::vector<FrameId> leafFirst = path;
        std::erase_if(leafFirst, [](FrameId frame) { return frame.isNone(); });
        if (left != 0)
            m_builder.add(block, m_builder.path(leafFirst), ContextId(), 0, left);
    }
    if (m_trees > 1)
        m_builder.batch().origin.comments.push_back(
            std::to_string(m_trees) + " snapshots say where memory was " + "allocated; that of the " +
            (m_showsPeak ? "peak" : "last") + " is shown");
}

Result<Batch> readMassif(InputStream &input, const ReadOptions &options)
{
    return MassifReader(input, options).read();
}

} // namespace

const Format kMassif{.name = "massif", .read = readMassif};

} // namespace hearth
