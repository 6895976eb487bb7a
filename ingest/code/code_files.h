#pragma once

#include "ingest/code/source_places.h"
#include "ingest/symbols/program_finder.h"
#include "model/code/code_reader.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace hearth {

/// Reads code from the files of this machine.
class CodeFiles : public CodeReader {
public:
    CodeFiles(SearchPlaces programs, SourcePlaces sources);
    ~CodeFiles() override;

    Result<std::vector<CodeExtent>> extentsOf(const Snapshot &snapshot, BinaryId binary,
                                              std::span<const std::uint64_t> offsets) override;
    Result<Disassembly> disassemble(const Snapshot &snapshot, const CodeExtent &extent, AssemblySyntax syntax,
                                    const std::stop_token &stop) override;
    SourceFound findSource(const Snapshot &snapshot, const SourceRequest &request,
                           const std::stop_token &stop) override;

private:
    struct Opened;

    const Opened &opened(const Snapshot &snapshot, BinaryId binary);

    std::mutex m_mutex; ///< held by every call
    const SearchPlaces m_places;
    const SourcePlaces m_sources;
    std::unique_ptr<ProgramFinder> m_finder; ///< made when first needed: it looks at the whole machine
    std::map<std::string, std::unique_ptr<Opened>> m_programs; ///< by path and build
};

} // namespace hearth
