#pragma once

#include "ui/session/session.h"
#include "ui/table/top_model.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace hearth {

/// The functions (or what else the lens makes rows of) by weight.
class TopView : public QWidget {
    Q_OBJECT

public:
    explicit TopView(Session &session, QWidget *parent = nullptr);

    QTableView *table() const { return m_table; }
    QLineEdit *filter() const { return m_filter; }

Q_SIGNALS:
    void activated(EntryId entry);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void takeEvaluation();
    void arrange();
    void orderBy(TopModel::Column column, Qt::SortOrder order);
    void showStrips();
    void rankNames();
    void fillRowsMenu();
    void takeSelection();
    void showSelection();

    Session &m_session;
    TopModel *m_model;
    QTableView *m_table;
    QLineEdit *m_filter;
    QPushButton *m_rows; ///< what is a row
    QLabel *m_count;
    std::shared_ptr<const Evaluation> m_evaluation;
    std::shared_ptr<const TopTable> m_top;
    std::shared_ptr<const NameRanks> m_ranks;   ///< of m_top, once they are known
    std::vector<RowOrder> m_orders{RowOrder{}}; ///< the one chosen last comes first
    bool m_isFollowing = false;                 ///< the selection of the session, instead of making it
    Worker m_worker;
    Worker m_rankWorker;
    Worker m_stripWorker;
};

} // namespace hearth
