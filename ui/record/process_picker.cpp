#include "ui/record/process_picker.h"

#include "ui/table/quiet_table.h"
#include "ui/table/share_delegate.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include <utility>

namespace hearth {

namespace {

constexpr int kBetweenReadsMs = 2000;

QString procFolder()
{
    return QStringLiteral("/proc");
}

} // namespace

ProcessPicker::ProcessPicker(QWidget *parent)
    : QWidget(parent), m_model(new ProcessModel(this)), m_filter(new QLineEdit(this)),
      m_table(new QuietTable(this)), m_empty(new QLabel(tr("No process matches."), m_table))
{
    makeTable();
    m_filter->setPlaceholderText(tr("Find by name, command line, user, container or PID"));
    m_filter->setAccessibleName(tr("Find a process"));
    m_filter->setClearButtonEnabled(true);
    m_filter->installEventFilter(this);
    setFocusProxy(m_filter);
    m_empty->setForegroundRole(QPalette::Dark);
    m_empty->hide();
    auto *over = new QVBoxLayout(m_table);
    over->addWidget(m_empty, 0, Qt::AlignCenter);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_filter);
    layout->addWidget(m_table, 1);
    m_timer.setInterval(kBetweenReadsMs);
    connect(&m_timer, &QTimer::timeout, this, &ProcessPicker::read);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_model->setFilter(text);
        showChosen();
    });
}

void ProcessPicker::makeTable()
{
    m_table->setModel(m_model);
    m_table->setItemDelegate(new ShareDelegate(m_table));
    m_table->setAccessibleName(tr("Processes"));
    QHeaderView *header = m_table->horizontalHeader();
    header->resizeSection(ProcessModel::Share, 76);
    header->resizeSection(ProcessModel::Process, 76);
    header->resizeSection(ProcessModel::Name, 140);
    header->resizeSection(ProcessModel::User, 90);
    header->resizeSection(ProcessModel::Container, 104);
    header->setSectionResizeMode(ProcessModel::CommandLine, QHeaderView::Stretch);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(ProcessModel::Share, Qt::DescendingOrder);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &ProcessPicker::takeCurrent);
    connect(m_table, &QTableView::doubleClicked, this, &ProcessPicker::activated);
}

void ProcessPicker::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    read();
    m_timer.start();
}

void ProcessPicker::hideEvent(QHideEvent *event)
{
    m_timer.stop();
    QWidget::hideEvent(event);
}

void ProcessPicker::read()
{
    const double between = m_sinceRead.isValid() ? static_cast<double>(m_sinceRead.elapsed()) / 1000 : 0;
    m_sinceRead.restart();
    m_worker.run(
        [this, between, before = m_model->processes()](const std::stop_token &stop) -> Worker::Delivery {
            std::vector<ProcessRow> processes = readProcesses(procFolder(), stop);
            setShares(processes, before, between, secondsUp(procFolder()));
            return [this, processes = std::move(processes)] { take(processes); };
        });
}

void ProcessPicker::take(std::vector<ProcessRow> processes)
{
    m_isShowing = true;
    m_model->setProcesses(std::move(processes));
    m_isShowing = false;
    showChosen();
}

/// The list moves under the choice, which stays with its process.
void ProcessPicker::showChosen()
{
    m_empty->setVisible(m_model->rowCount() == 0 && !m_model->processes().empty());
    int row = m_model->rowOf(m_process);
    if (row < 0 || m_model->rowAt(row).name != m_name)
        row = m_model->busiest(m_name);
    m_isShowing = true;
    m_table->setCurrentIndex(row < 0 ? QModelIndex() : m_model->index(row, 0));
    m_isShowing = false;
    if (row >= 0 && std::exchange(m_process, m_model->rowAt(row).process) != m_process)
        Q_EMIT chosenChanged();
}

void ProcessPicker::takeCurrent()
{
    const QModelIndex current = m_table->currentIndex();
    if (m_isShowing || !current.isValid())
        return;
    m_process = m_model->rowAt(current.row()).process;
    m_name = m_model->rowAt(current.row()).name;
    Q_EMIT chosenChanged();
}

void ProcessPicker::choose(int process, const QString &name)
{
    m_process = process;
    m_name = name;
    showChosen();
    Q_EMIT chosenChanged();
}

/// From the search field one gets into the list by the arrow keys.
bool ProcessPicker::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_filter && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const int step = key->key() == Qt::Key_Down ? 1 : key->key() == Qt::Key_Up ? -1 : 0;
        const int row = m_table->currentIndex().row() + step;
        if (step != 0 && row >= 0 && row < m_model->rowCount()) {
            m_table->setCurrentIndex(m_model->index(row, 0));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace hearth
