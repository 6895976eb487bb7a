#pragma once

#include "model/views/trace_evaluator.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace hearth {

/// Groups of spans in an order that was made elsewhere. No object per row.
class GroupModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Service, Count, Errors, P50, P99, OnCpu, kColumns };

    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// @param rows which groups are shown, in this order
    void set(std::shared_ptr<const TraceEvaluation> evaluation, std::vector<std::uint32_t> rows);
    const SpanGroup &groupAt(int row) const
    {
        return m_evaluation->groups.groups[m_rows[static_cast<std::size_t>(row)]];
    }
    std::string_view text(StringId id) const { return m_evaluation->study->snapshot->text(id); }

private:
    QString figure(const SpanGroup &group, int column) const;

    std::shared_ptr<const TraceEvaluation> m_evaluation;
    std::vector<std::uint32_t> m_rows;
    std::int64_t m_onCpuNs = 0; ///< of all groups
};

/// What groups are ordered by when a column is chosen.
GroupKey groupKeyOf(GroupModel::Column column);

} // namespace hearth
