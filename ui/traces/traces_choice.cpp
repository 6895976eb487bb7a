#include "model/views/time_range.h"
#include "ui/traces/group_model.h"
#include "ui/traces/latency_view.h"
#include "ui/traces/scatter_view.h"
#include "ui/traces/trace_model.h"
#include "ui/traces/traces_view.h"
#include "ui/traces/waterfall_view.h"

#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>

#include <utility>

// What is chosen in the Traces view, and what it makes of the lens.

namespace hearth {

void TracesView::propose(SpanChoice choice)
{
    m_choice = std::move(choice);
    Lens lens = withSpanChoice(m_session.lens(), effective(m_choice));
    if (lens == m_session.lens())
        return study();
    m_session.setLens(std::move(lens)); // takeLens() goes on
}

/// Another data set has other traces; a newer state of the same one has more of them.
void TracesView::takeSnapshot()
{
    const bool isOther = !m_session.evaluation() && m_session.lens() == Lens();
    if (isOther) { // which begins without a lens; data without samples never has an evaluation
        m_evaluator = std::make_shared<TraceEvaluator>();
        m_findings = nullptr;
        m_choice = {};
    } else if (m_worker.isBusy()) {
        m_isOutdated = true; // what is being studied comes to its end: data may arrive faster
        return;
    }
    study();
}

/// A lens that came from elsewhere chooses anew. That of a trace says nothing of the list that it was chosen
/// in.
void TracesView::takeLens()
{
    const SpanChoice chosen = spanChoiceOf(m_session.lens());
    if (chosen != effective(m_choice)) {
        const SpanChoice before = std::exchange(m_choice, chosen);
        if (!chosen.trace.empty()) {
            m_choice = before;
            m_choice.trace = chosen.trace;
            m_choice.span = chosen.span;
        }
    }
    m_children->setChecked(!m_session.lens().noChildren);
    m_estimate->setChecked(m_session.lens().estimatesLinks);
    study();
}

void TracesView::chooseGroup(int row)
{
    if (m_isFollowing || row < 0)
        return;
    const SpanGroup &group = m_groupModel->groupAt(row);
    SpanChoice choice;
    choice.name = std::string(m_groupModel->text(group.name));
    choice.service = std::string(m_groupModel->text(group.service));
    propose(std::move(choice));
}

void TracesView::chooseTrace(int row)
{
    if (m_isFollowing || row < 0)
        return;
    SpanChoice choice = m_choice;
    choice.trace = m_traceModel->idAt(row).toStdString();
    choice.span.clear();
    propose(std::move(choice));
}

void TracesView::chooseSpan(std::size_t row)
{
    const WaterfallScene &scene = m_waterfall->scene();
    const Link &link = scene.study->snapshot->links[scene.waterfall->rows[row].link.value];
    SpanChoice choice = m_choice;
    choice.trace = traceText(link);
    choice.span = spanText(link);
    propose(std::move(choice));
}

void TracesView::chooseBand(const LatencyBand &band)
{
    SpanChoice choice = withoutTrace(m_choice);
    choice.fromNs = band.fromNs;
    choice.toNs = band.toNs;
    propose(std::move(choice));
}

void TracesView::chooseSpanOfTable(SpanRow span)
{
    const SpanStudy &study = *m_findings->groups->study;
    const Link &link = study.snapshot->links[study.table.link(span).value];
    SpanChoice choice = m_choice;
    choice.trace = traceText(link);
    choice.span = spanText(link);
    propose(std::move(choice));
}

void TracesView::choosePart(const std::optional<LatencyBand> &band, const std::optional<TimeRange> &time)
{
    if (band) {
        m_choice = withoutTrace(m_choice);
        m_choice.fromNs = band->fromNs;
        m_choice.toNs = band->toNs;
    }
    Lens lens = withSpanChoice(m_session.lens(), effective(m_choice));
    if (const auto dataSet = timeSpanOf(*m_session.snapshot()); time && dataSet)
        lens.time =
            timeTermOf(*time, *dataSet, static_cast<double>(time->end - time->begin) / m_scatter->width());
    m_session.setLens(std::move(lens));
}

void TracesView::clearChoice()
{
    propose({});
}

void TracesView::selectFailed(bool forward)
{
    m_waterfall->selectFailed(forward);
}

void TracesView::showTraces(bool isShown)
{
    (isShown ? m_showTraces : m_showGroups)->setChecked(true);
    m_lists->setCurrentWidget(isShown ? m_traces : m_groups);
    if (m_findings)
        showChoice();
}

} // namespace hearth
