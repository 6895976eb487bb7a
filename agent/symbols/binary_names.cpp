#include "agent/symbols/binary_names.h"

#include <array>

namespace hearth::agent {

namespace {

/// What comes up is asked for again every second. It is not to be kept for ever.
constexpr std::size_t kMostKnown = 2048;

/// The debug file of this build where distributions put it; null if there is none.
std::shared_ptr<const ElfFile> debugFileOf(const std::string &buildId)
{
    if (buildId.size() < 4)
        return nullptr;
    const auto file = ElfFile::open("/usr/lib/debug/.build-id/" + buildId.substr(0, 2) + "/" +
                                    buildId.substr(2) + ".debug");
    return file && (*file)->buildId() == buildId ? *file : nullptr;
}

} // namespace

BinaryNames::BinaryNames(const std::shared_ptr<const ElfFile> &file)
    : m_file(file), m_program({.program = file, .debug = debugFileOf(file->buildId()), .supplement = nullptr},
                              PlaceDetail::Functions)
{}

const std::vector<SymbolLine> &BinaryNames::at(std::uint64_t address)
{
    const auto known = m_known.find(address);
    if (known != m_known.end())
        return known->second;
    if (m_known.size() >= kMostKnown)
        m_known.clear();
    return m_known.emplace(address, find(address)).first->second;
}

std::vector<SymbolLine> BinaryNames::find(std::uint64_t address) const
{
    const auto offset = m_file->offsetOfAddress(address);
    if (!offset)
        return {};
    return m_program.namesOf(std::array{*offset}).front();
}

} // namespace hearth::agent
