#include "ui/executables/executables_view.h"

#include "model/lens/matcher.h"
#include "ui/executables/executables_model.h"
#include "ui/table/quiet_table.h"
#include "ui/table/share_delegate.h"
#include "ui/theme/figures.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace hearth {

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
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(10, 6, 10, 6);
    bar->addWidget(m_summary, 1);
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
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &ExecutablesView::showDetails);
    connect(m_table, &QTableView::activated, this, &ExecutablesView::keepBinary);
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
            const QModelIndex current = m_table->currentIndex();
            const std::string path(current.isValid() ? m_model->rowAt(current.row()).path
                                                     : std::string_view());
            m_shown = table;
            m_model->set(evaluation, table);
            const auto row = std::ranges::find(table->rows, path, &BinaryRow::path);
            if (row != table->rows.end())
                m_table->selectRow(static_cast<int>(row - table->rows.begin()));
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
    const QModelIndex current = m_table->currentIndex();
    m_details->setVisible(current.isValid());
    if (!current.isValid())
        return;
    const BinaryRow &row = m_model->rowAt(current.row());
    QStringList lines{qString(row.path)};
    for (const std::string_view id : row.buildIds)
        lines += tr("Build %1").arg(qString(id));
    if (row.symbols == nullptr) {
        lines += tr("Its names came with the samples.");
    } else {
        if (!row.symbols->file.empty())
            lines += tr("Names from the %1 of %2")
                         .arg(qString(describe(row.symbols->source)), qString(row.symbols->file));
        if (!row.symbols->problem.empty())
            lines += qString(row.symbols->problem);
        if (!row.symbols->advice.empty())
            lines += tr("What would help: %1").arg(qString(row.symbols->advice));
    }
    m_details->setText(lines.join(QLatin1Char('\n')));
}

/// Shows the stacks through the binary at hand.
void ExecutablesView::keepBinary()
{
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid())
        return;
    Lens lens = m_session.lens();
    PathTerm term;
    term.kind = PathTermKind::Library;
    term.text = '^' + escapeRegex(m_model->rowAt(current.row()).path) + '$';
    lens.paths.push_back(std::move(term));
    m_session.setLens(std::move(lens));
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
