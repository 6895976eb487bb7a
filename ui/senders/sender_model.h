#pragma once

#include "ui/senders/sent_requests.h"

#include <QAbstractItemModel>

namespace hearth {

/// Who sends, and beneath each why something of it was not taken.
class SenderModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { Program, Host, Generation, Rate, Records, Requests, Bytes, LeftOut, Refused, LastSeen };
    static constexpr int kColumns = LastSeen + 1;

    using QAbstractItemModel::QAbstractItemModel;

    /// The same senders stay where they are, whatever order these are in.
    void set(std::vector<SenderRow> rows);
    /// REQUIRES: index.isValid()
    const SenderRow &senderAt(const QModelIndex &index) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void replace(int row, SenderRow sender);

    std::vector<SenderRow> m_rows;
};

} // namespace hearth
