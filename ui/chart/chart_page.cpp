#include "ui/chart/chart_page.h"

#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace hearth {

namespace {

QString titleOf(const std::string &key)
{
    return key == TimeChartRequest::kByTrace ? ChartPage::tr("request") : qString(key);
}

} // namespace

ChartPage::ChartPage(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_view(new ChartView(session, this)),
      m_pages(new QStackedWidget(this)), m_nothing(new QLabel(this)), m_lanesBy(new QComboBox(this)),
      m_order(new QComboBox(this)), m_summary(new QLabel(this)), m_search(new QLineEdit(this))
{
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    m_nothing->setForegroundRole(QPalette::Dark);
    m_nothing->setText(tr("Putting the samples on an axis…"));
    m_pages->addWidget(m_view);
    m_pages->addWidget(m_nothing);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(m_pages, 1);
    setFocusProxy(m_view);
    connect(m_view, &ChartView::chartChanged, this, &ChartPage::showChart);
    connect(m_view, &ChartView::currentChanged, this, &ChartPage::showCurrent);
    connect(&session, &Session::snapshotChanged, this, &ChartPage::showKeys);
    connect(m_lanesBy, &QComboBox::activated, this,
            [this](int index) { m_view->setLanesBy(m_lanesBy->itemData(index).toString()); });
    connect(m_order, &QComboBox::activated, this, [this](int index) { m_view->setOrder(LaneOrder(index)); });
    connect(m_search, &QLineEdit::textChanged, this, &ChartPage::takeSearch);
    connect(m_search, &QLineEdit::returnPressed, this, [this] { m_view->selectMatch(true); });
    const auto onKey = [this](const QKeySequence &keys, auto action) {
        connect(new QShortcut(keys, m_search, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated,
                this, action);
    };
    onKey(QKeySequence(Qt::SHIFT | Qt::Key_Return), [this] { m_view->selectMatch(false); });
    onKey(QKeySequence(Qt::Key_Escape), [this] {
        m_search->clear();
        m_view->setFocus();
    });
}

QWidget *ChartPage::makeBar()
{
    auto *bar = new QWidget(this);
    m_lanesBy->setAccessibleName(tr("What lanes are made by"));
    m_order->setAccessibleName(tr("Order of the lanes"));
    m_order->addItems({tr("Heaviest first"), tr("By name"), tr("First active first")});
    m_summary->setForegroundRole(QPalette::Dark);
    m_search->setPlaceholderText(tr("Search (Ctrl+F)"));
    m_search->setAccessibleName(tr("Search in the time chart"));
    m_search->setClearButtonEnabled(true);
    m_search->setFixedWidth(220);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(10, 6, 10, 4);
    row->setSpacing(6);
    row->addWidget(new QLabel(tr("A lane for each"), bar));
    row->addWidget(m_lanesBy);
    row->addWidget(m_order);
    row->addStretch();
    row->addWidget(m_summary);
    row->addWidget(m_search);
    return bar;
}

/// Keys come with the data; the one that is chosen stays.
void ChartPage::showKeys()
{
    if (!m_session.snapshot())
        return;
    const QVariant chosen = m_session.evaluation() ? m_lanesBy->currentData() : QVariant();
    QStringList keys;
    for (const std::string &key : laneKeysOf(*m_session.snapshot()))
        keys += QString::fromStdString(key);
    keys += QString();
    QStringList shown;
    for (int i = 0; i < m_lanesBy->count(); ++i)
        shown += m_lanesBy->itemData(i).toString();
    if (keys == shown && chosen.isValid())
        return;
    m_lanesBy->clear();
    for (const QString &key : keys)
        m_lanesBy->addItem(key.isEmpty() ? tr("nothing: all in one") : titleOf(key.toStdString()), key);
    m_lanesBy->setCurrentIndex(std::max(0, m_lanesBy->findData(chosen)));
}

void ChartPage::showChart()
{
    const auto &chart = m_view->scene().chart;
    if (chart && !chart->lanes.empty()) {
        m_pages->setCurrentWidget(m_view);
        return showCurrent();
    }
    m_summary->clear();
    m_nothing->setText(!chart ? m_session.problem()
                       : chart->untimed == 0
                           ? tr("The filter leaves no samples that could be shown here.")
                           : tr("The %1 samples of this data have no times, so there is no axis to "
                                "put them on.\nThe other views work without.")
                                 .arg(countText(chart->untimed)));
    m_pages->setCurrentWidget(m_nothing);
}

void ChartPage::showCurrent()
{
    const ChartScene &scene = m_view->scene();
    if (!scene.chart)
        return;
    if (scene.current) {
        const StackLane &stacks = scene.chart->lanes[scene.current->lane].stacks;
        const Stretch &stretch = stacks[scene.current->stretch];
        m_summary->setText(tr("sample %1 of %2 · %3 · %4")
                               .arg(countText(scene.current->stretch + 1), countText(stacks.size()),
                                    valueText(stretch.length(), "nanoseconds"),
                                    stretch.isWaiting ? tr("waiting") : tr("running")));
        return;
    }
    QString text = tr("%1 lanes").arg(countText(scene.chart->lanes.size()));
    if (scene.chart->hidden > 0)
        text += tr(" · %1 lighter ones not shown").arg(countText(scene.chart->hidden));
    if (scene.chart->untimed > 0)
        text += tr(" · %1 samples without a time").arg(countText(scene.chart->untimed));
    m_summary->setText(text);
}

void ChartPage::takeSearch()
{
    const QString problem = m_view->search(m_search->text());
    if (!problem.isEmpty())
        m_summary->setText(QStringLiteral("<span style='color:%1'>%2</span>")
                               .arg(theme().bad.name(), problem.toHtmlEscaped()));
    else if (!m_search->text().isEmpty())
        m_summary->setText(tr("%1 functions").arg(countText(m_view->matchingEntries())));
    else
        showCurrent();
}

} // namespace hearth
