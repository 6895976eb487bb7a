#pragma once

#include "model/views/binary_table.h"
#include "ui/session/session.h"

#include <QWidget>

class QLabel;
class QMenu;
class QPushButton;
class QTableView;

namespace hearth {

class ExecutablesModel;

/// The binaries that samples ran in, those first whose symbols would help most; what is known of each; and
/// ways to have more names. What can be done for one can be done for all that are selected.
class ExecutablesView : public QWidget {
    Q_OBJECT

public:
    explicit ExecutablesView(Session &session, QWidget *parent = nullptr);

    QTableView *table() const { return m_table; }
    QLabel *details() const { return m_details; }
    QPushButton *lookAgainButton() const { return m_lookAgain; }
    /// What can be done for the rows that are selected.
    void fillMenu(QMenu &menu);
    /// "names: 3 of 12, libc.so.6"; empty when it is over.
    void setProgress(const QString &text);

Q_SIGNALS:
    /// Programs, debug files, or folders with such.
    void placesAdded(const QStringList &paths);
    /// The user agreed to ask it.
    void serverAllowed(const QString &server);
    /// Their files may have come, or have been built anew.
    void lookAgainRequested(const std::vector<BinaryId> &binaries);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void makeTable();
    void update();
    void showSummary();
    void showDetails();
    std::vector<const BinaryRow *> selected() const;
    void selectPaths(const std::vector<std::string> &paths);
    void addToLens(bool isLeftOut);
    void keepSelected();
    void lookAgain();
    void copySelected(const QStringList &texts);
    void addFiles();
    void addFolder();
    void askForServer();

    Session &m_session;
    ExecutablesModel *m_model;
    QTableView *m_table;
    QLabel *m_summary;
    QLabel *m_details;
    QPushButton *m_lookAgain = nullptr;
    QString m_progress;
    std::shared_ptr<const BinaryTable> m_shown;
    std::shared_ptr<Evaluator> m_evaluator; ///< used by one job at a time
    Worker m_worker;
};

} // namespace hearth
