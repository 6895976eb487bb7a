#include "ui/log/log_model.h"

#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QMetaObject>

#include <iterator>
#include <utility>

namespace hearth {

QString nameOf(LogLevel level)
{
    switch (level) {
    case LogLevel::Detail:
        return QCoreApplication::translate("LogLevel", "detail");
    case LogLevel::Note:
        return QCoreApplication::translate("LogLevel", "note");
    case LogLevel::Warning:
        return QCoreApplication::translate("LogLevel", "warning");
    case LogLevel::Problem:
        return QCoreApplication::translate("LogLevel", "problem");
    }
    return {};
}

void LogModel::add(LogLevel level, const QString &area, const QString &text)
{
    const std::lock_guard lock(m_mutex);
    m_pending.push_back({QDateTime::currentDateTime(), level, area, text});
    if (m_pending.size() == 1)
        QMetaObject::invokeMethod(this, &LogModel::takePending, Qt::QueuedConnection);
}

void LogModel::takePending()
{
    std::vector<LogEntry> added;
    {
        const std::lock_guard lock(m_mutex);
        added.swap(m_pending);
    }
    if (m_entries.size() + added.size() > kMostEntries) {
        beginResetModel();
        std::ranges::move(added, std::back_inserter(m_entries));
        m_entries.erase(m_entries.begin(),
                        m_entries.end() - static_cast<std::ptrdiff_t>(kMostEntries - kMostEntries / 10));
        filterAll();
        endResetModel();
        return;
    }
    std::vector<std::size_t> shown;
    for (LogEntry &entry : added) {
        if (isShown(entry))
            shown.push_back(m_entries.size());
        m_entries.push_back(std::move(entry));
    }
    if (shown.empty())
        return;
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(shown.size()) - 1);
    m_shown.insert(m_shown.end(), shown.begin(), shown.end());
    endInsertRows();
}

bool LogModel::isShown(const LogEntry &entry) const
{
    return entry.level >= m_least && (m_text.isEmpty() || entry.text.contains(m_text, Qt::CaseInsensitive) ||
                                      entry.area.contains(m_text, Qt::CaseInsensitive));
}

void LogModel::filterAll()
{
    m_shown.clear();
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (isShown(m_entries[i]))
            m_shown.push_back(i);
}

void LogModel::setFilter(LogLevel least, const QString &text)
{
    beginResetModel();
    m_least = least;
    m_text = text;
    filterAll();
    endResetModel();
}

void LogModel::clear()
{
    beginResetModel();
    m_entries.clear();
    m_shown.clear();
    endResetModel();
}

QString LogModel::lineOf(const LogEntry &entry)
{
    return QStringList{entry.time.toString(Qt::ISODateWithMs), nameOf(entry.level), entry.area, entry.text}
        .join(QLatin1Char('\t'));
}

int LogModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int LogModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LogModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const LogEntry &shown = entry(index.row());
    if (role == Qt::ForegroundRole && index.column() != Text)
        return shown.level == LogLevel::Problem   ? theme().bad
               : shown.level == LogLevel::Warning ? theme().warn
                                                  : theme().muted;
    if (role == Qt::ToolTipRole)
        return shown.text;
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Time:
        return shown.time.toString(QStringLiteral("HH:mm:ss.zzz"));
    case Level:
        return nameOf(shown.level);
    case Area:
        return shown.area;
    default:
        return shown.text;
    }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time:
        return tr("Time");
    case Level:
        return tr("Level");
    case Area:
        return tr("Part");
    default:
        return tr("What happened");
    }
}

} // namespace hearth
