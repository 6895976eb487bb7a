#pragma once

#include "app/workspace/source_file.h"
#include "model/store/store.h"
#include "ui/session/worker.h"

#include <QObject>
#include <QStringList>

#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace hearth {

/// Opens files as one data set, on a thread of its own. What takes long is shown while it is read.
class FileLoader : public QObject {
    Q_OBJECT

public:
    explicit FileLoader(QObject *parent = nullptr);

    /// Gives up what is being read, as all loads.
    void load(const QStringList &files);
    void load(const QStringList &files, const QString &title);
    /// What an earlier run received: files that nobody chose.
    void loadRun(const QStringList &segments, const QString &title);
    /// Reads no further: what has been read is everything then.
    void cancel();
    /// Nothing of it is wanted any more.
    void giveUp();

    /// What a data set is called of which not everything was read.
    static QString partOf(const QString &title);

Q_SIGNALS:
    void progress(const QString &text);
    /// What has been read so far; more will follow. Not always of the same store.
    void partLoaded(std::shared_ptr<const Snapshot> snapshot, const QString &title);
    /// Everything; the store is the receiver's to write to.
    void loaded(std::shared_ptr<Store> store, const QString &title, const std::vector<SourceFile> &files);
    void failed(const QString &message);
    /// Nothing more comes of what was to be loaded, all of it or nothing.
    void finished();

private:
    /// What is to be told while a file is read.
    struct News {
        int load = 0;
        QString progress; ///< empty: none
        std::shared_ptr<const Snapshot> part;
        QString title;
    };

    void load(const QStringList &files, const QString &title, const QStringList &remembered);
    void post(int load, const std::function<void(News &)> &change);
    void tell();

    int m_load = 0;            ///< number of the load at hand; parts of earlier ones are not wanted any more
    std::stop_source m_cancel; ///< of the load at hand
    std::mutex m_mutex;
    News m_news; ///< guarded by the mutex
    Worker m_worker;
};

} // namespace hearth
