#pragma once

#include "model/views/entry_table.h"

#include <QAbstractTableModel>
#include <QString>

#include <cstdint>
#include <string>
#include <vector>

namespace hearth {

/// One of a few things with their weights.
struct WeightRow {
    QString name;
    std::int64_t total = 0;
    std::int64_t self = 0;
    EntryId entry = EntryId::none(); ///< what a double click goes to
};

/// A short table of weights.
class WeightModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Total, Share, Self, Name, kColumns };

    /// @param nameTitle what the column of names is called
    WeightModel(QString nameTitle, QObject *parent)
        : QAbstractTableModel(parent), m_nameTitle(std::move(nameTitle))
    {}

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// @param whole what shares are of
    void set(std::vector<WeightRow> rows, std::int64_t whole, std::string unit);
    const WeightRow &rowAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }

private:
    QString m_nameTitle;
    std::vector<WeightRow> m_rows;
    std::int64_t m_whole = 0;
    std::string m_unit;
};

} // namespace hearth
