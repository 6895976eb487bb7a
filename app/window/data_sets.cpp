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
    m_dataSets.push_back(
        {.id = id, .title = title, .toolTip = toolTip, .isLive = isLive, .snapshot = std::move(snapshot)});
    Q_EMIT listChanged();
    return id;
}

QString DataSets::addGrowing(const QString &title, std::shared_ptr<const Snapshot> snapshot)
{
    const QString id = add(title, tr("is still being read"), false, std::move(snapshot));
    known(id)->isGrowing = true;
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
    DataSet *found = known(id);
    if (found == nullptr)
        return;
    found->snapshot = std::move(snapshot);
    Q_EMIT dataChanged(id);
    Q_EMIT listChanged();
}

void DataSets::finish(const QString &id, const QString &title, const QString &toolTip)
{
    if (DataSet *found = known(id); found != nullptr) {
        found->isLive = found->isGrowing = false;
        found->title = title;
        if (!toolTip.isEmpty())
            found->toolTip = toolTip;
        Q_EMIT listChanged();
    }
}

void DataSets::setTitle(const QString &id, const QString &title)
{
    if (DataSet *found = known(id); found != nullptr && std::exchange(found->title, title) != title)
        Q_EMIT listChanged();
}

void DataSets::setFiles(const QString &id, std::vector<SourceFile> files, std::uint64_t savedSamples)
{
    if (DataSet *found = known(id); found != nullptr) {
        found->files = std::move(files);
        found->savedSamples = savedSamples;
    }
}

void DataSets::setLens(const QString &id, const Lens &lens)
{
    if (DataSet *found = known(id); found != nullptr)
        found->lens = lens;
}

void DataSets::setNote(const QString &id, const QString &note)
{
    if (DataSet *found = known(id); found != nullptr)
        found->note = note;
}

const DataSets::DataSet *DataSets::find(const QString &id) const
{
    const auto found = std::ranges::find(m_dataSets, id, &DataSet::id);
    return found == m_dataSets.end() ? nullptr : &*found;
}

DataSets::DataSet *DataSets::known(const QString &id)
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
                           .figure = shortCount(dataSet.snapshot->sampleCount()) +
                                     (dataSet.isGrowing ? QStringLiteral("…") : QString()),
                           .toolTip = QStringLiteral("%1\n%2 samples")
                                          .arg(dataSet.toolTip, countText(dataSet.snapshot->sampleCount())),
                           .isLive = dataSet.isLive});
    return sources;
}

} // namespace hearth
