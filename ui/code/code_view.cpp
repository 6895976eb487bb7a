#include "ui/code/code_view.h"

#include "model/views/neighbours.h"
#include "ui/code/source_side.h"
#include "ui/code/stepper.h"
#include "ui/settings/settings.h"
#include "ui/theme/figures.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <utility>

namespace hearth {

namespace {

constexpr int kPatienceMs = 250;

QString baseName(const std::string &path)
{
    return qString(path).section(QLatin1Char('/'), -1);
}

/// A text that may be longer than its room is wide.
QLabel *makeLabel(QWidget *parent, bool isMuted)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    if (isMuted)
        label->setForegroundRole(QPalette::Dark);
    return label;
}

QLabel *makeHint(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::Dark);
    label->setContentsMargins(24, 24, 24, 24);
    return label;
}

QHBoxLayout *makeBar()
{
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(12, 4, 8, 4);
    bar->setSpacing(6);
    return bar;
}

/// A side of the view: a column without gaps.
QVBoxLayout *makeColumn(QWidget *side)
{
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    return column;
}

} // namespace

CodeView::CodeView(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_pages(new QStackedLayout(this)), m_message(makeHint(this)),
      m_name(makeLabel(this, false)), m_weights(new QLabel(this)), m_remarks(new QLabel(this)),
      m_sourceSide(new SourceSide(this)), m_source(m_sourceSide->pane()), m_assemblySide(new QWidget(this)),
      m_place(makeLabel(this, true)),
      m_occurrences(new Stepper(tr("Previous occurrence"), tr("Next occurrence"), this)),
      m_syntax(new QPushButton(tr("AT&&T"), this)), m_assembly(new AssemblyPane(this)),
      m_weigher(std::make_shared<CodeWeigher>())
{
    setFocusPolicy(Qt::StrongFocus);
    auto *sides = new QSplitter(Qt::Horizontal, this);
    sides->setChildrenCollapsible(false);
    makeAssemblySide();
    sides->addWidget(m_sourceSide);
    sides->addWidget(m_assemblySide);
    auto *page = new QWidget(this);
    QVBoxLayout *column = makeColumn(page);
    column->addWidget(makeHead());
    column->addWidget(m_remarks);
    column->addWidget(sides, 1);
    m_pages->addWidget(m_message);
    m_pages->addWidget(page);
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connectPanes();
    connect(&m_patience, &QTimer::timeout, this,
            [this] { showMessage(tr("Reading the code of %1…").arg(qString(m_request.function))); });
    connect(&session, &Session::dataSetChanged, this, [this] {
        forget();
        make();
    });
    connect(&session, &Session::evaluationChanged, this, &CodeView::make);
    connect(&session, &Session::selectionChanged, this, &CodeView::make);
}

QWidget *CodeView::makeHead()
{
    auto *head = new QWidget(this);
    auto *bar = makeBar();
    bar->setContentsMargins(12, 8, 12, 4);
    QFont strong = m_name->font();
    strong.setWeight(QFont::DemiBold);
    m_name->setFont(strong);
    m_weights->setForegroundRole(QPalette::Dark);
    m_remarks->setTextFormat(Qt::PlainText);
    m_remarks->setWordWrap(true);
    m_remarks->setForegroundRole(QPalette::Dark);
    m_remarks->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_remarks->setContentsMargins(12, 0, 12, 6);
    bar->addWidget(m_name, 1);
    bar->addWidget(m_weights);
    head->setLayout(bar);
    return head;
}

void CodeView::makeAssemblySide()
{
    QVBoxLayout *column = makeColumn(m_assemblySide);
    m_syntax->setProperty("quiet", true);
    m_syntax->setCheckable(true);
    m_syntax->setToolTip(tr("Instructions as AT&T writes them, not Intel"));
    m_syntax->setChecked(Settings::load().usesAttSyntax);
    m_occurrences->setKeys(Qt::ALT | Qt::Key_PageUp, Qt::ALT | Qt::Key_PageDown);
    QHBoxLayout *bar = makeBar();
    bar->addWidget(m_place, 1);
    bar->addWidget(m_occurrences);
    bar->addWidget(m_syntax);
    column->addLayout(bar);
    column->addWidget(m_assembly, 1);
}

void CodeView::connectPanes()
{
    for (CodePane *pane : {static_cast<CodePane *>(m_source), static_cast<CodePane *>(m_assembly)}) {
        connect(pane, &CodePane::menuRequested, this,
                [this, pane](const QPoint &position) { showPaneMenu(*pane, position); });
        connect(pane, &CodePane::currentChanged, this, [this, pane] { link(*pane, true); });
        connect(pane, &CodePane::editorRequested, m_sourceSide, &SourceSide::openInEditor);
    }
    connect(m_assembly, &AssemblyPane::callFollowed, this, &CodeView::followCall);
    auto *back = new QShortcut(QKeySequence(Qt::Key_Backspace), this, nullptr, nullptr,
                               Qt::WidgetWithChildrenShortcut);
    connect(back, &QShortcut::activated, this, &CodeView::goBack);
    connect(m_sourceSide, &SourceSide::folderChosen, this, &CodeView::sourceFolderChosen);
    connect(m_sourceSide, &SourceSide::failed, this, &CodeView::failed);
    connect(m_syntax, &QPushButton::toggled, this, [this](bool isAtt) {
        Settings settings = Settings::load();
        settings.usesAttSyntax = isAtt;
        settings.save();
        make();
    });
    connect(m_sourceSide, &SourceSide::fileChosen, this, [this](std::size_t file) {
        m_chosen.source = file;
        make();
    });
    connect(m_occurrences, &Stepper::stepped, this, [this](std::size_t occurrence) {
        m_chosen.occurrence = occurrence;
        make();
    });
}

void CodeView::setReader(std::shared_ptr<CodeReader> reader)
{
    m_reader = std::move(reader);
    make();
}

void CodeView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    make();
}

void CodeView::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    focusPane();
}

void CodeView::focusPane()
{
    if (isShowing())
        (m_source->isVisibleTo(this) ? static_cast<CodePane *>(m_source) : m_assembly)->setFocus();
}

bool CodeView::isShowing() const
{
    return m_pages->currentIndex() == 1;
}

QString CodeView::message() const
{
    return isShowing() ? QString() : m_message->text();
}

// ---- what is shown

QString CodeView::filteredOutText() const
{
    return tr("%1 is not in what the filters leave.").arg(m_session.selectedName());
}

/// Why there is nothing to be looked for; empty if there is.
QString CodeView::obstacle() const
{
    const auto &evaluation = m_session.evaluation();
    const auto entry = m_session.selectedEntry();
    if (!evaluation || m_session.selectedName().isEmpty())
        return tr("Select a function to see its source and its instructions.");
    if (!entry)
        return filteredOutText();
    const Granularity granularity = m_session.lens().granularity;
    if (evaluation->tree->entries()[*entry].isTag || granularity == Granularity::File ||
        granularity == Granularity::Binary)
        return tr("%1 is not a function: only functions have source and instructions.")
            .arg(m_session.selectedName());
    return {};
}

CodeRequest CodeView::wanted() const
{
    const Entry &entry = m_session.evaluation()->tree->entries()[*m_session.selectedEntry()];
    CodeRequest request;
    request.snapshot = m_session.snapshot();
    request.lens = m_session.lens();
    request.function = entry.name;
    request.firstLine = entry.line;
    request.syntax = m_syntax->isChecked() ? AssemblySyntax::Att : AssemblySyntax::Intel;
    request.reader = m_reader;
    return request;
}

/// On the worker, and only while somebody looks. What is being read of an older state of the same data comes
/// to its end: data may arrive faster.
void CodeView::make()
{
    m_isStale = !isVisible();
    if (m_isStale)
        return;
    if (const QString text = obstacle(); !text.isEmpty()) {
        m_request = {};
        m_patience.stop();
        return showMessage(text);
    }
    CodeRequest request = wanted();
    if (m_chosen.function != request.function || m_chosen.lens != request.lens)
        m_chosen = {request.function, request.lens}; // and the heaviest of its files and occurrences
    request.source = m_chosen.source;
    request.occurrence = m_chosen.occurrence;
    if (request == m_request)
        return;
    CodeRequest newer = m_request;
    newer.snapshot = request.snapshot;
    m_isOutdated = m_worker.isBusy() && newer == request;
    if (m_isOutdated)
        return;
    if (request.function != m_request.function)
        m_patience.start();
    m_request = request;
    m_worker.run([this, request = std::move(request),
                  weigher = m_weigher](const std::stop_token &stop) -> Worker::Delivery {
        auto shown = shownCodeOf(request, *weigher, stop);
        if (shown && *shown == nullptr)
            return nullptr;
        return [this, shown = std::move(shown)] { take(shown); };
    });
}

void CodeView::take(const Result<std::shared_ptr<const ShownCode>> &shown)
{
    m_patience.stop();
    if (m_request.function.empty())
        return; // nothing is selected any more
    if (shown)
        show(*shown);
    else
        showMessage(QString::fromStdString(shown.error().message));
    if (std::exchange(m_isOutdated, false))
        make();
}

void CodeView::show(std::shared_ptr<const ShownCode> shown)
{
    const bool isNew = !isShowing() || m_shown->code.function != shown->code.function;
    m_shown = std::move(shown);
    if (m_shown->code.weight == CodeWeight())
        return showMessage(filteredOutText());
    if (!m_shown->shownSource && !m_shown->shownAssembly) {
        QStringList lines{tr("There is no code of %1 to be shown.").arg(qString(m_shown->code.function))};
        for (const std::string &problem : m_shown->problems)
            lines += qString(problem);
        return showMessage(lines.join(QLatin1Char('\n')));
    }
    showHead();
    m_sourceSide->show(*m_shown, m_reader != nullptr);
    const bool isOther = !showAssembly();
    const bool hadFocus = hasFocus();
    m_pages->setCurrentIndex(1);
    if (hadFocus)
        focusPane();
    if (isNew)
        m_source->goToLine(m_source->heaviestLine());
    link(m_assembly->hasFocus() && !isOther ? static_cast<const CodePane &>(*m_assembly) : *m_source,
         isOther);
}

/// Nothing of another data set is kept.
void CodeView::forget()
{
    m_weigher = std::make_shared<CodeWeigher>();
    m_way.clear();
    m_request = {};
    m_shown = nullptr;
    showMessage({});
    m_sourceSide->clear();
    m_assembly->show(nullptr, {}, 0);
}

void CodeView::showMessage(const QString &text)
{
    const QWidget *focused = QApplication::focusWidget();
    const bool hadFocus = focused != nullptr && isAncestorOf(focused);
    m_message->setText(text);
    m_pages->setCurrentIndex(0);
    if (hadFocus)
        setFocus(); // or it would go to another view
}

void CodeView::showHead()
{
    const FunctionCode &code = m_shown->code;
    const auto weight = [&](std::int64_t value) {
        return valueText(value, m_shown->unit) + QStringLiteral(" (") +
               shareText(static_cast<double>(value), static_cast<double>(m_shown->total)) + QLatin1Char(')');
    };
    m_name->setText(qString(code.function));
    m_name->setToolTip(qString(code.function).toHtmlEscaped());
    m_weights->setText(tr("total %1 · self %2").arg(weight(code.weight.total), weight(code.weight.self)));
    m_remarks->setText(oddities().join(QLatin1Char('\n')));
    m_remarks->setVisible(!m_remarks->text().isEmpty());
}

/// What is missing, or odd, apart from what the notice says of the source.
QStringList CodeView::oddities() const
{
    QStringList lines;
    for (const std::string &problem : m_shown->problems)
        lines += qString(problem);
    if (const auto &code = m_shown->shownAssembly)
        for (const std::string &problem : {code->listed.problem, code->listed.disassembly.note})
            if (!problem.empty())
                lines += qString(problem);
    return lines;
}

bool CodeView::showAssembly()
{
    const auto &code = m_shown->shownAssembly;
    const bool hasCode = code && !code->listed.disassembly.instructions.empty();
    m_occurrences->show(m_shown->occurrence, m_shown->code.occurrences.size());
    m_assemblySide->setVisible(hasCode || m_shown->code.occurrences.size() > 1);
    const bool isSame = m_assembly->show(hasCode ? code : nullptr, m_shown->unit, m_shown->total);
    if (!code)
        return isSame;
    const FunctionOccurrence &occurrence = code->listed.occurrence;
    const QString name = qString(occurrence.extent.name);
    m_place->setText((occurrence.isInlined ? tr("inlined into %1 · %2") : tr("%1 · %2"))
                         .arg(name, baseName(code->listed.binary)));
    m_place->setToolTip((name + QLatin1Char('\n') + qString(code->listed.disassembly.file)).toHtmlEscaped());
    return isSame;
}

// ---- from one side to the other

/// Marks on both sides what belongs to the line that is current on one.
void CodeView::link(const CodePane &from, bool reveals)
{
    const bool isFromSource = &from == m_source;
    const std::int64_t line = isFromSource ? m_source->currentLine() : m_assembly->currentLine();
    if (!isFromSource && reveals && line > 0)
        m_source->goToLine(line);
    m_source->link(isFromSource ? 0 : line, reveals);
    m_assembly->link(line, reveals && isFromSource);
}

// ---- what can be done

void CodeView::followCall(const QString &function)
{
    const auto entry = entryNamed(*m_session.evaluation()->tree, function.toStdString());
    if (!entry)
        return Q_EMIT failed(tr("There are no samples in %1.").arg(function));
    m_way.push_back(m_session.selectedName());
    m_session.selectEntry(*entry);
}

void CodeView::goBack()
{
    if (m_way.empty())
        return;
    m_session.selectName(std::exchange(m_way.back(), {}).toStdString());
    m_way.pop_back();
}

void CodeView::showPaneMenu(CodePane &pane, const QPoint &globalPosition)
{
    QMenu menu;
    menu.addAction(tr("Copy"), QKeySequence(QKeySequence::Copy), &pane, [&pane] { pane.copySelected(); });
    if (m_sourceSide->hasText())
        menu.addAction(tr("Open in editor"), m_sourceSide, &SourceSide::openInEditor);
    menu.addSeparator();
    menu.addAction(tr("Next hot line"), QKeySequence(Qt::Key_N), &pane, [&pane] { pane.selectHot(true); });
    menu.addAction(tr("Previous hot line"), QKeySequence(Qt::SHIFT | Qt::Key_N), &pane,
                   [&pane] { pane.selectHot(false); });
    menu.exec(globalPosition);
}

} // namespace hearth
