#pragma once

#include <QWidget>

class QComboBox;
class QLineEdit;
class QTableView;

namespace hearth {

class LogModel;

/// The log with a filter; the newest entry is kept in sight while it is the last one looked at.
class LogView : public QWidget {
    Q_OBJECT

public:
    explicit LogView(LogModel &log, QWidget *parent = nullptr);

    QLineEdit *filter() const { return m_filter; }
    QTableView *table() const { return m_table; }
    /// The selected entries, or all that are shown, a line each.
    QString asText() const;

private:
    void applyFilter();
    void copy();

    LogModel &m_log;
    QComboBox *m_level;
    QLineEdit *m_filter;
    QTableView *m_table;
};

} // namespace hearth
