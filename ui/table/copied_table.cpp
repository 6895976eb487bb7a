#include "ui/table/copied_table.h"

#include "ui/table/top_model.h"

#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTableView>
#include <QTreeView>

#include <algorithm>

namespace hearth {

namespace {

/// The columns of a view from left to right, but for those that hold nothing to be read.
QList<int> shownColumns(const QHeaderView &header)
{
    QList<int> columns;
    for (int visual = 0; visual < header.count(); ++visual) {
        const int logical = header.logicalIndex(visual);
        const bool isDrawn = header.model()->headerData(logical, Qt::Horizontal, kStripRole).toBool();
        if (!header.isSectionHidden(logical) && !isDrawn)
            columns += logical;
    }
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

QString exactText(const CopiedTable::Cell &cell)
{
    return cell.number.isValid() ? cell.number.toString() : cell.text;
}

/// As a tree looks when it is printed.
CopiedTable indented(CopiedTable table)
{
    if (table.treeColumn < 0)
        return table;
    for (qsizetype row = 0; row < table.rows.size(); ++row)
        table.rows[row][table.treeColumn].text.prepend(
            QString(qsizetype(2) * table.depths[row], QLatin1Char(' ')));
    return table;
}

QJsonArray jsonOf(const CopiedTable &table)
{
    QJsonArray rows;
    for (qsizetype i = 0; i < table.rows.size(); ++i) {
        QJsonObject row;
        if (!table.depths.isEmpty())
            row.insert(QStringLiteral("Depth"), table.depths[i]);
        const QList<CopiedTable::Cell> &cells = table.rows[i];
        for (qsizetype column = 0; column < cells.size(); ++column)
            row.insert(titleWithUnit(table.columns[column]),
                       cells[column].number.isValid() ? QJsonValue::fromVariant(cells[column].number)
                                                      : QJsonValue(cells[column].text));
        rows.append(row);
    }
    return rows;
}

/// Where a table's columns are among those of all tables, which get the ones that they lack.
QList<qsizetype> placesIn(QStringList &titles, const CopiedTable &table)
{
    QList<qsizetype> places;
    for (const CopiedTable::Column &column : table.columns) {
        const QString title = titleWithUnit(column);
        qsizetype place = titles.indexOf(title);
        while (place >= 0 && places.contains(place)) // columns may be called alike
            place = titles.indexOf(title, place + 1);
        if (place < 0) {
            place = titles.size();
            titles += title;
        }
        places += place;
    }
    return places;
}

QString csvLine(const QStringList &cells)
{
    static const QRegularExpression special(QStringLiteral("[,\"\r\n]"));
    QStringList quoted;
    for (QString cell : cells) {
        if (cell.contains(special))
            cell =
                QLatin1Char('"') + cell.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
        quoted += cell;
    }
    return quoted.join(QLatin1Char(',')) + QStringLiteral("\r\n");
}

} // namespace

CopiedTable copyOf(const QTableView &view)
{
    const QAbstractItemModel &model = *view.model();
    const QList<int> columns = shownColumns(*view.horizontalHeader());
    CopiedTable table = headOf(model, columns);
    table.title = view.accessibleName();
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
    table.title = view.accessibleName();
    table.treeColumn = columns.indexOf(view.treePosition());
    for (QModelIndex index = view.model()->index(0, 0); index.isValid(); index = view.indexBelow(index)) {
        int depth = 0;
        for (QModelIndex parent = index.parent(); parent.isValid(); parent = parent.parent())
            ++depth;
        table.rows += cellsOf(index, columns);
        table.depths += depth;
    }
    return table;
}

QString asText(const CopiedTable &flat)
{
    const CopiedTable table = indented(flat);
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

QString asMarkdown(const CopiedTable &flat)
{
    const CopiedTable table = indented(flat);
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

QString asTsv(const CopiedTable &flat)
{
    const CopiedTable table = indented(flat);
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
            cells += oneLine(exactText(cell));
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return text;
}

QString asJson(const CopiedTable &table)
{
    return QString::fromUtf8(QJsonDocument(jsonOf(table)).toJson());
}

QString asCsv(const QList<CopiedTable> &tables)
{
    QStringList titles;
    if (tables.size() > 1)
        titles += QStringLiteral("Table");
    const bool isTree = !tables.first().depths.isEmpty();
    if (isTree)
        titles += QStringLiteral("Depth");
    const qsizetype ahead = titles.size();
    QStringList columns;
    QList<QList<qsizetype>> places;
    for (const CopiedTable &table : tables)
        places += placesIn(columns, table);
    QString text = csvLine(titles + columns);
    for (qsizetype t = 0; t < tables.size(); ++t) {
        const CopiedTable &table = tables[t];
        for (qsizetype row = 0; row < table.rows.size(); ++row) {
            QStringList cells(ahead + columns.size());
            if (tables.size() > 1)
                cells[0] = table.title;
            if (isTree)
                cells[ahead - 1] = QString::number(table.depths[row]);
            for (qsizetype i = 0; i < table.columns.size(); ++i)
                cells[ahead + places[t][i]] = exactText(table.rows[row][i]);
            text += csvLine(cells);
        }
    }
    return text;
}

QString asJson(const QList<CopiedTable> &tables)
{
    if (tables.size() == 1)
        return asJson(tables.first());
    QJsonObject all;
    for (const CopiedTable &table : tables)
        all.insert(table.title, jsonOf(table));
    return QString::fromUtf8(QJsonDocument(all).toJson());
}

} // namespace hearth
