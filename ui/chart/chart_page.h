#pragma once

#include "ui/chart/chart_view.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;

namespace hearth {

/// The time chart with its bar: what lanes are made by, their order, search; or why there is nothing to show.
class ChartPage : public QWidget {
    Q_OBJECT

public:
    explicit ChartPage(Session &session, QWidget *parent = nullptr);

    ChartView *view() const { return m_view; }
    QLineEdit *search() const { return m_search; }
    QComboBox *lanesBy() const { return m_lanesBy; }

private:
    QWidget *makeBar();
    void takeSearch();
    void showChart();
    void showKeys();
    void showCurrent();

    Session &m_session;
    ChartView *m_view;
    QStackedWidget *m_pages;
    QLabel *m_nothing;
    QComboBox *m_lanesBy;
    QComboBox *m_order;
    QLabel *m_summary;
    QLineEdit *m_search;
};

} // namespace hearth
