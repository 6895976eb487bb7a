#include "ui/theme/figures.h"

#include "model/lens/units.h"
#include "model/store/losses.h"
#include "model/views/difference.h"
#include "model/views/series_choice.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace hearth {

QString valueText(std::int64_t value, std::string_view unit)
{
    QString text = QString::fromStdString(humanValue(value, unit));
    return text.replace(QLatin1Char(' '), QChar(0x202f));
}

QString shareText(double part, double whole)
{
    if (whole == 0)
        return QStringLiteral("–");
    const double percent = 100 * part / whole;
    const int decimals = std::abs(percent) < 10 ? 2 : std::abs(percent) < 99.95 ? 1 : 0;
    return QString::number(percent, 'f', decimals) + QChar(0x202f) + QLatin1Char('%');
}

QString signedText(std::int64_t value, std::string_view unit)
{
    QString text = valueText(value, unit);
    if (value > 0)
        text.prepend(QLatin1Char('+'));
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

QString growthText(const Change &change)
{
    if (change.delta() == 0)
        return QStringLiteral("±0");
    const std::optional<double> growth = change.growth();
    if (!growth)
        return QStringLiteral("new");
    QString text = shareText(*growth, 1);
    if (*growth > 0)
        text.prepend(QLatin1Char('+'));
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

double percentOf(std::int64_t part, std::int64_t whole)
{
    if (whole == 0)
        return 0;
    return std::round(1e5 * static_cast<double>(part) / static_cast<double>(whole)) / 1e3;
}

QString countText(std::uint64_t count)
{
    return QLocale().toString(qulonglong(count));
}

QString bytesText(std::uint64_t bytes)
{
    return valueText(static_cast<std::int64_t>(bytes), "bytes");
}

QString seriesTitle(const SeriesChoice &series)
{
    QString title = QString::fromStdString(series.type).replace(QLatin1Char('_'), QLatin1Char(' '));
    if (isTimeUnit(series.unit) && series.type == "cpu")
        return QCoreApplication::translate("figures", "CPU time");
    if (title.isEmpty())
        return QString::fromStdString(series.name());
    title[0] = title[0].toUpper();
    return title;
}

QStringList lossLines(const Losses &losses)
{
    QStringList lines;
    for (std::size_t kind = 0; kind < kLossKinds; ++kind)
        if (const std::uint64_t count = losses.count(static_cast<Loss>(kind)); count > 0)
            lines += countText(count) + QStringLiteral(" × ") +
                     qString(describe(static_cast<Loss>(kind)).explanation);
    for (const std::string &detail : losses.details())
        lines += qString(detail);
    return lines;
}

} // namespace hearth
