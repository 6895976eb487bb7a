#include "ui/records/records_view.h"

#include "model/lens/span_steps.h"
#include "ui/records/record_model.h"
#include "ui/table/quiet_table.h"
#include "ui/theme/figures.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <utility>

namespace hearth {

namespace {

constexpr std::int64_t kAroundNs = 100'000'000; ///< before a record and behind it

} // namespace

RecordsView::RecordsView(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_model(new RecordModel(this)), m_table(new QuietTable(this)),
      m_severity(new QComboBox(this)), m_filter(new QLineEdit(this)), m_count(new QLabel(this)),
      m_span(new QPushButton(tr("Show its span"), this)),
      m_around(new QPushButton(tr("Samples around it"), this))
{
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Log records"));
    QHeaderView *header = m_table->horizontalHeader();
    header->setSectionResizeMode(RecordModel::Body, QHeaderView::Stretch);
    header->resizeSection(RecordModel::Time, 104);
    header->resizeSection(RecordModel::Severity, 72);
    header->resizeSection(RecordModel::Service, 100);
    header->resizeSection(RecordModel::Trace, 140);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(m_table, 1);

    connect(&session, &Session::snapshotChanged, this, &RecordsView::takeSnapshot);
    connect(&session, &Session::lensChanged, this, &RecordsView::list);
    connect(m_severity, &QComboBox::currentIndexChanged, this, &RecordsView::list);
    connect(m_filter, &QLineEdit::textChanged, this, &RecordsView::list);
    connect(m_span, &QPushButton::clicked, this, &RecordsView::showSpan);
    connect(m_around, &QPushButton::clicked, this, &RecordsView::showAround);
    connect(m_table, &QTableView::activated, this, &RecordsView::showSpan);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &RecordsView::enableWhatCanBeDone);
    connect(m_model, &QAbstractItemModel::modelReset, this, &RecordsView::enableWhatCanBeDone);
    enableWhatCanBeDone();
}

QWidget *RecordsView::makeBar()
{
    m_severity->addItem(tr("All severities"), 0U);
    m_severity->addItem(tr("Info and above"), 9U);
    m_severity->addItem(tr("Warnings and errors"), kSeverityWarn);
    m_severity->addItem(tr("Errors"), kSeverityError);
    m_severity->setAccessibleName(tr("Least severity"));
    m_filter->setPlaceholderText(tr("Find in messages"));
    m_filter->setAccessibleName(tr("Find in messages"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(320);
    m_count->setForegroundRole(QPalette::Dark);
    m_span->setToolTip(tr("The trace, with the span that it was written in (Enter)"));
    m_around->setToolTip(tr("What was sampled within a tenth of a second of it"));
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(10, 6, 10, 6);
    row->setSpacing(6);
    row->addWidget(m_severity);
    row->addWidget(m_filter, 1);
    row->addWidget(m_span);
    row->addWidget(m_around);
    row->addStretch();
    row->addWidget(m_count);
    return bar;
}

void RecordsView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_isStale)
        list();
}

/// What is being listed comes to its end: data may arrive faster.
void RecordsView::takeSnapshot()
{
    m_isOutdated = m_session.evaluation() && m_worker.isBusy();
    if (!m_isOutdated)
        list();
}

/// On the worker, and only while somebody looks.
void RecordsView::list()
{
    m_isStale = !isVisible() || !m_session.snapshot();
    if (m_isStale)
        return;
    m_isOutdated = false;
    const LogFilter filter{m_severity->currentData().toUInt(), m_filter->text().toStdString()};
    m_worker.run([this, snapshot = m_session.snapshot(), lens = m_session.lens(),
                  filter](const std::stop_token &stop) -> Worker::Delivery {
        auto rows = logList(*snapshot, lens, filter, stop);
        if (rows && !*rows)
            return nullptr; // stopped
        return [this, snapshot, rows = std::move(rows)] {
            if (rows) {
                m_model->set(snapshot, *rows);
                m_count->setText(
                    tr("%1 of %2 records").arg(countText((*rows)->size()), countText(snapshot->logs.rows)));
            } else {
                m_count->setText(QString::fromStdString(rows.error().message));
            }
            if (m_isOutdated)
                list();
        };
    });
}

void RecordsView::enableWhatCanBeDone()
{
    const QModelIndex current = m_table->currentIndex();
    const LogRecord *record = current.isValid() ? &m_model->recordAt(current.row()) : nullptr;
    m_span->setEnabled(record != nullptr && record->link != LinkId());
    m_around->setEnabled(record != nullptr && record->effectiveTimeNs() != 0);
}

void RecordsView::showSpan()
{
    if (!m_span->isEnabled())
        return;
    const LogRecord &record = m_model->recordAt(m_table->currentIndex().row());
    const Link &link = m_model->snapshot()->links[record.link.value];
    SpanChoice choice;
    choice.trace = traceText(link);
    if (link.span != Link().span)
        choice.span = spanText(link);
    m_session.setLens(withSpanChoice(m_session.lens(), choice));
    Q_EMIT spanShown();
}

void RecordsView::showAround()
{
    if (!m_around->isEnabled())
        return;
    const std::uint64_t time = m_model->recordAt(m_table->currentIndex().row()).effectiveTimeNs();
    const auto middle = static_cast<std::int64_t>(
        std::min<std::uint64_t>(time, std::numeric_limits<std::int64_t>::max() - kAroundNs));
    Lens lens = m_session.lens();
    lens.time = {TimePoint{TimeBase::Epoch, middle - kAroundNs},
                 TimePoint{TimeBase::Epoch, middle + kAroundNs}};
    m_session.setLens(std::move(lens));
    Q_EMIT timeShown();
}

} // namespace hearth
