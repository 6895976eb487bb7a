#pragma once

#include "app/window/live_port.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>

#include <memory>

namespace hearth {

class SendersView;

/// Keeps the window of senders up to date while somebody looks at it.
class SendersFeed : public QObject {
    Q_OBJECT

public:
    explicit SendersFeed(const LivePort &port, QObject *parent = nullptr);

    void fill(SendersView *view);

private:
    void count();
    void update() const;

    const LivePort &m_port;
    QPointer<SendersView> m_view;
    std::shared_ptr<const Senders> m_before;
    std::shared_ptr<const Senders> m_now;
    double m_secondsBetween = 0;
    QElapsedTimer m_sinceCount;
};

} // namespace hearth
