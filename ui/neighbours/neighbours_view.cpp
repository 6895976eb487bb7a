#include "ui/neighbours/neighbours_view.h"

#include "ui/table/quiet_table.h"
#include "ui/table/share_delegate.h"
#include "ui/theme/figures.h"
#include "ui/theme/function_names.h"

#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <utility>

namespace hearth {

NeighboursView::NeighboursView(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_pages(new QStackedLayout(this)), m_name(new QLabel(this)),
      m_weights(new QLabel(this)), m_callerRows(new WeightModel(tr("Called from"), this)),
      m_calleeRows(new WeightModel(tr("Calls"), this)), m_lineRows(new WeightModel(tr("Source line"), this)),
      m_callers(makeTable(m_callerRows, tr("Callers"))), m_callees(makeTable(m_calleeRows, tr("Callees"))),
      m_lines(makeTable(m_lineRows, tr("Source lines"))), m_byLine(std::make_shared<Evaluator>())
{
    setFocusPolicy(Qt::StrongFocus);
    auto *hint = new QLabel(tr("Select a function to see who calls it and what it calls."), this);
    hint->setAlignment(Qt::AlignCenter);
    hint->setForegroundRole(QPalette::Dark);
    m_name->setTextFormat(Qt::PlainText);
    m_name->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont strong = m_name->font();
    strong.setWeight(QFont::DemiBold);
    m_name->setFont(strong);
    m_name->setSizePolicy(QSizePolicy::Ignored,
                          QSizePolicy::Preferred); // names may be longer than any screen
    m_weights->setForegroundRole(QPalette::Dark);

    auto *sides = new QSplitter(Qt::Horizontal, this);
    sides->addWidget(m_callers);
    sides->addWidget(m_callees);
    auto *rows = new QSplitter(Qt::Vertical, this);
    rows->addWidget(sides);
    rows->addWidget(m_lines);
    rows->setStretchFactor(0, 2);
    rows->setStretchFactor(1, 1);
    for (QSplitter *splitter : {sides, rows})
        splitter->setChildrenCollapsible(false);
    auto *page = new QWidget(this);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 12, 8);
    head->addWidget(m_name, 1);
    head->addWidget(m_weights);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(rows, 1);
    m_pages->addWidget(hint);
    m_pages->addWidget(page);

    auto *back = new QShortcut(QKeySequence(Qt::Key_Backspace), this, nullptr, nullptr,
                               Qt::WidgetWithChildrenShortcut);
    connect(back, &QShortcut::activated, this, &NeighboursView::goBack);
    connect(&session, &Session::selectionChanged, this, &NeighboursView::update);
    connect(&session, &Session::snapshotChanged, this, [this] {
        if (!m_session.evaluation()) // another data set
            m_byLine = std::make_shared<Evaluator>();
    });
}

QTableView *NeighboursView::makeTable(WeightModel *model, const QString &title)
{
    auto *table = new QuietTable(this);
    table->setModel(model);
    table->setItemDelegate(new ShareDelegate(table));
    table->setAccessibleName(title);
    QHeaderView *header = table->horizontalHeader();
    header->resizeSection(WeightModel::Total, 84);
    header->resizeSection(WeightModel::Share, 92);
    header->resizeSection(WeightModel::Self, 84);
    header->setSectionResizeMode(WeightModel::Name, QHeaderView::Stretch);
    if (model != m_lineRows)
        table->hideColumn(WeightModel::Self);
    connect(table, &QTableView::activated, this,
            [this, model](const QModelIndex &index) { goTo(model->rowAt(index.row()).entry); });
    return table;
}

void NeighboursView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    update();
}

void NeighboursView::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    if (m_pages->currentIndex() == 1)
        m_callers->setFocus();
}

/// What is hidden is not computed.
void NeighboursView::update()
{
    const auto entry = m_session.selectedEntry();
    const auto evaluation = m_session.evaluation();
    if (!isVisible())
        return;
    if (!entry || !evaluation) {
        m_pages->setCurrentIndex(0);
        return;
    }
    m_worker.run([this, evaluation, entry = *entry, byLine = m_byLine, snapshot = m_session.snapshot(),
                  lens = m_session.lens()](const std::stop_token &stop) -> Worker::Delivery {
        Found found;
        auto neighbours = neighboursOf(*evaluation->tree, entry, stop);
        if (!neighbours)
            return nullptr;
        found.neighbours = std::move(*neighbours);
        const Entry &shown = evaluation->tree->entries()[entry];
        if (lens.granularity == Granularity::Function && !shown.isTag)
            found.lines = lineWeightsOf(*byLine, snapshot, lens, shown.name, stop);
        return [this, evaluation, entry, found = std::move(found)] {
            if (evaluation == m_session.evaluation())
                show(*evaluation, entry, found);
        };
    });
}

void NeighboursView::show(const Evaluation &evaluation, EntryId id, const Found &found)
{
    const Neighbours &neighbours = found.neighbours;
    const std::string &unit = evaluation.series.unit;
    const Entry &entry = evaluation.tree->entries()[id];
    m_name->setText(functionText(entry.name));
    m_name->setToolTip(qString(entry.name).toHtmlEscaped());
    const auto weight = [&](std::int64_t value) {
        return valueText(value, unit) + QStringLiteral(" (") +
               shareText(static_cast<double>(value), static_cast<double>(evaluation.total)) +
               QLatin1Char(')');
    };
    m_weights->setText(tr("total %1 · self %2").arg(weight(neighbours.total), weight(neighbours.self)));
    m_callerRows->set(rowsOf(evaluation, neighbours.callers), neighbours.total, unit);
    m_calleeRows->set(rowsOf(evaluation, neighbours.callees), neighbours.total, unit);
    std::vector<WeightRow> lines;
    if (found.lines)
        for (const LineWeight &line : found.lines->lines)
            lines.push_back({line.line > 0
                                 ? qString(line.file) + QLatin1Char(':') + QString::number(line.line)
                             : line.file.empty() ? tr("(no line known)")
                                                 : qString(line.file),
                             line.total, line.self, id});
    m_lineRows->set(std::move(lines), neighbours.total, unit);
    m_lines->setVisible(found.lines.has_value());
    const bool hadFocus = hasFocus();
    m_pages->setCurrentIndex(1);
    if (hadFocus)
        m_callers->setFocus();
}

std::vector<WeightRow> NeighboursView::rowsOf(const Evaluation &evaluation,
                                              const std::vector<Neighbour> &neighbours) const
{
    std::vector<WeightRow> rows;
    for (const Neighbour &neighbour : neighbours)
        rows.push_back({neighbour.entry.isNone() ? tr("(where stacks begin)")
                                                 : qString(evaluation.tree->entries()[neighbour.entry].name),
                        neighbour.total, 0, neighbour.entry});
    return rows;
}

void NeighboursView::goTo(EntryId entry)
{
    if (entry.isNone() || entry == m_session.selectedEntry())
        return;
    m_way.push_back(m_session.selectedName());
    m_session.selectEntry(entry);
}

void NeighboursView::goBack()
{
    while (!m_way.empty() && m_session.evaluation()) {
        const std::string name = std::exchange(m_way.back(), {}).toStdString();
        m_way.pop_back();
        if (const auto entry = entryNamed(*m_session.evaluation()->tree, name))
            return m_session.selectEntry(*entry);
    }
}

} // namespace hearth
