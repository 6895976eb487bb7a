#include "ui/record/process_model.h"

#include "ui/table/top_model.h"
#include "ui/theme/figures.h"

#include <algorithm>
#include <compare>
#include <utility>

namespace hearth {

namespace {

std::weak_ordering ofTexts(const QString &a, const QString &b)
{
    return QString::localeAwareCompare(a, b) <=> 0;
}

std::weak_ordering compare(const ProcessRow &a, const ProcessRow &b, int column)
{
    switch (column) {
    case ProcessModel::Share:
        return std::weak_order(a.share, b.share);
    case ProcessModel::Name:
        return ofTexts(a.name, b.name);
    case ProcessModel::User:
        return ofTexts(a.user, b.user);
    case ProcessModel::Container:
        return ofTexts(a.container, b.container);
    case ProcessModel::CommandLine:
        return ofTexts(a.commandLine, b.commandLine);
    default:
        return a.process <=> b.process;
    }
}

bool matches(const ProcessRow &row, const QString &word)
{
    const auto has = [&](const QString &text) { return text.contains(word, Qt::CaseInsensitive); };
    return has(row.name) || has(row.commandLine) || has(row.user) || has(row.container) ||
           QString::number(row.process) == word;
}

QString textOf(const ProcessRow &row, int column)
{
    switch (column) {
    case ProcessModel::Share:
        return shareText(row.share, 1);
    case ProcessModel::Process:
        return QString::number(row.process);
    case ProcessModel::Name:
        return row.name;
    case ProcessModel::User:
        return row.user;
    case ProcessModel::Container:
        return row.container;
    default:
        return row.commandLine;
    }
}

} // namespace

void ProcessModel::setProcesses(std::vector<ProcessRow> processes)
{
    beginResetModel();
    m_processes = std::move(processes);
    arrange();
    endResetModel();
}

void ProcessModel::setFilter(const QString &text)
{
    beginResetModel();
    m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    arrange();
    endResetModel();
}

void ProcessModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_column = column;
    m_order = order;
    arrange();
    endResetModel();
}

void ProcessModel::arrange()
{
    m_shown.clear();
    for (std::size_t i = 0; i < m_processes.size(); ++i)
        if (std::ranges::all_of(m_words, [&](const QString &word) { return matches(m_processes[i], word); }))
            m_shown.push_back(i);
    std::ranges::sort(m_shown, [this](std::size_t a, std::size_t b) {
        const auto order = compare(m_processes[a], m_processes[b], m_column);
        if (order != 0)
            return m_order == Qt::AscendingOrder ? order < 0 : order > 0;
        return m_processes[a].process < m_processes[b].process;
    });
}

int ProcessModel::rowOf(int process) const
{
    const auto found =
        std::ranges::find(m_shown, process, [this](std::size_t i) { return m_processes[i].process; });
    return found == m_shown.end() ? -1 : static_cast<int>(found - m_shown.begin());
}

int ProcessModel::busiest(const QString &name) const
{
    int best = -1;
    for (int row = 0; row < rowCount(); ++row)
        if (rowAt(row).name == name && (best < 0 || rowAt(row).share > rowAt(best).share))
            best = row;
    return best;
}

int ProcessModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int ProcessModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant ProcessModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const ProcessRow &row = rowAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return textOf(row, index.column());
    case Qt::ToolTipRole:
        return index.column() == CommandLine ? row.commandLine : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() <= Process ? int(Qt::AlignRight | Qt::AlignVCenter)
                                         : int(Qt::AlignLeft | Qt::AlignVCenter);
    case kShareRole:
        return index.column() == Share ? QVariant(std::min(row.share, 1.0)) : QVariant();
    default:
        return {};
    }
}

QVariant ProcessModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section <= Process ? int(Qt::AlignRight | Qt::AlignVCenter)
                                  : int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const QStringList titles{tr("CPU"),  tr("PID"),       tr("Name"),
                             tr("User"), tr("Container"), tr("Command line")};
    return titles.value(section);
}

} // namespace hearth
