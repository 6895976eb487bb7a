#pragma once

#include "model/views/trace_evaluator.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace hearth {

/// Traces in an order that was made elsewhere. No object per row.
class TraceModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Service, Start, Duration, Spans, Errors, OnCpu, Waiting, Samples, kColumns };

    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// @param rows which traces are shown, in this order
    void set(std::shared_ptr<const TraceEvaluation> evaluation, std::vector<std::uint32_t> rows);
    const TraceSummary &traceAt(int row) const
    {
        return m_evaluation->traces[m_rows[static_cast<std::size_t>(row)]];
    }
    /// 32 hex digits.
    QString idAt(int row) const;

private:
    QString figure(const TraceSummary &trace, int column) const;

    std::shared_ptr<const TraceEvaluation> m_evaluation;
    std::vector<std::uint32_t> m_rows;
};

/// What traces are ordered by when a column is chosen.
TraceKey traceKeyOf(TraceModel::Column column);

} // namespace hearth
