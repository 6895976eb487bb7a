#pragma once

#include "ui/session/session.h"
#include "ui/table/tree_model.h"

#include <QWidget>

class QPushButton;
class QTreeView;

namespace hearth {

/// The call tree, from its roots or from what weighs something itself.
class CallTreeView : public QWidget {
    Q_OBJECT

public:
    explicit CallTreeView(Session &session, QWidget *parent = nullptr);

    QTreeView *tree() const { return m_tree; }
    TreeModel *model() const { return m_model; }
    void setInverted(bool isInverted);
    /// Opens the heaviest child of the current row, its heaviest child, and so on to the end.
    void expandHeaviest();
    /// Shows the totals of another series in a column, or takes it off.
    void toggleBeside(const QString &series);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void takeEvaluation();
    void fillBesideMenu();
    void showBeside();
    void takeSelection();
    void showSelection();
    void showNode(NodeId node);

    Session &m_session;
    TreeModel *m_model;
    QTreeView *m_tree;
    QPushButton *m_topDown;
    QPushButton *m_bottomUp;
    QPushButton *m_besideButton;
    QStringList m_beside;                   ///< names of series
    std::shared_ptr<Evaluator> m_evaluator; ///< of other series; used by one job at a time
    Worker m_worker;
    Worker m_finder;
    bool m_isFollowing = false;
};

} // namespace hearth
