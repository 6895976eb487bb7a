#pragma once

#include "model/views/log_list.h"
#include "ui/session/session.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace hearth {

class RecordModel;

/// The log records that the lens shows. From each one comes to its span, and to the samples around it.
class RecordsView : public QWidget {
    Q_OBJECT

public:
    explicit RecordsView(Session &session, QWidget *parent = nullptr);

    QTableView *table() const { return m_table; }
    QLineEdit *filter() const { return m_filter; }
    QComboBox *severity() const { return m_severity; }
    bool isListing() const { return m_isStale || m_isOutdated || m_worker.isBusy(); }

    /// The span that the current record was written in sets the lens.
    void showSpan();
    /// The time around the current record sets the lens.
    void showAround();

Q_SIGNALS:
    void spanShown();
    void timeShown();

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *makeBar();
    void takeSnapshot();
    void list();
    void enableWhatCanBeDone();

    Session &m_session;
    RecordModel *m_model;
    QTableView *m_table;
    QComboBox *m_severity;
    QLineEdit *m_filter;
    QLabel *m_count;
    QPushButton *m_span;
    QPushButton *m_around;
    bool m_isOutdated = false; ///< there is newer data than what is being listed
    bool m_isStale = true;     ///< something changed while this could not be seen
    Worker m_worker;
};

} // namespace hearth
