#include "ui/window/window_state.h"

#include "ui/compare/compare_view.h"
#include "ui/flame/flame_page.h"
#include "ui/window/main_window.h"

#include <QDockWidget>
#include <QHeaderView>
#include <QJsonArray>
#include <QLineEdit>
#include <QTabWidget>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <array>

// What a workspace keeps of a window.
//
//   choices  by view: "search", and "sorted" with a column and a direction per table, in the order in which
//   the
//            view has them; flames and compare have more to say
//   layout   by panel: "area" left, right, top, bottom or floating; "size" in pixels; "isShown"

namespace hearth {

namespace {

constexpr QLatin1String kSearch("search");
constexpr QLatin1String kSorted("sorted");
constexpr QLatin1String kColumn("column");
constexpr QLatin1String kDescending("descending");
constexpr QLatin1String kArea("area");
constexpr QLatin1String kSize("size");
constexpr QLatin1String kIsShown("isShown");

struct Area {
    Qt::DockWidgetArea area;
    QLatin1String name;
};
constexpr std::array kAreas{Area{Qt::LeftDockWidgetArea, QLatin1String("left")},
                            Area{Qt::RightDockWidgetArea, QLatin1String("right")},
                            Area{Qt::TopDockWidgetArea, QLatin1String("top")},
                            Area{Qt::BottomDockWidgetArea, QLatin1String("bottom")},
                            Area{Qt::NoDockWidgetArea, QLatin1String("floating")}};

Qt::Orientation growthOf(Qt::DockWidgetArea area)
{
    return area == Qt::TopDockWidgetArea || area == Qt::BottomDockWidgetArea ? Qt::Vertical : Qt::Horizontal;
}

/// Of the tables and trees whose rows can be ordered.
QList<QHeaderView *> sortableHeaders(const QWidget &view)
{
    QList<QHeaderView *> headers;
    for (const auto *table : view.findChildren<QTableView *>())
        headers += table->horizontalHeader();
    for (const auto *tree : view.findChildren<QTreeView *>())
        headers += tree->header();
    headers.removeIf([](const QHeaderView *header) { return !header->isSortIndicatorShown(); });
    return headers;
}

QJsonArray ordersOf(const QWidget &view)
{
    QJsonArray orders;
    for (const QHeaderView *header : sortableHeaders(view))
        orders += QJsonObject{{kColumn, header->sortIndicatorSection()},
                              {kDescending, header->sortIndicatorOrder() == Qt::DescendingOrder}};
    return orders;
}

void restoreOrders(const QWidget &view, const QJsonArray &orders)
{
    const QList<QHeaderView *> headers = sortableHeaders(view);
    for (qsizetype i = 0; i < std::min(headers.size(), orders.size()); ++i) {
        const QJsonObject order = orders[i].toObject();
        const int column = order.value(kColumn).toInt(-1);
        if (column >= 0 && column < headers[i]->count())
            headers[i]->setSortIndicator(column, order.value(kDescending).toBool() ? Qt::DescendingOrder
                                                                                   : Qt::AscendingOrder);
    }
}

} // namespace

/// Tells of what workspaces keep and nobody else asks for.
void MainWindow::watchState()
{
    connect(m_views, &QTabWidget::currentChanged, this, &MainWindow::stateChanged);
    connect(m_compare, &CompareView::baselineChanged, this, &MainWindow::stateChanged);
    connect(&m_session, &Session::lensChanged, this, &MainWindow::stateChanged);
    for (int i = 0; i < m_views->count(); ++i) {
        for (const QHeaderView *header : sortableHeaders(*m_views->widget(i)))
            connect(header, &QHeaderView::sortIndicatorChanged, this, &MainWindow::stateChanged);
        if (const QLineEdit *edit = searchOf(m_views->widget(i)))
            connect(edit, &QLineEdit::textChanged, this, &MainWindow::stateChanged);
    }
}

WindowState MainWindow::state() const
{
    WindowState state{.view = m_views->currentWidget()->objectName(), .choices = {}, .layout = {}};
    for (int i = 0; i < m_views->count(); ++i) {
        const QWidget *view = m_views->widget(i);
        QJsonObject choices = view == m_flames    ? m_flames->choices()
                              : view == m_compare ? m_compare->choices()
                                                  : QJsonObject();
        if (const QLineEdit *edit = searchOf(view); edit != nullptr && !edit->text().isEmpty())
            choices.insert(kSearch, edit->text());
        if (const QJsonArray orders = ordersOf(*view); !orders.isEmpty())
            choices.insert(kSorted, orders);
        if (!choices.isEmpty())
            state.choices.insert(view->objectName(), choices);
    }
    for (QDockWidget *dock : {m_sourcesDock, m_inspectorDock, m_logDock}) {
        const Qt::DockWidgetArea area = dock->isFloating() ? Qt::NoDockWidgetArea : dockWidgetArea(dock);
        const int size = growthOf(area) == Qt::Vertical ? dock->height() : dock->width();
        state.layout.insert(dock->objectName(),
                            QJsonObject{{kArea, std::ranges::find(kAreas, area, &Area::area)->name},
                                        {kSize, size},
                                        {kIsShown, !dock->isHidden()}});
    }
    return state;
}

void MainWindow::restore(const WindowState &state)
{
    for (int i = 0; i < m_views->count(); ++i) {
        QWidget *view = m_views->widget(i);
        const QJsonObject choices = state.choices.value(view->objectName()).toObject();
        if (view == m_flames)
            m_flames->setChoices(choices);
        if (view == m_compare)
            m_compare->setChoices(choices);
        if (QLineEdit *edit = searchOf(view))
            edit->setText(choices.value(kSearch).toString());
        restoreOrders(*view, choices.value(kSorted).toArray());
        if (view->objectName() == state.view)
            m_views->setCurrentWidget(view);
    }
    for (QDockWidget *dock : {m_sourcesDock, m_inspectorDock, m_logDock})
        restorePanel(*dock, state.layout.value(dock->objectName()).toObject());
}

/// A panel that nothing is known of stays as it is.
void MainWindow::restorePanel(QDockWidget &dock, const QJsonObject &panel)
{
    constexpr int kSmallest = 40;
    constexpr int kLargest = 4000;
    const auto area = std::ranges::find_if(
        kAreas, [name = panel.value(kArea).toString()](const Area &each) { return each.name == name; });
    if (area == kAreas.end())
        return;
    dock.setFloating(area->area == Qt::NoDockWidgetArea);
    if (!dock.isFloating() && dockWidgetArea(&dock) != area->area)
        addDockWidget(area->area, &dock);
    dock.setVisible(panel.value(kIsShown).toBool());
    if (const int size = panel.value(kSize).toInt(); !dock.isFloating() && size > 0)
        resizeDocks({&dock}, {std::clamp(size, kSmallest, kLargest)}, growthOf(area->area));
}

} // namespace hearth
