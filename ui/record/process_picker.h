#pragma once

#include "ui/record/process_model.h"
#include "ui/session/worker.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <memory>

class QLabel;
class QLineEdit;
class QTableView;

namespace hearth {

/// A list of what runs, to choose a process from. It is read anew while it is seen, in the background.
class ProcessPicker : public QWidget {
    Q_OBJECT

public:
    explicit ProcessPicker(QWidget *parent = nullptr);

    /// The process that is chosen; 0 if there is none.
    int process() const { return m_process; }
    QString processName() const { return m_name; }
    /// Chooses a process, or, when it is gone or another has its number now, the busiest of that name.
    void choose(int process, const QString &name);

    QLineEdit *filter() const { return m_filter; }
    QTableView *table() const { return m_table; }
    ProcessModel *model() const { return m_model; }

Q_SIGNALS:
    void chosenChanged();
    /// Double-clicked, or Enter.
    void activated();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makeTable();
    void read();
    void take(std::vector<ProcessRow> processes);
    void takeCurrent();
    void showChosen();

    ProcessModel *m_model;
    QLineEdit *m_filter;
    QTableView *m_table;
    QLabel *m_empty;
    QTimer m_timer;
    QElapsedTimer m_sinceRead;
    int m_process = 0;
    QString m_name;
    bool m_isShowing = false; ///< what is chosen, instead of choosing it
    Worker m_worker;
};

} // namespace hearth
