#include "ui/senders/request_pane.h"

#include "ui/export/ask_where.h"
#include "ui/senders/part_model.h"
#include "ui/table/quiet_table.h"
#include "ui/table/quiet_tree.h"
#include "ui/theme/figures.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTabBar>
#include <QTabWidget>

namespace hearth {

namespace {

constexpr int kFieldWidth = 210, kBytesWidth = 76;
constexpr int kPlaceRole = Qt::UserRole;

QStandardItem *cell(const QString &text, bool isNumber = false)
{
    auto *item = new QStandardItem(text);
    item->setEditable(false);
    item->setToolTip(isNumber ? QString() : text);
    item->setTextAlignment((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return item;
}

QStandardItem *number(quint64 count)
{
    return cell(count == 0 ? QString() : countText(count), true);
}

void setTitles(QStandardItemModel &model, const QStringList &titles, Qt::Alignment alignment)
{
    model.clear();
    for (int i = 0; i < titles.size(); ++i) {
        model.setHorizontalHeaderItem(i, new QStandardItem(titles[i]));
        model.horizontalHeaderItem(i)->setTextAlignment((i == 0 ? Qt::AlignLeft : alignment) |
                                                        Qt::AlignVCenter);
    }
}

} // namespace

RequestPane::RequestPane(QWidget *parent)
    : QWidget(parent), m_summary(plainLabel(this, 0, false, false)),
      m_open(new QPushButton(tr("Open"), this)), m_save(new QPushButton(tr("Save…"), this)),
      m_pages(new QTabWidget(this)), m_parts(new QuietTree(this)), m_tables(new QuietTable(this)),
      m_findings(new QuietTree(this)), m_partModel(new PartModel(this)),
      m_tableModel(new QStandardItemModel(this)), m_findingModel(new QStandardItemModel(this))
{
    make();
    m_summary->setText(tr("Choose a request to see what was sent."));
    m_open->setEnabled(false);
    m_save->setEnabled(false);
    m_pages->hide();
    connect(m_open, &QPushButton::clicked, this, [this] { Q_EMIT openRequested(*m_request); });
    connect(m_findings, &QTreeView::activated, this,
            [this](const QModelIndex &index) { goTo(index.data(kPlaceRole).toString()); });
    connect(m_save, &QPushButton::clicked, this, &RequestPane::askWhereToSave);
}

void RequestPane::make()
{
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_open->setToolTip(tr("What the request brought, as a data set of its own"));
    m_save->setToolTip(tr("The bytes of the request as they came"));
    m_parts->setModel(m_partModel);
    m_parts->setAccessibleName(tr("Fields of the request"));
    m_parts->setUniformRowHeights(true);
    m_parts->setColumnWidth(PartModel::Field, kFieldWidth);
    m_parts->setColumnWidth(PartModel::Bytes, kBytesWidth);
    m_tables->setModel(m_tableModel);
    m_tables->setAccessibleName(tr("Tables of the request"));
    m_findings->setModel(m_findingModel);
    m_findings->setAccessibleName(tr("What is against the standard"));
    m_findings->setHeaderHidden(true);
    m_tables->horizontalHeader()->setStretchLastSection(true);
    m_pages->setDocumentMode(true);
    m_pages->tabBar()->setDrawBase(false);
    m_pages->addTab(m_parts, tr("Fields"));
    m_pages->addTab(m_tables, tr("Tables"));
    m_pages->addTab(m_findings, tr("Findings"));

    auto *head = new QHBoxLayout;
    head->setContentsMargins(10, 6, 10, 6);
    head->setSpacing(8);
    head->addWidget(m_summary, 1);
    head->addWidget(m_open);
    head->addWidget(m_save);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_pages, 1);
    layout->addStretch();
}

void RequestPane::show(const RequestRow &request)
{
    if (m_request && m_request->identity == request.identity)
        return;
    m_request = request;
    m_open->setEnabled(request.isKept);
    m_save->setEnabled(request.isKept);
    m_summary->setText(request.isKept ? tr("Reading…")
                                      : tr("%1, too large to be kept").arg(bytesText(request.bytes)));
    m_pages->setVisible(request.isKept);
    m_partModel->set({});
    if (!request.isKept)
        return;
    m_worker.run([this, read = request.read](const std::stop_token &) -> Worker::Delivery {
        return [this, anatomy = read()] { fill(anatomy); };
    });
}

void RequestPane::fill(const RequestAnatomy &anatomy)
{
    m_summary->setText(anatomy.summary);
    m_partModel->set(anatomy.parts);
    if (m_partModel->rowCount() == 1)
        m_parts->expand(m_partModel->index(0, 0));
    setTitles(*m_tableModel, {tr("Table"), tr("Entries"), tr("Bytes"), tr("Unused"), tr("Twice"), QString()},
              Qt::AlignRight);
    for (const RequestTable &table : anatomy.tables)
        m_tableModel->appendRow({cell(table.name), number(table.entries), cell(bytesText(table.bytes), true),
                                 number(table.unused), number(table.duplicates), cell({})});
    m_tables->resizeColumnsToContents();
    fillFindings(anatomy.findings);
    const int findings = m_pages->indexOf(m_findings);
    m_pages->setTabText(findings, anatomy.findings.empty()
                                      ? tr("Findings")
                                      : tr("Findings (%1)").arg(anatomy.findings.size()));
    m_pages->setTabEnabled(findings, !anatomy.findings.empty());
    m_pages->setTabEnabled(m_pages->indexOf(m_tables), !anatomy.tables.empty());
    m_pages->tabBar()->setTabTextColor(findings, anatomy.findings.empty() ? theme().muted : theme().warn);
}

void RequestPane::fillFindings(const std::vector<RequestFinding> &findings)
{
    m_findingModel->clear();
    for (const RequestFinding &finding : findings) {
        QStandardItem *what = cell(QStringLiteral("%1 × %2").arg(countText(finding.count), finding.what));
        what->appendRow(cell(tr("The standard: %1").arg(finding.rule)));
        if (!finding.place.isEmpty())
            what->appendRow(cell(tr("First at %1").arg(finding.place)));
        for (QStandardItem *item : {what, what->child(0), what->child(1)})
            if (item != nullptr)
                item->setData(finding.place, kPlaceRole);
        for (int row = 0; row < what->rowCount(); ++row)
            what->child(row)->setForeground(theme().muted);
        m_findingModel->appendRow(what);
    }
    m_findings->expandAll();
}

/// @param place "dictionary.stackTable[3]"; of a field with one element the number is not shown
void RequestPane::goTo(const QString &place)
{
    const auto rowOf = [this](const QString &field, const QModelIndex &parent) {
        if (m_partModel->canFetchMore(parent))
            m_partModel->fetchMore(parent);
        const QModelIndexList found =
            m_partModel->match(m_partModel->index(0, 0, parent), Qt::DisplayRole, field, 1, Qt::MatchExactly);
        return found.isEmpty() ? QModelIndex() : found.front();
    };
    QModelIndex at;
    for (const QString &step : place.split(QLatin1Char('.'), Qt::SkipEmptyParts)) {
        const QModelIndex field = rowOf(step.section(QLatin1Char('['), 0, 0), at);
        if (!field.isValid())
            break;
        const QModelIndex element = rowOf(step, field);
        at = element.isValid() ? element : field;
    }
    if (!at.isValid())
        return;
    m_pages->setCurrentWidget(m_parts);
    m_parts->setCurrentIndex(at);
    m_parts->scrollTo(at);
    m_parts->expand(at);
    m_parts->setFocus();
}

void RequestPane::askWhereToSave()
{
    const RequestRow request = *m_request; // while one is asked, another may be chosen
    const QString filter = request.isText ? tr("OTLP as JSON (*.json)") : tr("OTLP (*.otlp *.pb)");
    const QString file = askWhereToWrite(
        this, tr("Save the request"),
        QStringLiteral("%1-%2").arg(request.signal, request.time.toString(QStringLiteral("HHmmss"))), filter);
    if (!file.isEmpty())
        Q_EMIT saveRequested(request, file);
}

} // namespace hearth
