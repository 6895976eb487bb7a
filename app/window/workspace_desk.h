#pragma once

#include "app/window/data_sets.h"
#include "app/window/file_loader.h"
#include "app/workspace/workspace_file.h"

#include <QObject>
#include <QStringList>

#include <optional>
#include <vector>

namespace hearth {

/// The workspace of the program: reads its sources one after the other, and knows whether anything has
/// changed since it was saved. Windows are the caller's.
class WorkspaceDesk : public QObject {
    Q_OBJECT

public:
    WorkspaceDesk(DataSets &dataSets, FileLoader &loader, QObject *parent = nullptr);

    /// Where it is kept; empty: nowhere yet.
    const QString &file() const { return m_file; }
    QString name() const;
    /// Whether all of the file was understood, so that it may be written again.
    bool isWhole() const { return m_isWhole; }
    const QString &note() const { return m_note; }
    void setNote(const QString &note) { m_note = note; }

    /// Everything that is open and in files, or has a note, seen through a window.
    Workspace describe(const WindowState &window, const QString &shown, const QString &baseline,
                       const std::optional<Lens> &baselineLens) const;
    /// What is open and in no file: left out.
    QStringList idsInNoFile() const;

    /// Takes up a workspace. What is open already and still the same is not read again.
    void open(Workspace workspace, const QString &file, const QStringList &problems);
    void readSources() { readNext(); }
    /// Gives up what has not been read yet.
    void cancel();
    bool isOpening() const { return m_isOpening; }
    const Workspace &opened() const { return m_workspace; }
    /// What became of a source of it; empty: nothing.
    QString idOf(std::size_t source) const { return m_ids[source]; }
    bool has(const QString &id) const { return !id.isEmpty() && m_ids.contains(id); }

    /// While it opens: what is being read is this data set.
    void take(const QString &id);
    void takeFiles(const QString &id, std::vector<SourceFile> files);
    void complain(const QString &problem) { m_problems += problem; }
    /// What was not as it should be, all of it.
    const QStringList &problems() const { return m_problems; }

    Result<void> save(const Workspace &now, const QString &file);
    /// From now on this counts as unchanged.
    void setUnchanged(Workspace now);
    bool isChanged(const Workspace &now) const;

Q_SIGNALS:
    void sourcesRead();

private:
    QString openAlready(const WorkspaceSource &source) const;
    void readNext();
    void conclude();
    /// The files that are there.
    QStringList checkedFiles(const WorkspaceSource &source);

    DataSets &m_dataSets;
    FileLoader &m_loader;
    QString m_file;
    bool m_isWhole = true;
    QString m_note;
    std::optional<Workspace> m_unchanged;

    bool m_isOpening = false;
    Workspace m_workspace; ///< as it was opened
    QStringList m_ids;     ///< by source
    std::size_t m_next = 0;
    QStringList m_problems;
    std::vector<WorkspaceSource> m_missing; ///< sources that nothing became of: they are not forgotten
};

} // namespace hearth
