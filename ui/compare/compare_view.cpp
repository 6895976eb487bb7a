#include "ui/compare/compare_view.h"

#include "model/lens/lens_quoting.h"
#include "model/lens/lens_text.h"
#include "model/views/time_range.h"
#include "ui/compare/difference_model.h"
#include "ui/flame/flame_view.h"
#include "ui/table/quiet_table.h"
#include "ui/table/share_delegate.h"
#include "ui/theme/figures.h"
#include "ui/theme/marks.h"
#include "ui/theme/theme.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace hearth {

namespace {

constexpr int kNameWidth = 150;

// What workspaces call the choices.
constexpr QLatin1String kScale("scale");
constexpr QLatin1String kPicture("picture");
constexpr QLatin1String kIsSwapped("isSwapped");
constexpr QLatin1String kHidesNoise("hidesNoise");
constexpr std::array kScales{QLatin1String("none"), QLatin1String("total"), QLatin1String("duration"),
                             QLatin1String("requests")};
constexpr std::array kPictures{QLatin1String("flames"), QLatin1String("sides"), QLatin1String("table")};

QString titleOf(Normalisation normalisation)
{
    switch (normalisation) {
    case Normalisation::Total:
        return CompareView::tr("by total");
    case Normalisation::Duration:
        return CompareView::tr("by duration");
    case Normalisation::Requests:
        return CompareView::tr("by request");
    case Normalisation::None:
        break;
    }
    return CompareView::tr("as recorded");
}

QStringList termsOf(const Lens &lens)
{
    const std::string text = printLens(lens);
    QStringList terms;
    for (std::size_t at = 0; at < text.size();) {
        const auto token = isBlank(text[at]) ? std::nullopt : readToken(text, at);
        const std::size_t end = token && token->end > at ? token->end : at + 1;
        if (token)
            terms += QString::fromStdString(text.substr(at, end - at));
        at = end;
    }
    return terms;
}

/// What is looked at on a side, in full.
struct SideName {
    QString dataSet;
    QStringList terms;

    QString whole() const { return (QStringList(dataSet) + terms).join(QLatin1Char(' ')); }
    /// What tells it from the other side.
    QString beside(const SideName &other) const
    {
        QStringList own = terms;
        own.removeIf([&](const QString &term) { return other.terms.contains(term); });
        if (dataSet != other.dataSet || own.isEmpty())
            own.prepend(dataSet);
        return own.join(QLatin1Char(' '));
    }
};

/// Differences are drawn from the roots.
ComparedView viewOf(std::shared_ptr<const Snapshot> snapshot, Lens lens)
{
    lens.isInverted = false;
    return {std::move(snapshot), std::move(lens)};
}

/// Do the sides cover times that are not about the same?
bool areOfDifferentLength(const ComparedView &base, const ComparedView &current)
{
    constexpr double kAlike = 0.05;
    const auto baseNs = static_cast<double>(recordedDuration(base));
    const auto currentNs = static_cast<double>(recordedDuration(current));
    return baseNs > 0 && currentNs > 0 && std::abs(baseNs / currentNs - 1) > kAlike;
}

} // namespace

CompareView::CompareView(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_base(new QPushButton(this)),
      m_swap(new QPushButton(QStringLiteral("⇄"), this)), m_other(new QLabel(this)),
      m_scale(new QPushButton(this)), m_hidesNoise(new QPushButton(tr("Hide chance"), this)),
      m_pictures(new QButtonGroup(this)), m_search(new QLineEdit(this)), m_summary(new QLabel(this)),
      m_pages(new QStackedWidget(this)), m_nothing(new QLabel(this)), m_flames(new FlameView(m_both, this)),
      m_sides(new QSplitter(Qt::Horizontal, this)), m_leftName(new QLabel(this)),
      m_rightName(new QLabel(this)), m_leftFlames(new FlameView(m_left, this)),
      m_rightFlames(new FlameView(m_right, this)), m_model(new DifferenceModel(this)),
      m_table(new QuietTable(this)), m_evaluator(std::make_shared<DifferenceEvaluator>())
{
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    m_nothing->setForegroundRole(QPalette::Dark);
    m_nothing->setMargin(40);
    makeTable();
    m_flames->setAccessibleName(tr("Flame graph of the difference"));
    m_leftFlames->setAccessibleName(tr("Flame graph of A"));
    m_rightFlames->setAccessibleName(tr("Flame graph of B"));
    m_pages->addWidget(m_nothing);
    m_pages->addWidget(m_flames);
    m_pages->addWidget(makeSides());
    m_pages->addWidget(m_table);
    m_summary->setForegroundRole(QPalette::Dark);
    m_summary->setTextFormat(Qt::RichText);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // it is no reason to move others
    auto *head = new QHBoxLayout;
    head->setContentsMargins(12, 0, 10, 4);
    head->addWidget(m_summary, 1);
    head->addWidget(m_hidesNoise);
    head->addWidget(m_search);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addLayout(head);
    column->addWidget(m_pages, 1);
    connect(&session, &Session::dataSetChanged, this, &CompareView::forget);
    connect(&session, &Session::lensChanged, this, &CompareView::showNames);
    connect(&session, &Session::evaluationChanged, this, &CompareView::compare);
    for (Session *each : {&m_session, &m_both, &m_left, &m_right})
        connect(each, &Session::selectionChanged, this, [this, each] { shareSelection(*each); });
    for (const FlameView *flames : {m_flames, m_leftFlames, m_rightFlames})
        connect(flames, &FlameView::menuRequested, this, &CompareView::menuRequested);
    setPicture(Picture::Flames);
    showNames();
    compare();
}

QWidget *CompareView::makeBar()
{
    auto *bar = new QWidget(this);
    m_base->setMenu(new QMenu(m_base));
    connect(m_base->menu(), &QMenu::aboutToShow, this, &CompareView::fillBaseMenu);
    m_swap->setProperty("quiet", true);
    m_swap->setAccessibleName(tr("Swap both sides"));
    m_swap->setToolTip(tr("Swap both sides (X)"));
    connect(m_swap, &QPushButton::clicked, this, &CompareView::swap);
    m_other->setTextFormat(Qt::RichText);
    m_scale->setProperty("quiet", true);
    m_scale->setToolTip(tr("How B is brought to the scale of A"));
    m_scale->setMenu(new QMenu(m_scale));
    connect(m_scale->menu(), &QMenu::aboutToShow, this, &CompareView::fillScaleMenu);
    m_hidesNoise->setProperty("quiet", true);
    m_hidesNoise->setCheckable(true);
    m_hidesNoise->setToolTip(tr("Only rows that changed by more than samples vary by chance"));
    connect(m_hidesNoise, &QPushButton::toggled, this, [this](bool isChecked) {
        m_arrangement.hidesNoise = isChecked;
        arrange();
    });
    m_search->setPlaceholderText(tr("Search (Ctrl+F)"));
    m_search->setAccessibleName(tr("Search in the comparison"));
    m_search->setClearButtonEnabled(true);
    m_search->setFixedWidth(160);
    connect(m_search, &QLineEdit::textChanged, this, &CompareView::takeSearch);
    connect(m_search, &QLineEdit::returnPressed, this, [this] { m_flames->selectMatch(true); });
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(10, 6, 10, 4);
    row->setSpacing(6);
    row->addWidget(m_base);
    row->addWidget(m_swap);
    row->addWidget(m_other);
    row->addStretch();
    row->addWidget(m_scale);
    const std::array titles{tr("Flame graph"), tr("Side by side"), tr("Table")};
    for (std::size_t i = 0; i < titles.size(); ++i) {
        auto *button = new QPushButton(titles[i], bar);
        button->setProperty("quiet", true);
        button->setCheckable(true);
        m_pictures->addButton(button, static_cast<int>(i));
        row->addWidget(button);
    }
    connect(m_pictures, &QButtonGroup::idClicked, this,
            [this](int id) { setPicture(static_cast<Picture>(id)); });
    return bar;
}

QWidget *CompareView::makeSides()
{
    const auto addSide = [this](QLabel *name, FlameView *flames) {
        auto *side = new QWidget(m_sides);
        name->setContentsMargins(12, 2, 12, 0);
        auto *column = new QVBoxLayout(side);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addWidget(name);
        column->addWidget(flames, 1);
        m_sides->addWidget(side);
    };
    addSide(m_leftName, m_leftFlames);
    addSide(m_rightName, m_rightFlames);
    m_sides->setChildrenCollapsible(false);
    m_sides->setSizes({1, 1});
    return m_sides;
}

void CompareView::makeTable()
{
    m_table->setModel(m_model);
    m_table->setItemDelegate(new ShareDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setAccessibleName(tr("What changed most"));
    QHeaderView *header = m_table->horizontalHeader();
    header->setSortIndicatorShown(true);
    header->setSortIndicator(DifferenceModel::SelfChange, Qt::DescendingOrder);
    for (int column = 0; column < DifferenceModel::Verdict; ++column)
        header->resizeSection(column, 66);
    for (const int column : {DifferenceModel::SelfChange, DifferenceModel::TotalChange})
        header->resizeSection(column, 108);
    header->resizeSection(DifferenceModel::Verdict, 72);
    header->setSectionResizeMode(DifferenceModel::Name, QHeaderView::Stretch);
    header->resizeSection(DifferenceModel::Place, 110);
    connect(header, &QHeaderView::sortIndicatorChanged, this, [this](int column, Qt::SortOrder order) {
        m_arrangement =
            arrangementBy(static_cast<DifferenceModel::Column>(column), order == Qt::DescendingOrder);
        m_arrangement.hidesNoise = m_hidesNoise->isChecked();
        arrange();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &CompareView::takeRow);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](const QPoint &position) {
        Q_EMIT menuRequested(m_table->viewport()->mapToGlobal(position));
    });
}

void CompareView::setDataSetTitle(const QString &title)
{
    m_title = title;
    showNames();
}

void CompareView::setDataSets(const QList<DataSource> &dataSets, const QString &current)
{
    m_dataSets = dataSets;
    m_current = current;
}

// ---- what is compared with what

void CompareView::fillBaseMenu()
{
    QMenu *menu = m_base->menu();
    menu->clear();
    QAction *keep = menu->addAction(tr("What is looked at now"), this, &CompareView::keepView);
    keep->setEnabled(m_session.snapshot() != nullptr);
    addTimeBaselines();
    addAttributeBaselines();
    bool isFirst = true;
    for (const DataSource &dataSet : m_dataSets) {
        if (dataSet.id == m_current)
            continue;
        if (std::exchange(isFirst, false))
            menu->addSeparator();
        menu->addAction(dataSet.name, this, [this, id = dataSet.id] { Q_EMIT dataSetRequested(id); });
    }
    menu->addSeparator();
    QAction *none = menu->addAction(tr("Nothing"), this, [this] {
        m_baseline.reset();
        showNames();
        compare();
        Q_EMIT baselineChanged();
    });
    none->setEnabled(m_baseline.has_value());
}

/// A range of time is compared with what was before it, or with all of the time.
void CompareView::addTimeBaselines()
{
    const Lens &lens = m_session.lens();
    if (!m_session.snapshot() || lens.time.isEverything())
        return;
    const auto add = [&](const QString &title, const TimeTerm &time) {
        Lens other = lens;
        other.time = time;
        addBaseline(title, std::move(other));
    };
    if (const auto all = timeSpanOf(*m_session.snapshot())) {
        const TimeRange range = resolve(lens.time, *m_session.snapshot());
        const std::int64_t length = range.end - range.begin;
        if (range.begin - all->begin > 0 && range.begin > std::numeric_limits<std::int64_t>::min() + length)
            add(tr("As much time before this range"),
                timeTermOf({range.begin - length, range.begin - 1}, *all, 1));
    }
    add(tr("All of the time"), {});
}

/// What has a value of an attribute is compared with what has another.
void CompareView::addAttributeBaselines()
{
    const Lens &lens = m_session.lens();
    if (!m_session.snapshot())
        return;
    for (std::size_t i = 0; i < lens.attributes.size(); ++i) {
        Lens other = lens;
        AttributeTerm &term = other.attributes[i];
        term.isNegated = !term.isNegated;
        Lens only;
        only.attributes = {term};
        addBaseline(tr("Instead: %1").arg(QString::fromStdString(printLens(only))), std::move(other));
    }
}

void CompareView::addBaseline(const QString &title, Lens lens)
{
    m_base->menu()->addAction(
        title, this, [this, lens = std::move(lens)] { compareWith({m_title, m_session.snapshot(), lens}); });
}

void CompareView::fillScaleMenu()
{
    QMenu *menu = m_scale->menu();
    menu->clear();
    for (const Normalisation each :
         {Normalisation::None, Normalisation::Total, Normalisation::Duration, Normalisation::Requests}) {
        QAction *action = menu->addAction(titleOf(each), this, [this, each] { setNormalisation(each); });
        action->setCheckable(true);
        action->setChecked(each == m_normalisation);
    }
}

void CompareView::setNormalisation(Normalisation normalisation)
{
    m_normalisation = normalisation;
    showNames();
    compare();
}

void CompareView::compareWith(Baseline baseline, std::optional<Normalisation> normalisation)
{
    m_baseline = std::move(baseline);
    if (m_baseline->id.isEmpty())
        m_baseline->id = m_current;
    m_isSwapped = false;
    forget();
    if (!normalisation && m_session.snapshot())
        normalisation =
            areOfDifferentLength(baseSide(), currentSide()) ? Normalisation::Duration : Normalisation::None;
    setNormalisation(normalisation.value_or(Normalisation::None));
    Q_EMIT baselineChanged();
}

void CompareView::keepView()
{
    if (m_session.snapshot())
        compareWith({m_title, m_session.snapshot(), m_session.lens()}, Normalisation::None);
}

void CompareView::swap()
{
    if (!m_baseline)
        return;
    m_isSwapped = !m_isSwapped;
    forget();
    showNames();
    compare();
}

/// What is kept, be it A or B.
ComparedView CompareView::baseSide() const
{
    if (m_baseline->lens)
        return viewOf(m_baseline->snapshot, *m_baseline->lens);
    Lens lens = m_session.lens();
    if (m_baseline->snapshot != m_session.snapshot())
        lens.time = {};
    return viewOf(m_baseline->snapshot, std::move(lens));
}

ComparedView CompareView::currentSide() const
{
    return viewOf(m_session.snapshot(), m_session.lens());
}

// ---- comparing

/// What the evaluator remembers is of the data sets that it saw before, each on its side.
void CompareView::forget()
{
    m_evaluator = std::make_shared<DifferenceEvaluator>();
}

void CompareView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_isStale)
        compare();
}

Result<std::shared_ptr<const CompareView::Findings>>
CompareView::find(DifferenceEvaluator &evaluator, const ComparedView &base, const ComparedView &current,
                  Normalisation normalisation, const std::stop_token &stop)
{
    const auto difference = evaluator.evaluate(base, current, normalisation, stop);
    if (!difference)
        return tl::unexpected(difference.error());
    if (!*difference)
        return nullptr;
    auto tree = treeOfBothSides(**difference, stop);
    auto table = differenceTable(*difference, DifferenceOrder::Self, 0, stop);
    if (!tree || !table)
        return nullptr;
    auto both = std::make_shared<Evaluation>();
    both->tree = std::make_shared<const CallTree>(std::move(*tree));
    both->series = (*difference)->series;
    both->groupDepth = (*difference)->groupDepth;
    both->total = both->selected = both->matched = both->tree->total(TreeShape::kRoot);
    auto findings = std::make_shared<Findings>();
    findings->base = base.snapshot;
    findings->current = current.snapshot;
    findings->difference = *difference;
    findings->bothSides = std::move(both);
    findings->table = std::make_shared<const DifferenceTable>(std::move(*table));
    return findings;
}

/// On the worker, and only while somebody looks.
void CompareView::compare()
{
    if (!m_baseline || !m_session.snapshot()) {
        m_findings = nullptr;
        m_nothing->setText(tr("There is nothing to compare with yet.\n\n"
                              "Choose a baseline above, or press B in any view to keep what is looked at: "
                              "then look at another time, another thread, another file."));
        m_isStale = false;
        m_worker.run([](const std::stop_token &) { return Worker::Delivery(); });
        return showSummary();
    }
    m_isStale = !isVisible();
    if (m_isStale)
        return;
    ComparedView base = baseSide();
    ComparedView current = currentSide();
    if (m_isSwapped)
        std::swap(base, current);
    m_worker.run([this, evaluator = m_evaluator, base = std::move(base), current = std::move(current),
                  normalisation = m_normalisation](const std::stop_token &stop) -> Worker::Delivery {
        auto findings = find(*evaluator, base, current, normalisation, stop);
        if (findings && !*findings)
            return nullptr; // stopped
        return [this, findings = std::move(findings)] { take(findings); };
    });
}

void CompareView::take(const Result<std::shared_ptr<const Findings>> &findings)
{
    m_findings = findings ? *findings : nullptr;
    if (m_findings) {
        m_flames->setDifference(m_findings->bothSides, m_findings->difference);
        m_both.showEvaluation(m_findings->current, m_findings->bothSides);
        showSides();
        shareSelection(m_session);
        arrange();
    } else {
        m_nothing->setText(
            tr("These cannot be compared: %1").arg(QString::fromStdString(findings.error().message)));
    }
    showSummary();
}

/// What is not looked at is not laid out.
void CompareView::showSides()
{
    if (!m_findings || m_pictures->checkedId() != int(Picture::SideBySide))
        return;
    m_left.showEvaluation(m_findings->base, m_findings->difference->base);
    m_right.showEvaluation(m_findings->current, m_findings->difference->current);
    shareSelection(m_session);
}

void CompareView::setPicture(Picture picture)
{
    m_pictures->button(static_cast<int>(picture))->setChecked(true);
    showSides();
    showSummary();
}

QJsonObject CompareView::choices() const
{
    return {{kScale, kScales[static_cast<std::size_t>(m_normalisation)]},
            {kPicture, kPictures[static_cast<std::size_t>(m_pictures->checkedId())]},
            {kIsSwapped, m_isSwapped},
            {kHidesNoise, m_hidesNoise->isChecked()}};
}

void CompareView::setChoices(const QJsonObject &choices)
{
    const auto scale = std::ranges::find(kScales, choices.value(kScale).toString());
    if (scale != kScales.end())
        setNormalisation(static_cast<Normalisation>(scale - kScales.begin()));
    const auto picture = std::ranges::find(kPictures, choices.value(kPicture).toString());
    if (picture != kPictures.end())
        setPicture(static_cast<Picture>(picture - kPictures.begin()));
    if (choices.value(kIsSwapped).toBool(m_isSwapped) != m_isSwapped)
        swap();
    m_hidesNoise->setChecked(choices.value(kHidesNoise).toBool());
}

// ---- what is shown

std::shared_ptr<const Difference> CompareView::difference() const
{
    return m_findings ? m_findings->difference : nullptr;
}

void CompareView::showNames()
{
    const SideName viewName{m_title, termsOf(m_session.lens())};
    SideName keptName = viewName; // but for its data set, and what it has of its own
    if (m_baseline) {
        keptName.dataSet = m_baseline->name;
        if (m_baseline->lens)
            keptName.terms = termsOf(*m_baseline->lens);
    }
    const QString view = viewName.beside(keptName);
    const QString kept = m_baseline ? keptName.beside(viewName) : tr("choose a baseline");
    const QString keptLetter = m_isSwapped ? QStringLiteral("B") : QStringLiteral("A");
    const QString viewLetter = m_isSwapped ? QStringLiteral("A") : QStringLiteral("B");
    const auto elided = [this](const QString &text) {
        return fontMetrics().elidedText(text, Qt::ElideMiddle, kNameWidth);
    };
    const QString letter = m_baseline ? keptLetter + QStringLiteral("  ") : QString();
    m_base->setText(letter + elided(kept).replace(QLatin1Char('&'), QStringLiteral("&&")) +
                    QStringLiteral(" ▾"));
    m_base->setAccessibleName(tr("Baseline: %1").arg(kept));
    m_swap->setVisible(m_baseline.has_value());
    m_other->setVisible(m_baseline.has_value());
    m_other->setText(QStringLiteral("<b>%1</b>&nbsp; %2").arg(viewLetter, elided(view).toHtmlEscaped()));
    m_other->setToolTip(viewName.whole());
    m_base->setToolTip(m_baseline ? keptName.whole() : tr("What is compared with what is looked at"));
    m_leftName->setText(QStringLiteral("A  ") + elided(m_isSwapped ? view : kept));
    m_rightName->setText(QStringLiteral("B  ") + elided(m_isSwapped ? kept : view));
    m_scale->setText(tr("Scale: %1 ▾").arg(titleOf(m_normalisation)));
}

void CompareView::showSummary()
{
    m_summary->clear();
    m_search->setVisible(m_findings != nullptr);
    m_hidesNoise->setVisible(m_findings && m_pictures->checkedId() == int(Picture::Table));
    m_pages->setCurrentIndex(m_findings ? 1 + m_pictures->checkedId() : 0);
    if (!m_findings)
        return;
    const Difference &difference = *m_findings->difference;
    const Change &whole = difference.whole();
    const std::string &unit = difference.series.unit;
    QString text = QString::fromStdString(difference.series.name()).toHtmlEscaped() +
                   tr(": A %1 → B %2 (%3)")
                       .arg(valueText(whole.base, unit), valueText(whole.current, unit), growthText(whole));
    if (!whole.isSignificant() && whole.delta() != 0)
        text += tr(", may be chance");
    if (m_normalisation != Normalisation::None)
        text += tr("; B times %1").arg(QString::number(difference.scaling.factor, 'g', 4));
    if (!difference.warning.empty())
        text += QStringLiteral("; ") + QString::fromStdString(difference.warning).toHtmlEscaped();
    if (difference.overflowed)
        text += tr("; a sum does not fit 64 bits and is shown as the largest number that does");
    m_summary->setText(text + QStringLiteral("&nbsp;&nbsp;&nbsp;&nbsp;") +
                       swatch(changeColor(1), tr("more in B")) + swatch(changeColor(-1), tr("less in B")) +
                       swatch(changeColor(0), tr("same, or chance")));
}

void CompareView::takeSearch()
{
    const QString typed = m_search->text();
    m_search->setToolTip(m_flames->search(typed));
    for (FlameView *flames : {m_leftFlames, m_rightFlames})
        flames->search(typed);
    arrange();
}

void CompareView::arrange()
{
    if (!m_findings)
        return;
    m_rowWorker.run([this, table = m_findings->table, filter = m_search->text().toStdString(),
                     arrangement = m_arrangement](const std::stop_token &stop) -> Worker::Delivery {
        auto rows = arrangedDifferences(*table, filter, arrangement, stop);
        if (!rows)
            return nullptr;
        return [this, table, rows = std::move(*rows)]() mutable {
            m_isFollowing = true;
            m_model->set(table, std::move(rows));
            m_isFollowing = false;
        };
    });
}

void CompareView::takeRow()
{
    const QModelIndex current = m_table->currentIndex();
    if (!m_isFollowing && current.isValid())
        m_session.selectName(std::string(m_model->rowAt(current.row()).name));
}

/// A function is selected in all pictures, wherever it was clicked.
void CompareView::shareSelection(Session &from)
{
    if (std::exchange(m_isFollowing, true))
        return;
    const QString name = from.selectedName();
    for (Session *each : {&m_session, &m_both, &m_left, &m_right})
        if (each != &from && each->selectedName() != name)
            each->selectName(name.toStdString());
    m_isFollowing = false;
}

} // namespace hearth
