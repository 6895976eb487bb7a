#include "ui/flame/flame_page.h"

#include "model/lens/lens_steps.h"
#include "ui/theme/figures.h"
#include "ui/theme/marks.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace hearth {

namespace {

// What workspaces call the choices.
constexpr QLatin1String kGrowsUp("growsUp");
constexpr QLatin1String kOrder("order");
constexpr QLatin1String kColoring("colour");
constexpr std::array kOrders{QLatin1String("heaviest"), QLatin1String("name")};
constexpr std::array kColorings{QLatin1String("kind"), QLatin1String("binary"), QLatin1String("function"),
                                QLatin1String("self")};

QPushButton *quietButton(const QString &text, QWidget *parent)
{
    auto *button = new QPushButton(text, parent);
    button->setProperty("quiet", true);
    return button;
}

/// A button that shows which of several choices is taken, and offers the others.
template <class Choice, class Take>
QPushButton *choiceButton(QWidget *parent, const QString &title,
                          const std::vector<std::pair<QString, Choice>> &choices, Take take)
{
    QPushButton *button = quietButton(title.arg(choices.front().first) + QStringLiteral(" ▾"), parent);
    auto *menu = new QMenu(button);
    for (const auto &[name, choice] : choices)
        QObject::connect(menu->addAction(name), &QAction::triggered, button,
                         [=, name = name, choice = choice] {
                             button->setText(title.arg(name) + QStringLiteral(" ▾"));
                             take(choice);
                         });
    button->setMenu(menu);
    return button;
}

} // namespace

FlamePage::FlamePage(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_view(new FlameView(session, this)),
      m_direction(quietButton(tr("▼ Icicle"), this)), m_inverted(quietButton(tr("Inverted"), this)),
      m_pivot(quietButton(tr("Pivot"), this)), m_search(new QLineEdit(this)), m_matches(new QLabel(this)),
      m_legend(new QLabel(this))
{
    m_direction->setCheckable(true);
    m_direction->setToolTip(tr("Icicles grow down from their roots, flames up"));
    connect(m_direction, &QPushButton::toggled, this, [this](bool growsUp) {
        m_direction->setText(growsUp ? tr("▲ Flame") : tr("▼ Icicle"));
        m_view->setGrowsUp(growsUp);
    });
    m_inverted->setCheckable(true);
    m_inverted->setToolTip(tr("Callees above callers: what weighs something itself comes first (I)"));
    connect(m_inverted, &QPushButton::clicked, this,
            [this] { m_session.setLens(inverted(m_session.lens())); });
    m_pivot->setCheckable(true);
    m_pivot->setToolTip(tr("Callers or callees of the selected function alone (P)"));
    connect(m_pivot, &QPushButton::clicked, this, &FlamePage::togglePivot);
    m_order = choiceButton<FlameOrder>(
        this, QStringLiteral("%1"),
        {{tr("Heaviest first"), FlameOrder::HeaviestFirst}, {tr("By name"), FlameOrder::ByName}},
        [this](FlameOrder chosen) { m_view->setOrder(chosen); });
    m_coloring = choiceButton<FlameColoring>(this, tr("Colour: %1"),
                                             {{tr("kind"), FlameColoring::Kind},
                                              {tr("binary"), FlameColoring::Binary},
                                              {tr("function"), FlameColoring::Function},
                                              {tr("self time"), FlameColoring::SelfTime}},
                                             [this](FlameColoring chosen) {
                                                 m_view->setColoring(chosen);
                                                 showLegend();
                                             });
    m_search->setPlaceholderText(tr("Search (Ctrl+F)"));
    m_search->setAccessibleName(tr("Search in the flame graph"));
    m_search->setClearButtonEnabled(true);
    m_search->setFixedWidth(220);
    QPushButton *previous = quietButton(QStringLiteral("‹"), this);
    QPushButton *next = quietButton(QStringLiteral("›"), this);
    previous->setToolTip(tr("Previous match (Shift+Enter)"));
    next->setToolTip(tr("Next match (Enter, F3)"));
    m_matches->setForegroundRole(QPalette::Dark);

    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(10, 6, 10, 2);
    bar->setSpacing(6);
    bar->addWidget(m_direction);
    bar->addWidget(m_inverted);
    bar->addWidget(m_pivot);
    bar->addWidget(m_order);
    bar->addWidget(m_coloring);
    bar->addStretch();
    bar->addWidget(m_matches);
    bar->addWidget(m_search);
    bar->addWidget(previous);
    bar->addWidget(next);
    m_legend->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_legend->setForegroundRole(QPalette::Dark);
    m_legend->setContentsMargins(10, 2, 10, 4);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_legend);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);

    connect(m_search, &QLineEdit::textChanged, this, &FlamePage::takeSearch);
    connect(m_search, &QLineEdit::returnPressed, this, [this] { m_view->selectMatch(true); });
    const auto onKey = [this](const QKeySequence &keys, QWidget *where, Qt::ShortcutContext context,
                              auto action) {
        connect(new QShortcut(keys, where, nullptr, nullptr, context), &QShortcut::activated, this, action);
    };
    onKey(QKeySequence(Qt::SHIFT | Qt::Key_Return), m_search, Qt::WidgetShortcut,
          [this] { m_view->selectMatch(false); });
    onKey(QKeySequence(Qt::Key_Escape), m_search, Qt::WidgetShortcut, [this] {
        m_search->clear();
        m_view->setFocus();
    });
    connect(next, &QPushButton::clicked, this, [this] { m_view->selectMatch(true); });
    connect(previous, &QPushButton::clicked, this, [this] { m_view->selectMatch(false); });
    connect(&m_session, &Session::lensChanged, this, &FlamePage::showLens);
    connect(&m_session, &Session::selectionChanged, this, &FlamePage::showLens);
    showLens();
    connect(m_view, &FlameView::layoutChanged, this, [this] {
        showMatches();
        showLegend();
    });
}

void FlamePage::setGrowsUp(bool growsUp)
{
    m_direction->setChecked(growsUp);
}

QJsonObject FlamePage::choices() const
{
    return {{kGrowsUp, m_direction->isChecked()},
            {kOrder, kOrders[static_cast<std::size_t>(m_view->order())]},
            {kColoring, kColorings[static_cast<std::size_t>(m_view->scene().coloring)]}};
}

/// As if they were taken from the menus, which have them in the same order.
void FlamePage::setChoices(const QJsonObject &choices)
{
    const auto take = [&](const QPushButton &button, QLatin1String key, const auto &words) {
        const auto word = std::ranges::find(words, choices.value(key).toString());
        if (word != words.end())
            button.menu()->actions()[word - words.begin()]->trigger();
    };
    if (choices.contains(kGrowsUp))
        setGrowsUp(choices.value(kGrowsUp).toBool());
    take(*m_order, kOrder, kOrders);
    take(*m_coloring, kColoring, kColorings);
}

bool FlamePage::hasPivot() const
{
    return std::ranges::find(m_session.lens().frames, FrameTermKind::Pivot, &FrameTerm::kind) !=
           m_session.lens().frames.end();
}

void FlamePage::togglePivot()
{
    if (hasPivot())
        return m_session.setLens(withoutPivot(m_session.lens()));
    if (const auto entry = m_session.selectedEntry()) {
        const Entry &selected = m_session.evaluation()->tree->entries()[*entry];
        m_session.setLens(pivotOn(m_session.lens(), {selected.name, selected.binary}));
    }
}

void FlamePage::showLens()
{
    m_inverted->setChecked(m_session.lens().isInverted);
    m_pivot->setChecked(hasPivot());
    m_pivot->setEnabled(hasPivot() || m_session.selectedEntry());
}

void FlamePage::takeSearch()
{
    const QString problem = m_view->search(m_search->text());
    if (problem.isEmpty())
        return showMatches();
    m_matches->setText(
        QStringLiteral("<span style='color:%1'>%2</span>").arg(theme().bad.name(), problem.toHtmlEscaped()));
}

void FlamePage::showMatches()
{
    if (m_search->text().isEmpty() || !m_session.evaluation()) {
        m_matches->clear();
        Q_EMIT matchedChanged({});
        return;
    }
    const auto whole = static_cast<double>(m_session.evaluation()->matched);
    Q_EMIT matchedChanged(shareText(static_cast<double>(m_view->matchedWeight()), whole));
    m_matches->setText(tr("%1 · %2 functions")
                           .arg(shareText(static_cast<double>(m_view->matchedWeight()), whole),
                                QLocale().toString(qulonglong(m_view->matchingEntries()))));
}

/// The kinds that are drawn, each in its colour.
void FlamePage::showLegend()
{
    QString text;
    for (const FrameClass kind : kindsIn(m_view->scene())) {
        const std::string_view name = nameOf(kind);
        text += swatch(frameColor(kind, {}), QString::fromUtf8(name.data(), qsizetype(name.size())));
    }
    m_legend->setText(text);
}

} // namespace hearth
