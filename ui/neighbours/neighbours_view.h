#pragma once

#include "model/views/line_weights.h"
#include "model/views/neighbours.h"
#include "ui/neighbours/weight_model.h"
#include "ui/session/session.h"

#include <QWidget>

class QLabel;
class QStackedLayout;
class QTableView;

namespace hearth {

/// Who calls the selected function, what it calls, and which of its lines weigh. A double click on a row goes
/// there; Backspace goes back.
class NeighboursView : public QWidget {
    Q_OBJECT

public:
    explicit NeighboursView(Session &session, QWidget *parent = nullptr);

    QTableView *callers() const { return m_callers; }
    QTableView *callees() const { return m_callees; }
    QTableView *lines() const { return m_lines; }

protected:
    void showEvent(QShowEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;

private:
    struct Found {
        Neighbours neighbours;
        std::optional<LineWeights> lines;
    };

    QTableView *makeTable(WeightModel *model, const QString &title);
    void update();
    void show(const Evaluation &evaluation, EntryId id, const Found &found);
    std::vector<WeightRow> rowsOf(const Evaluation &evaluation,
                                  const std::vector<Neighbour> &neighbours) const;
    void goTo(EntryId entry);
    void goBack();

    Session &m_session;
    QStackedLayout *m_pages;
    QLabel *m_name;
    QLabel *m_weights;
    WeightModel *m_callerRows;
    WeightModel *m_calleeRows;
    WeightModel *m_lineRows;
    QTableView *m_callers;
    QTableView *m_callees;
    QTableView *m_lines;
    std::vector<QString> m_way;          ///< functions that were left by a double click
    std::shared_ptr<Evaluator> m_byLine; ///< used by one job at a time
    Worker m_worker;
};

} // namespace hearth
