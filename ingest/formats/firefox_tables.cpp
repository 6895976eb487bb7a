#include "ingest/formats/firefox_tables.h"

#include "ingest/formats/parent_links.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <limits>
#include <utility>

namespace hearth {

namespace {

using Column = FirefoxTables::Column;
using NamedColumn = std::pair<std::string_view, Column FirefoxTables::*>;

struct Table {
    std::string_view name;
    std::array<NamedColumn, 7> columns;
};
constexpr std::array kTables{
    Table{"stackTable",
          {{{"prefix", &FirefoxTables::stackPrefix},
            {"prefixOffset", &FirefoxTables::stackPrefixOffset},
            {"frame", &FirefoxTables::stackFrame},
            {"category", &FirefoxTables::stackCategory}}}},
    Table{"frameTable",
          {{{"address", &FirefoxTables::frameAddress},
            {"line", &FirefoxTables::frameLine},
            {"column", &FirefoxTables::frameColumn},
            {"func", &FirefoxTables::frameFunc},
            {"location", &FirefoxTables::frameFunc},
            {"category", &FirefoxTables::frameCategory},
            {"lib", &FirefoxTables::frameLib}}}},
    Table{"funcTable",
          {{{"name", &FirefoxTables::funcName},
            {"fileName", &FirefoxTables::funcFile},
            {"source", &FirefoxTables::funcSource},
            {"resource", &FirefoxTables::funcResource},
            {"lineNumber", &FirefoxTables::funcLine},
            {"isJS", &FirefoxTables::funcIsJs}}}},
    Table{"resourceTable", {{{"lib", &FirefoxTables::resourceLib}}}},
    Table{"sources", {{{"filename", &FirefoxTables::sourceFile}}}},
};

const Table *tableNamed(std::string_view name)
{
    const auto found = std::ranges::find(kTables, name, &Table::name);
    return found == kTables.end() ? nullptr : &*found;
}

Column FirefoxTables::*columnNamed(const Table &table, std::string_view name)
{
    for (const NamedColumn &column : table.columns)
        if (!name.empty() && column.first == name)
            return column.second;
    return nullptr;
}

std::int64_t readCell(JsonStream &json)
{
    if (json.kind() == JsonStream::Kind::True)
        return json.boolean() ? 1 : 0;
    return json.integer().value_or(FirefoxTables::kNull);
}

std::optional<std::uint64_t> hexAddress(std::string_view text)
{
    std::uint64_t address = 0;
    if (!text.starts_with("0x"))
        return std::nullopt;
    const auto parsed = std::from_chars(text.data() + 2, text.data() + text.size(), address, 16);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
        return std::nullopt;
    return address;
}

std::int32_t columnNumber(std::int64_t column)
{
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(column, 0, std::numeric_limits<std::int32_t>::max()));
}

} // namespace

bool FirefoxTables::readTable(JsonStream &json, std::string_view name, ProfileBuilder &builder)
{
    const bool isStrings = name == "stringArray" || name == "stringTable";
    const Table *table = tableNamed(name);
    if (!isStrings && table == nullptr)
        return false;
    if (isStrings) {
        json.forEachElement([&] { strings.push_back(builder.text(json.string())); });
        return true;
    }
    readFirefoxTable(
        json, [table](std::string_view key) { return columnNamed(*table, key); },
        [&](Column FirefoxTables::*column) {
            if (column != nullptr)
                (this->*column).push_back(readCell(json));
        },
        [&](Column FirefoxTables::*column) {
            if (column != nullptr)
                (this->*column).push_back(kNull);
        });
    return true;
}

void FirefoxLib::readMember(JsonStream &json, std::string_view key)
{
    if (key == "path")
        path = json.string();
    else if (key == "name")
        name = json.string();
    else if (key == "codeId") {
        if (const std::string_view id = json.string(); !id.empty())
            buildId = id;
    } else if (key == "breakpadId" && buildId.empty())
        buildId = json.string();
    else if (key == "start")
        start = static_cast<std::uint64_t>(json.integer().value_or(0));
    else if (key == "end")
        end = static_cast<std::uint64_t>(json.integer().value_or(0));
    else if (key == "offset")
        offset = static_cast<std::uint64_t>(json.integer().value_or(0));
}

FirefoxStacks::FirefoxStacks(ProfileBuilder &builder, const FirefoxTables &tables,
                             const std::vector<FirefoxLib> &libs)
    : m_builder(builder), m_tables(tables), m_libs(libs)
{
    for (const FirefoxLib &lib : libs)
        if (lib.end > lib.start)
            m_libsByStart.insert_or_assign(lib.start, &lib);
    const std::size_t frameCount = std::max(tables.frameFunc.size(), tables.frameAddress.size());
    std::vector<FrameId> frames;
    for (std::size_t row = 0; row < frameCount; ++row)
        frames.push_back(frame(static_cast<std::int64_t>(row)));
    if (!tables.stackFrame.empty() && tables.stackPrefix.empty() && tables.stackPrefixOffset.empty())
        builder.losses().add(Loss::UnknownFields, "a table of stacks does not say who calls whom");
    std::vector<TableNode> nodes;
    for (std::size_t row = 0; row < tables.stackFrame.size(); ++row) {
        const std::int64_t prefix = prefixOf(row);
        const std::int64_t at = tables.stackFrame[row];
        TableNode node;
        if (prefix != FirefoxTables::kNull)
            node.parent = static_cast<std::uint32_t>(
                std::clamp<std::int64_t>(prefix, 0, std::int64_t(TableNode::kNoParent) - 1));
        if (at >= 0 && static_cast<std::size_t>(at) < frames.size())
            node.frame = frames[static_cast<std::size_t>(at)];
        else
            builder.losses().add(Loss::UnknownReferences);
        nodes.push_back(node);
    }
    const std::vector<StackId> stacks = stacksOf(builder, nodes);
    for (std::size_t row = 0; row < stacks.size(); ++row)
        m_stacks.push_back({stacks[row], categoryOf(static_cast<std::int64_t>(row))});
}

/// Since version 66 a table says how far before itself a stack's caller is, which is 0 where nobody called.
std::int64_t FirefoxStacks::prefixOf(std::size_t row) const
{
    const auto signedRow = static_cast<std::int64_t>(row);
    if (m_tables.stackPrefixOffset.empty())
        return FirefoxTables::at(m_tables.stackPrefix, signedRow);
    const std::int64_t offset = FirefoxTables::at(m_tables.stackPrefixOffset, signedRow);
    return offset > 0 && offset <= signedRow ? signedRow - offset : FirefoxTables::kNull;
}

/// Since version 70 frames say so themselves, before it is that of their function.
const FirefoxLib *FirefoxStacks::libOf(std::int64_t frame) const
{
    const std::int64_t func = FirefoxTables::at(m_tables.frameFunc, frame);
    const std::int64_t lib =
        m_tables.frameLib.empty()
            ? FirefoxTables::at(m_tables.resourceLib, FirefoxTables::at(m_tables.funcResource, func))
            : FirefoxTables::at(m_tables.frameLib, frame);
    return lib >= 0 && static_cast<std::size_t>(lib) < m_libs.size() ? &m_libs[static_cast<std::size_t>(lib)]
                                                                     : nullptr;
}

std::int32_t FirefoxStacks::categoryOf(std::int64_t row) const
{
    const std::int64_t own = FirefoxTables::at(m_tables.stackCategory, row);
    const std::int64_t category =
        own != FirefoxTables::kNull
            ? own
            : FirefoxTables::at(m_tables.frameCategory, FirefoxTables::at(m_tables.stackFrame, row));
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(category, -1, std::numeric_limits<std::int32_t>::max()));
}

MappingId FirefoxStacks::mapping(const FirefoxLib &lib)
{
    return m_builder.mapping({.path = lib.path.empty() ? lib.name : lib.path, .buildId = lib.buildId},
                             lib.start, lib.end, lib.offset);
}

FrameId FirefoxStacks::frame(std::int64_t row)
{
    const std::int64_t func = FirefoxTables::at(m_tables.frameFunc, row);
    if (m_tables.funcName.empty())
        return geckoFrame(text(m_tables.string(func)), FirefoxTables::at(m_tables.frameLine, row));
    const std::int64_t source = FirefoxTables::at(m_tables.funcSource, func);
    const std::int64_t file = source != FirefoxTables::kNull ? FirefoxTables::at(m_tables.sourceFile, source)
                                                             : FirefoxTables::at(m_tables.funcFile, func);
    const std::string_view name = text(m_tables.string(FirefoxTables::at(m_tables.funcName, func)));
    const bool isJs = FirefoxTables::at(m_tables.funcIsJs, func) == 1;
    Frame frame;
    const FirefoxLib *lib = libOf(row);
    if (lib != nullptr)
        frame.mapping = mapping(*lib);
    frame.address =
        static_cast<std::uint64_t>(std::max<std::int64_t>(FirefoxTables::at(m_tables.frameAddress, row), 0));
    frame.kind = m_builder.text(isJs ? "js" : lib != nullptr ? "native" : "");
    if (hexAddress(name)) // is yet to be looked up
        return m_builder.frame(frame, {});
    const Line line{.line = std::max<std::int64_t>(FirefoxTables::at(m_tables.frameLine, row), 0),
                    .function = m_builder.function(
                        {.name = name,
                         .file = text(m_tables.string(file)),
                         .startLine = std::max<std::int64_t>(FirefoxTables::at(m_tables.funcLine, func), 0)}),
                    .column = columnNumber(FirefoxTables::at(m_tables.frameColumn, row))};
    return m_builder.frame(frame, {&line, 1});
}

/// The browser writes "0x7f3b…", "f (in libxul.so)", or "f (https://example.org/a.js:12:3)".
FrameId FirefoxStacks::geckoFrame(std::string_view location, std::int64_t line)
{
    Frame frame;
    if (const auto address = hexAddress(location)) {
        frame.address = *address;
        const auto behind = m_libsByStart.upper_bound(*address);
        const FirefoxLib *lib = behind == m_libsByStart.begin() ? nullptr : std::prev(behind)->second;
        if (lib != nullptr && *address < lib->end) {
            frame.mapping = mapping(*lib);
            frame.address = *address - lib->start + lib->offset;
        }
        frame.kind = m_builder.text("native");
        return m_builder.frame(frame, {});
    }
    const std::string whole(location);
    std::string_view name = whole;
    std::string_view file;
    Line place;
    place.line = std::max<std::int64_t>(line, 0);
    if (const std::size_t open = name.rfind(" ("); open != std::string_view::npos && name.ends_with(')')) {
        file = name.substr(open + 2, name.size() - open - 3);
        name = name.substr(0, open);
        if (file.starts_with("in "))
            frame.mapping = m_builder.mapping({.path = file.substr(3)});
    }
    const bool isJs = !file.empty() && !file.starts_with("in ");
    for (int number = 0; isJs && number < 2; ++number) { // line and column
        const std::size_t colon = file.rfind(':');
        std::int64_t value = 0;
        if (colon == std::string_view::npos ||
            std::from_chars(file.data() + colon + 1, file.data() + file.size(), value).ptr !=
                file.data() + file.size())
            break;
        file = file.substr(0, colon);
        if (line < 0)
            place.line = value;
    }
    frame.kind = m_builder.text(isJs ? "js" : frame.mapping.isNone() ? "" : "native");
    place.function = m_builder.function({.name = name, .file = isJs ? file : std::string_view()});
    return m_builder.frame(frame, {&place, 1});
}

} // namespace hearth
