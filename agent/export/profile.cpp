#include "agent/export/profile.h"

namespace hearth::agent {

StringId Profile::string(std::string_view text)
{
    if (text.empty())
        return {};
    const auto [known, isNew] = strings.try_emplace(std::string(text));
    if (isNew)
        known->second = batch.addString(text);
    return known->second;
}

void Profile::setChain(Frame &frame, std::span<const SymbolLine> chain)
{
    frame.lineBegin = static_cast<std::uint32_t>(batch.lines.size());
    frame.lineCount = static_cast<std::uint32_t>(chain.size()) & 0x7fffffffU;
    for (const SymbolLine &line : chain) {
        batch.lines.push_back(
            {.line = line.line, .function = FunctionId(batch.functions.size()), .column = line.column});
        batch.functions.push_back(
            {.startLine = line.startLine,
             .name = string(printable(line.name)),
             .systemName = line.systemName == line.name ? StringId() : string(printable(line.systemName)),
             .file = string(printable(line.file)),
             .reserved = 0});
    }
}

std::string printable(std::string_view text)
{
    std::string safe(text);
    for (char &character : safe)
        if (static_cast<unsigned char>(character) < 0x20 || character == 0x7f)
            character = '?';
    return safe;
}

} // namespace hearth::agent
