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

    QString title;
    QList<Column> columns;
    QList<QList<Cell>> rows;
    qsizetype treeColumn = -1; ///< of a tree: where its names are
    QList<int> depths;         ///< of a tree: by row, 0 for its roots
};

/// The rows that are selected if there are several, else all.
CopiedTable copyOf(const QTableView &view);
/// The rows that are open.
CopiedTable copyOf(const QTreeView &view);

// For people, names of a tree are indented; for programs, there is a column of depths.

/// Columns in line, for a terminal or a mail.
QString asText(const CopiedTable &table);
QString asMarkdown(const CopiedTable &table);
/// Tabs between cells and exact numbers, for a spreadsheet.
QString asTsv(const CopiedTable &table);
/// A list of objects, with exact numbers.
QString asJson(const CopiedTable &table);

// Files.

/// As RFC 4180 has it, with exact numbers. Several tables are one, which has the columns of all, and their
/// titles in its first. Texts are as they are: what a spreadsheet takes for a formula is none here.
/// REQUIRES: there is one.
QString asCsv(const QList<CopiedTable> &tables);
/// A list of objects; of several tables, an object of such lists by title.
QString asJson(const QList<CopiedTable> &tables);

} // namespace hearth
