#pragma once

#include "model/lens/lens.h"
#include "model/store/snapshot.h"
#include "model/views/evaluator.h"
#include "ui/session/worker.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hearth {

/// What one window looks at: a data set, a lens with its history, what came of them, and what is selected.
/// Lives on the GUI thread; nothing is computed there.
class Session : public QObject {
    Q_OBJECT

public:
    explicit Session(QObject *parent = nullptr);

    const std::shared_ptr<const Snapshot> &snapshot() const { return m_snapshot; }
    /// Shows another data set, whole unless a lens is given: where its history begins.
    void showDataSet(std::shared_ptr<const Snapshot> snapshot, Lens lens = {});
    /// Shows a newer state of the same data set. What is being computed comes to its end first: data may
    /// arrive faster than it can be shown. One of another store, as while a file is read, is shown together
    /// with what comes of it; lens, history and selection stay.
    void updateDataSet(std::shared_ptr<const Snapshot> snapshot);

    /// Shows what was made of a data set elsewhere; its own lens has no say in that.
    void showEvaluation(std::shared_ptr<const Snapshot> snapshot,
                        std::shared_ptr<const Evaluation> evaluation);

    /// Whether the data set grows for good. While paused, what comes is kept for later.
    bool isLive() const { return m_isLive; }
    void setLive(bool isLive);
    bool isPaused() const { return m_isPaused; }
    void setPaused(bool isPaused);

    const Lens &lens() const { return m_lens; }
    /// One step, to be undone as one. Steps that change nothing are none.
    void setLens(Lens lens);
    /// Steps that follow each other while something is dragged are one.
    void dragLens(Lens lens);

    bool canUndo() const { return !m_undo.empty(); }
    bool canRedo() const { return !m_redo.empty(); }
    void undo();
    void redo();

    /// The newest result; null before the first. While a newer one is computed, isEvaluating().
    const std::shared_ptr<const Evaluation> &evaluation() const { return m_evaluation; }
    bool isEvaluating() const { return m_isEvaluating; }
    /// Why the lens cannot be evaluated; empty if it can.
    const QString &problem() const { return m_problem; }

    /// A node of the evaluation's tree; none if nothing is selected.
    NodeId selectedNode() const { return m_node; }
    /// What is selected, be it a node or a function as a whole.
    std::optional<EntryId> selectedEntry() const { return m_entry; }
    QString selectedName() const;
    void selectNode(NodeId node);
    void selectEntry(EntryId entry);
    void selectName(std::string name); ///< of a function that is seen elsewhere than in the evaluation
    void clearSelection();

Q_SIGNALS:
    void dataSetChanged(); ///< another one is shown: nothing of the one before holds
    void snapshotChanged();
    void liveChanged(); ///< or paused, or going on
    void lensChanged();
    void evaluationStarted();
    void evaluationChanged();
    void selectionChanged();

private:
    void evaluate();
    /// @param next what it was made of, if that is to be shown now
    void take(const Result<std::shared_ptr<const Evaluation>> &result,
              const std::shared_ptr<const Snapshot> &next = nullptr);
    void findSelection();
    void moveHistory(std::vector<Lens> &from, std::vector<Lens> &to);

    std::shared_ptr<const Snapshot> m_snapshot;
    std::shared_ptr<const Snapshot> m_newest; ///< that came while paused
    std::shared_ptr<const Snapshot> m_next;   ///< of another store; shown when it is evaluated
    bool m_isLive = false;
    bool m_isPaused = false;
    Lens m_lens;
    std::vector<Lens> m_undo;
    std::vector<Lens> m_redo;
    bool m_isDragging = false;

    std::shared_ptr<const Evaluation> m_evaluation;
    QString m_problem;
    bool m_isEvaluating = false;
    bool m_isOutdated = false; ///< there is newer data than what is being evaluated

    NodeId m_node = NodeId::none();
    std::optional<EntryId> m_entry;
    std::string m_selectedName; ///< finds the selection again in the next evaluation

    std::shared_ptr<Evaluator> m_evaluator; ///< used by one job at a time
    Worker m_worker;
};

} // namespace hearth
