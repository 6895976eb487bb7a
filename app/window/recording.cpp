#include "app/window/recording.h"

#include "app/window/live_options.h"
#include "ingest/live/decode_request.h"

#include <QDir>
#include <QMetaObject>
#include <QProcess>

#include <array>
#include <utility>

namespace hearth {

namespace {

QString folderTemplate()
{
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    return (runtime.isEmpty() ? QDir::tempPath() : runtime) + QStringLiteral("/hearth-record-XXXXXX");
}

RecordingRequest requestOf(const RecordChoice &choice)
{
    RecordingRequest request{.frequency = static_cast<unsigned>(choice.frequency),
                             .isOffCpu = choice.isOffCpu,
                             .symbols = choice.hasNames ? "" : "none"};
    switch (choice.target) {
    case RecordTarget::Machine:
        break;
    case RecordTarget::Process:
        request.processes = {choice.process};
        break;
    case RecordTarget::Command:
        for (const QString &word : QProcess::splitCommand(choice.command))
            request.command.push_back(word.toStdString());
        request.directory = (choice.directory.isEmpty() ? QDir::homePath() : choice.directory).toStdString();
        break;
    case RecordTarget::Cgroup:
        request.cgroup = choice.cgroup.toStdString();
        break;
    }
    return request;
}

} // namespace

Recording::Recording(RecordChoice choice, const LaunchPlaces &places, const QString &portAddress,
                     QObject *parent)
    : QObject(parent), m_choice(std::move(choice)), m_folder(folderTemplate()),
      m_live(std::make_unique<LiveStore>(decodeRequest, liveOptions([this] {
                                             QMetaObject::invokeMethod(this, &Recording::updated,
                                                                       Qt::QueuedConnection);
                                         })))
{
    m_problem = listen();
    if (!m_problem.isEmpty())
        return;
    RecordingOrder order{.request = requestOf(m_choice),
                         .delivery = {"--to", toString(m_server->addresses().front())},
                         .deliveryByHand = {},
                         .isInTerminal = false};
    if (!portAddress.isEmpty())
        order.deliveryByHand = {"--to", portAddress.toStdString()};
    m_run = std::make_unique<RecordingRun>(std::move(order), places, [this] {
        QMetaObject::invokeMethod(this, &Recording::statusChanged, Qt::QueuedConnection);
    });
}

Recording::~Recording()
{
    m_run = nullptr;
    close();
}

/// @return why not; empty if it does
QString Recording::listen()
{
    if (!m_folder.isValid())
        return m_folder.errorString();
    auto server = Server::start(
        std::array{Address{
            .host = {}, .port = 0, .path = m_folder.filePath(QStringLiteral("socket")).toStdString()}},
        [this](const Request &request) { return m_live->receive(request); },
        [this](const Refusal &refusal) { m_live->refused(refusal); });
    if (!server)
        return QString::fromStdString(server.error().message);
    m_server = std::move(*server);
    return {};
}

void Recording::close()
{
    if (m_server)
        m_server->stop();
    m_server = nullptr;
}

bool Recording::hasUnshown() const
{
    const auto shown = m_live->snapshot();
    return m_live->senders()->samples > 0 && (!shown || shown->sampleCount() == 0);
}

RecordingStatus Recording::status() const
{
    if (m_run)
        return m_run->status();
    RecordingStatus status;
    status.phase = RecordingPhase::Failed;
    status.failure = cannotStart("has nowhere to send to: " + m_problem.toStdString());
    return status;
}

void Recording::stop()
{
    if (m_run)
        m_run->stop();
}

QString Recording::title() const
{
    const RecordingStatus now = status();
    if (!now.isOver())
        return tr("record of %1").arg(targetText(m_choice));
    return tr("record of %1, %2").arg(targetText(m_choice), QString::fromStdString(elapsedText(now.elapsed)));
}

} // namespace hearth
