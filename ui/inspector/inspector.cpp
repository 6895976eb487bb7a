#include "ui/inspector/inspector.h"

#include "model/views/entry_notes.h"
#include "ui/inspector/sparkline.h"
#include "ui/theme/figures.h"
#include "ui/theme/function_names.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace hearth {

namespace {

constexpr std::size_t kShownNeighbours = 8;

/// A list whose rows are made anew each time: there are few.
void clear(QWidget *list)
{
    while (QLayoutItem *item = list->layout()->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

} // namespace

Inspector::Inspector(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_name(plainLabel(this, 0, true, false)),
      m_place(plainLabel(this, 0, false, true)), m_notes(plainLabel(this, 0, false, true)),
      m_total(plainLabel(this, 22, true, false)), m_totalText(plainLabel(this, 0, false, true)),
      m_self(plainLabel(this, 22, true, false)), m_selfText(plainLabel(this, 0, false, true)),
      m_samples(plainLabel(this, 0, false, true)), m_sparkline(new Sparkline(this)),
      m_source(new SourcePeek(this)), m_hint(plainLabel(this, 0, false, true)), m_details(new QWidget(this)),
      m_callers(new QWidget(m_details)), m_callees(new QWidget(m_details))
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_name->setWordWrap(true);
    m_place->setWordWrap(true);
    m_notes->setWordWrap(true);
    m_notes->setObjectName(QStringLiteral("notes"));
    for (QLabel *label : {m_name, m_place, m_notes}) // a long word of theirs does not make the panel wide
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_hint->setWordWrap(true);
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setText(tr("Select a frame or a function to see who calls it and what it calls."));

    auto *numbers = new QGridLayout;
    numbers->setHorizontalSpacing(20);
    numbers->setVerticalSpacing(0);
    numbers->addWidget(m_total, 0, 0);
    numbers->addWidget(m_self, 0, 1);
    numbers->addWidget(m_totalText, 1, 0);
    numbers->addWidget(m_selfText, 1, 1);
    numbers->setColumnStretch(2, 1);

    auto *details = new QVBoxLayout(m_details);
    details->setContentsMargins(0, 0, 0, 0);
    details->setSpacing(4);
    details->addWidget(m_name);
    details->addWidget(m_place);
    details->addWidget(m_notes);
    details->addSpacing(8);
    details->addLayout(numbers);
    details->addSpacing(4);
    details->addWidget(m_samples);
    details->addWidget(m_sparkline);
    const auto addList = [&](const QString &title, QWidget *list) {
        QLabel *head = sectionHead(m_details);
        head->setText(title);
        details->addSpacing(12);
        details->addWidget(head);
        auto *rows = new QVBoxLayout(list);
        rows->setContentsMargins(0, 0, 0, 0);
        rows->setSpacing(0);
        details->addWidget(list);
    };
    addList(tr("Called from"), m_callers);
    addList(tr("Calls"), m_callees);
    m_sourceHead = sectionHead(m_details);
    m_sourceHead->setText(tr("Source"));
    details->addSpacing(12);
    details->addWidget(m_sourceHead);
    details->addWidget(m_source);
    details->addStretch();

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->addWidget(m_details);
    layout->addWidget(m_hint, 1);
    m_details->hide();
    connect(&session, &Session::selectionChanged, this, &Inspector::takeSelection);
    takeSelection();
}

void Inspector::takeSelection()
{
    const auto entry = m_session.selectedEntry();
    const std::shared_ptr<const Evaluation> evaluation = m_session.evaluation();
    m_hint->setVisible(!entry);
    if (!entry || !evaluation) {
        m_details->hide();
        return;
    }
    m_worker.run([this, evaluation, entry = *entry, snapshot = m_session.snapshot(),
                  lens = m_session.lens()](const std::stop_token &stop) -> Worker::Delivery {
        auto neighbours = neighboursOf(*evaluation->tree, entry, stop);
        if (!neighbours)
            return nullptr;
        const Entry &shown = evaluation->tree->entries()[entry];
        Details details{std::move(*neighbours), {}, {}, sourceAround(qString(shown.file), shown.line)};
        // Lines, files and addresses are not told apart by their name alone.
        if (lens.granularity == Granularity::Function && !shown.isTag) {
            details.activity = entryActivityOf(*snapshot, lens, shown.name, Sparkline::kBins, stop);
            details.notes = entryNotesOf(*snapshot, shown.name);
        }
        return [this, evaluation, entry, details = std::move(details)] { show(evaluation, entry, details); };
    });
}

void Inspector::show(const std::shared_ptr<const Evaluation> &evaluation, EntryId id, const Details &details)
{
    const Neighbours &neighbours = details.neighbours;
    if (evaluation != m_session.evaluation())
        return;
    const Entry &entry = evaluation->tree->entries()[id];
    const std::string &unit = evaluation->series.unit;
    const auto whole = static_cast<double>(evaluation->total);
    m_name->setText(functionText(entry.name));
    m_name->setToolTip(qString(entry.name).toHtmlEscaped());
    QStringList place;
    if (!entry.binary.empty())
        place += qString(baseName(entry.binary));
    if (!entry.file.empty())
        place += qString(entry.file) +
                 (entry.line > 0 ? QLatin1Char(':') + QString::number(entry.line) : QString());
    if (const std::string_view kind = m_session.snapshot()->text(entry.kind); !kind.empty())
        place += qString(kind);
    m_place->setText(place.join(QStringLiteral(" · ")));
    m_place->setVisible(!place.isEmpty());
    QStringList notes;
    for (const std::string &note : details.notes)
        notes += qString(note);
    m_notes->setText(notes.join(QLatin1Char('\n')));
    m_notes->setVisible(!notes.isEmpty());
    m_total->setText(shareText(static_cast<double>(neighbours.total), whole));
    m_totalText->setText(tr("total · %1").arg(valueText(neighbours.total, unit)));
    m_self->setText(shareText(static_cast<double>(neighbours.self), whole));
    m_selfText->setText(tr("self · %1").arg(valueText(neighbours.self, unit)));
    fillList(m_callers, *evaluation, neighbours.callers, neighbours.total);
    fillList(m_callees, *evaluation, neighbours.callees, neighbours.total);
    showActivity(details.activity);
    m_source->show(details.source, entry.line);
    m_sourceHead->setVisible(!details.source.lines.isEmpty());
    m_details->show();
}

void Inspector::showActivity(const std::optional<EntryActivity> &activity)
{
    m_samples->setVisible(activity.has_value());
    m_sparkline->setBins(activity ? activity->bins : std::vector<std::int64_t>());
    if (activity)
        m_samples->setText(tr("%1 samples · ±%2 at 95 %")
                               .arg(countText(activity->samples), shareText(activity->shareError(), 1)));
}

void Inspector::fillList(QWidget *list, const Evaluation &evaluation,
                         const std::vector<Neighbour> &neighbours, std::int64_t whole)
{
    clear(list);
    const QFontMetrics metrics(font());
    for (std::size_t i = 0; i < std::min(kShownNeighbours, neighbours.size()); ++i) {
        const Neighbour &neighbour = neighbours[i];
        auto *row = new QWidget(list);
        auto *layout = new QHBoxLayout(row);
        layout->setContentsMargins(0, 0, 0, 0);
        auto *name = new QPushButton(row);
        name->setProperty("quiet", true);
        name->setStyleSheet(QStringLiteral("text-align: left; padding: 3px 4px;"));
        if (neighbour.entry.isNone()) {
            name->setText(tr("(where stacks begin)"));
            name->setEnabled(false);
        } else {
            const std::string_view called = evaluation.tree->entries()[neighbour.entry].name;
            name->setText(functionText(called, metrics, 190).replace(QLatin1Char('&'), QStringLiteral("&&")));
            name->setToolTip(qString(called).toHtmlEscaped());
            connect(name, &QPushButton::clicked, this,
                    [this, entry = neighbour.entry] { m_session.selectEntry(entry); });
        }
        auto *share =
            new QLabel(shareText(static_cast<double>(neighbour.total), static_cast<double>(whole)), row);
        layout->addWidget(name, 1);
        layout->addWidget(share);
        list->layout()->addWidget(row);
    }
    if (neighbours.size() > kShownNeighbours) {
        auto *more = new QLabel(tr("%1 more").arg(neighbours.size() - kShownNeighbours), list);
        more->setForegroundRole(QPalette::Dark);
        list->layout()->addWidget(more);
    }
    if (neighbours.empty()) {
        auto *none = new QLabel(tr("nothing"), list);
        none->setForegroundRole(QPalette::Dark);
        list->layout()->addWidget(none);
    }
}

} // namespace hearth
