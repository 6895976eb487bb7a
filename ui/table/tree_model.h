#pragma once

#include "model/views/evaluator.h"
#include "model/views/inverted_tree.h"

#include <QAbstractItemModel>

#include <memory>
#include <unordered_map>
#include <vector>

namespace hearth {

/// A call tree, top-down or bottom-up, with the totals of other series in columns behind it. Children are
/// ordered when they are first asked for, the heaviest first; an index carries the number of its node.
class TreeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { Total, TotalShare, Self, Name, Place, kColumns };

    using QAbstractItemModel::QAbstractItemModel;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    bool hasChildren(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    void set(std::shared_ptr<const Evaluation> evaluation, bool isInverted);
    bool isInverted() const { return m_inverted != nullptr; }
    /// Evaluations of the same lens for other series.
    void setBeside(std::vector<std::shared_ptr<const Evaluation>> evaluations);

    EntryId entryOf(const QModelIndex &index) const;
    /// The node of the call tree; none if the tree is inverted.
    NodeId nodeOf(const QModelIndex &index) const;
    QModelIndex indexOf(NodeId node) const;

private:
    /// Where a node stands among its siblings.
    struct Position {
        std::uint32_t parent;
        int row;
    };
    static constexpr std::uint32_t kRoot = 0xffffffffU;

    /// Another series in a tree of its own, whose nodes are found by their names.
    struct Beside {
        std::shared_ptr<const Evaluation> evaluation;
        std::unique_ptr<InvertedTree> inverted;
        std::unordered_map<std::uint32_t, std::uint32_t> counterparts; ///< by node; kRoot where there is none
    };
    std::int64_t totalBeside(Beside &beside, std::uint32_t node) const;
    std::uint32_t counterpartOf(Beside &beside, std::uint32_t node) const;
    QVariant besideData(std::size_t index, std::uint32_t node, int role) const;

    const std::vector<std::uint32_t> &childrenOf(std::uint32_t node) const;
    std::int64_t totalOf(std::uint32_t node) const;
    std::int64_t selfOf(std::uint32_t node) const;
    const Entry &entryAt(std::uint32_t node) const;
    static std::uint32_t idOf(const QModelIndex &index)
    {
        return index.isValid() ? static_cast<std::uint32_t>(index.internalId()) : kRoot;
    }

    std::shared_ptr<const Evaluation> m_evaluation;
    std::unique_ptr<InvertedTree> m_inverted;
    mutable std::vector<Beside> m_beside;
    mutable std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>
        m_children; ///< of what was asked for
    mutable std::unordered_map<std::uint32_t, Position> m_places;
};

} // namespace hearth
