#pragma once

#include "app/workspace/source_file.h"
#include "model/store/store.h"
#include "ui/session/worker.h"

#include <QObject>
#include <QStringList>

#include <memory>
#include <vector>

namespace hearth {

/// Opens files as one data set, on a thread of its own.
class FileLoader : public QObject {
    Q_OBJECT

public:
    explicit FileLoader(QObject *parent = nullptr);

    /// Gives up what is being read.
    void load(const QStringList &files);
    void load(const QStringList &files, const QString &title);
    /// What an earlier run received: files that nobody chose.
    void loadRun(const QStringList &segments, const QString &title);
    void cancel();

Q_SIGNALS:
    void progress(const QString &text);
    /// What has been read so far; more will follow.
    void partLoaded(std::shared_ptr<const Snapshot> snapshot, const QString &title);
    /// Everything; the store is the receiver's to write to.
    void loaded(std::shared_ptr<Store> store, const QString &title, const std::vector<SourceFile> &files);
    void failed(const QString &message);
    /// Nothing more comes of what was to be loaded, all of it or nothing.
    void finished();

private:
    void load(const QStringList &files, const QString &title, const QStringList &remembered);

    int m_load = 0; ///< number of the load at hand; parts of earlier ones are not wanted any more
    Worker m_worker;
};

} // namespace hearth
