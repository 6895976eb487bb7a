#include "ui/log/log_view.h"

#include "ui/log/log_model.h"
#include "ui/table/quiet_table.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

namespace hearth {

namespace {} // namespace

LogView::LogView(LogModel &log, QWidget *parent)
    : QWidget(parent), m_log(log), m_level(new QComboBox(this)), m_filter(new QLineEdit(this)),
      m_table(new QuietTable(this))
{
    for (const LogLevel level : {LogLevel::Detail, LogLevel::Note, LogLevel::Warning, LogLevel::Problem})
        m_level->addItem(nameOf(level), int(level));
    m_level->setCurrentIndex(int(LogLevel::Note));
    m_level->setAccessibleName(tr("Least level"));
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setAccessibleName(tr("Filter the log"));
    m_filter->setClearButtonEnabled(true);
    auto *copyButton = new QPushButton(tr("Copy"), this);
    auto *clearButton = new QPushButton(tr("Clear"), this);

    m_table->setModel(&m_log);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setAccessibleName(tr("Log"));
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->setColumnWidth(LogModel::Time, 110);
    m_table->setColumnWidth(LogModel::Level, 80);
    m_table->setColumnWidth(LogModel::Area, 90);

    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(10, 6, 10, 6);
    bar->setSpacing(8);
    bar->addWidget(m_level);
    bar->addWidget(m_filter, 1);
    bar->addWidget(copyButton);
    bar->addWidget(clearButton);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_table, 1);

    auto *copyAction = new QAction(tr("Copy"), m_table);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetShortcut);
    m_table->addAction(copyAction);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copyAction, &QAction::triggered, this, &LogView::copy);
    connect(copyButton, &QPushButton::clicked, this, &LogView::copy);
    connect(clearButton, &QPushButton::clicked, &m_log, &LogModel::clear);
    connect(m_level, &QComboBox::currentIndexChanged, this, &LogView::applyFilter);
    connect(m_filter, &QLineEdit::textChanged, this, &LogView::applyFilter);
    connect(&m_log, &QAbstractItemModel::rowsAboutToBeInserted, this, [this] {
        const QScrollBar *scroll = m_table->verticalScrollBar();
        if (scroll->value() == scroll->maximum())
            QMetaObject::invokeMethod(m_table, &QTableView::scrollToBottom, Qt::QueuedConnection);
    });
}

void LogView::applyFilter()
{
    m_log.setFilter(static_cast<LogLevel>(m_level->currentData().toInt()), m_filter->text());
    m_table->scrollToBottom();
}

QString LogView::asText() const
{
    QStringList lines;
    const QModelIndexList selected = m_table->selectionModel()->selectedRows();
    for (int row = 0; row < m_log.rowCount(); ++row)
        if (selected.isEmpty() || m_table->selectionModel()->isRowSelected(row))
            lines += LogModel::lineOf(m_log.entry(row));
    return lines.join(QLatin1Char('\n'));
}

void LogView::copy()
{
    QGuiApplication::clipboard()->setText(asText());
}

} // namespace hearth
