#include "app/window/file_loader.h"

#include "app/window/memory_budget.h"
#include "ingest/formats/format.h"

#include <QFileInfo>
#include <QMetaObject>

#include <chrono>
#include <utility>

namespace hearth {

namespace {

struct Loaded {
    std::shared_ptr<Store> store; ///< null if nothing can be read
    QStringList problems;
};

/// What can be read of the files. A file that cannot does not keep the others from being shown.
/// @param show gets what there is so far, now and then, if the format comes in parts
Loaded readAll(const QStringList &files, const std::stop_token &stop,
               const std::function<void(const QString &)> &report,
               const std::function<void(std::shared_ptr<const Snapshot>)> &show)
{
    constexpr auto kBetweenShows = std::chrono::milliseconds(300);
    auto shownAt = std::chrono::steady_clock::now();
    const std::size_t budget = memoryBudget();
    const auto store = std::make_shared<Store>();
    Loaded loaded;
    bool hasData = false;
    for (const QString &file : files) {
        const QString name = QFileInfo(file).fileName();
        report(name + QStringLiteral(": reading"));
        ReadOptions options;
        const auto memoryLeft = [&] { return budget - std::min(budget, store->memoryUse().total()); };
        options.memoryBudget = memoryLeft();
        options.takePart = [&](Batch part) {
            store->append(std::move(part));
            if (const auto now = std::chrono::steady_clock::now(); now - shownAt >= kBetweenShows) {
                shownAt = now;
                show(store->publish());
            }
            return memoryLeft();
        };
        options.stop = stop;
        options.progress = [&, last = std::uint64_t(0)](std::uint64_t bytes) mutable {
            constexpr std::uint64_t kStep = std::uint64_t(16) << 20;
            if (bytes / kStep == last)
                return;
            last = bytes / kStep;
            report(name + QStringLiteral(": %1 MB read").arg(bytes >> 20));
        };
        Result<Batch> batch = readProfile(file.toStdString(), options);
        if (stop.stop_requested())
            return {};
        if (!batch) {
            loaded.problems += QString::fromStdString(batch.error().message);
            continue;
        }
        store->append(std::move(*batch));
        hasData = true;
    }
    if (!hasData)
        return loaded;
    store->publish();
    loaded.store = store;
    return loaded;
}

} // namespace

FileLoader::FileLoader(QObject *parent) : QObject(parent) {}

void FileLoader::load(const QStringList &files)
{
    QString title = QFileInfo(files.value(0)).fileName();
    if (files.size() > 1)
        title += tr(" and %1 more").arg(files.size() - 1);
    load(files, title);
}

void FileLoader::load(const QStringList &files, const QString &title)
{
    load(files, title, files);
}

void FileLoader::loadRun(const QStringList &segments, const QString &title)
{
    load(segments, title, {});
}

void FileLoader::load(const QStringList &files, const QString &title, const QStringList &remembered)
{
    m_worker.run([this, files, title, remembered,
                  load = ++m_load](const std::stop_token &stop) -> Worker::Delivery {
        const auto report = [this](const QString &text) {
            QMetaObject::invokeMethod(this, [this, text] { Q_EMIT progress(text); }, Qt::QueuedConnection);
        };
        const auto show = [this, title, load](std::shared_ptr<const Snapshot> snapshot) {
            QMetaObject::invokeMethod(
                this,
                [this, title, load, snapshot = std::move(snapshot)] {
                    if (load == m_load)
                        Q_EMIT partLoaded(snapshot, title);
                },
                Qt::QueuedConnection);
        };
        Loaded read = readAll(files, stop, report, show);
        std::vector<SourceFile> known;
        for (const QString &file : read.store ? remembered : QStringList())
            known.push_back(sourceFile(file));
        return [this, title, known = std::move(known), read = std::move(read)] {
            Q_EMIT progress({});
            if (!read.problems.isEmpty())
                Q_EMIT failed(read.problems.join(QLatin1Char('\n')));
            if (read.store)
                Q_EMIT loaded(read.store, title, known);
            Q_EMIT finished();
        };
    });
}

void FileLoader::cancel()
{
    ++m_load;
    m_worker.run(
        [this](const std::stop_token &) -> Worker::Delivery { return [this] { Q_EMIT progress({}); }; });
}

} // namespace hearth
