#include "ui/table/copied_table.h"

#include "ui/table/top_model.h"

#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTableView>
#include <QTreeView>

#include <algorithm>

namespace hearth {

namespace {

/// The columns of a view from left to right.
QList<int> shownColumns(const QHeaderView &header)
{
    QList<int> columns;
    for (int visual = 0; visual < header.count(); ++visual)
        if (const int logical = header.logicalIndex(visual); !header.isSectionHidden(logical))
            columns += logical;
    return columns;
}

CopiedTable headOf(const QAbstractItemModel &model, const QList<int> &columns)
{
    CopiedTable table;
    for (const int column : columns) {
        const int alignment = model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
        table.columns += {model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(),
                          model.headerData(column, Qt::Horizontal, kNumberRole).toString(),
                          (alignment & Qt::AlignRight) != 0};
    }
    return table;
}

QList<CopiedTable::Cell> cellsOf(const QModelIndex &row, const QList<int> &columns)
{
    QList<CopiedTable::Cell> cells;
    for (const int column : columns) {
        const QModelIndex index = row.siblingAtColumn(column);
        cells += {index.data().toString(), index.data(kNumberRole)};
    }
    return cells;
}

QString escaped(QString cell)
{
    return cell.replace(QLatin1Char('|'), QStringLiteral("\\|")).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

QString titleWithUnit(const CopiedTable::Column &column)
{
    return column.unit.isEmpty() ? column.title
                                 : column.title + QStringLiteral(" (") + column.unit + QLatin1Char(')');
}

} // namespace

CopiedTable copyOf(const QTableView &view)
{
    const QAbstractItemModel &model = *view.model();
    const QList<int> columns = shownColumns(*view.horizontalHeader());
    CopiedTable table = headOf(model, columns);
    QModelIndexList selected = view.selectionModel()->selectedRows();
    if (selected.size() > 1) {
        std::sort(selected.begin(),
                  selected.end()); // NOLINT(modernize-use-ranges): indexes are not totally ordered
        for (const QModelIndex &index : selected)
            table.rows += cellsOf(index, columns);
    } else {
        for (int row = 0; row < model.rowCount(); ++row)
            table.rows += cellsOf(model.index(row, 0), columns);
    }
    return table;
}

CopiedTable copyOf(const QTreeView &view)
{
    const QList<int> columns = shownColumns(*view.header());
    CopiedTable table = headOf(*view.model(), columns);
    const auto named = columns.indexOf(view.treePosition());
    for (QModelIndex index = view.model()->index(0, 0); index.isValid(); index = view.indexBelow(index)) {
        QList<CopiedTable::Cell> cells = cellsOf(index, columns);
        int depth = 0;
        for (QModelIndex parent = index.parent(); parent.isValid(); parent = parent.parent())
            ++depth;
        if (named >= 0)
            cells[named].text.prepend(QString(qsizetype(2) * depth, QLatin1Char(' ')));
        table.rows += cells;
    }
    return table;
}

QString asText(const CopiedTable &table)
{
    QList<qsizetype> widths;
    for (const CopiedTable::Column &column : table.columns)
        widths += column.title.size();
    for (const auto &row : table.rows)
        for (qsizetype i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].text.size());
    QString text;
    const auto addRow = [&](const auto &textOf) {
        QString line;
        for (qsizetype i = 0; i < table.columns.size(); ++i) {
            const QString cell = textOf(i);
            line +=
                (table.columns[i].isRight ? cell.rightJustified(widths[i]) : cell.leftJustified(widths[i])) +
                QStringLiteral("  ");
        }
        while (line.endsWith(QLatin1Char(' ')))
            line.chop(1);
        text += line + QLatin1Char('\n');
    };
    addRow([&](qsizetype i) { return table.columns[i].title; });
    for (const auto &row : table.rows)
        addRow([&](qsizetype i) { return row[i].text; });
    return text;
}

QString asMarkdown(const CopiedTable &table)
{
    QString titles(QLatin1Char('|'));
    QString rule(QLatin1Char('|'));
    for (const CopiedTable::Column &column : table.columns) {
        titles += QLatin1Char(' ') + escaped(column.title) + QStringLiteral(" |");
        rule += column.isRight ? QStringLiteral("--:|") : QStringLiteral(":--|");
    }
    QString text = titles + QLatin1Char('\n') + rule + QLatin1Char('\n');
    for (const auto &row : table.rows) {
        text += QLatin1Char('|');
        for (const CopiedTable::Cell &cell : row)
            text += QLatin1Char(' ') + escaped(cell.text) + QStringLiteral(" |");
        text += QLatin1Char('\n');
    }
    return text;
}

QString asTsv(const CopiedTable &table)
{
    const auto oneLine = [](QString cell) {
        return cell.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
    };
    QStringList cells;
    for (const CopiedTable::Column &column : table.columns)
        cells += oneLine(titleWithUnit(column));
    QString text = cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (const auto &row : table.rows) {
        cells.clear();
        for (const CopiedTable::Cell &cell : row)
            cells += oneLine(cell.number.isValid() ? cell.number.toString() : cell.text);
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return text;
}

QString asJson(const CopiedTable &table)
{
    QJsonArray rows;
    for (const auto &cells : table.rows) {
        QJsonObject row;
        for (qsizetype i = 0; i < cells.size(); ++i)
            row.insert(titleWithUnit(table.columns[i]), cells[i].number.isValid()
                                                            ? QJsonValue::fromVariant(cells[i].number)
                                                            : QJsonValue(cells[i].text));
        rows.append(row);
    }
    return QString::fromUtf8(QJsonDocument(rows).toJson());
}

} // namespace hearth
