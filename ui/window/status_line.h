#pragma once

#include "ui/session/session.h"

#include <QStatusBar>

class QLabel;
class QPushButton;

namespace hearth {

/// How much of the data is in view, what is missing from it, what is under way, and the memory it takes.
class StatusLine : public QStatusBar {
    Q_OBJECT

public:
    explicit StatusLine(Session &session, QWidget *parent = nullptr);

    /// "cpu.pb.gz: 128 MB read"; empty when it is over.
    void setProgress(const QString &text);
    /// What of the view is found by the search; empty if nothing is searched for.
    void setMatched(const QString &text);

Q_SIGNALS:
    void cancelRequested();
    void lossesRequested();
    void symbolsRequested();

protected:
    void changeEvent(QEvent *event) override;

private:
    void update();
    void showSymbols();
    QString samplesText() const;

    Session &m_session;
    QLabel *m_samples;
    QLabel *m_matched;
    QPushButton *m_symbols;
    QPushButton *m_losses;
    QLabel *m_progress;
    QPushButton *m_cancel;
    QLabel *m_memory;
    Worker m_worker;
};

} // namespace hearth
