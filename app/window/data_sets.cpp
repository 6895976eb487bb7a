#include "app/window/data_sets.h"

#include "ui/theme/figures.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hearth {

namespace {

/// "1.2 M", "48 k", "312": how many samples a data set has, where there is little room.
QString shortCount(std::uint64_t count)
{
    constexpr std::array<std::pair<double, char>, 3> kSteps{{{1e9, 'G'}, {1e6, 'M'}, {1e3, 'k'}}};
    for (const auto &[step, letter] : kSteps)
        if (const double scaled = static_cast<double>(count) / step; scaled >= 1)
            return QString::number(scaled, 'f', scaled < 10 ? 1 : 0) + QChar(0x202f) + QLatin1Char(letter);
    return QString::number(count);
}

} // namespace

QString DataSets::add(const QString &title, const QString &toolTip, bool isLive,
                      std::shared_ptr<const Snapshot> snapshot)
{
    const QString id = QString::number(m_nextId++);
    m_dataSets.push_back({id, title, toolTip, isLive, std::move(snapshot)});
    Q_EMIT listChanged();
    return id;
}

void DataSets::remove(const QString &id)
{
    if (std::erase_if(m_dataSets, [&](const DataSet &dataSet) { return dataSet.id == id; }) > 0)
        Q_EMIT listChanged();
}

void DataSets::update(const QString &id, std::shared_ptr<const Snapshot> snapshot)
{
    const auto found = std::ranges::find(m_dataSets, id, &DataSet::id);
    if (found == m_dataSets.end())
        return;
    found->snapshot = std::move(snapshot);
    Q_EMIT dataChanged(id);
    Q_EMIT listChanged();
}

void DataSets::finish(const QString &id, const QString &title)
{
    const auto found = std::ranges::find(m_dataSets, id, &DataSet::id);
    if (found == m_dataSets.end())
        return;
    found->isLive = false;
    found->title = title;
    Q_EMIT listChanged();
}

const DataSets::DataSet *DataSets::find(const QString &id) const
{
    const auto found = std::ranges::find(m_dataSets, id, &DataSet::id);
    return found == m_dataSets.end() ? nullptr : &*found;
}

QList<DataSource> DataSets::sources() const
{
    QList<DataSource> sources;
    for (const DataSet &dataSet : m_dataSets)
        sources.push_back({.id = dataSet.id,
                           .name = dataSet.title,
                           .figure = shortCount(dataSet.snapshot->sampleCount()),
                           .toolTip = QStringLiteral("%1\n%2 samples")
                                          .arg(dataSet.toolTip, countText(dataSet.snapshot->sampleCount())),
                           .isLive = dataSet.isLive});
    return sources;
}

} // namespace hearth
