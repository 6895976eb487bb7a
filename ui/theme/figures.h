#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <string_view>

// Texts and figures as every view of the window writes them.

namespace hearth {

struct Change;
struct SeriesChoice;
class Losses;

inline QString qString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// "1.27 s"
QString valueText(std::int64_t value, std::string_view unit);

/// "+1.27 s"
QString signedText(std::int64_t value, std::string_view unit);

/// "21.9 %"
QString shareText(double part, double whole);

/// "+21.9 %"; "new" where there was nothing, "±0" where there is no change.
QString growthText(const Change &change);

/// 21.9 of 100, to three digits behind the point.
double percentOf(std::int64_t part, std::int64_t whole);

/// "1,204,118"
QString countText(std::uint64_t count);

/// "412 MiB"
QString bytesText(std::uint64_t bytes);

/// "CPU time" for cpu/nanoseconds: a series as people speak of it.
QString seriesTitle(const SeriesChoice &series);

/// A line for each kind of loss, and what is known of the first cases.
QStringList lossLines(const Losses &losses);

} // namespace hearth
