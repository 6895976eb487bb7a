#include "ui/table/tree_model.h"

#include "ui/table/top_model.h"
#include "ui/theme/figures.h"
#include "ui/theme/function_names.h"

#include <cmath>

namespace hearth {

void TreeModel::set(std::shared_ptr<const Evaluation> evaluation, bool isInverted)
{
    beginResetModel();
    m_evaluation = std::move(evaluation);
    m_inverted = isInverted && m_evaluation
                     ? std::make_unique<InvertedTree>(m_evaluation->tree, m_evaluation->groupDepth)
                     : nullptr;
    m_children.clear();
    m_places.clear();
    m_beside.clear();
    endResetModel();
}

void TreeModel::setBeside(std::vector<std::shared_ptr<const Evaluation>> evaluations)
{
    const int before = columnCount();
    const int after = kColumns + static_cast<int>(evaluations.size());
    if (after < before)
        beginRemoveColumns({}, after, before - 1);
    else if (after > before)
        beginInsertColumns({}, before, after - 1);
    m_beside.clear();
    for (auto &evaluation : evaluations) {
        auto inverted =
            m_inverted ? std::make_unique<InvertedTree>(evaluation->tree, evaluation->groupDepth) : nullptr;
        m_beside.push_back({std::move(evaluation), std::move(inverted), {}});
    }
    if (after < before)
        endRemoveColumns();
    else if (after > before)
        endInsertColumns();
    else if (after > kColumns)
        Q_EMIT layoutChanged();
}

/// The node of the same names in the other tree; kRoot if it has none.
std::uint32_t TreeModel::counterpartOf(Beside &beside, std::uint32_t node) const
{
    const auto [known, isNew] = beside.counterparts.try_emplace(node, kRoot);
    if (!isNew)
        return known->second;
    const std::uint32_t parent = m_places.at(node).parent;
    const std::uint32_t besideParent = parent == kRoot ? kRoot : counterpartOf(beside, parent);
    if (parent != kRoot && besideParent == kRoot)
        return kRoot;
    const CallTree &tree = *beside.evaluation->tree;
    const std::string_view name = entryAt(node).name;
    const auto find = [&](const auto &ids, const auto &entryOf) {
        for (const auto id : ids)
            if (tree.entries()[entryOf(id)].name == name)
                return id.value;
        return kRoot;
    };
    const std::uint32_t found =
        beside.inverted ? find(besideParent == kRoot ? beside.inverted->roots()
                                                     : beside.inverted->expand(InvertedId(besideParent)),
                               [&](InvertedId id) { return beside.inverted->entryOf(id); })
                        : find(tree.children(besideParent == kRoot ? TreeShape::kRoot : NodeId(besideParent)),
                               [&](NodeId id) { return tree.entryOf(id); });
    beside.counterparts[node] = found;
    return found;
}

std::int64_t TreeModel::totalBeside(Beside &beside, std::uint32_t node) const
{
    const std::uint32_t found = counterpartOf(beside, node);
    if (found == kRoot)
        return 0;
    return beside.inverted ? beside.inverted->total(InvertedId(found))
                           : beside.evaluation->tree->total(NodeId(found));
}

QVariant TreeModel::besideData(std::size_t index, std::uint32_t node, int role) const
{
    Beside &beside = m_beside[index];
    const std::string &unit = beside.evaluation->series.unit;
    switch (role) {
    case Qt::TextAlignmentRole:
        return int(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::DisplayRole:
        return valueText(totalBeside(beside, node), unit);
    case Qt::ToolTipRole:
        return QString::number(totalBeside(beside, node)) + QLatin1Char(' ') + QString::fromStdString(unit);
    case kNumberRole:
        return qlonglong(totalBeside(beside, node));
    default:
        return {};
    }
}

const std::vector<std::uint32_t> &TreeModel::childrenOf(std::uint32_t node) const
{
    auto [known, isNew] = m_children.try_emplace(node);
    if (isNew && m_evaluation) {
        std::vector<std::uint32_t> &children = known->second;
        const auto add = [&](const auto &ids) {
            for (const auto id : ids)
                children.push_back(id.value);
        };
        if (m_inverted)
            add(node == kRoot ? m_inverted->roots() : m_inverted->expand(InvertedId(node)));
        else
            add(m_evaluation->tree->heaviestChildren(node == kRoot ? TreeShape::kRoot : NodeId(node)));
        for (std::size_t row = 0; row < children.size(); ++row)
            m_places[children[row]] = {node, static_cast<int>(row)};
    }
    return known->second;
}

QModelIndex TreeModel::index(int row, int column, const QModelIndex &parent) const
{
    const std::vector<std::uint32_t> &children = childrenOf(idOf(parent));
    if (row < 0 || row >= static_cast<int>(children.size()) || column < 0 || column >= columnCount())
        return {};
    return createIndex(row, column, quintptr(children[static_cast<std::size_t>(row)]));
}

QModelIndex TreeModel::parent(const QModelIndex &index) const
{
    if (!index.isValid())
        return {};
    const std::uint32_t parent = m_places.at(idOf(index)).parent;
    return parent == kRoot ? QModelIndex() : createIndex(m_places.at(parent).row, 0, quintptr(parent));
}

int TreeModel::rowCount(const QModelIndex &parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(childrenOf(idOf(parent)).size());
}

int TreeModel::columnCount(const QModelIndex &) const
{
    return kColumns + static_cast<int>(m_beside.size());
}

/// Asked for every row that is shown: must not order the children of each.
bool TreeModel::hasChildren(const QModelIndex &parent) const
{
    if (!m_evaluation || parent.column() > 0)
        return false;
    if (!parent.isValid())
        return rowCount() > 0;
    if (m_inverted)
        return totalOf(idOf(parent)) != selfOf(idOf(parent));
    return m_evaluation->tree->height(NodeId(idOf(parent))) > 1;
}

std::int64_t TreeModel::totalOf(std::uint32_t node) const
{
    return m_inverted ? m_inverted->total(InvertedId(node)) : m_evaluation->tree->total(NodeId(node));
}

std::int64_t TreeModel::selfOf(std::uint32_t node) const
{
    return m_inverted ? m_inverted->self(InvertedId(node)) : m_evaluation->tree->self(NodeId(node));
}

const Entry &TreeModel::entryAt(std::uint32_t node) const
{
    const EntryId entry =
        m_inverted ? m_inverted->entryOf(InvertedId(node)) : m_evaluation->tree->entryOf(NodeId(node));
    return m_evaluation->tree->entries()[entry];
}

EntryId TreeModel::entryOf(const QModelIndex &index) const
{
    const std::uint32_t node = idOf(index);
    return m_inverted ? m_inverted->entryOf(InvertedId(node)) : m_evaluation->tree->entryOf(NodeId(node));
}

NodeId TreeModel::nodeOf(const QModelIndex &index) const
{
    return m_inverted || !index.isValid() ? NodeId::none() : NodeId(idOf(index));
}

QModelIndex TreeModel::indexOf(NodeId node) const
{
    if (m_inverted || !m_evaluation || node.isNone() || node == TreeShape::kRoot)
        return {};
    std::vector<std::uint32_t> path;
    for (NodeId at = node; at != TreeShape::kRoot; at = m_evaluation->tree->parent(at))
        path.push_back(at.value);
    std::uint32_t parent = kRoot;
    for (std::size_t i = path.size(); i-- > 0; parent = path[i])
        childrenOf(parent);
    const auto place = m_places.find(node.value);
    return place == m_places.end() ? QModelIndex() : createIndex(place->second.row, 0, quintptr(node.value));
}

QVariant TreeModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const std::uint32_t node = idOf(index);
    if (index.column() >= kColumns)
        return besideData(static_cast<std::size_t>(index.column() - kColumns), node, role);
    const auto column = static_cast<Column>(index.column());
    const std::int64_t value = column == Self ? selfOf(node) : totalOf(node);
    const auto whole = static_cast<double>(m_evaluation->total);
    if (role == Qt::TextAlignmentRole)
        return int(column < Name ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == kShareRole && column == TotalShare)
        return whole == 0 ? 0.0 : std::abs(static_cast<double>(value)) / whole;
    if (role == kNumberRole && column < Name)
        return column == TotalShare ? QVariant(percentOf(value, m_evaluation->total))
                                    : QVariant(qlonglong(value));
    if (role == kFunctionRole)
        return column == Name;
    if (role == Qt::ToolTipRole)
        return column >= Name ? qString(entryAt(node).name)
                              : QString::number(value) + QLatin1Char(' ') +
                                    QString::fromStdString(m_evaluation->series.unit);
    if (role != Qt::DisplayRole)
        return {};
    const Entry &entry = entryAt(node);
    switch (column) {
    case Total:
    case Self:
        return valueText(value, m_evaluation->series.unit);
    case TotalShare:
        return shareText(static_cast<double>(value), whole);
    case Name:
        return functionText(entry.name);
    case Place:
        return entry.isTag || entry.file.empty()
                   ? qString(baseName(entry.binary))
                   : qString(baseName(entry.file)) +
                         (entry.line > 0 ? QLatin1Char(':') + QString::number(entry.line) : QString());
    case kColumns:
        break;
    }
    return {};
}

QVariant TreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (section >= kColumns && section < columnCount()) {
        const SeriesChoice &series =
            m_beside[static_cast<std::size_t>(section - kColumns)].evaluation->series;
        return role == Qt::DisplayRole         ? QVariant(QString::fromStdString(series.type))
               : role == Qt::TextAlignmentRole ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter))
               : role == Qt::ToolTipRole       ? QVariant(QString::fromStdString(series.name()))
               : role == kNumberRole           ? QVariant(QString::fromStdString(series.unit))
                                               : QVariant();
    }
    if (role == Qt::TextAlignmentRole)
        return int(section < Name ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == kNumberRole && section < Name && m_evaluation)
        return section == TotalShare ? QString() : QString::fromStdString(m_evaluation->series.unit);
    if (role != Qt::DisplayRole)
        return {};
    const QStringList names{tr("Total"), tr("Total %"), tr("Self"),
                            isInverted() ? tr("Called from") : tr("Function"), tr("Source")};
    return names.value(section);
}

} // namespace hearth
