#pragma once

#include "ui/record/process_list.h"

#include <QAbstractTableModel>

#include <vector>

namespace hearth {

/// The processes that run, those that match a text, in an order.
class ProcessModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Share, Process, Name, User, Container, CommandLine, kColumns };

    using QAbstractTableModel::QAbstractTableModel;

    void setProcesses(std::vector<ProcessRow> processes);
    const std::vector<ProcessRow> &processes() const { return m_processes; }
    /// Those with all of its words in what is shown of them, whatever their case.
    void setFilter(const QString &text);

    const ProcessRow &rowAt(int row) const { return m_processes[m_shown[static_cast<std::size_t>(row)]]; }
    /// @return the row of a process; -1 if it is not shown
    int rowOf(int process) const;
    /// @return the row of the busiest process of that name; -1 if none is shown
    int busiest(const QString &name) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();

    std::vector<ProcessRow> m_processes;
    std::vector<std::size_t> m_shown;
    QStringList m_words;
    int m_column = Share;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

} // namespace hearth
