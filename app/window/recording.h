#pragma once

#include "app/record/recording_run.h"
#include "ingest/live/live_store.h"
#include "ingest/server/server.h"
#include "ui/record/record_choice.h"

#include <QObject>
#include <QString>
#include <QTemporaryDir>

#include <memory>

namespace hearth {

/// One recording in the window: the sampler, a socket that only this user and it can reach, and the data set
/// that it fills.
class Recording : public QObject {
    Q_OBJECT

public:
    /// @param portAddress where an agent can send that is started by hand; may be empty
    Recording(RecordChoice choice, const LaunchPlaces &places, const QString &portAddress,
              QObject *parent = nullptr);
    ~Recording() override;

    const RecordChoice &choice() const { return m_choice; }
    RecordingStatus status() const;
    void stop();
    /// Listens no longer; the data stays.
    void close();

    std::shared_ptr<const Snapshot> snapshot() const { return m_live->snapshot(); }
    /// Whether samples have come of which no snapshot shows anything yet; updated() will be emitted.
    bool hasUnshown() const;
    /// Names frames of what was recorded. Any thread.
    void apply(SymbolUpdate update) { m_live->apply(std::move(update)); }

    /// "record of PID 4711 shop", and how long it took when it is over.
    QString title() const;

Q_SIGNALS:
    /// There is more data; at most ten times a second.
    void updated();
    void statusChanged();

private:
    QString listen();

    const RecordChoice m_choice;
    QTemporaryDir m_folder;
    QString m_problem; ///< why there is no socket
    std::unique_ptr<LiveStore> m_live;
    std::unique_ptr<Server> m_server;    ///< stops before what it fills goes
    std::unique_ptr<RecordingRun> m_run; ///< null if there is no socket
};

} // namespace hearth
