#pragma once

#include "ui/code/assembly_pane.h"
#include "ui/code/source_pane.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace hearth {

/// Which code is wanted.
struct CodeRequest {
    std::shared_ptr<const Snapshot> snapshot;
    Lens lens;
    std::string function;
    std::int64_t firstLine = 0; ///< of the function; 0: nobody knows
    std::size_t source = 0;     ///< the how manieth of its files
    std::size_t occurrence = 0; ///< and of its occurrences
    AssemblySyntax syntax = AssemblySyntax::Intel;
    std::shared_ptr<CodeReader> reader; ///< null: only what is known without files

    bool operator==(const CodeRequest &) const = default;
};

/// What the Source tab shows of a function.
struct ShownCode {
    FunctionCode code;
    std::vector<std::string> problems; ///< why there is nothing, or not all
    std::size_t source = 0;
    std::size_t occurrence = 0;
    std::shared_ptr<const ShownSource> shownSource;     ///< null: nobody says which file it is
    std::shared_ptr<const ShownAssembly> shownAssembly; ///< null: no occurrence is known
    std::string unit;
    std::int64_t total = 0; ///< of the series
};

/// Takes as long as reading files does. @return null if stopped; an error if the lens does not fit
Result<std::shared_ptr<const ShownCode>> shownCodeOf(const CodeRequest &request, CodeWeigher &weigher,
                                                     const std::stop_token &stop);

} // namespace hearth
