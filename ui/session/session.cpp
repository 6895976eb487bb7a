#include "ui/session/session.h"

#include "model/views/neighbours.h"

#include <utility>

namespace hearth {

Session::Session(QObject *parent) : QObject(parent), m_evaluator(std::make_shared<Evaluator>()) {}

void Session::showDataSet(std::shared_ptr<const Snapshot> snapshot, Lens lens)
{
    m_snapshot = std::move(snapshot);
    m_newest = nullptr;
    m_next = nullptr;
    m_isLive = false;
    m_isPaused = false;
    m_evaluator = std::make_shared<Evaluator>();
    m_evaluation = nullptr;
    m_undo.clear();
    m_redo.clear();
    m_lens = std::move(lens);
    clearSelection();
    Q_EMIT dataSetChanged();
    Q_EMIT snapshotChanged();
    Q_EMIT lensChanged();
    evaluate();
}

void Session::updateDataSet(std::shared_ptr<const Snapshot> snapshot)
{
    if (m_isPaused) {
        m_newest = std::move(snapshot);
        return;
    }
    if (m_next || (m_snapshot && snapshot->store != m_snapshot->store)) {
        m_next = std::move(snapshot);
    } else {
        m_snapshot = std::move(snapshot);
        Q_EMIT snapshotChanged();
    }
    m_isOutdated = m_isEvaluating;
    if (!m_isEvaluating)
        evaluate();
}

void Session::showEvaluation(std::shared_ptr<const Snapshot> snapshot,
                             std::shared_ptr<const Evaluation> evaluation)
{
    m_snapshot = std::move(snapshot);
    take(std::move(evaluation));
}

void Session::setPaused(bool isPaused)
{
    if (isPaused == m_isPaused || !m_isLive)
        return;
    m_isPaused = isPaused;
    if (auto newest = std::exchange(m_newest, nullptr))
        updateDataSet(std::move(newest));
    Q_EMIT liveChanged();
}

void Session::setLive(bool isLive)
{
    m_isLive = isLive;
    Q_EMIT liveChanged();
}

void Session::setLens(Lens lens)
{
    m_isDragging = false;
    if (lens == m_lens)
        return;
    m_undo.push_back(std::exchange(m_lens, std::move(lens)));
    m_redo.clear();
    Q_EMIT lensChanged();
    evaluate();
}

void Session::dragLens(Lens lens)
{
    if (!m_isDragging) {
        setLens(std::move(lens));
        m_isDragging = true;
        return;
    }
    if (lens == m_lens)
        return;
    m_lens = std::move(lens);
    Q_EMIT lensChanged();
    evaluate();
}

void Session::undo()
{
    moveHistory(m_undo, m_redo);
}

void Session::redo()
{
    moveHistory(m_redo, m_undo);
}

void Session::moveHistory(std::vector<Lens> &from, std::vector<Lens> &to)
{
    m_isDragging = false;
    if (from.empty())
        return;
    to.push_back(std::exchange(m_lens, std::move(from.back())));
    from.pop_back();
    Q_EMIT lensChanged();
    evaluate();
}

void Session::evaluate()
{
    if (!m_snapshot)
        return;
    m_isEvaluating = true;
    m_isOutdated = false;
    Q_EMIT evaluationStarted();
    m_worker.run([this, evaluator = m_evaluator, snapshot = m_next ? m_next : m_snapshot, next = m_next,
                  lens = m_lens](const std::stop_token &stop) -> Worker::Delivery {
        auto result = evaluator->evaluate(snapshot, lens, stop);
        if (result && *result == nullptr)
            return nullptr; // stopped
        return [this, next, result = std::move(result)] { take(result, next); };
    });
}

void Session::take(const Result<std::shared_ptr<const Evaluation>> &result,
                   const std::shared_ptr<const Snapshot> &next)
{
    m_isEvaluating = false;
    m_problem = result ? QString() : QString::fromStdString(result.error().message);
    if (result || next)
        m_evaluation = result ? *result : nullptr;
    findSelection();
    if (next) { // ids of what was shown before mean nothing in it, so nobody hears of it sooner
        m_snapshot = next;
        if (m_next == next)
            m_next = nullptr;
        Q_EMIT snapshotChanged();
    }
    Q_EMIT selectionChanged();
    Q_EMIT evaluationChanged();
    if (m_isOutdated)
        evaluate();
}

/// Nodes are numbered anew, functions keep their name.
void Session::findSelection()
{
    m_node = NodeId::none();
    m_entry.reset();
    if (!m_selectedName.empty() && m_evaluation && m_evaluation->tree)
        m_entry = entryNamed(*m_evaluation->tree, m_selectedName);
}

QString Session::selectedName() const
{
    return QString::fromStdString(m_selectedName);
}

void Session::selectNode(NodeId node)
{
    if (!m_evaluation || node == TreeShape::kRoot)
        return clearSelection();
    m_node = node;
    m_entry = m_evaluation->tree->entryOf(node);
    m_selectedName = m_evaluation->tree->entries()[*m_entry].name;
    Q_EMIT selectionChanged();
}

void Session::selectEntry(EntryId entry)
{
    if (!m_evaluation)
        return;
    m_node = NodeId::none();
    m_entry = entry;
    m_selectedName = m_evaluation->tree->entries()[entry].name;
    Q_EMIT selectionChanged();
}

void Session::selectName(std::string name)
{
    m_selectedName = std::move(name);
    findSelection();
    Q_EMIT selectionChanged();
}

void Session::clearSelection()
{
    m_node = NodeId::none();
    m_entry.reset();
    m_selectedName.clear();
    Q_EMIT selectionChanged();
}

} // namespace hearth
