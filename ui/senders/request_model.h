#pragma once

#include "ui/senders/sent_requests.h"

#include <QAbstractTableModel>

#include <optional>

namespace hearth {

/// The last requests, the newest first.
class RequestModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, Signal, Transport, Sender, Bytes, Outcome };
    static constexpr int kColumns = Outcome + 1;

    using QAbstractTableModel::QAbstractTableModel;

    /// Those that were there already stay selected and in sight.
    void set(std::vector<RequestRow> rows);
    /// Only those of one sender, or all.
    void showOnly(const std::optional<SenderRow> &sender);
    const RequestRow &requestAt(int row) const { return m_shown[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void update();

    std::vector<RequestRow> m_all;
    std::vector<RequestRow> m_shown;
    std::optional<SenderRow> m_sender;
};

} // namespace hearth
