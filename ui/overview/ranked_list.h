#pragma once

#include "ui/overview/overview_text.h"

#include <QWidget>

class QLabel;
class QTableView;

namespace hearth {

class RankedModel;

/// A short list of what weighs most, under a head, as high as its rows.
class RankedList : public QWidget {
    Q_OBJECT

public:
    explicit RankedList(QWidget *parent = nullptr);

    /// Hides itself if there are no rows.
    void show(const RankedRows &list);

    QTableView *table() const { return m_table; }
    QLabel *head() const { return m_head; }

Q_SIGNALS:
    void selected(int row);
    void activated(int row);

private:
    QLabel *m_head;
    RankedModel *m_model;
    QTableView *m_table;
};

} // namespace hearth
