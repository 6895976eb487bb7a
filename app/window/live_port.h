#pragma once

#include "ingest/live/live_store.h"
#include "ingest/server/server.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>

namespace hearth {

/// The port while a window is open: receives, and says when there is something new.
class LivePort : public QObject {
    Q_OBJECT

public:
    explicit LivePort(QObject *parent = nullptr);
    ~LivePort() override;

    /// @return why the address cannot be listened on; empty if it is
    QString listen(const Address &address);
    void stop();

    std::shared_ptr<const Snapshot> snapshot() const { return m_live->snapshot(); }
    std::shared_ptr<const Senders> senders() const { return m_live->senders(); }
    const RecentRequests &recentRequests() const { return m_live->recentRequests(); }
    /// Names frames of what was received. Any thread.
    void apply(SymbolUpdate update) { m_live->apply(std::move(update)); }
    /// "127.0.0.1:11000"; empty if nothing listens
    QString address() const;

Q_SIGNALS:
    /// At most ten times a second.
    void updated();
    /// Once a second, from the first request on. @param rate "2 senders · 1,940 records/s"
    void counted(const QString &rate);

private:
    void count();

    QTimer m_rate;
    std::uint64_t m_samplesBefore = 0;
    std::unique_ptr<LiveStore> m_live;
    std::unique_ptr<Server> m_server; ///< stops before what it fills goes
};

} // namespace hearth
