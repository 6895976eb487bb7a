#include "tests/support/profile_text.h"

#include "model/lens/attribute_keys.h"
#include "model/lens/lens_text.h"
#include "model/store/stack_tree.h"
#include "model/views/evaluator.h"
#include "model/views/inverted_tree.h"
#include "model/views/top_table.h"
#include "tests/support/spans_text.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>
#include <vector>

namespace hearth::test {

namespace {

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::int64_t numberOf(std::string_view text, std::string_view *rest = nullptr)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc())
        throw std::invalid_argument("no number: " + std::string(text));
    if (rest != nullptr)
        *rest = text.substr(static_cast<std::size_t>(end - text.data()));
    return number;
}

class TextReader {
public:
    Batch read(std::string_view text)
    {
        for (const std::string_view line : split(text, '\n'))
            if (!line.empty())
                readLine(line);
        if (m_block.series.empty())
            m_block.series.push_back({string("samples"), string("count")});
        m_block.hasTimes = m_hasTimes;
        if (m_rows && m_rows->size() > 0)
            m_block.chunks.emplace_back(*m_rows);
        const ColumnView<StackNode> stacks = m_stacks.view();
        m_batch.stacks.assign(stacks.begin(), stacks.end());
        m_batch.blocks.push_back(std::move(m_block));
        m_batch.origin.format = "text";
        return std::move(m_batch);
    }

private:
    void readLine(std::string_view line)
    {
        if (line.starts_with("series:")) {
            for (const std::string_view series : split(line.substr(7), ' ')) {
                if (series.empty())
                    continue;
                const auto parts = split(series, '/');
                m_block.series.push_back({string(parts[0]), string(parts.at(1))});
            }
        } else if (line.starts_with("drop:")) {
            m_batch.origin.dropFrames = line.substr(5);
        } else if (line.starts_with("keep:")) {
            m_batch.origin.keepFrames = line.substr(5);
        } else if (line.starts_with("period:")) {
            const auto words = split(line.substr(8), ' ');
            const auto type = split(words[0], '/');
            m_block.periodType = string(type[0]);
            m_block.periodUnit = string(type.at(1));
            m_block.period = numberOf(words.at(1));
        } else if (line.starts_with("default:")) {
            m_batch.origin.defaultSeries = line.substr(8);
        } else {
            readSample(line);
        }
    }

    void readSample(std::string_view line)
    {
        SamplePlace place;
        const std::size_t bar = line.find(" |");
        if (bar != std::string_view::npos)
            readLabels(line.substr(bar + 2), place);
        const std::string_view weighed = line.substr(0, bar);
        const std::size_t blank = weighed.rfind(' ');
        std::vector<std::int64_t> values;
        for (const std::string_view value : split(weighed.substr(blank + 1), ','))
            values.push_back(numberOf(value));
        if (!m_rows)
            m_rows.emplace(values.size());
        StackId stack;
        if (weighed.substr(0, blank) != ".")
            for (const std::string_view frame : split(weighed.substr(0, blank), ';'))
                stack = m_stacks.child(stack, readFrame(frame));
        m_rows->add(stack, place.context, place.link, place.time, values);
    }

    FrameId readFrame(std::string_view text)
    {
        const auto known = m_frames.find(text);
        if (known != m_frames.end())
            return known->second;
        const FrameId id(m_batch.frames.size());
        m_frames.emplace(text, id);
        Frame frame;
        frame.lineBegin = static_cast<std::uint32_t>(m_batch.lines.size());
        std::string_view chain = text;
        if (const std::size_t bracket = text.find('['); bracket != std::string_view::npos) {
            frame.mapping = mapping(text.substr(bracket + 1, text.size() - bracket - 2));
            frame.address = 0x1000 + id.value;
            chain = text.substr(0, bracket);
        }
        if (!chain.empty() && chain != "?") {
            auto functions = split(chain, '>');
            std::ranges::reverse(functions);
            for (const std::string_view function : functions)
                m_batch.lines.push_back({.line = 0, .function = readFunction(function), .column = 0});
        }
        frame.lineCount = (static_cast<std::uint32_t>(m_batch.lines.size()) - frame.lineBegin) & 0x7fffffffU;
        m_batch.frames.push_back(frame);
        return id;
    }

    FunctionId readFunction(std::string_view text)
    {
        const std::size_t at = text.find('@');
        Function function;
        function.name = text.substr(0, at) == "-" ? StringId() : string(text.substr(0, at));
        if (at != std::string_view::npos)
            function.file = string(text.substr(at + 1));
        m_batch.functions.push_back(function);
        return FunctionId(m_batch.functions.size() - 1);
    }

    MappingId mapping(std::string_view path)
    {
        Mapping mapping;
        mapping.binary = BinaryId(m_batch.binaries.size());
        Binary binary;
        binary.path = string(path);
        m_batch.binaries.push_back(binary);
        m_batch.mappings.push_back(mapping);
        return MappingId(m_batch.mappings.size() - 1);
    }

    struct SamplePlace {
        std::int64_t time = 0;
        ContextId context;
        LinkId link;
    };

    void readLabels(std::string_view text, SamplePlace &place)
    {
        const auto begin = static_cast<std::uint32_t>(m_batch.attributeLists.size());
        for (const std::string_view label : split(text, ' ')) {
            if (label.empty())
                continue;
            if (label.front() == '@') {
                place.time = numberOf(label.substr(1));
                m_hasTimes = true;
                continue;
            }
            if (label.front() == '~') {
                place.link = LinkId(m_batch.links.size());
                m_batch.links.push_back(linkNamed(label.substr(1)));
                continue;
            }
            const std::size_t separator = label.find_first_of("=:");
            Attribute attribute;
            attribute.key = string(label.substr(0, separator));
            if (label[separator] == '=') {
                attribute.bits = string(label.substr(separator + 1)).value;
            } else {
                std::string_view unit;
                attribute.type = AttributeType::Int;
                attribute.bits = static_cast<std::uint64_t>(numberOf(label.substr(separator + 1), &unit));
                attribute.unit = string(unit);
            }
            m_batch.attributeLists.emplace_back(m_batch.attributes.size());
            m_batch.attributes.push_back(attribute);
        }
        const auto count = static_cast<std::uint32_t>(m_batch.attributeLists.size()) - begin;
        m_batch.contexts.push_back({{}, {}, AttributeSetId(m_batch.attributeSets.size())});
        m_batch.attributeSets.push_back({begin, count});
        place.context = ContextId(m_batch.contexts.size() - 1);
    }

    StringId string(std::string_view text) { return text.empty() ? StringId() : m_batch.addString(text); }

    Batch m_batch;
    SampleBlock m_block;
    StackTree m_stacks;
    std::map<std::string, FrameId, std::less<>> m_frames;
    std::optional<SampleRows> m_rows;
    bool m_hasTimes = false;
};

std::shared_ptr<const Evaluation> evaluate(const std::shared_ptr<const Snapshot> &snapshot, const Lens &lens)
{
    Evaluator evaluator;
    const auto evaluation = evaluator.evaluate(snapshot, lens);
    if (!evaluation)
        throw std::invalid_argument(evaluation.error().message);
    return *evaluation;
}

Lens parsed(std::string_view text)
{
    const auto lens = parseLens(text);
    if (!lens)
        throw std::invalid_argument(lens.error().message);
    return *lens;
}

void printBelow(const CallTree &tree, NodeId node, const std::string &indent, std::string &text)
{
    for (const NodeId child : tree.heaviestChildren(node)) {
        text += indent + std::string(tree.entries()[tree.entryOf(child)].name) + ' ' +
                std::to_string(tree.total(child)) + ' ' + std::to_string(tree.self(child)) + '\n';
        printBelow(tree, child, indent + "  ", text);
    }
}

void printCallers(InvertedTree &tree, const std::vector<InvertedId> &nodes, const std::string &indent,
                  std::string &text)
{
    for (const InvertedId node : nodes) {
        text += indent + std::string(tree.tree().entries()[tree.entryOf(node)].name) + ' ' +
                std::to_string(tree.total(node)) + ' ' + std::to_string(tree.self(node)) + '\n';
        printCallers(tree, std::vector(tree.expand(node)), indent + "  ", text);
    }
}

std::string frameText(const Snapshot &snapshot, FrameId id)
{
    const Frame &frame = snapshot.frames[id.value];
    const auto lines = snapshot.linesOf(id);
    std::string text;
    for (std::size_t i = lines.size(); i-- > 0;) {
        text += text.empty() ? "" : ">";
        if (lines[i].function.isNone()) {
            text += '?';
            continue;
        }
        const Function &function = snapshot.functions[lines[i].function.value];
        text += function.name == StringId() ? "-" : snapshot.text(function.name);
        if (function.systemName != StringId())
            text += '=' + std::string(snapshot.text(function.systemName));
        if (function.file != StringId())
            text += '@' + std::string(snapshot.text(function.file));
        text += ':' + std::to_string(lines[i].line) + ':' + std::to_string(lines[i].column) + '/' +
                std::to_string(function.startLine);
    }
    if (!frame.mapping.isNone()) {
        const Mapping &mapping = snapshot.mappings[frame.mapping.value];
        const Binary &binary = snapshot.binaries[mapping.binary.value];
        text += '[' + std::string(snapshot.text(binary.path)) + ' ' +
                std::string(snapshot.text(binary.buildId)) + ' ' + std::to_string(mapping.start) + '-' +
                std::to_string(mapping.limit) + '+' + std::to_string(mapping.offset) + ' ' +
                std::to_string(mapping.flags) + ']';
    }
    return text + '+' + std::to_string(frame.address) + (frame.isFolded ? "~" : "");
}

} // namespace

Batch batchOf(std::string_view text)
{
    return TextReader().read(text);
}

std::shared_ptr<const Snapshot> snapshotOf(std::string_view text)
{
    Store store;
    store.append(batchOf(text));
    return store.publish();
}

std::string top(const std::shared_ptr<const Snapshot> &snapshot, std::string_view lens)
{
    return top(snapshot, parsed(lens));
}

std::string top(const std::shared_ptr<const Snapshot> &snapshot, const Lens &lens)
{
    const auto evaluation = evaluate(snapshot, lens);
    const auto table = topTable(*evaluation->tree, TopOrder::Self, evaluation->groupDepth, 0, {});
    std::string text;
    for (const TopRow &row : table->rows)
        text +=
            std::string(row.name) + ' ' + std::to_string(row.self) + ' ' + std::to_string(row.total) + '\n';
    return text;
}

std::string tree(const std::shared_ptr<const Snapshot> &snapshot, std::string_view lens)
{
    const auto evaluation = evaluate(snapshot, parsed(lens));
    std::string text;
    printBelow(*evaluation->tree, TreeShape::kRoot, "", text);
    return text;
}

std::string invertedTree(const std::shared_ptr<const Snapshot> &snapshot, std::string_view lens)
{
    const auto evaluation = evaluate(snapshot, parsed(lens));
    InvertedTree inverted(evaluation->tree, evaluation->groupDepth);
    std::string text;
    printCallers(inverted, std::vector(inverted.roots()), "", text);
    return text;
}

std::string dump(const Snapshot &snapshot)
{
    std::vector<std::string> lines;
    for (const SampleTable &table : snapshot.tables)
        for (const auto &chunk : table.chunks)
            for (std::size_t row = 0; row < chunk->rows(); ++row) {
                std::string line;
                for (StackId stack(chunk->stacks()[row]); stack != StackId();
                     stack = snapshot.stacks[stack.value].parent)
                    line = frameText(snapshot, snapshot.stacks[stack.value].frame) +
                           (line.empty() ? "" : ";") + line;
                for (std::size_t column = 0; column < table.series.size(); ++column) {
                    const Series &series = snapshot.series[table.series[column].value];
                    line += ' ' + std::string(snapshot.text(series.type)) + '/' +
                            std::string(snapshot.text(series.unit)) + '=' +
                            std::to_string(static_cast<std::int64_t>(chunk->values(column)[row]));
                }
                const Context &context = snapshot.contexts[chunk->contexts()[row]];
                for (const AttributeSetId set : {context.resource, context.scope, context.sample})
                    for (const AttributeId id : snapshot.attributesOf(set)) {
                        const Attribute &attribute = snapshot.attributes[id.value];
                        line += " |" + std::string(snapshot.text(attribute.key)) +
                                (attribute.type == AttributeType::String ? '=' : ':') +
                                printAttribute(snapshot, attribute) +
                                std::string(snapshot.text(attribute.unit));
                    }
                if (table.hasTimes)
                    line += " @" + std::to_string(static_cast<std::int64_t>(chunk->times()[row]));
                lines.push_back(std::move(line));
            }
    std::ranges::sort(lines);
    std::string text;
    for (const std::string &line : lines)
        text += line + '\n';
    return text;
}

} // namespace hearth::test
