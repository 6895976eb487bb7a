#include "ui/overview/ranked_list.h"

#include "ui/table/quiet_table.h"
#include "ui/table/share_delegate.h"
#include "ui/table/top_model.h"
#include "ui/theme/figures.h"
#include "ui/theme/labels.h"

#include <QAbstractTableModel>
#include <QHeaderView>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace hearth {

class RankedModel : public QAbstractTableModel {
public:
    enum Column { Name, Weight, Share, kColumns };

    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    int columnCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : int(kColumns);
    }
    QVariant data(const QModelIndex &index, int role) const override
    {
        const RankedRow &row = m_rows[index.row()];
        const auto column = static_cast<Column>(index.column());
        switch (role) {
        case Qt::DisplayRole:
            return column == Name     ? row.name
                   : column == Weight ? valueText(row.weight, row.unit)
                   : row.share        ? shareText(*row.share, 1)
                                      : QString();
        case Qt::TextAlignmentRole:
            return int((column == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        case Qt::ToolTipRole:
            return column == Name
                       ? row.toolTip
                       : QString::number(row.weight) + QLatin1Char(' ') + QString::fromStdString(row.unit);
        case kNumberRole:
            return column == Weight ? QVariant(qlonglong(row.weight)) : QVariant();
        case kShareRole:
            return column == Share && row.share ? QVariant(*row.share) : QVariant();
        case kFunctionRole:
            return column == Name && row.isFunction;
        default:
            return {};
        }
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
            return {};
        return QStringList{tr("Name"), tr("Weight"), tr("Share")}.value(section);
    }
    void set(const QList<RankedRow> &rows)
    {
        beginResetModel();
        m_rows = rows;
        endResetModel();
    }
    bool hasShares() const
    {
        return std::ranges::any_of(m_rows, [](const RankedRow &row) { return row.share.has_value(); });
    }

private:
    QList<RankedRow> m_rows;
};

RankedList::RankedList(QWidget *parent)
    : QWidget(parent), m_head(sectionHead(this)), m_model(new RankedModel(this)),
      m_table(new QuietTable(this))
{
    constexpr int kFigureWidth = 84;
    m_table->setModel(m_model);
    m_table->setItemDelegate(new ShareDelegate(m_table));
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QHeaderView *header = m_table->horizontalHeader();
    header->hide();
    header->setSectionResizeMode(RankedModel::Name, QHeaderView::Stretch);
    header->resizeSection(RankedModel::Weight, kFigureWidth);
    header->resizeSection(RankedModel::Share, kFigureWidth);
    m_head->setIndent(8);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // a table would take whatever room is left
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_head);
    layout->addWidget(m_table);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) {
                if (current.isValid())
                    Q_EMIT selected(current.row());
            });
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex &index) { Q_EMIT activated(index.row()); });
}

void RankedList::show(const RankedRows &list)
{
    m_head->setText(list.head);
    m_table->setAccessibleName(list.head);
    m_model->set(list.rows);
    m_table->setColumnHidden(RankedModel::Share, !m_model->hasShares());
    m_table->setFixedHeight(m_table->verticalHeader()->defaultSectionSize() * int(list.rows.size()) + 1);
    setVisible(!list.rows.isEmpty());
}

} // namespace hearth
