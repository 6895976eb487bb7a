#pragma once

#include "model/views/arranged_rows.h"
#include "model/views/evaluator.h"
#include "model/views/top_table.h"

#include <QAbstractTableModel>
#include <QList>

#include <memory>
#include <unordered_map>
#include <vector>

namespace hearth {

/// What a cell's bar shows: a share from 0 to 1.
inline constexpr int kShareRole = Qt::UserRole + 1;
/// The exact number, where a cell shows a rounded one; of a header, the unit of these numbers.
inline constexpr int kNumberRole = Qt::UserRole + 2;

/// Whether a cell is the name of a function, to be shortened where there is no room for it.
inline constexpr int kFunctionRole = Qt::UserRole + 4;

/// Sums over time (QList<qint64>), to be drawn; of a header, whether there is nothing but such.
inline constexpr int kStripRole = Qt::UserRole + 3;

/// The rows of a top table, in an order of its own. Columns of a TopTable, no object per row.
class TopModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Self, SelfShare, Total, TotalShare, Strip, Name, Place, Binary, Kind, kColumns };

    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// @param rows which rows of the table are shown, in this order
    void set(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const Evaluation> evaluation,
             std::shared_ptr<const TopTable> table, std::vector<std::uint32_t> rows);
    /// When the functions of some rows ran, by name. Those of other rows are forgotten.
    void setStrips(std::unordered_map<std::string_view, QList<qint64>> strips);
    const TopRow &rowAt(int row) const { return m_table->rows[m_rows[static_cast<std::size_t>(row)]]; }
    const std::shared_ptr<const TopTable> &table() const { return m_table; }

private:
    std::shared_ptr<const Snapshot> m_snapshot;
    std::shared_ptr<const Evaluation> m_evaluation;
    std::shared_ptr<const TopTable> m_table;
    std::vector<std::uint32_t> m_rows;
    std::unordered_map<std::string_view, QList<qint64>> m_strips; ///< names are those of the table
};

/// What rows are ordered by when a column is chosen.
RowKey rowKeyOf(TopModel::Column column);

} // namespace hearth
