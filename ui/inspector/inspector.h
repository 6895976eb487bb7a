#pragma once

#include "model/views/neighbours.h"
#include "ui/session/session.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace hearth {

/// What is selected: its weight, where it is, who calls it and what it calls.
class Inspector : public QWidget {
    Q_OBJECT

public:
    explicit Inspector(Session &session, QWidget *parent = nullptr);

private:
    void takeSelection();
    void show(const std::shared_ptr<const Evaluation> &evaluation, EntryId entry,
              const Neighbours &neighbours);
    void fillList(QWidget *list, const Evaluation &evaluation, const std::vector<Neighbour> &neighbours,
                  std::int64_t whole);

    Session &m_session;
    QLabel *m_name;
    QLabel *m_place;
    QLabel *m_total;
    QLabel *m_totalText;
    QLabel *m_self;
    QLabel *m_selfText;
    QLabel *m_hint;
    QWidget *m_details;
    QWidget *m_callers;
    QWidget *m_callees;
    Worker m_worker;
};

} // namespace hearth
