#pragma once

#include "ingest/code/source_places.h"
#include "ingest/symbols/program_finder.h"
#include "model/code/code_reader.h"
#include "ui/session/worker.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>

namespace hearth {

/// Has who reads code for the windows, and looks for sources in folders that users name.
class SourceSearch : public QObject {
    Q_OBJECT

public:
    explicit SourceSearch(QObject *parent = nullptr);
    ~SourceSearch() override;

    /// @param folders or files with programs
    /// @param servers that the user agreed to ask
    /// @param sources folders, or FROM=TO
    void setPlaces(const QStringList &folders, const QStringList &servers, const QStringList &sources);
    const std::shared_ptr<CodeReader> &reader() const { return m_reader; }

    /// In the background. @param wanted the file as it was when it was compiled
    void findIn(const QString &wanted, const QString &folder);

Q_SIGNALS:
    void readerChanged();
    void found(const QString &place); ///< that the file, and what was beside it, is at
    void failed(const QString &message);

private:
    SearchPlaces m_programs;
    SourcePlaces m_sources;
    std::shared_ptr<CodeReader> m_reader;
    Worker m_worker;
};

} // namespace hearth
