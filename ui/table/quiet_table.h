#pragma once

#include <QTableView>

namespace hearth {

/// A table of rows to choose from, one at a time unless told otherwise: no grid, no row numbers, one line a
/// row.
class QuietTable : public QTableView {
    Q_OBJECT

public:
    explicit QuietTable(QWidget *parent = nullptr);
};

} // namespace hearth
