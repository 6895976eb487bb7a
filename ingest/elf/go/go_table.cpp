#include "ingest/elf/go/go_table.h"

#include "ingest/elf/demangle.h"
#include "ingest/elf/section_window.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

// runtime/runtime2.go `type _func`, runtime/symtab.go and symtabinl.go of Go 1.2 to 1.26. A record:
//
//   address (a pointer; since 1.18 u32 from the begin of the code), u32 name, arguments, frame or
//   deferreturn, stack, files, lines, number of value tables; since 1.16 unit; since 1.20 first line;
//   since 1.18 u8 kind, flags, 0, number of data; the value tables; the data, from the begin of go:func.*
//
// A value table, from address to number: pairs of a zigzag difference and how far it holds, as LEB128.

namespace hearth {

using namespace go;

namespace {

constexpr std::uint32_t kNone = ~0U;
constexpr std::uint32_t kInlineIndexTable = 2; ///< PCDATA_InlTreeIndex
constexpr std::uint32_t kInlineTreeData = 3;   ///< FUNCDATA_InlTree
constexpr int kMostInlined = 256;
constexpr std::uint64_t kLeastPairs = 1 << 16; ///< of value tables, before an answer is given up

struct Record {
    std::uint32_t name = kNone;
    std::uint32_t files = 0;
    std::uint32_t lines = 0;
    std::uint32_t inlineIndexes = 0;
    std::uint32_t inlineTree = kNone;
    std::uint32_t unit = 0;
    std::uint32_t firstLine = 0;
};

Record readRecord(Cursor cursor, const Header &header)
{
    Record record;
    cursor.skip(header.fieldSize());
    record.name = cursor.u32();
    cursor.skip(12);
    record.files = cursor.u32();
    record.lines = cursor.u32();
    const std::uint32_t tables = cursor.u32();
    if (header.layout >= Layout::Go16)
        record.unit = cursor.u32();
    if (header.layout >= Layout::Go20)
        record.firstLine = cursor.u32();
    if (header.layout < Layout::Go18 || !cursor.isGood())
        return record;
    cursor.skip(3);
    const std::uint8_t data = cursor.u8();
    const std::size_t begin = cursor.position();
    const auto numberAt = [&](std::uint64_t index) {
        cursor.seek(begin + index * sizeof(std::uint32_t));
        return cursor.u32();
    };
    if (tables <= kInlineIndexTable || data <= kInlineTreeData)
        return record;
    record.inlineIndexes = numberAt(kInlineIndexTable);
    record.inlineTree = numberAt(std::uint64_t(tables) + kInlineTreeData);
    if (!cursor.isGood())
        record.inlineTree = kNone;
    return record;
}

/// A value table of one function, unpacked.
struct Values {
    struct Run {
        std::uint64_t end = 0;
        std::int32_t value = 0;
    };
    std::vector<Run> runs;

    std::int32_t at(std::uint64_t address) const
    {
        const auto run = std::ranges::upper_bound(runs, address, {}, &Run::end);
        return run == runs.end() ? -1 : run->value;
    }
};

/// A call that was inlined.
struct InlinedCall {
    std::uint32_t name = kNone;
    std::uint32_t firstLine = 0;
    std::uint32_t place = 0; ///< of an instruction of the caller, from the begin of the function
};

InlinedCall readCall(Cursor cursor, Layout layout)
{
    InlinedCall call;
    if (layout >= Layout::Go20) {
        cursor.skip(4);
        call.name = cursor.u32();
        call.place = cursor.u32();
        call.firstLine = cursor.u32();
    } else {
        cursor.skip(12); // what called, file, line: all told by the place as well
        call.name = cursor.u32();
        call.place = cursor.u32();
    }
    if (!cursor.isGood())
        call.name = kNone;
    return call;
}

} // namespace

/// What one thread needs to answer; remembers the function that it was asked for last.
class GoTable::Worker {
public:
    explicit Worker(const GoTable &table)
        : m_table(table), m_header(table.m_module.header), m_records(partFrom(m_header.records)),
          m_names(partFrom(m_header.names)), m_unitFiles(partFrom(m_header.unitFiles)),
          m_fileNames(partFrom(m_header.files)), m_values(partFrom(m_header.values)),
          m_calls(table.m_module.functionData, m_header.byteOrder),
          m_pairsLeft(std::max(kLeastPairs, 4 * table.m_module.table.size()))
    {}

    std::vector<SymbolLine> chainAt(std::uint64_t address)
    {
        if (!enter(address))
            return {};
        std::vector<SymbolLine> chain;
        for (int i = 0; i < kMostInlined; ++i) {
            SymbolLine line = placeOf(address);
            const std::optional<InlinedCall> call = callAt(address);
            const std::uint32_t name = call ? call->name : m_record.name;
            line.systemName = nameAt(name);
            line.name = sourceNameAt(name);
            line.startLine = call ? call->firstLine : m_record.firstLine;
            chain.push_back(std::move(line));
            if (!call)
                break;
            address = m_begin + call->place;
        }
        return chain;
    }

private:
    SectionWindow partFrom(std::uint64_t begin) const
    {
        const ByteRange &table = m_table.m_module.table;
        return SectionWindow(table.part(begin, table.size()), m_header.byteOrder);
    }

    /// Makes the function at an address the one at hand. @return whether there is one with a name
    bool enter(std::uint64_t address)
    {
        if (address >= m_begin && address < m_end)
            return m_record.name != kNone;
        const std::vector<Function> &functions = m_table.m_functions;
        const auto behind = std::ranges::upper_bound(functions, address, {}, &Function::begin);
        if (behind == functions.begin() || behind == functions.end())
            return false;
        m_begin = std::prev(behind)->begin;
        m_end = behind->begin;
        m_record = readRecord(m_records.at(std::prev(behind)->record), m_header);
        if (nameAt(m_record.name).empty())
            m_record.name = kNone;
        m_files = valuesOf(m_record.files);
        m_lines = valuesOf(m_record.lines);
        m_inlineIndexes = m_record.inlineTree == kNone ? Values() : valuesOf(m_record.inlineIndexes);
        return m_record.name != kNone;
    }

    Values valuesOf(std::uint32_t table)
    {
        constexpr std::size_t kLongestPair = 20;
        Values values;
        std::uint64_t place = table;
        std::uint64_t address = m_begin;
        std::uint32_t value = kNone; // -1
        Cursor cursor = m_values.at(place);
        std::size_t began = cursor.position();
        while (table != 0 && address < m_end && m_pairsLeft > 0) {
            if (cursor.left() < kLongestPair) {
                place += cursor.position() - began;
                cursor = m_values.at(place);
                began = cursor.position();
            }
            const auto difference = static_cast<std::uint32_t>(cursor.uleb());
            if (!cursor.isGood() || (difference == 0 && !values.runs.empty()))
                break;
            value += (difference & 1) != 0 ? ~(difference >> 1) : difference >> 1;
            address += cursor.uleb() * m_header.instructionSize;
            values.runs.push_back({address, static_cast<std::int32_t>(value)});
            --m_pairsLeft;
        }
        return values;
    }

    std::optional<InlinedCall> callAt(std::uint64_t address)
    {
        const std::int32_t index = m_inlineIndexes.at(address);
        if (index < 0)
            return std::nullopt;
        const std::uint64_t size = m_header.layout >= Layout::Go20 ? 16 : 20;
        const std::uint64_t place = m_record.inlineTree + static_cast<std::uint64_t>(index) * size;
        const InlinedCall call = readCall(m_calls.at(place), m_header.layout);
        const bool isCall = call.place < m_end - m_begin && !nameAt(call.name).empty();
        return isCall ? std::optional(call) : std::nullopt;
    }

    SymbolLine placeOf(std::uint64_t address)
    {
        SymbolLine place;
        place.line = std::max(m_lines.at(address), 0);
        if (const std::int32_t file = m_files.at(address); file >= 0)
            place.file = fileName(static_cast<std::uint32_t>(file));
        return place;
    }

    const SharedText &fileName(std::uint32_t number)
    {
        constexpr std::uint64_t kEntry = sizeof(std::uint32_t);
        std::uint32_t place = 0;
        if (m_header.layout == Layout::Go2) // places count from the begin of the table, as those of names do
            place = m_fileNames.at(number * kEntry).u32();
        else
            place = m_unitFiles.at((std::uint64_t(m_record.unit) + number) * kEntry).u32();
        return textAt(m_header.layout == Layout::Go2 ? m_names : m_fileNames, m_fileTexts, place);
    }
    const SharedText &nameAt(std::uint32_t place) { return textAt(m_names, m_nameTexts, place); }
    const SharedText &sourceNameAt(std::uint32_t place)
    {
        const auto [text, isNew] = m_sourceNames.try_emplace(place);
        if (isNew)
            text->second = demangled(nameAt(place).str());
        return text->second;
    }

    using Texts = std::unordered_map<std::uint32_t, SharedText>;

    static const SharedText &textAt(SectionWindow &window, Texts &texts, std::uint32_t place)
    {
        const auto [text, isNew] = texts.try_emplace(place);
        if (isNew && place != kNone)
            text->second = window.at(place).text();
        return text->second;
    }

    const GoTable &m_table;
    const Header &m_header;
    SectionWindow m_records;
    SectionWindow m_names;
    SectionWindow m_unitFiles;
    SectionWindow m_fileNames;
    SectionWindow m_values;
    SectionWindow m_calls;
    std::uint64_t m_pairsLeft; ///< so many are read of tables, that a crafted one costs no more
    Texts m_nameTexts;
    Texts m_sourceNames;
    Texts m_fileTexts;

    std::uint64_t m_begin = 0; ///< of the function at hand
    std::uint64_t m_end = 0;
    Record m_record;
    Values m_files;
    Values m_lines;
    Values m_inlineIndexes;
};

std::shared_ptr<const GoTable> GoTable::of(const ElfFile &file)
{
    auto module = findModule(file);
    return module ? of(std::move(*module)) : nullptr;
}

std::shared_ptr<const GoTable> GoTable::of(Module module)
{
    const std::shared_ptr<GoTable> table(new GoTable(std::move(module)));
    return table->readFunctions() ? table : nullptr;
}

bool GoTable::readFunctions()
{
    const Header &header = m_module.header;
    const std::uint64_t size = (2 * header.functionCount + 1) * header.fieldSize();
    const auto bytes = m_module.table.read(header.functionTable, size);
    if (!bytes)
        return false;
    auto relocation = m_module.relocations.begin();
    Cursor cursor(*bytes, header.byteOrder);
    m_functions.reserve(header.functionCount + 1);
    for (std::uint64_t i = 0; i <= header.functionCount; ++i) {
        const std::uint64_t place = header.functionTable + cursor.position();
        std::uint64_t begin = cursor.unsignedOf(header.fieldSize());
        while (relocation != m_module.relocations.end() && relocation->place < place)
            ++relocation;
        if (relocation != m_module.relocations.end() && relocation->place == place)
            begin = relocation->value;
        const std::uint64_t record = i < header.functionCount ? cursor.unsignedOf(header.fieldSize()) : 0;
        m_functions.push_back({begin + (header.layout >= Layout::Go18 ? m_module.text : 0), record});
    }
    return cursor.isGood() && std::ranges::is_sorted(m_functions, {}, &Function::begin);
}

std::vector<std::vector<SymbolLine>> GoTable::linesOf(std::span<const std::uint64_t> addresses,
                                                      const std::stop_token &stop) const
{
    std::vector<std::vector<SymbolLine>> chains(addresses.size());
    Worker worker(*this);
    for (std::size_t i = 0; i < addresses.size() && !stop.stop_requested(); ++i)
        chains[i] = worker.chainAt(addresses[i]);
    return chains;
}

} // namespace hearth
