#include "ui/table/quiet_table.h"

#include <QHeaderView>

namespace hearth {

QuietTable::QuietTable(QWidget *parent) : QTableView(parent)
{
    constexpr int kRowHeight = 22;
    setShowGrid(false);
    setWordWrap(false);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
}

} // namespace hearth
