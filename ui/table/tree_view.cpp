#include "ui/table/tree_view.h"

#include "ui/table/quiet_tree.h"
#include "ui/table/share_delegate.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QTreeView>
#include <QVBoxLayout>

#include <utility>

namespace hearth {

CallTreeView::CallTreeView(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_model(new TreeModel(this)), m_tree(new QuietTree(this)),
      m_topDown(new QPushButton(tr("Top down"), this)), m_bottomUp(new QPushButton(tr("Bottom up"), this)),
      m_besideButton(new QPushButton(tr("Other series ▾"), this)), m_evaluator(std::make_shared<Evaluator>())
{
    for (QPushButton *button : {m_topDown, m_bottomUp}) {
        button->setCheckable(true);
        button->setAutoExclusive(true);
        button->setProperty("quiet", true);
    }
    m_topDown->setChecked(true);
    auto *heaviest = new QPushButton(tr("Expand heaviest path"), this);
    heaviest->setProperty("quiet", true);
    heaviest->setToolTip(tr("* on the keyboard"));

    m_besideButton->setProperty("quiet", true);
    m_besideButton->setToolTip(tr("Totals of other series, each in a column"));
    m_besideButton->setMenu(new QMenu(m_besideButton));
    connect(m_besideButton->menu(), &QMenu::aboutToShow, this, &CallTreeView::fillBesideMenu);

    m_tree->setModel(m_model);
    m_tree->setItemDelegate(new ShareDelegate(m_tree));
    m_tree->setUniformRowHeights(true);
    m_tree->setAccessibleName(tr("Call tree"));
    // Names grow to the right with their depth, so they come last but one; the tree hangs from them.
    m_tree->setTreePosition(TreeModel::Name);
    QHeaderView *header = m_tree->header();
    header->setStretchLastSection(false);
    header->resizeSection(TreeModel::Total, 84);
    header->resizeSection(TreeModel::TotalShare, 92);
    header->resizeSection(TreeModel::Self, 84);
    header->setSectionResizeMode(TreeModel::Name, QHeaderView::Stretch);
    header->resizeSection(TreeModel::Place, 180);

    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(10, 6, 10, 6);
    bar->addWidget(m_topDown);
    bar->addWidget(m_bottomUp);
    bar->addSpacing(12);
    bar->addWidget(heaviest);
    bar->addWidget(m_besideButton);
    bar->addStretch();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_tree);

    connect(m_topDown, &QPushButton::clicked, this, [this] { setInverted(false); });
    connect(m_bottomUp, &QPushButton::clicked, this, [this] { setInverted(true); });
    connect(heaviest, &QPushButton::clicked, this, &CallTreeView::expandHeaviest);
    auto *star = new QShortcut(QKeySequence(Qt::Key_Asterisk), m_tree, nullptr, nullptr, Qt::WidgetShortcut);
    connect(star, &QShortcut::activated, this, &CallTreeView::expandHeaviest);
    connect(&session, &Session::evaluationChanged, this, &CallTreeView::takeEvaluation);
    connect(&session, &Session::snapshotChanged, this, [this] {
        if (!m_session.evaluation()) // another data set
            m_evaluator = std::make_shared<Evaluator>();
    });
    connect(&session, &Session::selectionChanged, this, &CallTreeView::showSelection);
    // Not the current row: taking the keyboard makes the first row current, which nobody chose.
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &CallTreeView::takeSelection);
    takeEvaluation();
}

void CallTreeView::takeEvaluation()
{
    m_isFollowing = true;
    (m_session.lens().isInverted ? m_bottomUp : m_topDown)->setChecked(true);
    m_model->set(m_session.evaluation(), m_session.lens().isInverted);
    m_isFollowing = false;
    if (m_model->rowCount() == 1)
        m_tree->expand(m_model->index(0, 0));
    m_besideButton->setVisible(m_session.snapshot() && offeredSeries(*m_session.snapshot()).size() > 1);
    showBeside();
}

void CallTreeView::fillBesideMenu()
{
    QMenu *menu = m_besideButton->menu();
    menu->clear();
    if (!m_session.snapshot() || !m_session.evaluation())
        return;
    for (const SeriesChoice &series : offeredSeries(*m_session.snapshot())) {
        if (series == m_session.evaluation()->series)
            continue;
        const QString name = QString::fromStdString(series.name());
        QAction *action = menu->addAction(name);
        action->setCheckable(true);
        action->setChecked(m_beside.contains(name));
        connect(action, &QAction::triggered, this, [this, name] { toggleBeside(name); });
    }
}

void CallTreeView::toggleBeside(const QString &series)
{
    if (m_beside.removeAll(series) == 0)
        m_beside += series;
    showBeside();
}

void CallTreeView::showBeside()
{
    const auto evaluation = m_session.evaluation();
    if (!evaluation || m_beside.isEmpty())
        return m_model->setBeside({});
    m_worker.run([this, evaluation, names = m_beside, evaluator = m_evaluator,
                  snapshot = m_session.snapshot(),
                  lens = m_session.lens()](const std::stop_token &stop) mutable -> Worker::Delivery {
        std::vector<std::shared_ptr<const Evaluation>> found;
        for (const QString &name : names) {
            lens.series = name.toStdString();
            const auto other = evaluator->evaluate(snapshot, lens, stop);
            if (other && *other == nullptr)
                return nullptr; // stopped
            if (other && (*other)->series != evaluation->series)
                found.push_back(*other); // else the data set has none of that name, or it is shown already
        }
        return [this, evaluation, found = std::move(found)] {
            if (evaluation != m_session.evaluation())
                return;
            m_model->setBeside(found);
            for (int column = TreeModel::kColumns; column < m_model->columnCount(); ++column)
                m_tree->header()->resizeSection(column, 110);
        };
    });
}

void CallTreeView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    showSelection();
}

void CallTreeView::setInverted(bool isInverted)
{
    Lens lens = m_session.lens();
    lens.isInverted = isInverted;
    m_session.setLens(std::move(lens));
}

void CallTreeView::expandHeaviest()
{
    QModelIndex index = m_tree->currentIndex();
    if (!index.isValid())
        index = m_model->index(0, 0);
    index = index.siblingAtColumn(0);
    while (index.isValid() && m_model->hasChildren(index)) {
        m_tree->expand(index);
        index = m_model->index(0, 0, index);
    }
    m_tree->setCurrentIndex(index);
    m_tree->scrollTo(index);
}

void CallTreeView::takeSelection()
{
    const QModelIndex current = m_tree->currentIndex();
    if (m_isFollowing || !m_tree->selectionModel()->isSelected(current))
        return;
    if (const NodeId node = m_model->nodeOf(current); !node.isNone())
        m_session.selectNode(node);
    else
        m_session.selectEntry(m_model->entryOf(current));
}

/// A function that was selected as a whole is shown where it weighs most.
void CallTreeView::showSelection()
{
    const auto entry = m_session.selectedEntry();
    const auto evaluation = m_session.evaluation();
    if (!entry || !evaluation || !isVisible() || m_model->isInverted())
        return;
    if (const NodeId node = m_session.selectedNode(); !node.isNone())
        return showNode(node);
    m_finder.run([this, evaluation, entry = *entry](const std::stop_token &) -> Worker::Delivery {
        const NodeId node = heaviestNodeOf(*evaluation->tree, entry);
        return [this, evaluation, entry, node] {
            const bool isWanted = evaluation == m_session.evaluation() &&
                                  entry == m_session.selectedEntry() && m_session.selectedNode().isNone();
            if (isWanted)
                showNode(node);
        };
    });
}

void CallTreeView::showNode(NodeId node)
{
    const QModelIndex index = m_model->indexOf(node);
    if (!index.isValid())
        return;
    m_isFollowing = true;
    m_tree->setCurrentIndex(index);
    m_isFollowing = false;
}

} // namespace hearth
