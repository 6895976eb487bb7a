#include "app/window/live_port.h"

#include "app/window/live_options.h"
#include "ingest/live/decode_request.h"

#include <QLocale>
#include <QMetaObject>

#include <array>

namespace hearth {

LivePort::LivePort(QObject *parent)
    : QObject(parent),
      m_live(std::make_unique<LiveStore>(
          decodeRequest,
          liveOptions([this] { QMetaObject::invokeMethod(this, &LivePort::updated, Qt::QueuedConnection); })))
{
    m_rate.setInterval(1000);
    connect(&m_rate, &QTimer::timeout, this, &LivePort::count);
}

LivePort::~LivePort()
{
    stop();
}

QString LivePort::listen(const Address &address)
{
    auto server = Server::start(
        std::array{address}, [this](const Request &request) { return m_live->receive(request); },
        [this](const Refusal &refusal) { m_live->refused(refusal); });
    if (!server)
        return QString::fromStdString(server.error().message);
    m_server = std::move(*server);
    m_rate.start();
    return {};
}

void LivePort::stop()
{
    m_rate.stop();
    if (m_server)
        m_server->stop();
    m_server = nullptr;
    if (m_live)
        m_live->stop();
}

QString LivePort::address() const
{
    return m_server ? QString::fromStdString(toString(m_server->addresses().front())) : QString();
}

void LivePort::count()
{
    const std::shared_ptr<const Senders> senders = m_live->senders();
    const std::uint64_t rate = senders->samples - m_samplesBefore;
    m_samplesBefore = senders->samples;
    if (senders->requests == 0 && senders->refused == 0)
        return;
    const std::size_t count = senders->senders.size();
    QString text = (count == 1 ? tr("1 sender") : tr("%1 senders").arg(count)) + QStringLiteral(" · ") +
                   tr("%1 records/s").arg(QLocale().toString(qulonglong(rate)));
    if (senders->refused > 0)
        text += QStringLiteral(" · ") + tr("%1 requests refused").arg(senders->refused);
    Q_EMIT counted(text);
}

} // namespace hearth
