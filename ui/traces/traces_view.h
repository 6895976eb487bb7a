#pragma once

#include "model/lens/span_steps.h"
#include "model/views/latency_map.h"
#include "model/views/log_list.h"
#include "model/views/trace_evaluator.h"
#include "model/views/trace_samples.h"
#include "model/views/waterfall.h"
#include "ui/session/session.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTableView;

namespace hearth {

class ChartView;
class FlameView;
class GroupModel;
class LatencyView;
class ScatterView;
class SpanDetails;
class TraceModel;
class WaterfallView;
struct LatencyBand;

/// From a slow span to the code that ran in it: groups and traces, how long they last, one trace as a
/// waterfall, and the flame graph of what is chosen. What is chosen here sets the lens, so that all other
/// views show it.
///
/// The lists show what the lens leaves without that choice, or one could choose once.
class TracesView : public QWidget {
    Q_OBJECT

public:
    explicit TracesView(Session &session, QWidget *parent = nullptr);

    QTableView *groups() const { return m_groups; }
    QTableView *traces() const { return m_traces; }
    QLineEdit *search() const { return m_search; }
    LatencyView *latencies() const { return m_latencies; }
    ScatterView *scatter() const { return m_scatter; }
    QPushButton *slowMinusFast() const { return m_slowMinusFast; }
    QPushButton *overTime() const { return m_overTime; }
    WaterfallView *waterfall() const { return m_waterfall; }
    SpanDetails *details() const { return m_details; }
    QPushButton *estimate() const { return m_estimate; }
    FlameView *flames() const { return m_flames; }
    ChartView *chart() const { return m_chart; }
    QPushButton *inTime() const { return m_inTime; }
    const SpanChoice &choice() const { return m_choice; }
    bool isStudying() const { return m_isStale || m_isOutdated || m_worker.isBusy(); }

    void showTraces(bool isShown); ///< rather than groups
    void selectFailed(bool forward);

Q_SIGNALS:
    void activated(); ///< what is chosen is to be looked at closely
    /// What is looked at is to be compared with these spans: those outside of the band that is chosen.
    void comparisonWanted(const hearth::Lens &fast);

protected:
    void showEvent(QShowEvent *event) override;

private:
    /// What is computed together.
    struct Findings {
        std::shared_ptr<const TraceEvaluation> groups;
        std::shared_ptr<const TraceEvaluation> listed;
        std::vector<std::uint32_t> groupOrder;
        std::vector<std::uint32_t> order; ///< of traces
        LatencyHistogram histogram;
        LatencyMap map;
        std::shared_ptr<const Waterfall> waterfall;
        std::shared_ptr<const std::vector<LogMark>> logs; ///< of its spans
        std::shared_ptr<const TraceSamples> samples;
    };
    struct Question {
        std::shared_ptr<const Snapshot> snapshot;
        Lens lens;
        SpanChoice choice;
        GroupKey groupKey;
        bool groupsDescend;
        TraceKey key;
        bool isDescending;
    };

    void makeTables();
    QWidget *makeTop();
    QWidget *makeBottom();
    QWidget *makeBar();
    void connectAll();

    void takeSnapshot();
    void takeLens();
    void study();
    static Result<std::shared_ptr<const Findings>> find(TraceEvaluator &evaluator, const Question &question,
                                                        const std::stop_token &stop);
    void show(const std::shared_ptr<const Findings> &findings);
    void divideRoom();
    void showChoice();
    void showDetails(std::size_t row);
    void showCode();

    void propose(SpanChoice choice);
    void chooseGroup(int row);
    void chooseTrace(int row);
    void chooseSpan(std::size_t row);
    void chooseSpanOfTable(SpanRow span);
    void chooseBand(const LatencyBand &band);
    void choosePart(const std::optional<LatencyBand> &band, const std::optional<TimeRange> &time);
    void clearChoice();

    Session &m_session;
    QStackedWidget *m_pages; ///< all this, or why there is nothing
    QLabel *m_nothing;
    QStackedWidget *m_lists;
    GroupModel *m_groupModel;
    TraceModel *m_traceModel;
    QTableView *m_groups;
    QTableView *m_traces;
    QPushButton *m_showGroups;
    QPushButton *m_showTraces;
    QLineEdit *m_search;
    QLabel *m_count;
    QLabel *m_latencyHead;
    LatencyView *m_latencies;
    ScatterView *m_scatter;
    QPushButton *m_slowMinusFast;
    QPushButton *m_overTime;
    WaterfallView *m_waterfall;
    QLabel *m_codeHead;
    QPushButton *m_children;
    QPushButton *m_estimate;
    FlameView *m_flames;
    ChartView *m_chart;
    QPushButton *m_inTime;
    SpanDetails *m_details;
    QSplitter *m_parts;
    bool m_isArranged = false; ///< somebody divided the room

    SpanChoice m_choice;
    Lens m_searched; ///< terms of the search
    GroupKey m_groupKey = GroupKey::Count;
    bool m_groupsDescend = true;
    TraceKey m_key = TraceKey::Duration;
    bool m_isDescending = true;
    bool m_isOutdated = false;  ///< there is newer data than what is being studied
    bool m_isStale = true;      ///< something changed while this could not be seen
    bool m_isFollowing = false; ///< a table follows what is chosen, instead of choosing
    std::shared_ptr<const Findings> m_findings;
    std::shared_ptr<TraceEvaluator> m_evaluator; ///< used by one job at a time
    Worker m_worker;
};

} // namespace hearth
