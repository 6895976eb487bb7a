#pragma once

#include "model/views/overview.h"

#include <QList>
#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

// An overview as people read it: for its tab, and for reports.

namespace hearth {

/// A line of a list.
struct RankedRow {
    QString name;
    QString toolTip;
    std::int64_t weight = 0;
    std::string unit;
    std::optional<double> share = {}; ///< of all that is looked at
    bool isFunction = false;
};

/// A short list of what weighs most, the heaviest first.
struct RankedRows {
    QString head; ///< "Functions, by themselves · 8 of 90"
    QList<RankedRow> rows;
};

RankedRows functionsOf(const Overview &overview);
/// @param most so many rows
RankedRows binariesOf(const Overview &overview, std::size_t most);
RankedRows valuesOf(const Overview &overview, const AttributeTop &attribute);
RankedRows seriesOf(const Overview &overview);

/// "CPU time: 1.27 s in view of 5.82 s"
QString summaryOf(const Overview &overview);

/// What the data set is: names and values.
QList<std::pair<QString, QString>> factLines(const Overview &overview);

} // namespace hearth
