#include "ui/overview/overview_view.h"

#include "model/lens/lens_steps.h"
#include "model/views/time_range.h"
#include "ui/overview/note_edit.h"
#include "ui/overview/overview_text.h"
#include "ui/overview/ranked_list.h"
#include "ui/theme/labels.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <utility>

namespace hearth {

namespace {

constexpr std::size_t kRows = 8;
constexpr std::size_t kMostAttributes = 3;
constexpr int kTitlePixels = 15;

/// What the link behind an advice says; empty where there is nothing to go to.
QString actionOf(AdviceKind kind)
{
    switch (kind) {
    case AdviceKind::Names:
        return OverviewView::tr("Executables");
    case AdviceKind::Losses:
        return OverviewView::tr("What is missing");
    case AdviceKind::Function:
        return OverviewView::tr("Callers");
    case AdviceKind::Path:
        return OverviewView::tr("Flame graph");
    case AdviceKind::Time:
        return OverviewView::tr("Only that time");
    case AdviceKind::Value:
        return OverviewView::tr("Only that");
    case AdviceKind::Spans:
        return OverviewView::tr("Traces");
    case AdviceKind::TooFew:
        break;
    }
    return {};
}

} // namespace

OverviewView::OverviewView(Session &session, QWidget *parent)
    : QScrollArea(parent), m_session(session), m_title(plainLabel(this, kTitlePixels, true, false)),
      m_summary(plainLabel(this, 0, false, true)),
      m_note(new NoteEdit(tr("Note"), tr("What you have to say of it. Reports have it, too."), this)),
      m_workspaceHead(sectionHead(this)),
      m_workspaceNote(new NoteEdit(tr("Note on the workspace"),
                                   tr("What you have to say of all its data sets together."), this)),
      m_adviceHead(sectionHead(this)), m_advice(new QLabel(this)), m_series(new RankedList(this)),
      m_factsHead(sectionHead(this)), m_facts(new QGridLayout), m_functions(new RankedList(this)),
      m_binaries(new RankedList(this)), m_evaluator(std::make_shared<Evaluator>())
{
    for (std::size_t i = 0; i < kMostAttributes; ++i)
        m_attributes.push_back(new RankedList(this));
    setWidgetResizable(true);
    setFrameShape(NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Overview"));
    setWidget(makeContent());
    connect(&session, &Session::dataSetChanged, this,
            [this] { m_evaluator = std::make_shared<Evaluator>(); });
    connect(&session, &Session::evaluationChanged, this, &OverviewView::update);
    connect(m_advice, &QLabel::linkActivated, this,
            [this](const QString &link) { takeAdvice(m_overview->advice[link.toULong()]); });
    connect(m_series, &RankedList::activated, this, [this](int row) {
        Lens lens = m_session.lens();
        lens.series = m_overview->facts.series[static_cast<std::size_t>(row)].choice.name();
        m_session.setLens(std::move(lens));
    });
    setNotes({}, {}, false);
    makeConnections();
}

QWidget *OverviewView::makeContent()
{
    constexpr int kMargin = 12;
    constexpr int kGap = 20;
    auto *content = new QWidget(this);
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);
    m_adviceHead->setText(tr("Look at next"));
    m_advice->setTextFormat(Qt::RichText);
    m_advice->setWordWrap(true);
    m_advice->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard |
                                      Qt::TextSelectableByMouse);
    m_factsHead->setText(tr("What it is"));
    m_facts->setContentsMargins(0, 0, 0, 0);
    m_facts->setHorizontalSpacing(kMargin);
    m_facts->setVerticalSpacing(4);
    m_facts->setColumnStretch(1, 1);
    auto *noteHead = sectionHead(this);
    noteHead->setText(m_note->accessibleName());
    m_workspaceHead->setText(m_workspaceNote->accessibleName());
    auto *left = new QVBoxLayout;
    left->setSpacing(4);
    left->addWidget(m_adviceHead);
    left->addWidget(m_advice);
    left->addSpacing(kGap);
    left->addWidget(m_factsHead);
    left->addLayout(m_facts);
    left->addSpacing(kGap);
    left->addWidget(noteHead);
    left->addWidget(m_note);
    left->addSpacing(kMargin);
    left->addWidget(m_workspaceHead);
    left->addWidget(m_workspaceNote);
    left->addStretch();
    auto *right = new QVBoxLayout;
    right->setSpacing(kGap);
    right->addWidget(m_functions);
    right->addWidget(m_binaries);
    for (RankedList *attribute : m_attributes)
        right->addWidget(attribute);
    right->addWidget(m_series);
    right->addStretch();
    auto *columns = new QHBoxLayout;
    columns->setSpacing(kGap);
    columns->addLayout(left, 1);
    columns->addLayout(right, 1);
    auto *page = new QVBoxLayout(content);
    page->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    page->setSpacing(0);
    page->addWidget(m_title);
    page->addWidget(m_summary);
    page->addSpacing(kGap);
    page->addLayout(columns, 1);
    return content;
}

void OverviewView::makeConnections()
{
    connect(m_functions, &RankedList::selected, this, [this](int row) {
        m_session.selectName(std::string(m_overview->functions.rows[static_cast<std::size_t>(row)].name));
    });
    connect(m_functions, &RankedList::activated, this,
            [this] { Q_EMIT targetChosen(OverviewTarget::Flames); });
    connect(m_binaries, &RankedList::activated, this, [this](int row) {
        const std::string_view path = m_overview->binaries.rows[static_cast<std::size_t>(row)].path;
        m_session.setLens(keepStacksIn(m_session.lens(), path));
        Q_EMIT targetChosen(OverviewTarget::Flames);
    });
    for (std::size_t i = 0; i < m_attributes.size(); ++i)
        connect(m_attributes[i], &RankedList::activated, this, [this, i](int row) {
            const AttributeTop &attribute = m_overview->attributes[i];
            m_session.setLens(withAttribute(m_session.lens(), attribute.key,
                                            attribute.values.rows[static_cast<std::size_t>(row)].name));
            Q_EMIT targetChosen(OverviewTarget::Flames);
        });
}

void OverviewView::setDataSetTitle(const QString &title)
{
    m_title->setText(title);
}

void OverviewView::setNotes(const QString &ofDataSet, const QString &ofWorkspace, bool hasWorkspace)
{
    m_note->setNote(ofDataSet);
    m_workspaceNote->setNote(ofWorkspace);
    m_workspaceHead->setVisible(hasWorkspace);
    m_workspaceNote->setVisible(hasWorkspace);
}

void OverviewView::showEvent(QShowEvent *event)
{
    QScrollArea::showEvent(event);
    update();
}

/// On the worker, and only while somebody looks.
void OverviewView::update()
{
    const auto evaluation = m_session.evaluation();
    if (!isVisible() || !evaluation || evaluation == m_shown)
        return;
    m_worker.run([this, evaluation, evaluator = m_evaluator, snapshot = m_session.snapshot(),
                  lens = m_session.lens()](const std::stop_token &stop) -> Worker::Delivery {
        auto overview = overviewOf(*evaluator, snapshot, lens, kRows, stop);
        if (!overview)
            return nullptr;
        return [this, evaluation, made = std::make_shared<const Overview>(std::move(*overview))] {
            m_shown = evaluation;
            m_overview = made;
            showAll();
        };
    });
}

void OverviewView::showAll()
{
    m_summary->setText(summaryOf(*m_overview));
    showAdvice();
    showFacts();
    showLists();
}

void OverviewView::showAdvice()
{
    QString text;
    for (std::size_t i = 0; i < m_overview->advice.size(); ++i) {
        const Advice &advice = m_overview->advice[i];
        text += QStringLiteral("<p style='margin-top:0; margin-bottom:6px'>") +
                QString::fromStdString(advice.text).toHtmlEscaped();
        if (const QString action = actionOf(advice.kind); !action.isEmpty())
            text += QStringLiteral(" <a href='%1' style='text-decoration:none'>%2&nbsp;›</a>")
                        .arg(QString::number(i), action.toHtmlEscaped());
        text += QStringLiteral("</p>");
    }
    m_advice->setText(text);
    m_adviceHead->setVisible(!text.isEmpty());
    m_advice->setVisible(!text.isEmpty());
}

void OverviewView::takeAdvice(const Advice &advice)
{
    switch (advice.kind) {
    case AdviceKind::Names:
        return Q_EMIT targetChosen(OverviewTarget::Executables);
    case AdviceKind::Losses:
        return Q_EMIT targetChosen(OverviewTarget::Missing);
    case AdviceKind::Function:
        m_session.selectName(advice.name);
        return Q_EMIT targetChosen(OverviewTarget::Callers);
    case AdviceKind::Path:
        m_session.selectName(advice.name);
        break;
    case AdviceKind::Time: {
        Lens lens = m_session.lens();
        lens.time = timeTermOf(advice.range, *timeSpanOf(*m_overview->snapshot), 1);
        m_session.setLens(std::move(lens));
        break;
    }
    case AdviceKind::Value:
        m_session.setLens(withAttribute(m_session.lens(), advice.key, advice.name));
        break;
    case AdviceKind::Spans:
        return Q_EMIT targetChosen(OverviewTarget::Traces);
    case AdviceKind::TooFew:
        return;
    }
    Q_EMIT targetChosen(OverviewTarget::Flames);
}

void OverviewView::showFacts()
{
    while (QLayoutItem *item = m_facts->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const auto &[name, value] : factLines(*m_overview)) {
        const int row = m_facts->rowCount();
        auto *nameLabel = plainLabel(widget(), 0, false, true);
        nameLabel->setText(name);
        auto *valueLabel = plainLabel(widget(), 0, false, false);
        valueLabel->setWordWrap(true);
        valueLabel->setText(value);
        m_facts->addWidget(nameLabel, row, 0, Qt::AlignTop);
        m_facts->addWidget(valueLabel, row, 1);
    }
}

void OverviewView::showLists()
{
    m_functions->show(functionsOf(*m_overview));
    m_binaries->show(binariesOf(*m_overview, kRows));
    for (std::size_t i = 0; i < m_attributes.size(); ++i)
        m_attributes[i]->show(i < m_overview->attributes.size()
                                  ? valuesOf(*m_overview, m_overview->attributes[i])
                                  : RankedRows());
    const RankedRows series = seriesOf(*m_overview);
    m_series->show(series.rows.size() > 1 ? series : RankedRows());
}

} // namespace hearth
