#pragma once

#include "model/views/overview.h"
#include "ui/session/session.h"

#include <QScrollArea>

#include <memory>
#include <vector>

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace hearth {

class NoteEdit;
class RankedList;

/// Where a line of the overview leads.
enum class OverviewTarget : std::uint8_t { Flames, Callers, Executables, Traces, Missing };

/// What a data set is, what weighs most in it, and what to look at next. Each line leads there.
class OverviewView : public QScrollArea {
    Q_OBJECT

public:
    explicit OverviewView(Session &session, QWidget *parent = nullptr);

    void setDataSetTitle(const QString &title);
    /// What their user has to say of the data set, and of the workspace if there is one.
    void setNotes(const QString &ofDataSet, const QString &ofWorkspace, bool hasWorkspace);

    /// The newest; null while there is none.
    const std::shared_ptr<const Overview> &overview() const { return m_overview; }
    RankedList *functions() const { return m_functions; }
    RankedList *binaries() const { return m_binaries; }
    RankedList *series() const { return m_series; }
    RankedList *attributes(std::size_t index) const { return m_attributes[index]; }
    QLabel *advice() const { return m_advice; }
    NoteEdit *note() const { return m_note; }
    NoteEdit *workspaceNote() const { return m_workspaceNote; }

Q_SIGNALS:
    void targetChosen(OverviewTarget target);

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *makeContent();
    void makeConnections();
    void update();
    void showAll();
    void showFacts();
    void showLists();
    void showAdvice();
    void takeAdvice(const Advice &advice);

    Session &m_session;
    QLabel *m_title;
    QLabel *m_summary;
    NoteEdit *m_note;
    QLabel *m_workspaceHead;
    NoteEdit *m_workspaceNote;
    QLabel *m_adviceHead;
    QLabel *m_advice;
    RankedList *m_series;
    QLabel *m_factsHead;
    QGridLayout *m_facts;
    RankedList *m_functions;
    RankedList *m_binaries;
    std::vector<RankedList *> m_attributes;
    std::shared_ptr<const Evaluation> m_shown; ///< what the overview was made for
    std::shared_ptr<const Overview> m_overview;
    std::shared_ptr<Evaluator> m_evaluator; ///< used by one job at a time
    Worker m_worker;
};

} // namespace hearth
