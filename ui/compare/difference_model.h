#pragma once

#include "model/views/arranged_differences.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <memory>
#include <vector>

namespace hearth {

/// The rows of a comparison, in an order of its own.
class DifferenceModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// Four columns of what a row weighs itself, then the same of all that it calls, then what it is.
    enum Column {
        SelfBase,
        SelfCurrent,
        SelfChange,
        SelfGrowth,
        TotalBase,
        TotalCurrent,
        TotalChange,
        TotalGrowth,
        Verdict,
        Name,
        Place,
        kColumns
    };

    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// @param rows which rows of the table are shown, in this order
    void set(std::shared_ptr<const DifferenceTable> table, std::vector<std::uint32_t> rows);
    const DifferenceRow &rowAt(int row) const { return m_table->rows[m_rows[static_cast<std::size_t>(row)]]; }
    const std::shared_ptr<const DifferenceTable> &table() const { return m_table; }

private:
    QVariant number(const DifferenceRow &row, Column column, int role) const;

    std::shared_ptr<const DifferenceTable> m_table;
    std::vector<std::uint32_t> m_rows;
};

/// What rows are ordered by when a column is chosen.
DifferenceArrangement arrangementBy(DifferenceModel::Column column, bool isDescending);

} // namespace hearth
