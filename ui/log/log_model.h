#pragma once

#include <QAbstractTableModel>
#include <QDateTime>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace hearth {

enum class LogLevel : std::uint8_t { Detail, Note, Warning, Problem };

struct LogEntry {
    QDateTime time;
    LogLevel level = LogLevel::Note;
    QString area; ///< what of Hearth says it: "port", "files", "symbols"
    QString text;
};

/// What Hearth itself did and why, the newest last; the oldest go when there are too many.
///
/// add() may be called on any thread, everything else on that of the object.
class LogModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, Level, Area, Text, ColumnCount };
    static constexpr std::size_t kMostEntries = 20'000;

    using QAbstractTableModel::QAbstractTableModel;

    void add(LogLevel level, const QString &area, const QString &text);

    /// Only entries of this level or worse that have the text in their area or words.
    void setFilter(LogLevel least, const QString &text);
    void clear();
    const LogEntry &entry(int row) const { return m_entries[m_shown[static_cast<std::size_t>(row)]]; }
    /// A line of a report: time, level, area and text with tabs between.
    static QString lineOf(const LogEntry &entry);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void takePending();
    bool isShown(const LogEntry &entry) const;
    void filterAll();

    std::mutex m_mutex;
    std::vector<LogEntry> m_pending; ///< guarded by m_mutex

    std::deque<LogEntry> m_entries;
    std::vector<std::size_t> m_shown; ///< rows: which entries the filter lets through
    LogLevel m_least = LogLevel::Note;
    QString m_text;
};

QString nameOf(LogLevel level);

} // namespace hearth
