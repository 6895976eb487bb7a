#include "agent/symbols/names.h"

#include "agent/symbols/demangle.h"

namespace hearth::agent {

std::optional<FunctionName> functionAt(Binary &binary, std::uint64_t address)
{
    if (!binary.image)
        return std::nullopt;
    if (!binary.symbols) {
        binary.debug = debugFileOf(binary.buildId);
        binary.symbols = SymbolTable::read(*binary.image, binary.debug ? &*binary.debug : nullptr);
    }
    auto linkerName = binary.symbols->nameAt(address);
    if (!linkerName)
        return std::nullopt;
    FunctionName function{.name = demangled(*linkerName), .systemName = {}};
    if (function.name != *linkerName)
        function.systemName = std::move(*linkerName);
    return function;
}

} // namespace hearth::agent
