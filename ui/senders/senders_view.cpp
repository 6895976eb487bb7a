#include "ui/senders/senders_view.h"

#include "ui/senders/request_model.h"
#include "ui/senders/request_pane.h"
#include "ui/senders/sender_model.h"
#include "ui/table/quiet_table.h"
#include "ui/table/quiet_tree.h"
#include "ui/theme/labels.h"

#include <QAction>
#include <QBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>

#include <array>
#include <utility>

namespace hearth {

SendersView::SendersView(QWidget *parent)
    : QWidget(parent), m_senderModel(new SenderModel(this)), m_requestModel(new RequestModel(this)),
      m_senders(new QuietTree(this)), m_requests(new QuietTable(this)),
      m_nobody(plainLabel(this, 0, false, true)), m_whose(sectionHead(this)),
      m_all(new QPushButton(tr("All senders"), this)), m_request(new RequestPane(this))
{
    setWindowTitle(tr("Senders and requests – Hearth"));
    m_all->setProperty("link", true);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    setAttribute(Qt::WA_QuitOnClose, false); // without a window on data it is of no use
    resize(1280, 680);
    auto *requests = new QSplitter(Qt::Horizontal, this);
    requests->addWidget(makeRequests());
    requests->addWidget(m_request);
    requests->setSizes({640, 640});
    auto *both = new QSplitter(Qt::Vertical, this);
    both->addWidget(makeSenders());
    both->addWidget(requests);
    both->setSizes({170, 510});
    for (QSplitter *splitter : {requests, both})
        splitter->setChildrenCollapsible(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(both);
    connect(m_senders->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &SendersView::chooseSender);
    connect(m_requests->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &SendersView::chooseRequest);
    connect(m_all, &QPushButton::clicked, m_senders, &QTreeView::clearSelection);
    connect(m_senderModel, &QAbstractItemModel::rowsInserted, this, &SendersView::showReasons);
    auto *close = new QAction(tr("Close"), this);
    close->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_W), QKeySequence(Qt::Key_Escape)});
    addAction(close);
    connect(close, &QAction::triggered, this, &QWidget::close);
    setSenders({});
    chooseSender();
}

QWidget *SendersView::makeSenders()
{
    m_senders->setModel(m_senderModel);
    m_senders->setAccessibleName(tr("Senders"));
    m_senders->setUniformRowHeights(true);
    constexpr std::array kWidths{320, 110, 64, 100, 110, 90, 100, 90, 90};
    for (std::size_t column = 0; column < kWidths.size(); ++column)
        m_senders->setColumnWidth(static_cast<int>(column), kWidths[column]);
    auto *pane = new QWidget(this);
    auto *layout = new QVBoxLayout(pane);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_nobody->setText(tr("Nobody has sent anything yet."));
    m_nobody->setContentsMargins(10, 8, 10, 8);
    layout->addWidget(m_nobody);
    layout->addWidget(m_senders, 1);
    return pane;
}

QWidget *SendersView::makeRequests()
{
    m_requests->setModel(m_requestModel);
    m_requests->setAccessibleName(tr("Last requests"));
    m_requests->horizontalHeader()->setStretchLastSection(true);
    constexpr std::array kWidths{112, 74, 96, 150, 84};
    for (std::size_t column = 0; column < kWidths.size(); ++column)
        m_requests->setColumnWidth(static_cast<int>(column), kWidths[column]);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(10, 6, 10, 4);
    head->addWidget(m_whose, 1);
    head->addWidget(m_all);
    auto *pane = new QWidget(this);
    auto *layout = new QVBoxLayout(pane);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_requests, 1);
    return pane;
}

void SendersView::setSenders(std::vector<SenderRow> senders)
{
    m_nobody->setVisible(senders.empty());
    m_senders->setVisible(!senders.empty());
    m_senderModel->set(std::move(senders));
}

void SendersView::setRequests(std::vector<RequestRow> requests)
{
    m_requestModel->set(std::move(requests));
}

/// They are sentences, which one column has no room for.
void SendersView::showReasons(const QModelIndex &parent, int first, int last)
{
    for (int row = first; row <= last; ++row) {
        const QModelIndex index = m_senderModel->index(row, 0, parent);
        if (parent.isValid())
            m_senders->setFirstColumnSpanned(row, parent, true);
        else if (const int reasons = m_senderModel->rowCount(index); reasons > 0)
            showReasons(index, 0, reasons - 1);
    }
    m_senders->expand(parent);
}

void SendersView::chooseSender()
{
    const QModelIndexList chosen = m_senders->selectionModel()->selectedRows();
    std::optional<SenderRow> sender;
    if (!chosen.isEmpty())
        sender = m_senderModel->senderAt(chosen.front());
    m_all->setVisible(sender.has_value());
    m_whose->setText(
        sender ? tr("Last requests of %1").arg(sender->program.isEmpty() ? sender->host : sender->program)
               : tr("Last requests"));
    m_requestModel->showOnly(sender);
}

void SendersView::chooseRequest()
{
    if (const QModelIndex current = m_requests->currentIndex(); current.isValid())
        m_request->show(m_requestModel->requestAt(current.row()));
}

void SendersView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    Q_EMIT shown();
}

} // namespace hearth
