#pragma once

#include "ingest/formats/json_stream.h"
#include "ingest/formats/profile_builder.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// The tables of a Firefox profile that say what stacks are. Each is a list of columns, of which some may be
/// missing; all refer to one another by row. Newer versions share them between threads.
struct FirefoxTables {
    using Column = std::vector<std::int64_t>;
    static constexpr std::int64_t kNull = -1;

    std::vector<StringId> strings;
    const std::vector<StringId> *otherStrings = nullptr; ///< of tables without strings of their own
    Column stackPrefix, stackPrefixOffset, stackFrame, stackCategory;
    Column frameAddress, frameLine, frameColumn, frameFunc, frameCategory, frameLib;
    Column funcName, funcFile, funcSource, funcResource, funcLine, funcIsJs;
    Column resourceLib;
    Column sourceFile;

    /// Reads the table of this name. @return false if there is no such table; it is then not read
    bool readTable(JsonStream &json, std::string_view name, ProfileBuilder &builder);

    static std::int64_t at(const Column &column, std::int64_t row)
    {
        return row >= 0 && static_cast<std::size_t>(row) < column.size()
                   ? column[static_cast<std::size_t>(row)]
                   : kNull;
    }
    StringId string(std::int64_t row) const
    {
        const std::vector<StringId> &texts =
            strings.empty() && otherStrings != nullptr ? *otherStrings : strings;
        return row >= 0 && static_cast<std::size_t>(row) < texts.size() ? texts[static_cast<std::size_t>(row)]
                                                                        : StringId();
    }
};

/// A binary of the profile.
struct FirefoxLib {
    std::string path;
    std::string name;
    std::string buildId;
    std::uint64_t start = 0; ///< in memory; only the browser's own profiles know it
    std::uint64_t end = 0;
    std::uint64_t offset = 0;

    void readMember(JsonStream &json, std::string_view key);
};

/// Reads a table in either form: an object of columns, or rows in "data" with the places of columns in
/// "schema". Calls `cell(column)` in front of each value, or of what else the table has, and
/// `missing(column)` for what a row leaves out at its end.
/// @param columnOf what those call the column with a name; asked once for each
template <class ColumnOf, class Cell, class Missing>
void readFirefoxTable(JsonStream &json, ColumnOf columnOf, Cell cell, Missing missing)
{
    constexpr std::int64_t kMostColumns = 100;
    std::vector<decltype(columnOf(std::string_view()))> schema;
    json.forEachMember([&](std::string_view key) {
        if (key == "schema") {
            json.forEachMember([&](std::string_view column) {
                const auto known = columnOf(column);
                const std::int64_t place = json.integer().value_or(-1);
                if (place < 0 || place >= kMostColumns)
                    return;
                schema.resize(std::max(schema.size(), static_cast<std::size_t>(place) + 1));
                schema[static_cast<std::size_t>(place)] = known;
            });
        } else if (key == "data" && !schema.empty()) {
            json.forEachElement([&] {
                std::size_t place = 0;
                json.forEachElement([&] {
                    if (place < schema.size())
                        cell(schema[place]);
                    ++place;
                });
                for (; place < schema.size(); ++place)
                    missing(schema[place]);
            });
        } else {
            const auto column = columnOf(key);
            if (json.kind() == JsonStream::Kind::Array)
                json.forEachElement([&] { cell(column); });
            else
                cell(column);
        }
    });
}

/// What the stacks of a profile's tables are, as rows of the builder.
class FirefoxStacks {
public:
    FirefoxStacks(ProfileBuilder &builder, const FirefoxTables &tables, const std::vector<FirefoxLib> &libs);

    StackId stack(std::int64_t row) const
    {
        return has(row) ? m_stacks[static_cast<std::size_t>(row)].stack : StackId();
    }
    bool has(std::int64_t row) const { return row >= 0 && static_cast<std::size_t>(row) < m_stacks.size(); }
    std::int64_t category(std::int64_t row) const
    {
        return has(row) ? m_stacks[static_cast<std::size_t>(row)].category : FirefoxTables::kNull;
    }

    /// Where what is known of a stack is, to be fetched before it is asked for: there are millions of them.
    const void *place(std::int64_t row) const
    {
        return has(row) ? &m_stacks[static_cast<std::size_t>(row)] : nullptr;
    }

private:
    /// Together, as every sample asks for both.
    struct Known {
        StackId stack;
        std::int32_t category = -1;
    };

    std::int32_t categoryOf(std::int64_t row) const;
    std::int64_t prefixOf(std::size_t row) const;
    const FirefoxLib *libOf(std::int64_t frame) const;
    FrameId frame(std::int64_t row);
    FrameId geckoFrame(std::string_view location, std::int64_t line);
    std::string_view text(StringId id) const { return m_builder.batch().strings[id.value]; }
    MappingId mapping(const FirefoxLib &lib);

    ProfileBuilder &m_builder;
    const FirefoxTables &m_tables;
    const std::vector<FirefoxLib> &m_libs;
    std::map<std::uint64_t, const FirefoxLib *>
        m_libsByStart; ///< of those that say where they were in memory
    std::vector<Known> m_stacks;
};

} // namespace hearth
