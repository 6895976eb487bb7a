#include "model/lens/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

namespace hearth {

namespace {

struct Unit {
    std::string_view name;      ///< pprof's
    std::string_view humanName; ///< ours
    double factor;
    std::array<std::string_view, 4> words; ///< lower-case, singular; empty behind the last
};

struct Family {
    std::span<const Unit> units; ///< ascending
    std::string_view defaultName;
    double defaultFactor;
};

constexpr double kKibi = 1024;
constexpr Unit kSizes[] = {
    {"B", "B", 1, {"b", "byte"}},
    {"kB", "KiB", kKibi, {"kb", "kbyte", "kilobyte"}},
    {"MB", "MiB", kKibi *kKibi, {"mb", "mbyte", "megabyte"}},
    {"GB", "GiB", kKibi *kKibi *kKibi, {"gb", "gbyte", "gigabyte"}},
    {"TB", "TiB", kKibi *kKibi *kKibi *kKibi, {"tb", "tbyte", "terabyte"}},
    {"PB", "PiB", kKibi *kKibi *kKibi *kKibi *kKibi, {"pb", "pbyte", "petabyte"}},
};
// pprof lists μs as well, but takes the s for a plural before it looks. Here both of Unicode's letters for it
// work.
constexpr Unit kTimes[] = {
    {"ns", "ns", 1, {"ns", "nanosecond"}},
    {"us", "\u00b5s", 1e3, {"us", "microsecond", "\u03bc", "\u00b5"}},
    {"ms", "ms", 1e6, {"ms", "millisecond"}},
    {"s", "s", 1e9, {"s", "sec", "second"}},
    {"hrs", "h", 3600e9, {"hr", "hour"}},
};
constexpr Unit kComputeUnits[] = {
    {"n*GCU", "nGCU", 1e-9, {"nanogcu"}},  {"u*GCU", "\u00b5GCU", 1e-6, {"microgcu"}},
    {"m*GCU", "mGCU", 1e-3, {"milligcu"}}, {"GCU", "GCU", 1, {"gcu"}},
    {"k*GCU", "kGCU", 1e3, {"kilogcu"}},   {"M*GCU", "MGCU", 1e6, {"megagcu"}},
    {"G*GCU", "GGCU", 1e9, {"gigagcu"}},   {"T*GCU", "TGCU", 1e12, {"teragcu"}},
    {"P*GCU", "PGCU", 1e15, {"petagcu"}},
};
constexpr Family kSizeFamily{kSizes, "B", 1};
constexpr Family kTimeFamily{kTimes, "s", 1e9};
constexpr Family kComputeFamily{kComputeUnits, "GCU", 1};
constexpr const Family *kFamilies[] = {&kSizeFamily, &kTimeFamily, &kComputeFamily};

const Unit *findUnit(const Family &family, std::string_view word)
{
    std::string lower(word);
    std::ranges::transform(lower, lower.begin(), [](char c) {
        return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    });
    if (lower.size() > 2 && lower.ends_with('s'))
        lower.pop_back();
    if (lower.empty())
        return nullptr;
    for (const Unit &unit : family.units)
        if (std::ranges::find(unit.words, lower) != unit.words.end())
            return &unit;
    return nullptr;
}

/// The largest unit in which the value is at least 1.
const Unit *largestUnit(const Family &family, double baseValue)
{
    const Unit *largest = nullptr;
    for (const Unit &unit : family.units)
        if (baseValue / unit.factor >= 1.0)
            largest = &unit;
    return largest;
}

Scaled convert(const Family &family, double baseValue, std::string_view to)
{
    const bool isAutomatic = to == "auto" || to == "minimum";
    const Unit *unit = isAutomatic ? largestUnit(family, baseValue) : findUnit(family, to);
    if (unit == nullptr)
        return {baseValue / family.defaultFactor, std::string(family.defaultName)};
    return {baseValue / unit->factor, std::string(unit->name)};
}

/// Unlike printf, does not ask the locale for its decimal comma.
std::string fixed(double value, int decimals)
{
    std::array<char, 400> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                      std::chars_format::fixed, decimals);
    return {buffer.data(), result.ptr};
}

/// How many decimals leave three digits once rounded.
int decimalsFor(double value)
{
    if (value < 9.995)
        return 2;
    return value < 99.95 ? 1 : 0;
}

std::string humanScaled(const Family &family, double baseValue)
{
    if (baseValue == 0)
        return "0 " + std::string(family.defaultName);
    const Unit *unit = largestUnit(family, baseValue);
    if (unit == nullptr)
        unit = &family.units.front();
    // What would be rounded up to a full next unit is shown in that one: 1.00 ms, not 1000 µs.
    const bool isLast = unit == &family.units.back();
    if (!isLast && std::round(baseValue / unit->factor) * unit->factor >= unit[1].factor)
        ++unit;
    const double value = baseValue / unit->factor;
    const int decimals = unit == &family.units.front() ? 0 : decimalsFor(value);
    return fixed(value, decimals) + ' ' + std::string(unit->humanName);
}

bool saysNothing(std::string_view unit)
{
    return unit.empty() || unit == "count" || unit == "sample" || unit == "samples" || unit == "unit" ||
           unit == "1";
}

} // namespace

Scaled scaleReal(double value, std::string_view from, std::string_view to)
{
    if (value < 0) {
        Scaled scaled = scaleReal(-value, from, to);
        scaled.value = -scaled.value;
        return scaled;
    }
    for (const Family *family : kFamilies)
        if (const Unit *unit = findUnit(*family, from))
            return convert(*family, value * unit->factor, to);
    const bool isBoring = to == "count" || to == "sample" || to == "unit" || to == "minimum" || to == "auto";
    return {value, std::string(isBoring ? "" : to)};
}

Scaled scale(std::int64_t value, std::string_view from, std::string_view to)
{
    return scaleReal(static_cast<double>(value), from, to);
}

std::string scaledLabel(std::int64_t value, std::string_view from, std::string_view to)
{
    const Scaled scaled = scale(value, from, to);
    std::string label = fixed(scaled.value, 2);
    if (label.ends_with(".00"))
        label.resize(label.size() - 3);
    return label == "0" || label == "-0" ? "0" : label + scaled.unit;
}

bool isTimeUnit(std::string_view unit)
{
    return findUnit(kTimeFamily, unit) != nullptr;
}

bool isByteUnit(std::string_view unit)
{
    return findUnit(kSizeFamily, unit) != nullptr;
}

std::string humanValue(std::int64_t value, std::string_view unit)
{
    for (const Family *family : kFamilies)
        if (const Unit *known = findUnit(*family, unit)) {
            const double baseValue = static_cast<double>(value) * known->factor;
            return (value < 0 ? "-" : "") + humanScaled(*family, std::abs(baseValue));
        }
    const std::string digits = std::to_string(value);
    return saysNothing(unit) ? digits : digits + ' ' + std::string(unit);
}

std::vector<HumanUnit> humanUnits(std::string_view unit)
{
    std::vector<HumanUnit> units;
    for (const Family *family : kFamilies)
        if (const Unit *known = findUnit(*family, unit)) {
            for (const Unit &one : family->units)
                units.push_back({std::string(one.humanName), one.factor / known->factor});
            break;
        }
    return units;
}

std::string_view shownUnit(std::string_view unit)
{
    return saysNothing(unit) ? std::string_view() : unit;
}

} // namespace hearth
