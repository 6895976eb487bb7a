#include "app/cli/options.h"

#include "model/lens/time_text.h"
#include "model/store/store.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace hearth::cli {

namespace {

/// "512M", "4G", "1000000"
std::optional<std::size_t> parseSize(std::string_view text)
{
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    constexpr std::array<std::string_view, 5> kUnits{"", "K", "M", "G", "T"};
    const auto known = std::ranges::find(kUnits, unit);
    if (error != std::errc() || known == kUnits.end())
        return std::nullopt;
    const auto shift = static_cast<unsigned>(10 * (known - kUnits.begin()));
    return number > (Store::kUnlimited >> shift) ? std::nullopt : std::optional(number << shift);
}

} // namespace

std::size_t halfOfMemory()
{
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long pageSize = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && pageSize > 0
               ? static_cast<std::size_t>(pages) / 2 * static_cast<std::size_t>(pageSize)
               : Store::kUnlimited;
}

Result<std::size_t> memoryOption(const Arguments &arguments)
{
    const auto text = arguments.value("memory");
    if (!text)
        return halfOfMemory();
    if (const auto size = parseSize(*text))
        return *size;
    return failure("--memory needs a size like 512M or 4G, not '" + *text + "'");
}

Result<std::optional<std::chrono::nanoseconds>> durationOption(const Arguments &arguments,
                                                               std::string_view option)
{
    const auto text = arguments.value(option);
    if (!text)
        return std::optional<std::chrono::nanoseconds>();
    const Result<TimeTerm> term = parseTimeTerm(".." + *text);
    if (!term || !term->to || term->to->base != TimeBase::Start)
        return failure("--" + std::string(option) + " needs a duration like 10s or 1.5min, not '" + *text +
                       "'");
    return std::optional(std::chrono::nanoseconds(term->to->ns));
}

} // namespace hearth::cli
