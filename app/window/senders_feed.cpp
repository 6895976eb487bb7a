#include "app/window/senders_feed.h"

#include "app/window/sent_requests.h"
#include "ui/senders/senders_view.h"

#include <utility>

namespace hearth {

SendersFeed::SendersFeed(const LivePort &port, QObject *parent) : QObject(parent), m_port(port)
{
    connect(&port, &LivePort::counted, this, &SendersFeed::count);
}

void SendersFeed::fill(SendersView *view)
{
    m_view = view;
    connect(view, &SendersView::shown, this, &SendersFeed::update);
}

void SendersFeed::count()
{
    constexpr double kMilliseconds = 1000;
    m_before = std::exchange(m_now, m_port.senders());
    m_secondsBetween =
        m_sinceCount.isValid() ? static_cast<double>(m_sinceCount.elapsed()) / kMilliseconds : 0;
    m_sinceCount.start();
    if (m_view && m_view->isVisible())
        update();
}

void SendersFeed::update() const
{
    const std::shared_ptr<const Senders> senders = m_now ? m_now : m_port.senders();
    m_view->setSenders(senderRows(*senders, m_before.get(), m_secondsBetween));
    m_view->setRequests(requestRows(m_port.recentRequests()));
}

} // namespace hearth
