#include "ui/overview/overview_text.h"

#include "ui/theme/figures.h"
#include "ui/theme/function_names.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QStringList>

#include <algorithm>
#include <span>

namespace hearth {

namespace {

constexpr std::size_t kMostPlaces = 10; ///< attributes that say where all of it is from

QString text(const char *english)
{
    return QCoreApplication::translate("overview", english);
}

/// "2026-11-20 14:02:10 CET, 30 s"; without a date where clocks began with the recording.
QString timesText(const DataSetFacts &facts)
{
    constexpr std::int64_t kFirstDay = 86'400'000'000'000;
    QStringList parts;
    if (facts.from >= kFirstDay)
        parts += QDateTime::fromMSecsSinceEpoch(facts.from / 1'000'000)
                     .toString(QStringLiteral("yyyy-MM-dd hh:mm:ss t"));
    if (facts.to > facts.from)
        parts += valueText(facts.to - facts.from, "nanoseconds");
    return parts.join(QStringLiteral(", "));
}

/// Names and values of what a data set consists of.
QList<std::pair<QString, QString>> sizesOf(const Snapshot &snapshot)
{
    QList<std::pair<QString, QString>> sizes;
    const auto add = [&](const QString &name, std::uint64_t count) {
        if (count > 0)
            sizes.append({name, countText(count)});
    };
    add(text("Samples"), snapshot.sampleCount());
    add(text("Stacks"), snapshot.stacks.size() - 1);
    add(text("Functions"), snapshot.functions.size());
    add(text("Binaries"), snapshot.binaries.size());
    add(text("Spans"), snapshot.spans.rows);
    add(text("Log records"), snapshot.logs.rows);
    add(text("Metrics"), snapshot.metrics.size());
    return sizes;
}

double shareOf(std::int64_t part, std::int64_t whole)
{
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

QString headOf(const QString &title, qsizetype shown, std::size_t all)
{
    return all > std::size_t(shown)
               ? text("%1 · %2 of %3").arg(title, countText(std::size_t(shown)), countText(all))
               : title;
}

} // namespace

RankedRows functionsOf(const Overview &overview)
{
    const Evaluation &evaluation = *overview.evaluation;
    RankedRows list;
    for (const TopRow &row : overview.functions.rows) {
        if (row.self == 0)
            continue;
        list.rows.append({.name = functionText(row.name),
                          .toolTip = qString(row.name),
                          .weight = row.self,
                          .unit = evaluation.series.unit,
                          .share = shareOf(row.self, evaluation.matched),
                          .isFunction = true});
    }
    const auto count = static_cast<qsizetype>(overview.functions.rows.size());
    list.head = headOf(text("Functions, by themselves"), count, overview.functions.rowCount);
    return list;
}

RankedRows binariesOf(const Overview &overview, std::size_t most)
{
    const Evaluation &evaluation = *overview.evaluation;
    const std::size_t all = overview.binaries.rows.size();
    RankedRows list;
    for (const BinaryRow &row : std::span(overview.binaries.rows).first(std::min(all, most)))
        list.rows.append({.name = qString(baseName(row.path)),
                          .toolTip = qString(row.path),
                          .weight = row.self,
                          .unit = evaluation.series.unit,
                          .share = shareOf(row.self, evaluation.matched)});
    list.head = headOf(text("Binaries"), list.rows.size(), all);
    return list;
}

RankedRows valuesOf(const Overview &overview, const AttributeTop &attribute)
{
    const Evaluation &evaluation = *overview.evaluation;
    RankedRows list;
    for (const TopRow &row : attribute.values.rows)
        list.rows.append({.name = row.name.empty() ? text("(none)") : qString(row.name),
                          .toolTip = qString(row.name),
                          .weight = row.total,
                          .unit = evaluation.series.unit,
                          .share = shareOf(row.total, evaluation.matched)});
    QString title = QString::fromStdString(attribute.key);
    title[0] = title[0].toUpper();
    list.head = headOf(title, list.rows.size(), attribute.values.rowCount);
    return list;
}

RankedRows seriesOf(const Overview &overview)
{
    RankedRows list{text("Series"), {}};
    for (const SeriesFacts &series : overview.facts.series)
        list.rows.append({.name = seriesTitle(series.choice),
                          .toolTip = QString::fromStdString(series.choice.name()),
                          .weight = series.total.value,
                          .unit = series.choice.unit});
    return list;
}

QString summaryOf(const Overview &overview)
{
    const Evaluation &evaluation = *overview.evaluation;
    const QString matched = valueText(evaluation.matched, evaluation.series.unit);
    const QString whole = valueText(evaluation.total, evaluation.series.unit);
    const QString series = seriesTitle(evaluation.series);
    return evaluation.matched == evaluation.total ? text("%1: %2").arg(series, whole)
                                                  : text("%1: %2 in view of %3").arg(series, matched, whole);
}

QList<std::pair<QString, QString>> factLines(const Overview &overview)
{
    QList<std::pair<QString, QString>> lines;
    const auto add = [&](const QString &name, const QString &value) {
        if (!value.isEmpty())
            lines.append({name, value});
    };
    const Snapshot &snapshot = *overview.snapshot;
    const DataSetFacts &facts = overview.facts;
    add(text("Format"), QString::fromStdString(facts.format + ' ' + facts.generation).trimmed());
    add(text("Recorded"), timesText(facts));
    lines += sizesOf(snapshot);
    add(text("Names known"), text("%1 of what is in view").arg(shareText(overview.named, 1)));
    add(text("Missing"),
        snapshot.losses.any() ? lossLines(snapshot.losses).join(QLatin1Char('\n')) : text("nothing"));
    std::size_t places = 0;
    for (const AttributeFacts &attribute : facts.attributes)
        if (attribute.isOfResource && attribute.values == 1 && places++ < kMostPlaces)
            add(QString::fromStdString(attribute.key), QString::fromStdString(attribute.only));
    for (const Origin &origin : snapshot.origins)
        for (const std::string &comment : origin.comments)
            add(text("Comment"), QString::fromStdString(comment));
    return lines;
}

} // namespace hearth
