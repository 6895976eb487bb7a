#pragma once

#include "ui/senders/sent_requests.h"
#include "ui/session/worker.h"

#include <QWidget>

#include <optional>

class QLabel;
class QPushButton;
class QStandardItemModel;
class QTabWidget;
class QTableView;
class QTreeView;

namespace hearth {

class PartModel;

/// One request as it was sent: its fields, what its tables are worth, and what is against the standard.
class RequestPane : public QWidget {
    Q_OBJECT

public:
    explicit RequestPane(QWidget *parent = nullptr);

    /// It is read in the background, and stays when the port does not keep it any longer.
    void show(const RequestRow &request);

    QTreeView *parts() const { return m_parts; }
    QTableView *tables() const { return m_tables; }
    QTreeView *findings() const { return m_findings; }
    QTabWidget *pages() const { return m_pages; }
    QLabel *summary() const { return m_summary; }
    QPushButton *openButton() const { return m_open; }
    QPushButton *saveButton() const { return m_save; }

Q_SIGNALS:
    /// What it brought is to be looked at as a data set.
    void openRequested(const RequestRow &request);
    /// Its bytes are to be written as they came.
    void saveRequested(const RequestRow &request, const QString &file);

private:
    void make();
    void fill(const RequestAnatomy &anatomy);
    void fillFindings(const std::vector<RequestFinding> &findings);
    void goTo(const QString &place);
    void askWhereToSave();

    QLabel *m_summary;
    QPushButton *m_open;
    QPushButton *m_save;
    QTabWidget *m_pages;
    QTreeView *m_parts;
    QTableView *m_tables;
    QTreeView *m_findings;
    PartModel *m_partModel;
    QStandardItemModel *m_tableModel;
    QStandardItemModel *m_findingModel;
    std::optional<RequestRow> m_request;
    Worker m_worker;
};

} // namespace hearth
