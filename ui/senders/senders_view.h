#pragma once

#include "ui/senders/sent_requests.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableView;
class QTreeView;

namespace hearth {

class RequestModel;
class RequestPane;
class SenderModel;

/// A window of its own: who sends to the port, their last requests, and one of these as it was sent. For
/// people who write profilers and exporters.
class SendersView : public QWidget {
    Q_OBJECT

public:
    explicit SendersView(QWidget *parent = nullptr);

    void setSenders(std::vector<SenderRow> senders);
    /// @param requests the newest comes first
    void setRequests(std::vector<RequestRow> requests);

    QTreeView *senders() const { return m_senders; }
    QTableView *requests() const { return m_requests; }
    RequestPane *request() const { return m_request; }
    QPushButton *allButton() const { return m_all; }

Q_SIGNALS:
    /// It can be seen now, and is to be filled.
    void shown();

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *makeSenders();
    QWidget *makeRequests();
    void showReasons(const QModelIndex &parent, int first, int last);
    void chooseSender();
    void chooseRequest();

    SenderModel *m_senderModel;
    RequestModel *m_requestModel;
    QTreeView *m_senders;
    QTableView *m_requests;
    QLabel *m_nobody;
    QLabel *m_whose; ///< whose requests are shown
    QPushButton *m_all;
    RequestPane *m_request;
};

} // namespace hearth
