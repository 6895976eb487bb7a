#pragma once

#include "model/views/entry_activity.h"
#include "model/views/neighbours.h"
#include "ui/inspector/source_peek.h"
#include "ui/session/session.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace hearth {

class Sparkline;

/// What is selected: its weight, where it is, who calls it and what it calls.
class Inspector : public QWidget {
    Q_OBJECT

public:
    explicit Inspector(Session &session, QWidget *parent = nullptr);

    SourcePeek *source() const { return m_source; }

private:
    void takeSelection();
    /// What is found out about the selection on the worker.
    struct Details {
        Neighbours neighbours;
        std::optional<EntryActivity> activity;
        std::vector<std::string> notes;
        SourceLines source;
    };
    void show(const std::shared_ptr<const Evaluation> &evaluation, EntryId entry, const Details &details);
    void showActivity(const std::optional<EntryActivity> &activity);
    void fillList(QWidget *list, const Evaluation &evaluation, const std::vector<Neighbour> &neighbours,
                  std::int64_t whole);

    Session &m_session;
    QLabel *m_name;
    QLabel *m_place;
    QLabel *m_notes;
    QLabel *m_total;
    QLabel *m_totalText;
    QLabel *m_self;
    QLabel *m_selfText;
    QLabel *m_samples;
    Sparkline *m_sparkline;
    QLabel *m_sourceHead = nullptr;
    SourcePeek *m_source;
    QLabel *m_hint;
    QWidget *m_details;
    QWidget *m_callers;
    QWidget *m_callees;
    Worker m_worker;
};

} // namespace hearth
