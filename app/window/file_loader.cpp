#include "app/window/file_loader.h"

#include "app/window/memory_budget.h"
#include "ingest/formats/format.h"

#include <QFileInfo>
#include <QMetaObject>

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <utility>

namespace hearth {

namespace {

struct Loaded {
    std::shared_ptr<Store> store; ///< null if nothing can be read
    QStringList problems;
};

/// When those who wait for a file want to see something of it: soon, and then whenever twice the time has
/// gone by, so that what it costs stays a part of what reading does.
class Looks {
public:
    bool isDue()
    {
        const auto now = std::chrono::steady_clock::now();
        if (now < m_next)
            return false;
        m_next = now + (now - m_began);
        return true;
    }

private:
    static constexpr std::chrono::milliseconds kFirst{300};

    const std::chrono::steady_clock::time_point m_began = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point m_next = m_began + kFirst;
};

/// Reads files into one store.
class Reading {
public:
    using Report = std::function<void(const QString &)>;
    using Show = std::function<void(std::shared_ptr<const Snapshot>)>;

    /// @param cancel ends reading; what was read is kept
    /// @param show gets what there is so far, now and then
    Reading(std::stop_token cancel, Report report, Show show)
        : m_cancel(std::move(cancel)), m_report(std::move(report)), m_show(std::move(show))
    {}

    /// What can be read of the files. A file that cannot does not keep the others from being shown.
    Loaded read(const QStringList &files);

private:
    void readFile(const QString &file);
    ReadOptions options(const QString &name);
    std::size_t takePart(Batch part);
    void append(Batch batch);
    std::size_t memoryLeft() const { return m_budget - std::min(m_budget, m_store->memoryUse().total()); }

    const std::stop_token m_cancel;
    const Report m_report;
    const Show m_show;
    const std::size_t m_budget = memoryBudget();
    const std::shared_ptr<Store> m_store = std::make_shared<Store>();
    bool m_hasData = false;
    Looks m_looks;
    std::chrono::steady_clock::time_point m_shownAt;
    QStringList m_problems;
};

Loaded Reading::read(const QStringList &files)
{
    for (const QString &file : files) {
        if (m_cancel.stop_requested())
            break;
        if (m_hasData)
            m_show(m_store->publish());
        readFile(file);
    }
    if (m_hasData)
        m_store->publish();
    return {m_hasData ? m_store : nullptr, m_problems};
}

void Reading::readFile(const QString &file)
{
    const QString name = QFileInfo(file).fileName();
    m_report(name + QStringLiteral(": reading"));
    Result<Batch> batch = readProfile(file.toStdString(), options(name));
    if (batch)
        append(std::move(*batch));
    else if (!m_cancel.stop_requested())
        m_problems += QString::fromStdString(batch.error().message);
}

ReadOptions Reading::options(const QString &name)
{
    ReadOptions options;
    options.memoryBudget = memoryLeft();
    options.takePart = [this](Batch part) { return takePart(std::move(part)); };
    options.isLookDue = [this] { return m_looks.isDue(); };
    if (!m_hasData)
        options.preview = [this](Batch soFar) {
            Store store;
            store.append(std::move(soFar));
            m_show(store.publish());
        };
    options.stop = m_cancel;
    options.keepsCancelled = true;
    options.progress = [this, name, last = std::uint64_t(0)](std::uint64_t bytes) mutable {
        constexpr std::uint64_t kStep = std::uint64_t(16) << 20;
        if (bytes / kStep == last)
            return;
        last = bytes / kStep;
        m_report(name + QStringLiteral(": %1 MB read").arg(bytes >> 20));
    };
    return options;
}

/// @return how much memory is left
std::size_t Reading::takePart(Batch part)
{
    constexpr auto kBetweenShows = std::chrono::milliseconds(300);
    append(std::move(part));
    if (const auto now = std::chrono::steady_clock::now(); now - m_shownAt >= kBetweenShows) {
        m_shownAt = now;
        m_show(m_store->publish());
    }
    return memoryLeft();
}

void Reading::append(Batch batch)
{
    m_store->append(std::move(batch));
    m_hasData = true;
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
    m_cancel = std::stop_source();
    m_worker.run([this, files, title, remembered, cancel = m_cancel,
                  load = ++m_load](const std::stop_token &stop) -> Worker::Delivery {
        const std::stop_callback giveUp(stop, [&] { std::stop_source(cancel).request_stop(); });
        const auto report = [this, load](const QString &text) {
            post(load, [&](News &news) { news.progress = text; });
        };
        const auto show = [this, title, load](std::shared_ptr<const Snapshot> snapshot) {
            post(load, [&](News &news) {
                news.part = std::move(snapshot);
                news.title = title;
            });
        };
        Loaded read = Reading(cancel.get_token(), report, show).read(files);
        std::vector<SourceFile> known;
        for (const QString &file : read.store ? remembered : QStringList())
            known.push_back(sourceFile(file));
        const bool isPart = cancel.stop_requested();
        return
            [this, title = isPart ? partOf(title) : title, known = std::move(known), read = std::move(read)] {
                Q_EMIT progress({});
                if (!read.problems.isEmpty())
                    Q_EMIT failed(read.problems.join(QLatin1Char('\n')));
                if (read.store)
                    Q_EMIT loaded(read.store, title, known);
                Q_EMIT finished();
            };
    });
}

/// By the thread that reads. What nobody has heard of yet gives way to what is newer.
void FileLoader::post(int load, const std::function<void(News &)> &change)
{
    const std::lock_guard lock(m_mutex);
    if (m_news.load != load)
        m_news = {};
    m_news.load = load;
    change(m_news);
    QMetaObject::invokeMethod(this, &FileLoader::tell, Qt::QueuedConnection);
}

void FileLoader::tell()
{
    News news;
    {
        const std::lock_guard lock(m_mutex);
        news = std::exchange(m_news, {});
    }
    if (news.load != m_load)
        return;
    if (!news.progress.isEmpty())
        Q_EMIT progress(news.progress);
    if (news.part)
        Q_EMIT partLoaded(news.part, news.title);
}

void FileLoader::cancel()
{
    m_cancel.request_stop();
}

void FileLoader::giveUp()
{
    ++m_load;
    m_worker.run([this](const std::stop_token &) -> Worker::Delivery {
        return [this] {
            Q_EMIT progress({});
            Q_EMIT finished();
        };
    });
}

QString FileLoader::partOf(const QString &title)
{
    return tr("%1 (part)").arg(title);
}

} // namespace hearth
