#include "ui/traces/traces_view.h"

#include "model/lens/compiled_lens.h"
#include "ui/chart/chart_view.h"
#include "ui/flame/flame_view.h"
#include "ui/table/quiet_table.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"
#include "ui/traces/group_model.h"
#include "ui/traces/latency_view.h"
#include "ui/traces/scatter_view.h"
#include "ui/traces/span_details.h"
#include "ui/traces/trace_model.h"
#include "ui/traces/waterfall_view.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace hearth {

namespace {

void setUp(QTableView &table, QAbstractItemModel &model, const QString &name)
{
    table.setModel(&model);
    table.setAccessibleName(name);
    QHeaderView *header = table.horizontalHeader();
    header->setSortIndicatorShown(true);
    header->setMinimumSectionSize(40);
    header->setSectionResizeMode(0, QHeaderView::Stretch);
}

void setWidths(QTableView &table, std::initializer_list<int> widths)
{
    int column = 1;
    for (const int width : widths)
        table.horizontalHeader()->resizeSection(column++, width);
}

const SpanGroup *findGroup(const TraceEvaluation &evaluation, const SpanChoice &choice)
{
    const Snapshot &snapshot = *evaluation.study->snapshot;
    const auto &groups = evaluation.groups.groups;
    const auto group = std::ranges::find_if(groups, [&](const SpanGroup &candidate) {
        return choice.name && snapshot.text(candidate.name) == *choice.name &&
               (choice.service.empty() || snapshot.text(candidate.service) == choice.service);
    });
    return group == groups.end() ? nullptr : &*group;
}

/// The trace that is asked for, else the first of the list.
TraceRow traceToShow(const TraceEvaluation &listed, std::span<const std::uint32_t> order,
                     const std::string &id)
{
    const SpanStudy &study = *listed.study;
    if (!id.empty()) {
        const TracePrefix prefix(id);
        for (std::size_t i = 0; i < study.table.traceCount(); ++i)
            if (prefix.matches(study.snapshot->links[study.table.anyLink(TraceRow(i)).value].trace))
                return TraceRow(i);
    }
    return order.empty() ? TraceRow::none() : listed.traces[order.front()].trace;
}

} // namespace

TracesView::TracesView(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_pages(new QStackedWidget(this)), m_nothing(new QLabel(this)),
      m_lists(new QStackedWidget(this)), m_groupModel(new GroupModel(this)),
      m_traceModel(new TraceModel(this)), m_groups(new QuietTable(this)), m_traces(new QuietTable(this)),
      m_showGroups(new QPushButton(tr("Groups"), this)), m_showTraces(new QPushButton(tr("Traces"), this)),
      m_search(new QLineEdit(this)), m_count(new QLabel(this)), m_latencyHead(new QLabel(this)),
      m_latencies(new LatencyView(this)), m_scatter(new ScatterView(this)),
      m_slowMinusFast(new QPushButton(tr("Slow minus fast"), this)),
      m_overTime(new QPushButton(tr("Over time"), this)), m_waterfall(new WaterfallView(this)),
      m_codeHead(new QLabel(this)), m_children(new QPushButton(tr("With children"), this)),
      m_estimate(new QPushButton(tr("Estimate"), this)), m_flames(new FlameView(session, this)),
      m_chart(new ChartView(session, this)), m_inTime(new QPushButton(tr("Time chart"), this)),
      m_details(new SpanDetails(this)), m_parts(new QSplitter(Qt::Vertical, this)),
      m_evaluator(std::make_shared<TraceEvaluator>())
{
    makeTables();
    m_parts->addWidget(makeTop());
    m_parts->addWidget(m_waterfall);
    m_parts->addWidget(makeBottom());
    m_parts->setStretchFactor(2, 1);
    m_parts->setChildrenCollapsible(false);
    connect(m_parts, &QSplitter::splitterMoved, this, [this] { m_isArranged = true; });
    m_waterfall->setMinimumHeight(WaterfallScene::kHeadHeight + 3 * WaterfallScene::kRowHeight);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    m_nothing->setForegroundRole(QPalette::Dark);
    m_nothing->setText(
        tr("There are no spans, and no samples that are linked to any.\n"
           "Send traces to the same port; samples of senders that set links are shown in them."));
    m_pages->addWidget(m_nothing);
    m_pages->addWidget(m_parts);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(m_pages, 1);
    connectAll();
}

void TracesView::makeTables()
{
    setUp(*m_groups, *m_groupModel, tr("Groups of spans"));
    setWidths(*m_groups, {96, 62, 68, 72, 72, 72});
    m_groups->horizontalHeader()->setSortIndicator(GroupModel::Count, Qt::DescendingOrder);
    setUp(*m_traces, *m_traceModel, tr("Traces"));
    setWidths(*m_traces, {90, 84, 78, 60, 64, 72, 72, 76});
    m_traces->horizontalHeader()->setSortIndicator(TraceModel::Duration, Qt::DescendingOrder);
    m_lists->addWidget(m_groups);
    m_lists->addWidget(m_traces);
}

QWidget *TracesView::makeBar()
{
    auto *bar = new QWidget(this);
    auto *choices = new QButtonGroup(bar);
    for (QPushButton *button : {m_showGroups, m_showTraces}) {
        button->setProperty("quiet", true);
        button->setCheckable(true);
        choices->addButton(button);
    }
    m_showGroups->setChecked(true);
    m_showGroups->setToolTip(tr("Spans of one name and service as a row"));
    m_showTraces->setToolTip(tr("Traces one by one, the slowest first"));
    m_search->setPlaceholderText(tr("Find spans: cart service=shop duration>100ms error"));
    m_search->setAccessibleName(tr("Find spans"));
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(340);
    m_count->setForegroundRole(QPalette::Dark);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(10, 6, 10, 4);
    row->setSpacing(6);
    row->addWidget(m_showGroups);
    row->addWidget(m_showTraces);
    row->addWidget(m_search);
    row->addStretch();
    row->addWidget(m_count);
    return bar;
}

QWidget *TracesView::makeTop()
{
    auto *latencies = new QWidget(this);
    auto *column = new QVBoxLayout(latencies);
    column->setContentsMargins(10, 4, 10, 0);
    column->setSpacing(4);
    m_latencyHead->setForegroundRole(QPalette::Dark);
    m_slowMinusFast->setProperty("quiet", true);
    m_slowMinusFast->setToolTip(
        tr("What the spans of the band do more of than the others, for each request"));
    m_slowMinusFast->hide();
    connect(m_slowMinusFast, &QPushButton::clicked, this, [this] {
        const SpanChoice band = withoutTrace(m_choice);
        propose(band); // not a single trace of it
        Q_EMIT comparisonWanted(withSpanChoice(m_session.lens(), outsideBand(band)));
    });
    m_overTime->setProperty("quiet", true);
    m_overTime->setCheckable(true);
    m_overTime->setToolTip(tr("When spans began, and how long they lasted"));
    auto *head = new QHBoxLayout;
    head->addWidget(m_latencyHead, 1);
    head->addWidget(m_slowMinusFast);
    head->addWidget(m_overTime);
    column->addLayout(head);
    auto *charts = new QStackedWidget(latencies);
    charts->addWidget(m_latencies);
    charts->addWidget(m_scatter);
    connect(m_overTime, &QPushButton::toggled, charts, &QStackedWidget::setCurrentIndex);
    column->addWidget(charts, 1);
    auto *top = new QSplitter(Qt::Horizontal, this);
    top->addWidget(m_lists);
    top->addWidget(latencies);
    top->setSizes({620, 360});
    top->setStretchFactor(0, 3);
    top->setStretchFactor(1, 2);
    return top;
}

QWidget *TracesView::makeBottom()
{
    auto *code = new QWidget(this);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(10, 6, 10, 4);
    m_codeHead->setTextFormat(Qt::RichText);
    m_children->setProperty("quiet", true);
    m_children->setCheckable(true);
    m_children->setToolTip(tr("What ran in the children of a span ran in it"));
    m_estimate->setProperty("quiet", true);
    m_estimate->setCheckable(true);
    m_estimate->setToolTip(
        tr("Samples without a link count to the span that their thread started last of those "
           "that ran at their time. This is a guess."));
    m_inTime->setProperty("quiet", true);
    m_inTime->setCheckable(true);
    m_inTime->setToolTip(tr("The same on the time axis of the trace, in a lane for each thread"));
    head->addWidget(m_codeHead, 1);
    head->addWidget(m_inTime);
    head->addWidget(m_estimate);
    head->addWidget(m_children);
    auto *column = new QVBoxLayout(code);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    auto *pictures = new QStackedWidget(code);
    pictures->addWidget(m_flames);
    pictures->addWidget(m_chart);
    connect(m_inTime, &QPushButton::toggled, pictures, &QStackedWidget::setCurrentIndex);
    column->addWidget(pictures, 1);
    auto *details = new QScrollArea(this);
    details->setFrameShape(QFrame::NoFrame);
    details->setWidgetResizable(true);
    details->setWidget(m_details);
    details->setAccessibleName(tr("What the sender said of the span"));
    auto *bottom = new QSplitter(Qt::Horizontal, this);
    bottom->addWidget(code);
    bottom->addWidget(details);
    bottom->setSizes({720, 280});
    return bottom;
}

void TracesView::connectAll()
{
    connect(&m_session, &Session::lensChanged, this, &TracesView::takeLens);
    connect(&m_session, &Session::snapshotChanged, this, &TracesView::takeSnapshot);
    connect(&m_session, &Session::evaluationChanged, this, &TracesView::showCode);
    connect(m_showGroups, &QPushButton::clicked, this, [this] { showTraces(false); });
    connect(m_showTraces, &QPushButton::clicked, this, [this] { showTraces(true); });
    connect(m_groups->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) { chooseGroup(current.row()); });
    connect(m_traces->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) { chooseTrace(current.row()); });
    connect(m_groups->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this,
            [this](int column, Qt::SortOrder order) {
                m_groupKey = groupKeyOf(static_cast<GroupModel::Column>(column));
                m_groupsDescend = order == Qt::DescendingOrder;
                study();
            });
    connect(m_traces->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this,
            [this](int column, Qt::SortOrder order) {
                m_key = traceKeyOf(static_cast<TraceModel::Column>(column));
                m_isDescending = order == Qt::DescendingOrder;
                study();
            });
    for (QTableView *table : {m_groups, m_traces}) {
        connect(table, &QTableView::activated, this, &TracesView::activated);
        auto *clear =
            new QShortcut(QKeySequence(Qt::Key_Escape), table, nullptr, nullptr, Qt::WidgetShortcut);
        connect(clear, &QShortcut::activated, this, &TracesView::clearChoice);
    }
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString &text) {
        const Result<Lens> search = parseSpanSearch(text.toStdString());
        m_search->setToolTip(search ? QString() : QString::fromStdString(search.error().message));
        if (!search)
            return m_count->setText(QString::fromStdString(search.error().message));
        m_searched = *search;
        study();
    });
    connect(m_latencies, &LatencyView::bandChosen, this, &TracesView::chooseBand);
    connect(m_latencies, &LatencyView::bandCleared, this, [this] {
        SpanChoice choice = withoutTrace(m_choice);
        choice.fromNs.reset();
        choice.toNs.reset();
        propose(std::move(choice));
    });
    connect(m_scatter, &ScatterView::spanChosen, this, &TracesView::chooseSpanOfTable);
    connect(m_scatter, &ScatterView::partChosen, this, &TracesView::choosePart);
    connect(m_waterfall, &WaterfallView::spanChosen, this, &TracesView::chooseSpan);
    connect(m_waterfall, &WaterfallView::activated, this, &TracesView::activated);
    connect(m_children, &QPushButton::clicked, this, [this](bool isChecked) {
        Lens lens = m_session.lens();
        lens.noChildren = !isChecked;
        m_session.setLens(std::move(lens));
    });
    connect(m_estimate, &QPushButton::clicked, this, [this](bool isChecked) {
        Lens lens = m_session.lens();
        lens.estimatesLinks = isChecked;
        m_session.setLens(std::move(lens));
    });
    connect(m_details, &SpanDetails::traceRequested, this, [this](const QString &traceId) {
        SpanChoice choice = m_choice;
        choice.trace = traceId.toStdString();
        choice.span.clear();
        propose(std::move(choice));
    });
    takeLens();
}

// ---- what is found

void TracesView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    divideRoom();
    if (m_isStale)
        study();
}

/// On the worker, and only while somebody looks.
void TracesView::study()
{
    m_isStale = !isVisible() || !m_session.snapshot();
    if (m_isStale)
        return;
    m_isOutdated = false;
    Question question{m_session.snapshot(),
                      withSpanTerms(withoutSpanChoice(m_session.lens()), m_searched),
                      m_choice,
                      m_groupKey,
                      m_groupsDescend,
                      m_key,
                      m_isDescending};
    m_worker.run([this, evaluator = m_evaluator,
                  question = std::move(question)](const std::stop_token &stop) -> Worker::Delivery {
        auto findings = find(*evaluator, question, stop);
        if (findings && !*findings)
            return nullptr; // stopped
        return [this, findings = std::move(findings)] {
            if (findings)
                show(*findings);
            else
                m_count->setText(QString::fromStdString(findings.error().message));
            if (m_isOutdated)
                study();
        };
    });
}

Result<std::shared_ptr<const TracesView::Findings>>
TracesView::find(TraceEvaluator &evaluator, const Question &question, const std::stop_token &stop)
{
    auto findings = std::make_shared<Findings>();
    auto groups = evaluator.evaluate(question.snapshot, question.lens, stop);
    if (!groups)
        return tl::unexpected(groups.error());
    const SpanChoice listed = withoutTrace(question.choice);
    auto traces = listed.isAnything() && *groups
                      ? evaluator.evaluate(question.snapshot, withSpanChoice(question.lens, listed), stop)
                      : groups;
    if (!traces)
        return tl::unexpected(traces.error());
    if (!*groups || !*traces)
        return nullptr;
    findings->groups = std::move(*groups);
    findings->listed = std::move(*traces);
    const SpanStudy &study = *findings->listed->study;
    findings->groupOrder = arrangedGroups(*question.snapshot, findings->groups->groups.groups,
                                          question.groupKey, question.groupsDescend);
    findings->order = arrangedTraces(*question.snapshot, study.table, findings->listed->traces, question.key,
                                     question.isDescending);
    const SpanGroup *group = findGroup(*findings->groups, listed);
    const std::span<const SpanRow> spans = group != nullptr ? findings->groups->groups.spansOf(*group)
                                                            : std::span(findings->groups->groups.spans);
    findings->histogram = latencyHistogram(study.table, spans, LatencyView::kBins);
    findings->map = latencyMap(study.table, spans, ScatterView::kColumns, ScatterView::kRows);
    const TraceRow trace = traceToShow(*findings->listed, findings->order, question.choice.trace);
    Waterfall waterfall;
    if (!trace.isNone()) {
        auto made = waterfallOf(*question.snapshot, study.table, study.order, study.weights, trace, stop);
        if (!made)
            return nullptr;
        waterfall = std::move(*made);
    }
    auto logs = logMarks(*question.snapshot, waterfall, stop);
    if (!logs)
        return nullptr;
    auto samples = traceSamples(*question.snapshot, waterfall, study.estimate, stop);
    if (!samples)
        return nullptr;
    findings->samples = std::make_shared<const TraceSamples>(std::move(*samples));
    findings->waterfall = std::make_shared<const Waterfall>(std::move(waterfall));
    findings->logs = std::make_shared<const std::vector<LogMark>>(std::move(*logs));
    return findings;
}

void TracesView::show(const std::shared_ptr<const Findings> &findings)
{
    m_findings = findings;
    const SpanStudy &study = *findings->groups->study;
    const bool hasAny = study.table.traceCount() > 0;
    m_pages->setCurrentIndex(hasAny ? 1 : 0);
    m_isFollowing = true;
    m_groupModel->set(findings->groups, findings->groupOrder);
    m_traceModel->set(findings->listed, findings->order);
    m_isFollowing = false;
    std::optional<LatencyBand> band;
    if (m_choice.fromNs || m_choice.toNs)
        band = LatencyBand{m_choice.fromNs.value_or(0),
                           m_choice.toNs.value_or(std::numeric_limits<std::int64_t>::max())};
    m_latencies->show(findings->histogram, band);
    m_scatter->show(findings->map, band);
    m_waterfall->show(findings->listed->study, findings->waterfall, findings->logs, findings->samples);
    const auto has = [&](std::int64_t TraceSummary::*time) {
        return std::ranges::any_of(findings->listed->traces,
                                   [time](const TraceSummary &trace) { return trace.*time > 0; });
    };
    m_traces->setColumnHidden(TraceModel::Waiting, !has(&TraceSummary::waitingNs));
    m_traces->setColumnHidden(TraceModel::Samples, has(&TraceSummary::onCpuNs)); // they say the same then
    const Waterfall &waterfall = *findings->waterfall;
    m_chart->setBounds(waterfall.isEmpty() || m_choice.trace.empty()
                           ? std::nullopt
                           : std::optional(TimeRange{waterfall.beginNs, waterfall.endNs}));
    divideRoom();
    showChoice();
    showCode();
}

/// The trace gets what it needs, up to a half; the code gets the rest. Until somebody divides it otherwise.
void TracesView::divideRoom()
{
    constexpr int kTop = 200;
    if (m_isArranged)
        return;
    const int room = m_parts->height() - kTop;
    const int trace =
        std::max(m_waterfall->minimumHeight(), std::min(m_waterfall->scene().wholeHeight(), room / 2));
    m_parts->setSizes({kTop, trace, std::max(0, room - trace)});
}

/// In the tables, the waterfall and the lines above.
void TracesView::showChoice()
{
    m_isFollowing = true;
    m_groups->clearSelection();
    m_traces->clearSelection();
    for (int row = 0; row < m_groupModel->rowCount() && m_choice.name; ++row) {
        const SpanGroup &group = m_groupModel->groupAt(row);
        if (m_groupModel->text(group.name) == *m_choice.name &&
            (m_choice.service.empty() || m_groupModel->text(group.service) == m_choice.service)) {
            m_groups->setCurrentIndex(m_groupModel->index(row, 0));
            break;
        }
    }
    const auto &rows = m_findings->waterfall->rows;
    const Snapshot &snapshot = *m_findings->listed->study->snapshot;
    if (!rows.empty() && !m_choice.trace.empty()) {
        const TraceRow trace = m_findings->listed->study->table.traceOf(rows.front().link);
        for (int row = 0; row < m_traceModel->rowCount(); ++row)
            if (m_traceModel->traceAt(row).trace == trace) {
                m_traces->setCurrentIndex(m_traceModel->index(row, 0));
                break;
            }
    }
    m_isFollowing = false;
    const auto chosen = std::ranges::find_if(rows, [&](const WaterfallRow &row) {
        return !m_choice.span.empty() && spanText(snapshot.links[row.link.value]).starts_with(m_choice.span);
    });
    const bool isSpan = chosen != rows.end();
    m_waterfall->setCurrent(isSpan ? std::optional(static_cast<std::size_t>(chosen - rows.begin()))
                                   : std::nullopt);
    if (!rows.empty())
        showDetails(isSpan ? static_cast<std::size_t>(chosen - rows.begin()) : 0);
    else
        m_details->clear();

    const std::size_t traces = m_findings->listed->traces.size();
    const SpanFaults &faults = m_findings->listed->study->table.faults();
    QString count = tr("%1 traces").arg(countText(traces));
    const std::uint64_t odd = faults.orphans + faults.reversed + faults.duplicates + faults.withoutId +
                              m_findings->listed->study->order.cyclic;
    if (odd > 0)
        count += tr(" · ⚠ %1 odd spans").arg(countText(odd));
    m_count->setText(count);
    m_count->setToolTip(
        tr("%1 without the parent that they name, %2 that end before they start, %3 with the id of "
           "another, %4 without a valid id, %5 that are their own ancestors")
            .arg(countText(faults.orphans), countText(faults.reversed), countText(faults.duplicates),
                 countText(faults.withoutId), countText(m_findings->listed->study->order.cyclic)));
    const QString of = m_choice.name ? qString(*m_choice.name) : tr("All spans");
    QString head = tr("%1 · latency").arg(of);
    if (m_choice.fromNs || m_choice.toNs)
        head += tr(" · %1 of %2 in the band")
                    .arg(countText(m_findings->listed->groups.spans.size()),
                         countText(std::accumulate(m_findings->histogram.counts.begin(),
                                                   m_findings->histogram.counts.end(), std::uint64_t(0))));
    m_latencyHead->setText(head);
    m_slowMinusFast->setVisible(m_choice.fromNs || m_choice.toNs);
}

void TracesView::showDetails(std::size_t row)
{
    std::vector<LogMark> logs;
    std::ranges::copy_if(*m_findings->logs, std::back_inserter(logs),
                         [row](const LogMark &mark) { return mark.row == row; });
    m_details->show(*m_findings->listed->study, m_findings->waterfall->rows[row], logs,
                    m_findings->samples->partsOf(static_cast<std::uint32_t>(row)));
}

void TracesView::showCode()
{
    const auto &evaluation = m_session.evaluation();
    if (!evaluation || !m_findings)
        return;
    QString of = tr("all samples");
    const WaterfallScene &scene = m_waterfall->scene();
    if (!m_choice.span.empty() && scene.current)
        of = QStringLiteral("“%1”").arg(scene.nameOf(scene.waterfall->rows[*scene.current]));
    else if (!m_choice.trace.empty())
        of = tr("trace %1…").arg(qString(m_choice.trace).left(8));
    else if (m_choice.name)
        of = QStringLiteral("“%1”").arg(qString(*m_choice.name));
    else if (m_choice.fromNs || m_choice.toNs)
        of = tr("spans of the band");
    const bool isLinked = effective(m_choice).isAnything();
    QString text =
        QStringLiteral("<b>%1</b> <span style='color:%2'>%3")
            .arg(isLinked ? tr("Code that ran in %1").arg(of.toHtmlEscaped()) : tr("Code of all samples"),
                 theme().muted.name(), valueText(evaluation->matched, evaluation->series.unit));
    if (isLinked)
        text += m_session.lens().estimatesLinks ? tr(" · estimated by thread and time")
                : evaluation->matched == 0      ? tr(" · no samples are linked to it")
                                                : tr(" · linked by span id");
    m_codeHead->setText(text + QStringLiteral("</span>"));
}

} // namespace hearth
