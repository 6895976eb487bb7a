#include "ingest/symbols/program.h"

#include "ingest/elf/demangle.h"

#include <algorithm>

namespace hearth {

namespace {

SymbolSource sourceOf(SymbolTable::Origin origin)
{
    switch (origin) {
    case SymbolTable::Origin::Symbols:
    case SymbolTable::Origin::Mini:
        return SymbolSource::SymbolTable;
    case SymbolTable::Origin::Exported:
        return SymbolSource::ExportedNames;
    case SymbolTable::Origin::None:
        break;
    }
    return SymbolSource::None;
}

} // namespace

Program::Program(ProgramFiles files, PlaceDetail detail)
    : m_files(std::move(files)), m_go(GoTable::of(*m_files.program)), m_table(*m_files.program)
{
    if (m_files.debug) {
        if (detail == PlaceDetail::Lines)
            m_dwarf = DwarfFile::of(m_files.debug, m_files.supplement);
        if (m_table.origin() != SymbolTable::Origin::Symbols && m_files.debug != m_files.program)
            if (SymbolTable table(*m_files.debug); table.origin() == SymbolTable::Origin::Symbols)
                m_table = std::move(table);
    }
    m_table.addLibraryCalls(*m_files.program);
    m_source = m_dwarf ? SymbolSource::DebugInformation
               : m_go  ? SymbolSource::GoTable
                       : sourceOf(m_table.origin());
}

const std::string &Program::sourceFile() const
{
    return (m_dwarf ? m_files.debug : m_files.program)->name();
}

std::vector<std::vector<SymbolLine>> Program::namesOf(std::span<const std::uint64_t> offsets,
                                                      const std::stop_token &stop) const
{
    constexpr std::uint64_t kNowhere = ~std::uint64_t(0);
    std::vector<std::uint64_t> addresses;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < offsets.size(); ++i)
        if (const std::uint64_t address = m_files.program->addressOfOffset(offsets[i]).value_or(kNowhere);
            address != kNowhere) {
            addresses.push_back(address);
            places.push_back(i);
        }
    std::vector<std::size_t> order(addresses.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return addresses[i]; });
    std::vector<std::uint64_t> sorted;
    for (const std::size_t i : order)
        sorted.push_back(addresses[i]);

    std::vector<std::vector<SymbolLine>> names(offsets.size());
    std::vector<std::vector<SymbolLine>> chains = chainsOf(sorted, stop);
    for (std::size_t i = 0; i < sorted.size() && !stop.stop_requested(); ++i) {
        nameFunction(sorted[i], chains[i]);
        names[places[order[i]]] = std::move(chains[i]);
    }
    return names;
}

/// What debug information tells; of what it does not, what the program tells itself.
std::vector<std::vector<SymbolLine>> Program::chainsOf(std::span<const std::uint64_t> addresses,
                                                       const std::stop_token &stop) const
{
    if (!m_dwarf)
        return m_go ? m_go->linesOf(addresses, stop) : std::vector<std::vector<SymbolLine>>(addresses.size());
    auto chains = m_dwarf->linesOf(addresses, stop);
    if (!m_go)
        return chains;
    std::vector<std::uint64_t> left;
    for (std::size_t i = 0; i < chains.size(); ++i)
        if (chains[i].empty())
            left.push_back(addresses[i]);
    auto found = m_go->linesOf(left, stop);
    for (std::size_t i = 0, next = 0; i < chains.size(); ++i)
        if (chains[i].empty())
            chains[i] = std::move(found[next++]);
    return chains;
}

/// Lets the symbol table name the outermost function where debug information has no name for it, or only
/// the last part of one.
void Program::nameFunction(std::uint64_t address, std::vector<SymbolLine> &chain) const
{
    const bool isNamed = !chain.empty() && !chain.back().name.empty();
    if (isNamed && chain.back().systemName != chain.back().name)
        return;
    const auto symbol = m_table.find(address);
    if (!symbol) {
        if (!isNamed)
            chain.clear();
        return;
    }
    std::string name = demangled(symbol->name);
    if (isNamed && name == symbol->name)
        return; // nothing but a suffix would be gained
    if (chain.empty())
        chain.emplace_back();
    chain.back().name = std::move(name);
    chain.back().systemName = symbol->name;
}

} // namespace hearth
