#pragma once

#include "model/store/store.h"
#include "ui/session/worker.h"

#include <QObject>
#include <QStringList>

#include <memory>

namespace hearth {

/// Opens files as one data set, on a thread of its own.
class FileLoader : public QObject {
    Q_OBJECT

public:
    explicit FileLoader(QObject *parent = nullptr);

    /// Gives up what is being read.
    void load(const QStringList &files);
    /// What an earlier run received: files that nobody chose.
    void loadRun(const QStringList &segments, const QString &title);
    void cancel();

Q_SIGNALS:
    void progress(const QString &text);
    /// What has been read so far; more will follow.
    void partLoaded(std::shared_ptr<const Snapshot> snapshot, const QString &title);
    /// Everything; the store is the receiver's to write to.
    void loaded(std::shared_ptr<Store> store, const QString &title, const QStringList &files);
    void failed(const QString &message);

private:
    void load(const QStringList &files, const QString &title, const QStringList &remembered);

    int m_load = 0; ///< number of the load at hand; parts of earlier ones are not wanted any more
    Worker m_worker;
};

} // namespace hearth
