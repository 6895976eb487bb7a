#pragma once

#include "ingest/symbols/symbol_thread.h"
#include "model/store/store.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <vector>

namespace hearth {

/// Looks for names for the data sets that are open, in the background.
class SymbolSearch : public QObject {
    Q_OBJECT

public:
    explicit SymbolSearch(QObject *parent = nullptr);
    ~SymbolSearch() override;

    /// A data set that nobody else writes to any more.
    void add(const QString &id, std::shared_ptr<Store> store);
    /// One that grows. @param apply called by another thread
    void add(const QString &id, std::function<void(SymbolUpdate)> apply);
    /// What is new in it gets names, too.
    void follow(const QString &id, std::shared_ptr<const Snapshot> snapshot);
    void remove(const QString &id);

    /// Looks again, there, for what was not found. @param folders or files
    void setPlaces(const QStringList &folders, const QStringList &servers);
    /// Looks again for these binaries of a data set: their files may have come, or have been built anew.
    void lookAgain(const QString &id, const std::vector<BinaryId> &binaries);

Q_SIGNALS:
    /// A data set of add(id, store) shows names that it had not before.
    void named(const QString &id, std::shared_ptr<const Snapshot> snapshot);
    /// "names: 3 of 12, libQt6Core.so.6"; empty when it is over.
    void progressChanged(const QString &text);
    /// What was found of a binary, or why nothing.
    void lookedAt(const QString &text, bool isFound);

private:
    void start(const QString &id, std::function<void(SymbolUpdate)> take);
    void tell(const BinarySymbols &binary);

    SearchPlaces m_places;
    QHash<QString, std::shared_ptr<SymbolThread>> m_threads; ///< by data set
};

} // namespace hearth
