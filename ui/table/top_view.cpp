#include "ui/table/top_view.h"

#include "model/views/attribute_weights.h"
#include "model/views/entry_activity.h"
#include "model/views/neighbours.h"
#include "model/views/time_range.h"
#include "ui/table/quiet_table.h"
#include "ui/table/share_delegate.h"
#include "ui/theme/theme.h"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include <array>
#include <utility>

namespace hearth {

TopView::TopView(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_model(new TopModel(this)), m_table(new QuietTable(this)),
      m_filter(new QLineEdit(this)), m_rows(new QPushButton(tr("Rows ▾"), this)), m_count(new QLabel(this))
{
    m_filter->setPlaceholderText(tr("Filter by name, file or binary"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(320);
    m_rows->setProperty("quiet", true);
    m_rows->setToolTip(tr("What is a row: functions, lines, files, binaries, or a group of samples"));
    m_rows->setMenu(new QMenu(m_rows));
    connect(m_rows->menu(), &QMenu::aboutToShow, this, &TopView::fillRowsMenu);
    m_table->setModel(m_model);
    m_table->setItemDelegate(new ShareDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setAccessibleName(tr("Top functions"));
    QHeaderView *header = m_table->horizontalHeader();
    header->setSortIndicatorShown(true);
    header->setSortIndicator(TopModel::Self, Qt::DescendingOrder);
    for (const int column : {TopModel::Self, TopModel::Total})
        header->resizeSection(column, 74);
    for (const int column : {TopModel::SelfShare, TopModel::TotalShare})
        header->resizeSection(column, 80);
    header->resizeSection(TopModel::Strip, 84);
    header->setSectionResizeMode(TopModel::Name, QHeaderView::Stretch);
    header->resizeSection(TopModel::Place, 130);
    header->resizeSection(TopModel::Binary, 110);
    header->resizeSection(TopModel::Kind, 66);

    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(10, 6, 10, 6);
    bar->addWidget(m_filter);
    bar->addWidget(m_rows);
    bar->addStretch();
    bar->addWidget(m_count);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_table);

    connect(&session, &Session::evaluationChanged, this, &TopView::takeEvaluation);
    connect(&session, &Session::selectionChanged, this, &TopView::showSelection);
    connect(m_filter, &QLineEdit::textChanged, this, &TopView::arrange);
    connect(header, &QHeaderView::sortIndicatorChanged, this, [this](int column, Qt::SortOrder order) {
        orderBy(static_cast<TopModel::Column>(column), order);
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &TopView::takeSelection);
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, &TopView::showStrips);
    connect(m_table->verticalScrollBar(), &QScrollBar::rangeChanged, this, &TopView::showStrips);
    connect(m_table, &QTableView::activated, this, [this] {
        if (const auto entry = m_session.selectedEntry())
            Q_EMIT activated(*entry);
    });
    takeEvaluation();
}

void TopView::takeEvaluation()
{
    m_evaluation = m_session.evaluation();
    m_top = nullptr;
    m_ranks = nullptr;
    arrange();
}

/// Weighs the functions if that has not been done for this evaluation, filters and sorts, all on the worker.
void TopView::arrange()
{
    if (!m_evaluation)
        return;
    m_worker.run([this, snapshot = m_session.snapshot(), evaluation = m_evaluation, top = m_top,
                  filter = m_filter->text().toStdString(), ranks = m_ranks,
                  orders = m_orders](const std::stop_token &stop) mutable -> Worker::Delivery {
        if (!top) {
            auto made = topTable(*evaluation->tree, TopOrder::Self, evaluation->groupDepth, 0, stop);
            if (!made)
                return nullptr;
            top = std::make_shared<const TopTable>(std::move(*made));
        }
        auto rows = arrangedRows(*top, filter, orders, stop, ranks.get());
        if (!rows)
            return nullptr;
        return [this, snapshot, evaluation, top, rows = std::move(*rows)]() mutable {
            if (std::exchange(m_top, top) != top)
                rankNames();
            const std::size_t shown = rows.size();
            m_isFollowing = true;
            m_model->set(snapshot, evaluation, top, std::move(rows));
            m_isFollowing = false;
            showStrips();
            const QLocale locale;
            m_count->setText(shown == top->rows.size()
                                 ? tr("%1 rows").arg(locale.toString(qulonglong(shown)))
                                 : tr("%1 of %2 rows")
                                       .arg(locale.toString(qulonglong(shown)),
                                            locale.toString(qulonglong(top->rows.size()))));
            showSelection();
        };
    });
}

/// Rows of code, and groups by what samples have as attributes.
void TopView::fillRowsMenu()
{
    struct Rows {
        QString title;
        Granularity granularity;
    };
    const std::array kinds{Rows{tr("Functions"), Granularity::Function}, Rows{tr("Lines"), Granularity::Line},
                           Rows{tr("Files"), Granularity::File}, Rows{tr("Binaries"), Granularity::Binary},
                           Rows{tr("Addresses"), Granularity::Address}};
    QMenu *menu = m_rows->menu();
    menu->clear();
    const Lens &lens = m_session.lens();
    const auto add = [&](const QString &title, bool isChosen, Granularity granularity,
                         std::vector<std::string> groupBy) {
        QAction *action = menu->addAction(title);
        action->setCheckable(true);
        action->setChecked(isChosen);
        connect(action, &QAction::triggered, this, [this, granularity, groupBy = std::move(groupBy)] {
            Lens chosen = m_session.lens();
            chosen.granularity = granularity;
            chosen.groupBy = groupBy;
            m_session.setLens(std::move(chosen));
        });
    };
    for (const Rows &rows : kinds)
        add(rows.title, lens.groupBy.empty() && lens.granularity == rows.granularity, rows.granularity, {});
    if (!m_session.snapshot())
        return;
    menu->addSeparator();
    for (const std::string &key : attributeKeys(*m_session.snapshot()))
        add(tr("by %1").arg(QString::fromStdString(key)), lens.groupBy == std::vector{key}, lens.granularity,
            {key});
}

/// When the functions ran that can be seen, and no others: there may be a million.
void TopView::showStrips()
{
    constexpr std::size_t kBins = 44;
    const Lens &lens = m_session.lens();
    const bool isByName =
        lens.granularity == Granularity::Function && m_evaluation && m_evaluation->groupDepth == 0;
    m_table->setColumnHidden(TopModel::Strip, !isByName || !timeSpanOf(*m_session.snapshot()));
    if (m_table->isColumnHidden(TopModel::Strip) || !m_table->isVisible() || m_model->rowCount() == 0)
        return;
    const int first = std::max(0, m_table->rowAt(0));
    const int last = std::min(m_model->rowCount() - 1, first + static_cast<int>(kMostStrips) - 1);
    std::vector<std::string_view> names;
    for (int row = first; row <= last; ++row)
        names.push_back(m_model->rowAt(row).name);
    m_stripWorker.run([this, table = m_model->table(), snapshot = m_session.snapshot(), lens,
                       names = std::move(names)](const std::stop_token &stop) -> Worker::Delivery {
        const auto strips = entryStripsOf(*snapshot, lens, names, kBins, stop);
        if (!strips)
            return nullptr;
        std::unordered_map<std::string_view, QList<qint64>> byName;
        for (std::size_t i = 0; i < names.size(); ++i)
            byName.emplace(names[i], QList<qint64>((*strips)[i].begin(), (*strips)[i].end()));
        return [this, table, byName = std::move(byName)]() mutable {
            if (table == m_model->table()) // or the names are gone
                m_model->setStrips(std::move(byName));
        };
    });
}

void TopView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    showStrips();
}

/// So that ordering by name will be quick; before that it takes as long as it takes.
void TopView::rankNames()
{
    constexpr std::size_t kWorthIt = 50'000;
    if (m_top->rows.size() < kWorthIt)
        return;
    m_rankWorker.run([this, top = m_top](const std::stop_token &stop) -> Worker::Delivery {
        auto ranks = nameRanksOf(*top, stop);
        if (!ranks)
            return nullptr;
        return [this, top, ranks = std::make_shared<const NameRanks>(std::move(*ranks))] {
            if (top == m_top)
                m_ranks = ranks;
        };
    });
}

/// With Shift, what was chosen before decides among what is alike.
void TopView::orderBy(TopModel::Column column, Qt::SortOrder order)
{
    constexpr std::size_t kMostOrders = 3;
    const bool isFurther = (QGuiApplication::keyboardModifiers() & Qt::ShiftModifier) != 0;
    const RowOrder chosen{rowKeyOf(column), order == Qt::DescendingOrder};
    std::erase_if(m_orders, [&](const RowOrder &other) { return !isFurther || other.key == chosen.key; });
    m_orders.insert(m_orders.begin(), chosen);
    m_orders.resize(std::min(m_orders.size(), kMostOrders));
    arrange();
}

void TopView::takeSelection()
{
    const QModelIndex current = m_table->currentIndex();
    if (m_isFollowing || !current.isValid() || m_session.evaluation() != m_evaluation)
        return;
    if (const auto entry = entryNamed(*m_evaluation->tree, m_model->rowAt(current.row()).name))
        m_session.selectEntry(*entry);
}

void TopView::showSelection()
{
    const std::string name = m_session.selectedName().toStdString();
    const QModelIndex current = m_table->currentIndex();
    if (name.empty() || !m_model->table() ||
        (current.isValid() && m_model->rowAt(current.row()).name == name))
        return;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (m_model->rowAt(row).name == name) {
            m_isFollowing = true;
            m_table->setCurrentIndex(m_model->index(row, TopModel::Name));
            m_isFollowing = false;
            return;
        }
}

} // namespace hearth
