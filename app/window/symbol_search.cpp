#include "app/window/symbol_search.h"

#include <QMetaObject>

namespace hearth {

namespace {

QString text(const std::string &utf8)
{
    return QString::fromStdString(utf8);
}

} // namespace

SymbolSearch::SymbolSearch(QObject *parent) : QObject(parent)
{
    m_places.names = defaultNameCache();
}

SymbolSearch::~SymbolSearch() = default;

void SymbolSearch::add(const QString &id, std::shared_ptr<Store> store)
{
    start(id, [this, id, store](SymbolUpdate update) {
        store->apply(update);
        QMetaObject::invokeMethod(
            this, [this, id, snapshot = store->publish()] { Q_EMIT named(id, snapshot); },
            Qt::QueuedConnection);
    });
    follow(id, store->snapshot());
}

void SymbolSearch::add(const QString &id, std::function<void(SymbolUpdate)> apply)
{
    start(id, std::move(apply));
}

void SymbolSearch::start(const QString &id, std::function<void(SymbolUpdate)> take)
{
    Symbolizer::Receiver receiver;
    receiver.take = [this, take = std::move(take)](SymbolUpdate update) {
        for (const BinarySymbols &binary : update.binaries)
            tell(binary);
        take(std::move(update));
    };
    receiver.progress = [this](const SymbolProgress &progress) {
        const bool isOver = progress.binaries == progress.allBinaries;
        const QString line = isOver ? QString()
                                    : tr("names: %1 of %2, %3")
                                          .arg(progress.binaries + 1)
                                          .arg(progress.allBinaries)
                                          .arg(text(progress.binary));
        QMetaObject::invokeMethod(this, [this, line] { Q_EMIT progressChanged(line); }, Qt::QueuedConnection);
    };
    m_threads[id] = std::make_shared<SymbolThread>(m_places, std::move(receiver));
}

/// In the thread of the search.
void SymbolSearch::tell(const BinarySymbols &binary)
{
    const bool isFound = binary.source != SymbolSource::None;
    QString line =
        isFound ? tr("%1: names from %2").arg(text(binary.name), text(binary.file)) : text(binary.name);
    if (!binary.problem.empty())
        line += QStringLiteral(": ") + text(binary.problem);
    QMetaObject::invokeMethod(
        this, [this, line, isFound] { Q_EMIT lookedAt(line, isFound); }, Qt::QueuedConnection);
}

void SymbolSearch::follow(const QString &id, std::shared_ptr<const Snapshot> snapshot)
{
    if (const auto thread = m_threads.value(id))
        thread->follow(std::move(snapshot));
}

void SymbolSearch::remove(const QString &id)
{
    m_threads.remove(id);
}

void SymbolSearch::lookAgain(const QString &id, const std::vector<BinaryId> &binaries)
{
    if (const auto thread = m_threads.value(id))
        thread->lookAgain(binaries);
}

void SymbolSearch::setPlaces(const QStringList &folders, const QStringList &servers)
{
    SearchPlaces places;
    places.names = m_places.names;
    for (const QString &folder : folders)
        places.folders.push_back(folder.toStdString());
    for (const QString &server : servers)
        places.debuginfod.servers.push_back(server.toStdString());
    if (places == m_places)
        return;
    m_places = std::move(places);
    for (const auto &thread : std::as_const(m_threads))
        thread->setPlaces(m_places);
}

} // namespace hearth
