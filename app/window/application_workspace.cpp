#include "app/window/application.h"
#include "ui/compare/compare_view.h"
#include "ui/settings/settings.h"
#include "ui/window/main_window.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

// What the program does with its workspace; what that is at any time, the desk knows.

namespace hearth {

namespace {

/// A file in the folder that there is not yet.
QString freeFile(const QDir &folder, const QString &name, const QString &ending)
{
    static const QRegularExpression unfit(QStringLiteral("[^\\w.,+-]+"),
                                          QRegularExpression::UseUnicodePropertiesOption);
    const QString base = QString(name).replace(unfit, QStringLiteral("-")).left(120);
    QString file = folder.filePath(base + ending);
    for (int i = 2; QFileInfo::exists(file); ++i)
        file = folder.filePath(QStringLiteral("%1-%2%3").arg(base).arg(i).arg(ending));
    return file;
}

} // namespace

void Application::connectWorkspace(MainWindow *window)
{
    connect(window, &MainWindow::saveWorkspaceRequested, this,
            [this, window](const QString &file) { saveWorkspace(window, file); });
    connect(window, &MainWindow::stateChanged, &m_workspaceCheck, qOverload<>(&QTimer::start));
    connect(window, &MainWindow::noteEdited, this, [this, window](const QString &note) {
        if (const Window *known = find(window))
            m_dataSets.setNote(known->shown, note);
        showNotes();
        m_workspaceCheck.start();
    });
    connect(window, &MainWindow::workspaceNoteEdited, this, [this](const QString &note) {
        m_desk.setNote(note);
        showNotes();
        m_workspaceCheck.start();
    });
    m_workspaceCheck.start();
}

/// REQUIRES: there is a window.
Application::Window &Application::workspaceWindow()
{
    Window *known = find(m_workspaceWindow);
    return known != nullptr ? *known : *find(front());
}

Workspace Application::workspaceNow()
{
    std::ranges::for_each(m_windows, [this](const Window &window) { keepLens(window); });
    const Window &window = workspaceWindow();
    keepLens(window);
    const auto &baseline = window.window->compare()->baseline();
    return m_desk.describe(window.window->state(), window.shown, baseline ? baseline->id : QString(),
                           baseline ? baseline->lens : std::nullopt);
}

// ---- opening

void Application::openWorkspace(const QString &file)
{
    auto read = readWorkspace(file);
    if (!read) {
        front()->showMessage(MessageKind::Problem, QString::fromStdString(read.error().message));
        return;
    }
    const QString path = QFileInfo(file).absoluteFilePath();
    addRecentFile(path);
    m_log.add(LogLevel::Note, tr("files"), tr("opening %1").arg(path));
    m_before.reset();
    if (Workspace before = workspaceNow(); !before.sources.empty())
        m_before = {std::move(before), m_desk.isWhole() ? m_desk.file() : QString()};
    for (QString &problem : read->problems)
        problem.prepend(QFileInfo(file).fileName() + QStringLiteral(": "));
    takeUp(std::move(read->workspace), path, read->problems);
}

/// In the place of what is open, but for what could not be opened again.
void Application::takeUp(Workspace workspace, const QString &file, const QStringList &problems)
{
    m_workspaceWindow = front();
    m_loading.clear();
    m_desk.open(std::move(workspace), file, problems);
    QStringList superseded;
    for (const DataSets::DataSet &dataSet : m_dataSets.all())
        if (dataSet.isInFiles() && !m_desk.has(dataSet.id))
            superseded += dataSet.id;
    for (const Window &window : m_windows)
        if (m_desk.has(window.shown))
            window.window->session().setLens(m_dataSets.find(window.shown)->lens);
    for (const QString &id : superseded)
        close(id);
    m_desk.readSources();
}

void Application::finishWorkspace()
{
    if (m_windows.empty())
        return;
    const Workspace &opened = m_desk.opened();
    Window &window = workspaceWindow();
    QString shown = opened.shown ? m_desk.idOf(*opened.shown) : QString();
    for (std::size_t i = 0; i < opened.sources.size() && shown.isEmpty(); ++i)
        shown = m_desk.idOf(i);
    show(window, shown);
    if (opened.baseline)
        if (const auto *base = m_dataSets.find(m_desk.idOf(opened.baseline->source)))
            window.window->compare()->compareWith(
                {base->title, base->snapshot, opened.baseline->lens, base->id});
    window.window->restore(opened.window);
    m_desk.setUnchanged(workspaceNow());
    checkWorkspace();
    const QStringList problems = m_desk.problems();
    const MessageKind kind = problems.isEmpty() ? MessageKind::Note : MessageKind::Problem;
    const QString text = (problems.isEmpty() ? QStringList(tr("Opened %1.").arg(m_desk.name())) : problems)
                             .join(QLatin1Char('\n'));
    if (!problems.isEmpty())
        m_log.add(LogLevel::Problem, tr("files"), text);
    if (auto before = std::exchange(m_before, std::nullopt))
        window.window->messages()->show(kind, text, tr("Back to what was open before"),
                                        [this, before] { takeUp(before->first, before->second, {}); });
    else if (!problems.isEmpty())
        window.window->messages()->show(kind, text);
    if (!m_afterwards.isEmpty())
        m_loader.load(std::exchange(m_afterwards, {}));
}

// ---- saving

void Application::saveWorkspace(MainWindow *window, const QString &file)
{
    if (file.isEmpty() && !m_desk.isWhole())
        return window->askWhereToSaveWorkspace(); // what was not understood of it would be gone
    m_workspaceWindow = window;
    const QString path = file.isEmpty() ? m_desk.file() : file;
    if (const auto saved = m_desk.save(workspaceNow(), path); !saved) {
        window->showMessage(MessageKind::Problem, QString::fromStdString(saved.error().message));
        return;
    }
    addRecentFile(path);
    m_log.add(LogLevel::Note, tr("files"), tr("saved %1").arg(path));
    checkWorkspace();
    sayWhatIsLeftOut();
}

void Application::sayWhatIsLeftOut()
{
    MessageBar *messages = workspaceWindow().window->messages();
    const QString saved = tr("Saved as %1.").arg(m_desk.file());
    const QStringList ids = m_desk.idsInNoFile();
    if (ids.isEmpty())
        return messages->show(MessageKind::Note, saved);
    QStringList names;
    for (const QString &id : ids)
        names += m_dataSets.find(id)->title;
    messages->show(
        MessageKind::Note,
        saved + QLatin1Char(' ') +
            tr("Left out, because no file has it as it is now: %1.").arg(names.join(QStringLiteral(", "))),
        tr("Save it beside the workspace"), [this, ids] {
            m_beside = ids;
            saveBeside();
        });
}

/// One after the other, and the workspace with them in the end.
void Application::saveBeside()
{
    while (!m_beside.isEmpty()) {
        const DataSets::DataSet *dataSet = m_dataSets.find(m_beside.front());
        if (dataSet == nullptr) {
            m_beside.removeFirst();
            continue;
        }
        const QString file =
            freeFile(QFileInfo(m_desk.file()).dir(), m_desk.name() + QLatin1Char('-') + dataSet->title,
                     QStringLiteral(".otlp.zst"));
        m_saving[file] = {dataSet->id, dataSet->snapshot->sampleCount()};
        return m_saver.save(dataSet->snapshot, Lens(), file);
    }
}

void Application::takeSaved(const QString &file)
{
    const auto saved = m_saving.extract(file);
    if (saved.empty())
        return;
    const auto &[id, samples] = saved.mapped();
    m_dataSets.setFiles(id, {sourceFile(file)}, samples);
    m_workspaceCheck.start();
    if (m_beside.isEmpty() || m_beside.front() != id)
        return;
    m_beside.removeFirst();
    if (!m_beside.isEmpty())
        saveBeside();
    else if (!m_windows.empty())
        saveWorkspace(workspaceWindow().window, {});
}

void Application::checkWorkspace()
{
    if (m_windows.empty() || m_desk.isOpening())
        return;
    const bool isChanged = m_desk.isChanged(workspaceNow());
    for (const Window &window : m_windows)
        window.window->setWorkspace(m_desk.name(), isChanged);
    showNotes();
}

} // namespace hearth
