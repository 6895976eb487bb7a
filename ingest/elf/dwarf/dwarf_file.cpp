#include "ingest/elf/dwarf/dwarf_file.h"

#include "ingest/elf/dwarf/functions.h"
#include "ingest/elf/dwarf/line_program.h"
#include "ingest/elf/dwarf/package.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>
#include <unordered_map>
#include <utility>

namespace hearth {

using namespace dwarf;

namespace {

/// Addresses that a unit is asked for.
struct Task {
    std::uint32_t unit = 0;
    std::vector<std::uint64_t> addresses;
    std::vector<std::size_t> places; ///< of each address in what was asked
};

/// The rest of a unit whose skeleton is in the program (split DWARF).
struct SplitUnit {
    Sections sections;
    std::vector<Unit> units;
    Unit unit;
};

std::string besides(const std::string &path, const std::string &name)
{
    return (std::filesystem::path(path).parent_path() / name).string();
}

/// @return null unless the rest of that skeleton is in the sections
std::unique_ptr<SplitUnit> unitIn(Sections sections, const Unit &skeleton)
{
    auto split = std::make_unique<SplitUnit>();
    split->sections = std::move(sections);
    split->units = readUnits(split->sections, split->sections, nullptr);
    const auto found = std::ranges::find(split->units, skeleton.dwoId, &Unit::dwoId);
    if (found == split->units.end())
        return nullptr;
    for (Unit &unit : split->units)
        unit.addressBase = skeleton.addressBase;
    split->unit = *found;
    split->unit.lowPc = skeleton.lowPc;
    split->unit.rangesBase = skeleton.splitRangesBase;
    return split;
}

/// Where the compiler put it, beside the program, or in a package of them all.
std::unique_ptr<SplitUnit> openSplit(const Unit &skeleton, const ElfFile &program)
{
    const std::string fileName = std::filesystem::path(skeleton.dwoName).filename().string();
    const std::string asBuilt =
        skeleton.dwoName.starts_with('/') ? skeleton.dwoName : skeleton.folder + '/' + skeleton.dwoName;
    for (const std::string &path :
         {asBuilt, besides(program.name(), skeleton.dwoName), besides(program.name(), fileName)})
        if (const auto file = ElfFile::open(path))
            if (auto split = unitIn(Sections::ofSplit(**file), skeleton))
                return split;
    constexpr std::string_view kDebug = ".debug"; // whose program's name it has before that
    const std::string &name = program.name();
    const std::string stem = name.ends_with(kDebug) ? name.substr(0, name.size() - kDebug.size()) : name;
    for (const std::string &path : {name + ".dwp", stem + ".dwp"})
        if (const auto file = ElfFile::open(path))
            if (auto sections = sectionsInPackage(**file, skeleton.dwoId))
                if (auto split = unitIn(std::move(*sections), skeleton))
                    return split;
    return nullptr;
}

} // namespace

struct DwarfFile::Supplement {
    std::shared_ptr<const ElfFile> file;
    Sections sections;
    std::vector<Unit> units;
};

/// What one thread needs to answer tasks.
class DwarfFile::Worker {
public:
    explicit Worker(const DwarfFile &file)
        : m_file(file), m_reader(*file.m_sections, *file.m_sections),
          m_names(*file.m_sections, *file.m_sections, file.m_units)
    {
        if (file.m_supplement == nullptr)
            return;
        const Supplement &supplement = *file.m_supplement;
        m_supplement.emplace(supplement.sections, supplement.sections, supplement.units);
        m_names.setSupplement(&*m_supplement);
    }

    void answer(const Task &task, std::vector<std::vector<SymbolLine>> &answers)
    {
        const Unit &unit = m_file.m_units[task.unit];
        const std::vector<Row> rows = rowsOf(unit, task.addresses);
        if (unit.dwoName.empty())
            return answer(task, rows, unit, *m_file.m_sections, m_reader, m_names, answers);
        if (const auto split = openSplit(unit, *m_file.m_file)) {
            Reader reader(split->sections, *m_file.m_sections);
            FunctionNames names(split->sections, *m_file.m_sections, split->units);
            return answer(task, rows, split->unit, split->sections, reader, names, answers);
        }
        for (std::size_t i = 0; i < rows.size(); ++i)
            answers[task.places[i]] = chainOf(rows[i], {}, Scope::kNone, m_names);
    }

private:
    void answer(const Task &task, std::span<const Row> rows, const Unit &unit, const Sections &sections,
                Reader &reader, FunctionNames &names, std::vector<std::vector<SymbolLine>> &answers)
    {
        m_bytes.resize(unit.size);
        if (sections.info.read(unit.offset, std::span(m_bytes)) < unit.size)
            return;
        const Abbreviations abbreviations(sections.abbreviations, unit);
        const Scopes scopes = scopesOf(unit, m_bytes, abbreviations, reader, task.addresses, rows);
        names.setUnit(unit, m_bytes);
        for (std::size_t i = 0; i < rows.size(); ++i)
            answers[task.places[i]] = chainOf(rows[i], scopes, scopes.innermost[i], names);
        names.setUnit(unit, {});
    }

    std::vector<Row> rowsOf(const Unit &unit, std::span<const std::uint64_t> addresses)
    {
        m_lines.reset();
        m_files.clear();
        if (!unit.lineProgram)
            return std::vector<Row>(addresses.size());
        m_lines = std::make_unique<LineProgram>(*m_file.m_sections, *unit.lineProgram, unit);
        m_files.resize(m_lines->fileCount());
        return m_lines->rowsOf(addresses);
    }

    std::vector<SymbolLine> chainOf(const Row &row, const Scopes &scopes, std::uint32_t innermost,
                                    FunctionNames &names)
    {
        std::vector<SymbolLine> chain;
        std::size_t depth = 0;
        for (std::uint32_t i = innermost; i != Scope::kNone; i = scopes.all[i].around)
            ++depth;
        chain.reserve(depth);
        SymbolLine place;
        if (row.isFound)
            place = placeOf(row.file, row.line, row.column);
        for (std::uint32_t i = innermost; i != Scope::kNone; i = scopes.all[i].around) {
            const Scope &scope = scopes.all[i];
            const FunctionName &function = names.of(scope.entry);
            place.name = function.name;
            place.systemName = function.linkage;
            place.startLine = static_cast<std::int64_t>(function.line);
            chain.push_back(std::move(place));
            place = placeOf(scope.callFile, scope.callLine, scope.callColumn);
        }
        if (chain.empty() && row.isFound)
            chain.push_back(std::move(place));
        return chain;
    }

    SymbolLine placeOf(std::uint64_t file, std::uint64_t line, std::uint64_t column)
    {
        SymbolLine place;
        if (file < m_files.size())
            place.file = fileText(file);
        place.line = static_cast<std::int64_t>(line);
        place.column = static_cast<std::int32_t>(column);
        return place;
    }

    /// Units have headers in common.
    const SharedText &fileText(std::uint64_t number)
    {
        SharedText &file = m_files[number];
        if (file.empty()) {
            const SharedText text = m_lines->file(number);
            file = m_fileTexts.try_emplace(text, text).first->second;
        }
        return file;
    }

    const DwarfFile &m_file;
    Reader m_reader;
    FunctionNames m_names;
    std::optional<FunctionNames> m_supplement;
    std::unique_ptr<LineProgram> m_lines; ///< of the unit at hand
    std::vector<SharedText> m_files;      ///< of that, by number, as far as they were asked for
    std::unordered_map<std::string_view, SharedText> m_fileTexts;
    std::vector<std::uint8_t> m_bytes; ///< of the unit at hand
};

DwarfFile::DwarfFile() = default;
DwarfFile::~DwarfFile() = default;

std::shared_ptr<const DwarfFile> DwarfFile::of(const std::shared_ptr<const ElfFile> &file,
                                               std::shared_ptr<const ElfFile> supplement)
{
    if (file->byteOrder() != std::endian::little)
        return nullptr; // their symbol tables have to do
    const std::shared_ptr<DwarfFile> dwarf(new DwarfFile);
    dwarf->m_file = file;
    dwarf->m_sections = std::make_unique<Sections>(Sections::of(*file));
    std::vector<std::vector<AddressRange>> ranges;
    dwarf->m_units = readUnits(*dwarf->m_sections, *dwarf->m_sections, &ranges);
    if (dwarf->m_units.empty())
        return nullptr;
    for (std::uint32_t unit = 0; unit < ranges.size(); ++unit)
        for (const AddressRange &range : ranges[unit])
            dwarf->m_ranges.push_back({range.begin, range.end, unit});
    std::ranges::sort(dwarf->m_ranges, {}, &UnitRange::begin);
    if (supplement) {
        auto opened = std::make_unique<Supplement>();
        opened->sections = Sections::of(*supplement);
        opened->file = std::move(supplement);
        opened->units = readUnits(opened->sections, opened->sections, nullptr);
        dwarf->m_supplement = std::move(opened);
    }
    return dwarf;
}

std::optional<std::uint32_t> DwarfFile::unitOf(std::uint64_t address) const
{
    constexpr int kMostLookedBack = 16; // units whose code is within another one's
    auto range = std::ranges::upper_bound(m_ranges, address, {}, &UnitRange::begin);
    for (int i = 0; i < kMostLookedBack && range != m_ranges.begin(); ++i)
        if (address < (--range)->end)
            return range->unit;
    return std::nullopt;
}

std::vector<std::vector<SymbolLine>> DwarfFile::linesOf(std::span<const std::uint64_t> addresses,
                                                        const std::stop_token &stop) const
{
    std::vector<Task> tasks;
    std::vector<std::uint32_t> taskOf(m_units.size(), ~0U);
    for (std::size_t place = 0; place < addresses.size(); ++place) {
        const std::optional<std::uint32_t> unit = unitOf(addresses[place]);
        if (!unit)
            continue;
        if (taskOf[*unit] == ~0U) {
            taskOf[*unit] = static_cast<std::uint32_t>(tasks.size());
            tasks.push_back({.unit = *unit, .addresses = {}, .places = {}});
        }
        Task &task = tasks[taskOf[*unit]];
        task.addresses.push_back(addresses[place]);
        task.places.push_back(place);
    }
    std::vector<std::vector<SymbolLine>> answers(addresses.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        Worker worker(*this);
        for (std::size_t task = next++; task < tasks.size() && !stop.stop_requested(); task = next++)
            worker.answer(tasks[task], answers);
    };
    const std::size_t helpers =
        std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), tasks.size());
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < helpers; ++i)
        threads.emplace_back(work);
    work();
    threads.clear();
    return answers;
}

} // namespace hearth
