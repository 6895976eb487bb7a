#include "ui/sources/sources_model.h"

#include "model/lens/lens_steps.h"
#include "ui/theme/figures.h"

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

constexpr std::size_t kFewValues = 5;
constexpr std::size_t kMostValues = 500; ///< of an attribute that is shown whole; filters find the others
constexpr std::size_t kFewFacets = 4;

} // namespace

void SourcesModel::setSources(QList<DataSource> sources, QString current)
{
    m_sources = std::move(sources);
    m_current = std::move(current);
    rebuild();
}

void SourcesModel::setFacets(std::shared_ptr<const std::vector<AttributeFacet>> facets)
{
    m_facets = std::move(facets);
    rebuild();
}

void SourcesModel::setLens(const Lens &lens)
{
    m_lens = lens;
    rebuild();
}

void SourcesModel::expand(const QString &key)
{
    m_expanded.insert(key);
    rebuild();
}

/// Rows that are the same keep their place, so that a click on a value does not lose the current row.
void SourcesModel::rebuild()
{
    QList<Row> rows;
    addSources(rows);
    if (m_facets) {
        const bool showsAll = m_expanded.contains(QString());
        const std::size_t shown = showsAll ? m_facets->size() : std::min(kFewFacets, m_facets->size());
        for (std::size_t i = 0; i < shown; ++i)
            addFacet(rows, (*m_facets)[i]);
        if (const std::size_t more = m_facets->size() - shown; more > 0)
            rows.push_back({.kind = RowKind::More, .text = tr("%1 more attributes…").arg(more)});
    }
    const int before = static_cast<int>(m_rows.size());
    const int after = static_cast<int>(rows.size());
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_rows = std::move(rows);
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_rows = std::move(rows);
        endRemoveRows();
    } else {
        m_rows = std::move(rows);
    }
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0), index(static_cast<int>(m_rows.size()) - 1));
}

void SourcesModel::addSources(QList<Row> &rows) const
{
    if (m_sources.isEmpty())
        return;
    rows.push_back({.kind = RowKind::Head, .text = tr("Sources")});
    for (const DataSource &source : m_sources)
        rows.push_back({.kind = RowKind::Source,
                        .text = source.name,
                        .figure = source.figure,
                        .toolTip = source.toolTip,
                        .isChosen = source.id == m_current,
                        .isLive = source.isLive,
                        .key = source.id});
}

void SourcesModel::addFacet(QList<Row> &rows, const AttributeFacet &facet) const
{
    const QString key = qString(facet.key);
    rows.push_back({.kind = RowKind::Head,
                    .text = titleOf(facet.key),
                    .toolTip = tr("%1: %2 values").arg(key, countText(facet.values.size())),
                    .key = key});
    const bool isOpen = m_expanded.contains(key);
    const std::size_t most = isOpen ? kMostValues : kFewValues;
    // One more value takes no more room than the line that says so.
    const std::size_t shown = facet.values.size() <= most + 1 ? facet.values.size() : most;
    for (std::size_t i = 0; i < shown; ++i) {
        const AttributeValue &value = facet.values[i];
        const double share =
            facet.weight == 0 ? 0 : static_cast<double>(value.weight) / static_cast<double>(facet.weight);
        rows.push_back(
            {.kind = RowKind::Value,
             .text = value.text.empty() ? tr("(empty)") : qString(value.text),
             .figure = shareText(static_cast<double>(value.weight), static_cast<double>(facet.weight)),
             .toolTip = QStringLiteral("%1 = %2").arg(key, qString(value.text)),
             .share = std::clamp(share, 0.0, 1.0),
             .isChosen = hasAttribute(m_lens, facet.key, value.text, false),
             .isLeftOut = hasAttribute(m_lens, facet.key, value.text, true),
             .key = key,
             .value = qString(value.text)});
    }
    if (shown < facet.values.size())
        rows.push_back({.kind = RowKind::More,
                        .text = isOpen ? tr("%1 more not shown").arg(countText(facet.values.size() - shown))
                                       : tr("%1 more…").arg(countText(facet.values.size() - shown)),
                        .key = key});
}

QString SourcesModel::titleOf(const std::string &key) const
{
    QString title = qString(key);
    if (key == "cpu")
        return QStringLiteral("CPU");
    if (!key.empty() && key.find_first_of("._/:") == std::string::npos)
        title[0] = title[0].toUpper();
    return title;
}

int SourcesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant SourcesModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_rows.size())
        return {};
    const Row &row = m_rows[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return row.text;
    case Qt::ToolTipRole:
        return row.toolTip.isEmpty() ? row.text : row.toolTip;
    case Qt::AccessibleTextRole:
        return row.figure.isEmpty() ? row.text : row.text + QStringLiteral(", ") + row.figure;
    case kRowRole:
        return QVariant::fromValue(row);
    default:
        return {};
    }
}

Qt::ItemFlags SourcesModel::flags(const QModelIndex &index) const
{
    if (!index.isValid() || m_rows[index.row()].kind == RowKind::Head)
        return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

} // namespace hearth
