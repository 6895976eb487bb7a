#pragma once

#include "ui/flame/flame_view.h"

#include <QJsonObject>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace hearth {

/// The flame graph with its bar: which way it grows, order, colours, search.
class FlamePage : public QWidget {
    Q_OBJECT

public:
    explicit FlamePage(Session &session, QWidget *parent = nullptr);

    FlameView *view() const { return m_view; }
    QLineEdit *search() const { return m_search; }
    void setGrowsUp(bool growsUp);

    /// Which way it grows, order and colours, for a workspace.
    QJsonObject choices() const;
    void setChoices(const QJsonObject &choices);

Q_SIGNALS:
    /// What the search finds of the view; empty if nothing is searched for.
    void matchedChanged(const QString &share);

private:
    void takeSearch();
    bool hasPivot() const;
    void togglePivot();
    void showLens();
    void showMatches();
    void showLegend();

    Session &m_session;
    FlameView *m_view;
    QPushButton *m_direction;
    QPushButton *m_inverted;
    QPushButton *m_pivot;
    QPushButton *m_order;
    QPushButton *m_coloring;
    QLineEdit *m_search;
    QLabel *m_matches;
    QLabel *m_legend;
};

} // namespace hearth
