#include "ui/executables/executables_view.h"

#include "model/lens/matcher.h"
#include "ui/executables/executables_model.h"
#include "ui/table/quiet_table.h"
#include "ui/table/share_delegate.h"
#include "ui/theme/figures.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QMenu>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace hearth {

namespace {

using Rows = std::vector<const BinaryRow *>;

/// A regular expression for the files of these; empty if they have none.
std::string fileFilter(const Rows &rows)
{
    std::string all;
    int count = 0;
    for (const BinaryRow *row : rows)
        if (!row->path.empty())
            all += (count++ == 0 ? "" : "|") + escapeRegex(row->path);
    return count == 0 ? all : count == 1 ? '^' + all + '$' : "^(" + all + ")$";
}

QStringList pathsOf(const Rows &rows)
{
    QStringList paths;
    for (const BinaryRow *row : rows)
        paths += qString(row->path.empty() ? nameOf(*row) : row->path);
    return paths;
}

QStringList buildIdsOf(const Rows &rows)
{
    QStringList ids;
    for (const BinaryRow *row : rows)
        for (const std::string_view id : row->buildIds)
            ids += qString(id);
    return ids;
}

/// "libc.so.6: stripped; add its debug file"
QStringList gapsOf(const Rows &rows)
{
    QStringList gaps;
    for (const BinaryRow *row : rows) {
        QString gap = qString(nameOf(*row));
        if (const std::string_view problem = problemOf(*row); !problem.empty())
            gap += QStringLiteral(": ") + qString(problem);
        if (const std::string_view advice = adviceOf(*row); !advice.empty())
            gap += QStringLiteral("; ") + qString(advice);
        gaps += gap;
    }
    return gaps;
}

QString detailsOf(const BinaryRow &row)
{
    QStringList lines{pathsOf({&row})};
    for (const std::string_view id : row.buildIds)
        lines += ExecutablesView::tr("Build %1").arg(qString(id));
    if (row.symbols == nullptr && row.namelessFrames == 0)
        lines += ExecutablesView::tr("Its names came with the samples.");
    if (row.symbols != nullptr && !row.symbols->file.empty())
        lines += ExecutablesView::tr("Names from the %1 of %2")
                     .arg(qString(describe(row.symbols->source)), qString(row.symbols->file));
    if (const std::string_view problem = problemOf(row); !problem.empty())
        lines += qString(problem);
    if (const std::string_view advice = adviceOf(row); !advice.empty())
        lines += ExecutablesView::tr("What would help: %1").arg(qString(advice));
    return lines.join(QLatin1Char('\n'));
}

/// Of several: what would help, and how many of them.
QString detailsOf(const Rows &rows)
{
    QMap<QString, int> remedies;
    int complete = 0;
    for (const BinaryRow *row : rows) {
        if (row->namelessFrames == 0)
            ++complete;
        else
            ++remedies[qString(adviceOf(*row).empty() ? problemOf(*row) : adviceOf(*row))];
    }
    QStringList lines{ExecutablesView::tr("%1 binaries are selected, %2 of them with names for all frames")
                          .arg(rows.size())
                          .arg(complete)};
    for (auto remedy = remedies.cbegin(); remedy != remedies.cend(); ++remedy)
        lines += ExecutablesView::tr("%1 of them: %2").arg(remedy.value()).arg(remedy.key());
    return lines.join(QLatin1Char('\n'));
}

} // namespace

ExecutablesView::ExecutablesView(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_model(new ExecutablesModel(this)), m_table(new QuietTable(this)),
      m_summary(new QLabel(this)), m_details(new QLabel(this)), m_evaluator(std::make_shared<Evaluator>())
{
    makeTable();
    const auto button = [this](const QString &text, const QString &toolTip,
                               void (ExecutablesView::*clicked)()) {
        auto *made = new QPushButton(text, this);
        made->setProperty("quiet", true);
        made->setToolTip(toolTip);
        connect(made, &QPushButton::clicked, this, clicked);
        return made;
    };
    m_lookAgain = button(tr("Look again"),
                         tr("Look again for the symbols of what is selected, else of all that lack names"),
                         &ExecutablesView::lookAgain);
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(10, 6, 10, 6);
    bar->addWidget(m_summary, 1);
    bar->addWidget(m_lookAgain);
    bar->addWidget(
        button(tr("Add files…"),
               tr("Programs or debug files to take names from. They can also be dropped on the window."),
               &ExecutablesView::addFiles));
    bar->addWidget(button(tr("Add folder…"),
                          tr("A folder with programs or debug files, such as that of a build"),
                          &ExecutablesView::addFolder));
    bar->addWidget(button(tr("Ask a server…"), tr("Fetch debug information from a debuginfod server"),
                          &ExecutablesView::askForServer));
    m_summary->setForegroundRole(QPalette::Dark);
    m_details->setTextFormat(Qt::PlainText);
    m_details->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_details->setWordWrap(true);
    m_details->setContentsMargins(12, 8, 12, 8);
    m_details->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_details);
    setFocusProxy(m_table);

    connect(&session, &Session::evaluationChanged, this, &ExecutablesView::update);
    connect(&session, &Session::snapshotChanged, this, [this] {
        if (!m_session.evaluation()) // another data set
            m_evaluator = std::make_shared<Evaluator>();
    });
}

void ExecutablesView::makeTable()
{
    m_table->setModel(m_model);
    m_table->setItemDelegate(new ShareDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setAccessibleName(tr("Executables"));
    QHeaderView *header = m_table->horizontalHeader();
    header->resizeSection(ExecutablesModel::Total, 74);
    for (const int column :
         {ExecutablesModel::TotalShare, ExecutablesModel::SelfShare, ExecutablesModel::Named})
        header->resizeSection(column, 80);
    header->resizeSection(ExecutablesModel::Frames, 74);
    header->resizeSection(ExecutablesModel::Name, 210);
    header->resizeSection(ExecutablesModel::Source, 150);
    header->setSectionResizeMode(ExecutablesModel::Problem, QHeaderView::Stretch);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ExecutablesView::showDetails);
    connect(m_table, &QTableView::activated, this, &ExecutablesView::keepSelected);
}

void ExecutablesView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    update();
}

/// What is hidden is not computed.
void ExecutablesView::update()
{
    const auto evaluation = m_session.evaluation();
    if (!isVisible() || !evaluation)
        return;
    m_worker.run([this, evaluation, evaluator = m_evaluator, snapshot = m_session.snapshot(),
                  lens = m_session.lens()](const std::stop_token &stop) -> Worker::Delivery {
        auto made = binaryTable(*evaluator, snapshot, lens, stop);
        if (!made)
            return nullptr;
        return [this, evaluation, table = std::make_shared<const BinaryTable>(std::move(*made))] {
            std::vector<std::string> paths;
            for (const BinaryRow *row : selected())
                paths.emplace_back(row->path);
            m_shown = table;
            m_model->set(evaluation, table);
            selectPaths(paths);
            showSummary();
            showDetails();
        };
    });
}

void ExecutablesView::setProgress(const QString &text)
{
    m_progress = text;
    showSummary();
}

void ExecutablesView::showSummary()
{
    QString text;
    if (m_shown) {
        const auto unread =
            std::ranges::count_if(m_shown->rows, [](const BinaryRow &row) { return row.namelessFrames > 0; });
        text = unread == 0
                   ? tr("%1 binaries, all of their frames have names").arg(countText(m_shown->rows.size()))
                   : tr("%1 binaries, %2 of them with frames that have no names")
                         .arg(countText(m_shown->rows.size()), countText(static_cast<std::uint64_t>(unread)));
    }
    if (!m_progress.isEmpty())
        text += QStringLiteral(" · ") + m_progress;
    m_summary->setText(text);
}

void ExecutablesView::showDetails()
{
    const std::vector<const BinaryRow *> rows = selected();
    m_details->setVisible(!rows.empty());
    if (!rows.empty())
        m_details->setText(rows.size() == 1 ? detailsOf(*rows.front()) : detailsOf(rows));
}

/// From the top.
std::vector<const BinaryRow *> ExecutablesView::selected() const
{
    std::vector<int> numbers;
    for (const QModelIndex &index : m_table->selectionModel()->selectedRows())
        numbers.push_back(index.row());
    std::ranges::sort(numbers);
    std::vector<const BinaryRow *> rows;
    for (const int number : numbers)
        rows.push_back(&m_model->rowAt(number));
    return rows;
}

void ExecutablesView::selectPaths(const std::vector<std::string> &paths)
{
    QItemSelection selection;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (std::ranges::find(paths, m_model->rowAt(row).path) != paths.end())
            selection.select(m_model->index(row, 0), m_model->index(row, 0));
    const auto how = QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows;
    m_table->selectionModel()->select(selection, how);
    if (!selection.isEmpty())
        m_table->selectionModel()->setCurrentIndex(selection.indexes().front(),
                                                   QItemSelectionModel::NoUpdate);
}

void ExecutablesView::fillMenu(QMenu &menu)
{
    const std::vector<const BinaryRow *> rows = selected();
    if (rows.empty())
        return;
    const bool isOne = rows.size() == 1;
    if (!fileFilter(rows).empty()) {
        menu.addAction(isOne ? tr("Only stacks through it") : tr("Only stacks through any of these"), this,
                       &ExecutablesView::keepSelected);
        menu.addAction(isOne ? tr("Leave out stacks through it") : tr("Leave out stacks through these"), this,
                       [this] { addToLens(true); });
        menu.addSeparator();
    }
    menu.addAction(isOne ? tr("Look again for its symbols") : tr("Look again for their symbols"), this,
                   &ExecutablesView::lookAgain);
    menu.addAction(tr("Add files…"), this, &ExecutablesView::addFiles);
    menu.addAction(tr("Add folder…"), this, &ExecutablesView::addFolder);
    menu.addAction(tr("Ask a server…"), this, &ExecutablesView::askForServer);
    menu.addSeparator();
    menu.addAction(isOne ? tr("Copy path") : tr("Copy paths"), this,
                   [this, texts = pathsOf(rows)] { copySelected(texts); });
    if (const QStringList ids = buildIdsOf(rows); !ids.isEmpty())
        menu.addAction(ids.size() == 1 ? tr("Copy build id") : tr("Copy build ids"), this,
                       [this, ids] { copySelected(ids); });
    menu.addAction(tr("Copy what is missing"), this, [this, texts = gapsOf(rows)] { copySelected(texts); });
    menu.addSeparator();
}

void ExecutablesView::copySelected(const QStringList &texts)
{
    QGuiApplication::clipboard()->setText(texts.join(QLatin1Char('\n')));
}

void ExecutablesView::addToLens(bool isLeftOut)
{
    PathTerm term;
    term.kind = PathTermKind::Library;
    term.text = fileFilter(selected());
    term.isNegated = isLeftOut;
    if (term.text.empty())
        return;
    Lens lens = m_session.lens();
    lens.paths.push_back(std::move(term));
    m_session.setLens(std::move(lens));
}

/// Shows the stacks through the binaries at hand.
void ExecutablesView::keepSelected()
{
    addToLens(false);
}

void ExecutablesView::lookAgain()
{
    std::vector<const BinaryRow *> rows = selected();
    if (rows.empty() && m_shown)
        for (const BinaryRow &row : m_shown->rows)
            if (row.namelessFrames > 0)
                rows.push_back(&row);
    std::vector<BinaryId> binaries;
    for (const BinaryRow *row : rows)
        binaries.insert(binaries.end(), row->builds.begin(), row->builds.end());
    if (!binaries.empty())
        Q_EMIT lookAgainRequested(binaries);
}

void ExecutablesView::addFiles()
{
    const QStringList files = QFileDialog::getOpenFileNames(this, tr("Programs or debug files"));
    if (!files.isEmpty())
        Q_EMIT placesAdded(files);
}

void ExecutablesView::addFolder()
{
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("A folder with programs or debug files"));
    if (!folder.isEmpty())
        Q_EMIT placesAdded({folder});
}

/// The user's word is needed for each server: it learns which programs run here.
void ExecutablesView::askForServer()
{
    bool isAccepted = false;
    const QString text = QInputDialog::getText(
        this, tr("Ask a server"),
        tr("A debuginfod server that may be asked for debug information, now and later.\n"
           "It is told the build ids of the binaries above, and nothing else."),
        QLineEdit::Normal, QStringLiteral("https://debuginfod.elfutils.org"), &isAccepted);
    const QUrl url(text.trimmed());
    const bool isServer = url.scheme() == QLatin1String("https") || url.scheme() == QLatin1String("http");
    if (isAccepted && isServer && !url.host().isEmpty())
        Q_EMIT serverAllowed(url.toString());
}

} // namespace hearth
