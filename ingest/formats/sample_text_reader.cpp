#include "ingest/formats/format.h"
#include "ingest/formats/line_reader.h"
#include "ingest/formats/profile_builder.h"

#include <algorithm>
#include <charconv>
#include <optional>

// What macOS's `sample` prints: a call tree, whose depth is the column of the count.
//
//   Analysis of sampling work (pid 123) every 1 millisecond
//   Call graph:
//       2813 Thread_1234   DispatchQueue_1: com.apple.main-thread  (serial)
//         2813 main  (in work) + 23  [0x10f2b3e97]  main.c:12
//         + 2000 parse  (in work) + 10,40  [0x10f2b3d11,0x10f2b3d20]

namespace hearth {

namespace {

constexpr std::size_t kDeepest = 100'000;

/// A line of the tree, as far as it is of interest.
struct TreeLine {
    std::size_t column = 0;
    std::int64_t count = 0;
    std::string_view name;
    std::string_view binary;
    std::string_view file;
    std::int64_t line = 0;
    std::uint64_t address = 0;
};

/// The text behind the last " [0x…]": a place in the source.
void takePlace(TreeLine &tree, std::string_view place)
{
    const std::size_t colon = place.rfind(':');
    if (colon == std::string_view::npos)
        return;
    std::from_chars(place.data() + colon + 1, place.data() + place.size(), tree.line);
    tree.file = place.substr(0, colon);
}

std::optional<TreeLine> parseTreeLine(std::string_view text)
{
    TreeLine tree;
    text = text.substr(0, text.find_last_not_of(" \r") + 1);
    tree.column = text.find_first_not_of(" +!:|");
    if (tree.column == std::string_view::npos || tree.column == 0)
        return std::nullopt;
    const auto parsed = std::from_chars(text.data() + tree.column, text.data() + text.size(), tree.count);
    text = text.substr(static_cast<std::size_t>(parsed.ptr - text.data()));
    if (parsed.ec != std::errc() || text.size() < 2 || text.front() != ' ')
        return std::nullopt;
    text.remove_prefix(text.find_first_not_of(' '));
    tree.name = text.substr(0, text.find("  "));
    if (const std::size_t in = text.find("  (in "); in != std::string_view::npos)
        tree.binary = text.substr(in + 6, text.find(')', in) - in - 6);
    if (const std::size_t at = text.rfind("  [0x"); at != std::string_view::npos) {
        std::from_chars(text.data() + at + 5, text.data() + text.size(), tree.address, 16);
        const std::size_t behind = text.find(']', at);
        if (behind != std::string_view::npos && behind + 3 < text.size())
            takePlace(tree, text.substr(behind + 3));
    }
    return tree;
}

class SampleTextReader {
public:
    SampleTextReader(InputStream &input, const ReadOptions &options)
        : m_input(input), m_builder(options, kSampleText.name, ProfileBuilder::Delivery::Whole),
          m_lines(input, m_builder.watch(), m_builder.losses())
    {}

    Result<Batch> read();

private:
    /// A node whose children are being read.
    struct Open {
        std::size_t column = 0;
        std::int64_t left = 0; ///< of its count, beside what its children had
        StackId stack;
        ContextId context;
    };

    void takeHead(std::string_view line);
    void takeNode(const TreeLine &node);
    void close();

    InputStream &m_input;
    ProfileBuilder m_builder;
    LineReader m_lines;
    std::int64_t m_period = 0;
    std::size_t m_block = 0;
    std::vector<Open> m_open;
};

Result<Batch> SampleTextReader::read()
{
    std::string_view line;
    const auto next = [&] {
        return m_lines.next(line) && m_builder.goesOn(m_lines.position(), [this] { return m_lines.place(); });
    };
    while (next() && !line.starts_with("Call graph:"))
        takeHead(line);
    m_block = m_builder.block({.series = {{"samples", "count"}},
                               .periodType = m_period > 0 ? "cpu" : "",
                               .periodUnit = m_period > 0 ? "nanoseconds" : "",
                               .period = m_period});
    while (next()) {
        const auto node = parseTreeLine(line);
        if (node && m_open.size() < kDeepest)
            takeNode(*node);
        else if (node)
            m_builder.losses().add(Loss::OversizedFields, m_lines.place() + " is nested too deeply");
        else
            break;
    }
    while (!m_open.empty())
        close();
    return m_builder.finish(m_input);
}

void SampleTextReader::takeHead(std::string_view line)
{
    const std::size_t every = line.find(" every ");
    if (every == std::string_view::npos)
        return;
    const std::string_view text = line.substr(every + 7);
    std::int64_t count = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
    const bool isFine = parsed.ec == std::errc() && count > 0 && count < 1'000'000;
    if (isFine && text.find("millisecond") != std::string_view::npos)
        m_period = count * 1'000'000;
    else if (isFine && text.find("microsecond") != std::string_view::npos)
        m_period = count * 1'000;
}

void SampleTextReader::takeNode(const TreeLine &node)
{
    while (!m_open.empty() && m_open.back().column >= node.column)
        close();
    Open open{.column = node.column, .left = node.count, .stack = {}, .context = {}};
    if (m_open.empty()) { // a thread
        const Attribute thread = m_builder.attribute("thread.name", node.name);
        open.context = m_builder.context(AttributeSetId(), m_builder.attributes({thread}));
    } else {
        Frame frame;
        frame.address = node.address;
        if (!node.binary.empty())
            frame.mapping = m_builder.mapping({.path = node.binary});
        const Line line{.line = node.line,
                        .function = m_builder.function({.name = node.name, .file = node.file}),
                        .column = 0};
        const bool hasName = node.name != "???";
        m_open.back().left -= node.count;
        open.context = m_open.back().context;
        open.stack = m_builder.child(
            m_open.back().stack, m_builder.frame(frame, {&line, hasName ? std::size_t(1) : std::size_t(0)}));
    }
    m_open.push_back(open);
}

void SampleTextReader::close()
{
    const Open &open = m_open.back();
    if (open.left > 0)
        m_builder.add(m_block, open.stack, open.context, 0, open.left);
    else if (open.left < 0)
        m_builder.losses().add(Loss::MalformedRecords,
                               m_lines.place() + ": callees have more than their caller");
    m_open.pop_back();
}

Result<Batch> readSampleText(InputStream &input, const ReadOptions &options)
{
    return SampleTextReader(input, options).read();
}

} // namespace

const Format kSampleText{.name = "sample text", .read = readSampleText};

} // namespace hearth
