#include "app/window/workspace_desk.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

/// Where panels are and how wide is nothing that one would save a file for.
Workspace withoutLayout(Workspace workspace)
{
    workspace.window.layout = {};
    return workspace;
}

} // namespace

WorkspaceDesk::WorkspaceDesk(DataSets &dataSets, FileLoader &loader, QObject *parent)
    : QObject(parent), m_dataSets(dataSets), m_loader(loader)
{
    connect(&m_loader, &FileLoader::finished, this, [this] {
        if (!m_isOpening)
            return;
        ++m_next;
        readNext();
    });
}

QString WorkspaceDesk::name() const
{
    return QFileInfo(m_file).completeBaseName();
}

Workspace WorkspaceDesk::describe(const WindowState &window, const QString &shown, const QString &baseline,
                                  const std::optional<Lens> &baselineLens) const
{
    Workspace now{.note = m_note, .sources = {}, .shown = {}, .baseline = {}, .window = window};
    for (const DataSets::DataSet &dataSet : m_dataSets.all()) {
        if (dataSet.files.empty() && dataSet.note.isEmpty())
            continue;
        if (dataSet.id == shown)
            now.shown = now.sources.size();
        if (dataSet.id == baseline)
            now.baseline = {now.sources.size(), baselineLens};
        now.sources.push_back({dataSet.title, dataSet.files, dataSet.lens, dataSet.note});
    }
    std::ranges::copy(m_missing, std::back_inserter(now.sources));
    return now;
}

QStringList WorkspaceDesk::idsInNoFile() const
{
    QStringList ids;
    for (const DataSets::DataSet &dataSet : m_dataSets.all())
        if (!dataSet.isInFiles())
            ids += dataSet.id;
    return ids;
}

void WorkspaceDesk::open(Workspace workspace, const QString &file, const QStringList &problems)
{
    m_file = file;
    m_isWhole = problems.isEmpty();
    m_note = workspace.note;
    m_unchanged.reset();
    m_isOpening = true;
    m_workspace = std::move(workspace);
    m_ids.clear();
    m_next = 0;
    m_problems = problems;
    m_missing.clear();
    for (const WorkspaceSource &source : m_workspace.sources) {
        const QString id = openAlready(source);
        m_ids += id;
        m_dataSets.setTitle(id, source.name);
        m_dataSets.setLens(id, source.lens);
        m_dataSets.setNote(id, source.note);
    }
}

/// The id of a data set of the same files, as they are now.
QString WorkspaceDesk::openAlready(const WorkspaceSource &source) const
{
    for (const DataSets::DataSet &dataSet : m_dataSets.all()) {
        const bool isSame =
            std::ranges::equal(dataSet.files, source.files, {}, &SourceFile::path, &SourceFile::path) &&
            std::ranges::all_of(dataSet.files,
                                [](const SourceFile &file) { return stateOf(file) == SourceState::Same; });
        if (isSame && dataSet.isInFiles() && !m_ids.contains(dataSet.id))
            return dataSet.id;
    }
    return {};
}

QStringList WorkspaceDesk::checkedFiles(const WorkspaceSource &source)
{
    if (source.files.empty())
        complain(tr("%1 is in no file: it was received or recorded, and not saved. Its note is kept.")
                     .arg(source.name));
    QStringList there;
    for (const SourceFile &file : source.files) {
        const SourceState state = stateOf(file);
        if (state != SourceState::Gone)
            there += file.path;
        if (state == SourceState::Gone)
            complain(tr("%1 is gone; what the workspace says of it is kept.").arg(file.path));
        else if (state == SourceState::Changed)
            complain(tr("%1 has changed since the workspace was saved.").arg(file.path));
    }
    return there;
}

void WorkspaceDesk::readNext()
{
    for (; m_next < m_workspace.sources.size(); ++m_next) {
        if (!m_ids[m_next].isEmpty())
            continue;
        const WorkspaceSource &source = m_workspace.sources[m_next];
        if (const QStringList files = checkedFiles(source); !files.isEmpty())
            return m_loader.load(files, source.name);
    }
    conclude();
}

void WorkspaceDesk::cancel()
{
    if (m_isOpening)
        conclude();
}

void WorkspaceDesk::conclude()
{
    m_isOpening = false;
    for (std::size_t i = 0; i < m_workspace.sources.size(); ++i)
        if (m_ids[i].isEmpty())
            m_missing.push_back(m_workspace.sources[i]);
    Q_EMIT sourcesRead();
}

void WorkspaceDesk::take(const QString &id)
{
    if (!m_isOpening || !m_ids[m_next].isEmpty())
        return;
    const WorkspaceSource &source = m_workspace.sources[m_next];
    m_ids[m_next] = id;
    m_dataSets.setFiles(id, source.files); // also if reading them is given up
    m_dataSets.setLens(id, source.lens);
    m_dataSets.setNote(id, source.note);
}

/// Those that are gone may be back another day.
void WorkspaceDesk::takeFiles(const QString &id, std::vector<SourceFile> files)
{
    if (m_isOpening)
        for (const SourceFile &file : m_workspace.sources[m_next].files)
            if (std::ranges::find(files, file.path, &SourceFile::path) == files.end())
                files.push_back(file);
    m_dataSets.setFiles(id, std::move(files));
}

Result<void> WorkspaceDesk::save(const Workspace &now, const QString &file)
{
    if (const auto written = writeWorkspace(now, file); !written)
        return written;
    m_file = file;
    m_isWhole = true;
    setUnchanged(now);
    return {};
}

void WorkspaceDesk::setUnchanged(Workspace now)
{
    m_unchanged = withoutLayout(std::move(now));
}

bool WorkspaceDesk::isChanged(const Workspace &now) const
{
    if (m_unchanged)
        return *m_unchanged != withoutLayout(now);
    return !now.note.isEmpty() || std::ranges::any_of(now.sources, [](const WorkspaceSource &source) {
        return !source.note.isEmpty();
    });
}

} // namespace hearth
