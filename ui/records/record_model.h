#pragma once

#include "model/views/log_list.h"
#include "model/views/service_names.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <vector>

namespace hearth {

/// Log records as they were sent, in an order that was made elsewhere. No object per row.
class RecordModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, Severity, Service, Body, Trace, kColumns };

    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    void set(std::shared_ptr<const Snapshot> snapshot,
             std::shared_ptr<const std::vector<std::uint32_t>> rows);
    const LogRecord &recordAt(int row) const
    {
        return logRecord(*m_snapshot, (*m_rows)[static_cast<std::size_t>(row)]);
    }
    const std::shared_ptr<const Snapshot> &snapshot() const { return m_snapshot; }

    /// Attributes of a record, a line each.
    QString attributesAt(int row) const;

private:
    QString text(const LogRecord &record, int column) const;

    std::shared_ptr<const Snapshot> m_snapshot;
    std::shared_ptr<const std::vector<std::uint32_t>> m_rows;
    mutable std::optional<ServiceNames> m_services; ///< remembers what it was asked
};

} // namespace hearth
