#include "ui/code/source_side.h"

#include "ui/code/stepper.h"
#include "ui/commands/open_in_editor.h"
#include "ui/settings/settings.h"
#include "ui/theme/figures.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace hearth {

namespace {

/// "parse.cpp · /src/json"
QString placeText(const QString &path)
{
    const QString folder = path.section(QLatin1Char('/'), 0, -2);
    const QString name = path.section(QLatin1Char('/'), -1);
    return folder.isEmpty() ? name : name + QStringLiteral(" · ") + folder;
}

/// The file that is shown, or that would be.
QString pathOf(const ListedSource &listed)
{
    return qString(listed.found.text ? listed.found.path : listed.source.file);
}

} // namespace

SourceSide::SourceSide(QWidget *parent)
    : QWidget(parent), m_file(new QLabel(this)),
      m_files(new Stepper(tr("Previous file"), tr("Next file"), this)),
      m_fold(new QPushButton(tr("Fold"), this)), m_editor(new QPushButton(tr("Open in editor"), this)),
      m_noticeBar(new QWidget(this)), m_notice(new QLabel(this)),
      m_find(new QPushButton(tr("Find source folder…"), this)), m_pane(new SourcePane(this))
{
    makeParts();
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(12, 4, 8, 4);
    bar->setSpacing(6);
    bar->addWidget(m_file, 1);
    bar->addWidget(m_files);
    bar->addWidget(m_fold);
    bar->addWidget(m_editor);
    auto *notice = new QHBoxLayout(m_noticeBar);
    notice->setContentsMargins(12, 2, 12, 6);
    notice->addWidget(m_notice, 1);
    notice->addWidget(m_find, 0, Qt::AlignTop);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_noticeBar);
    column->addWidget(m_pane, 1);
    connect(m_files, &Stepper::stepped, this, &SourceSide::fileChosen);
    connect(m_fold, &QPushButton::toggled, m_pane, &SourcePane::setFolding);
    connect(m_editor, &QPushButton::clicked, this, &SourceSide::openInEditor);
    connect(m_find, &QPushButton::clicked, this, &SourceSide::askForFolder);
}

void SourceSide::makeParts()
{
    for (QLabel *label : {m_file, m_notice}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_file->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // paths may be longer than any pane
    m_file->setForegroundRole(QPalette::Dark);
    m_notice->setWordWrap(true);
    m_fold->setProperty("quiet", true);
    m_fold->setCheckable(true);
    m_fold->setChecked(true);
    m_fold->setToolTip(tr("Lines without samples are folded where there are many"));
    m_editor->setProperty("quiet", true);
    m_editor->setToolTip(tr("At the current line (Ctrl+E)"));
    m_find->setProperty("primary", true);
    m_find->setToolTip(tr("Where the sources are now. It is kept, so that you are asked once"));
}

bool SourceSide::hasText() const
{
    return m_source && m_source->listed.found.text;
}

void SourceSide::clear()
{
    m_source = nullptr;
    m_pane->show(nullptr, {}, 0);
}

void SourceSide::show(const ShownCode &shown, bool wasLookedFor)
{
    m_source = shown.shownSource;
    setVisible(m_source != nullptr);
    m_files->show(shown.source, shown.code.sources.size());
    m_pane->show(m_source, shown.unit, shown.total);
    m_editor->setVisible(hasText());
    m_fold->setVisible(hasText());
    if (!m_source)
        return;
    const QString path = pathOf(m_source->listed);
    const QString compiled = qString(m_source->listed.source.file);
    m_file->setText(placeText(path));
    m_file->setToolTip(
        (path == compiled ? path : tr("%1, compiled as %2").arg(path, compiled)).toHtmlEscaped());
    showNotice(wasLookedFor);
}

void SourceSide::showNotice(bool wasLookedFor)
{
    const SourceFound &found = m_source->listed.found;
    const bool isMissing = wasLookedFor && !found.text;
    QStringList lines;
    if (!found.problem.empty())
        lines += qString(found.problem);
    if (isMissing)
        lines += placesTried();
    m_notice->setText(lines.join(QLatin1Char('\n')));
    m_noticeBar->setVisible(!lines.isEmpty());
    m_find->setVisible(isMissing);
}

QStringList SourceSide::placesTried() const
{
    constexpr std::size_t kMost = 4;
    const SourceFound &found = m_source->listed.found;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(kMost, found.tried.size()); ++i)
        lines += tr("looked for %1").arg(qString(found.tried[i]));
    if (found.tried.size() > kMost)
        lines += tr("and in %1 more places").arg(found.tried.size() - kMost);
    if (found.canBeFetched && Settings::load().symbolServers.isEmpty())
        lines += tr("a debuginfod server may have it, if you allow to ask one in Executables");
    return lines;
}

void SourceSide::openInEditor()
{
    if (!m_source)
        return;
    const QString problem = hearth::openInEditor(pathOf(m_source->listed), m_pane->currentLine());
    if (!problem.isEmpty())
        Q_EMIT failed(problem);
}

void SourceSide::askForFolder()
{
    const QString wanted = qString(m_source->listed.source.file);
    auto *dialog = new QFileDialog(this, tr("The folder with the sources of %1").arg(wanted));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, wanted](const QString &folder) { Q_EMIT folderChosen(wanted, folder); });
    dialog->open();
}

} // namespace hearth
