#include "ui/senders/part_model.h"

#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <array>
#include <utility>

namespace hearth {

struct PartModel::Node {
    RequestPart part;
    Node *parent = nullptr;
    int row = 0;
    bool isOpened = false;
    std::vector<Node> inside = {};
};

PartModel::PartModel(QObject *parent) : QAbstractItemModel(parent), m_root(std::make_unique<Node>()) {}
PartModel::~PartModel() = default;

void PartModel::set(std::vector<RequestPart> parts)
{
    beginResetModel();
    m_root = std::make_unique<Node>();
    fill(*m_root, std::move(parts));
    endResetModel();
}

void PartModel::fill(Node &node, std::vector<RequestPart> parts)
{
    node.isOpened = true;
    node.inside.reserve(parts.size());
    for (RequestPart &part : parts)
        node.inside.push_back(
            {.part = std::move(part), .parent = &node, .row = static_cast<int>(node.inside.size())});
}

const PartModel::Node &PartModel::nodeOf(const QModelIndex &index) const
{
    return index.isValid() ? *static_cast<const Node *>(index.constInternalPointer()) : *m_root;
}

QModelIndex PartModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, &nodeOf(parent).inside[static_cast<std::size_t>(row)]);
}

QModelIndex PartModel::parent(const QModelIndex &index) const
{
    const Node *parent = index.isValid() ? nodeOf(index).parent : nullptr;
    return parent == nullptr || parent == m_root.get() ? QModelIndex() : createIndex(parent->row, 0, parent);
}

int PartModel::rowCount(const QModelIndex &parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(nodeOf(parent).inside.size());
}

int PartModel::columnCount(const QModelIndex &) const
{
    return kColumns;
}

bool PartModel::hasChildren(const QModelIndex &parent) const
{
    const Node &node = nodeOf(parent);
    return node.isOpened ? !node.inside.empty() : node.part.parts != nullptr;
}

bool PartModel::canFetchMore(const QModelIndex &parent) const
{
    const Node &node = nodeOf(parent);
    return !node.isOpened && node.part.parts;
}

void PartModel::fetchMore(const QModelIndex &parent)
{
    auto *node = static_cast<Node *>(parent.internalPointer());
    std::vector<RequestPart> parts = node->part.parts();
    if (parts.empty()) {
        node->isOpened = true;
        return;
    }
    beginInsertRows(parent, 0, static_cast<int>(parts.size()) - 1);
    fill(*node, std::move(parts));
    endInsertRows();
}

QVariant PartModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const RequestPart &part = nodeOf(index).part;
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == Field)
            return part.field;
        if (index.column() == Bytes)
            return countText(part.bytes);
        return part.meaning.isEmpty() ? part.value
               : part.value.isEmpty() ? part.meaning
                                      : part.value + QStringLiteral(" → ") + part.meaning;
    case Qt::ToolTipRole:
        return index.column() == Value ? data(index, Qt::DisplayRole) : QVariant();
    case Qt::TextAlignmentRole:
        return int((index.column() == Bytes ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return index.column() == Bytes ? QVariant(theme().muted) : QVariant();
    default:
        return {};
    }
}

QVariant PartModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Bytes ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const std::array<QString, kColumns> titles{tr("Field"), tr("Bytes"), tr("Value")};
    return titles[static_cast<std::size_t>(section)];
}

} // namespace hearth
