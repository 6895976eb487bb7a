#pragma once

#include "model/views/binary_table.h"

#include <QAbstractTableModel>

#include <memory>

namespace hearth {

/// The binaries of a data set as rows: what they weigh, how much of that has names, from where.
class ExecutablesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Total, TotalShare, SelfShare, Named, Frames, Name, Source, Problem, kColumns };

    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    void set(std::shared_ptr<const Evaluation> evaluation, std::shared_ptr<const BinaryTable> table);
    const BinaryRow &rowAt(int row) const { return m_table->rows[static_cast<std::size_t>(row)]; }

private:
    std::shared_ptr<const Evaluation> m_evaluation;
    std::shared_ptr<const BinaryTable> m_table;
};

} // namespace hearth
