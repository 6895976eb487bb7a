#include "ui/lens/lens_bar.h"

#include "model/lens/lens_text.h"
#include "model/views/series_choice.h"
#include "ui/lens/chip.h"
#include "ui/lens/lens_completer.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

namespace hearth {

namespace {

/// The lens with a term of one of its lists taken out, for each term.
template <class Term, class Add>
void forEachTerm(const Lens &lens, std::vector<Term> Lens::*list, Add add)
{
    for (std::size_t i = 0; i < (lens.*list).size(); ++i) {
        Lens only;
        (only.*list).push_back((lens.*list)[i]);
        Lens without = lens;
        (without.*list).erase((without.*list).begin() + static_cast<std::ptrdiff_t>(i));
        add(only, without);
    }
}

} // namespace

LensBar::LensBar(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_series(new QPushButton(this)), m_chips(new QWidget(this)),
      m_chipLayout(new QHBoxLayout(m_chips)), m_edit(new QLineEdit(this)), m_problem(new QLabel(this)),
      m_undo(new QPushButton(QStringLiteral("↶"), this)), m_redo(new QPushButton(QStringLiteral("↷"), this))
{
    setBackgroundRole(QPalette::AlternateBase);
    setAutoFillBackground(true);
    m_series->setProperty("primary", true);
    m_series->setToolTip(tr("Which values are shown"));
    m_series->setMenu(new QMenu(m_series));
    m_chipLayout->setContentsMargins(0, 0, 0, 0);
    m_chipLayout->setSpacing(6);
    m_edit->setProperty("quiet", true);
    m_edit->setPlaceholderText(tr("Filter: name, /regex/, @thread=worker, hide:RE, by:thread…"));
    m_edit->setAccessibleName(tr("Filter"));
    m_edit->setClearButtonEnabled(true);
    m_problem->setForegroundRole(QPalette::WindowText);
    m_problem->hide();
    for (QPushButton *button : {m_undo, m_redo})
        button->setProperty("quiet", true);
    m_undo->setToolTip(tr("Take the last step back (Ctrl+Z)"));
    m_redo->setToolTip(tr("Do it again (Ctrl+Shift+Z)"));
    m_undo->setAccessibleName(tr("Undo"));
    m_redo->setAccessibleName(tr("Redo"));

    auto *row = new QHBoxLayout;
    row->setContentsMargins(10, 4, 10, 4);
    row->setSpacing(6);
    row->addWidget(m_series);
    row->addWidget(m_chips);
    row->addWidget(m_edit, 1);
    row->addWidget(m_undo);
    row->addWidget(m_redo);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    m_problem->setContentsMargins(12, 0, 12, 4);
    layout->addWidget(m_problem);

    new LensCompleter(session, *m_edit);
    connect(m_edit, &QLineEdit::returnPressed, this, &LensBar::take);
    connect(m_edit, &QLineEdit::textEdited, this, [this] { showProblem({}); });
    auto *leave = new QShortcut(QKeySequence(Qt::Key_Escape), m_edit, nullptr, nullptr, Qt::WidgetShortcut);
    connect(leave, &QShortcut::activated, this, [this] {
        m_isWholeText = false;
        m_edit->clear();
        showLens();
    });
    connect(m_undo, &QPushButton::clicked, &session, &Session::undo);
    connect(m_redo, &QPushButton::clicked, &session, &Session::redo);
    connect(m_series->menu(), &QMenu::aboutToShow, this, &LensBar::fillSeriesMenu);
    connect(&session, &Session::lensChanged, this, &LensBar::showLens);
    connect(&session, &Session::snapshotChanged, this, &LensBar::showSeries);
    connect(&session, &Session::evaluationChanged, this, [this] {
        showSeries();
        showProblem(m_session.problem());
    });
    showLens();
}

void LensBar::showSeries()
{
    const auto &evaluation = m_session.evaluation();
    m_series->setText((evaluation ? seriesTitle(evaluation->series) : tr("no data")) + QStringLiteral(" ▾"));
    m_series->setEnabled(evaluation != nullptr);
}

void LensBar::fillSeriesMenu()
{
    QMenu *menu = m_series->menu();
    menu->clear();
    if (!m_session.snapshot())
        return;
    for (const SeriesChoice &choice : offeredSeries(*m_session.snapshot())) {
        QAction *action = menu->addAction(seriesTitle(choice));
        action->setToolTip(QString::fromStdString(choice.name()));
        action->setCheckable(true);
        action->setChecked(m_session.evaluation() && m_session.evaluation()->series == choice);
        connect(action, &QAction::triggered, this, [this, name = choice.name()] {
            Lens lens = m_session.lens();
            lens.series = name;
            m_session.setLens(lens);
        });
    }
}

void LensBar::showLens()
{
    while (QLayoutItem *item = m_chipLayout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const Lens &lens = m_session.lens();
    const auto add = [this](const Lens &only, const Lens &without) { addChip(only, without); };
    if (!lens.time.isEverything()) {
        Lens only;
        only.time = lens.time;
        Lens without = lens;
        without.time = {};
        add(only, without);
    }
    forEachTerm(lens, &Lens::paths, add);
    forEachTerm(lens, &Lens::frames, add);
    forEachTerm(lens, &Lens::tags, add);
    forEachTerm(lens, &Lens::attributes, add);
    forEachTerm(lens, &Lens::spans, add);
    forEachTerm(lens, &Lens::spanAttributes, add);
    forEachTerm(lens, &Lens::groupBy, add);
    // What is left has no list: each is its own default when taken off.
    const auto addSingle = [&](auto Lens::*member) {
        if (lens.*member == Lens().*member)
            return;
        Lens only;
        only.*member = lens.*member;
        Lens without = lens;
        without.*member = Lens().*member;
        add(only, without);
    };
    addSingle(&Lens::under);
    addSingle(&Lens::trace);
    addSingle(&Lens::tagRoot);
    addSingle(&Lens::tagLeaf);
    addSingle(&Lens::granularity);
    addSingle(&Lens::noChildren);
    addSingle(&Lens::estimatesLinks);
    addSingle(&Lens::noInlines);
    addSingle(&Lens::isInverted);
    m_chips->setVisible(m_chipLayout->count() > 0);
    m_undo->setEnabled(m_session.canUndo());
    m_redo->setEnabled(m_session.canRedo());
    if (m_isWholeText)
        m_edit->setText(QString::fromStdString(printLens(lens)));
    showSeries();
}

void LensBar::addChip(const Lens &only, const Lens &without)
{
    auto *chip = new Chip(chipTextOf(only),
                          tr("%1\nClick takes it off").arg(QString::fromStdString(printLens(only))), m_chips);
    connect(
        chip, &Chip::clicked, this, [this, without] { m_session.setLens(without); },
        Qt::QueuedConnection); // the chip goes away with it
    m_chipLayout->addWidget(chip);
}

void LensBar::editText()
{
    m_isWholeText = true;
    m_edit->setText(QString::fromStdString(printLens(m_session.lens())));
    m_edit->setFocus();
    m_edit->selectAll();
}

void LensBar::take()
{
    std::string text = m_edit->text().toStdString();
    const std::size_t added = m_isWholeText ? 0 : printLens(m_session.lens()).size() + 1;
    if (!m_isWholeText)
        text = printLens(m_session.lens()) + ' ' + text;
    const auto lens = parseLens(text);
    if (!lens) {
        const std::size_t column = lens.error().column > added ? lens.error().column - added : 0;
        m_edit->setCursorPosition(static_cast<int>(column));
        return showProblem(QString::fromStdString(lens.error().message));
    }
    m_isWholeText = false;
    m_edit->clear();
    showProblem({});
    m_session.setLens(*lens);
}

void LensBar::showProblem(const QString &problem)
{
    m_problem->setText(problem.isEmpty() ? QString()
                                         : QStringLiteral("<span style='color:%1'>%2</span>")
                                               .arg(theme().bad.name(), problem.toHtmlEscaped()));
    m_problem->setVisible(!problem.isEmpty());
}

} // namespace hearth
