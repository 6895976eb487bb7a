#pragma once

#include <QList>
#include <QString>
#include <QVariant>

class QTableView;
class QTreeView;

namespace hearth {

/// A table to paste elsewhere, with its columns and rows as they are shown.
struct CopiedTable {
    struct Column {
        QString title;
        QString unit; ///< of its numbers
        bool isRight = false;
    };
    struct Cell {
        QString text;
        QVariant number; ///< exactly, where the text is rounded
    };

    QList<Column> columns;
    QList<QList<Cell>> rows;
};

/// The rows that are selected if there are several, else all.
CopiedTable copyOf(const QTableView &view);
/// The rows that are open; the names of the tree's column are indented.
CopiedTable copyOf(const QTreeView &view);

/// Columns in line, for a terminal or a mail.
QString asText(const CopiedTable &table);
QString asMarkdown(const CopiedTable &table);
/// Tabs between cells and exact numbers, for a spreadsheet.
QString asTsv(const CopiedTable &table);
/// A list of objects, with exact numbers.
QString asJson(const CopiedTable &table);

} // namespace hearth
