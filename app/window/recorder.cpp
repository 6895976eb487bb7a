#include "app/window/recorder.h"

#include <utility>

namespace hearth {

namespace {

constexpr int kBetweenStatesMs = 200;

QString textOf(const std::string &text)
{
    return QString::fromStdString(text);
}

QString missingText(const RecordingStatus &status)
{
    QStringList lines;
    for (const std::string &missing : status.missing)
        lines += QObject::tr("missing %1").arg(textOf(missing));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

Recorder::Recorder(DataSets &dataSets, SymbolSearch &symbols, LaunchPlaces places, QObject *parent)
    : QObject(parent), m_dataSets(dataSets), m_symbols(symbols), m_places(std::move(places))
{
    m_clock.setInterval(kBetweenStatesMs);
    connect(&m_clock, &QTimer::timeout, this, &Recorder::showState);
}

Recorder::~Recorder() = default;

void Recorder::start(const RecordChoice &choice, const QString &portAddress)
{
    if (m_current)
        return;
    m_current = std::make_unique<Recording>(choice, m_places, portAddress);
    m_currentId.clear();
    m_wasNoted = false;
    connect(m_current.get(), &Recording::statusChanged, this, &Recorder::takeStatus);
    connect(m_current.get(), &Recording::updated, this,
            [this, recording = m_current.get()] { takeData(*recording); });
    m_clock.start();
    takeStatus();
}

void Recorder::stop()
{
    if (m_current)
        m_current->stop();
}

void Recorder::forget(const QString &id)
{
    if (m_recordings.erase(id) > 0 || id.isEmpty() || id != m_currentId)
        return;
    m_current = nullptr;
    m_currentId.clear();
    m_clock.stop();
    Q_EMIT stateChanged({});
}

QString Recorder::idOf(const Recording &recording) const
{
    if (m_current.get() == &recording)
        return m_currentId;
    for (const auto &[id, known] : m_recordings)
        if (known.get() == &recording)
            return id;
    return {};
}

void Recorder::takeData(Recording &recording)
{
    const auto snapshot = recording.snapshot();
    if (!snapshot || snapshot->sampleCount() == 0)
        return;
    const QString id = idOf(recording);
    if (!id.isEmpty()) {
        m_symbols.follow(id, snapshot);
        return m_dataSets.update(id, snapshot);
    }
    if (m_current.get() != &recording)
        return;
    m_currentId = m_dataSets.add(recording.title(), {}, true, snapshot);
    m_symbols.add(m_currentId, [&recording](SymbolUpdate update) { recording.apply(std::move(update)); });
    m_symbols.follow(m_currentId, snapshot);
    Q_EMIT dataSetMade(m_currentId);
    takeStatus(); // it may have been over before
}

void Recorder::takeStatus()
{
    if (!m_current)
        return;
    const RecordingStatus status = m_current->status();
    if (status.phase == RecordingPhase::Recording && !status.missing.empty() &&
        !std::exchange(m_wasNoted, true))
        Q_EMIT noted(missingText(status));
    showState();
    if (status.isOver() && !m_current->hasUnshown())
        conclude();
}

void Recorder::conclude()
{
    const RecordingStatus status = m_current->status();
    const RecordChoice choice = m_current->choice();
    const QString id = std::exchange(m_currentId, {});
    const bool isEmpty = id.isEmpty() && status.began != std::chrono::steady_clock::time_point();
    m_clock.stop();
    m_current->close();
    std::unique_ptr<Recording> recording = std::move(m_current);
    if (!id.isEmpty()) {
        m_dataSets.finish(id, recording->title());
        m_recordings.emplace(id, std::move(recording));
        Q_EMIT finished(id);
    } else {
        recording.release()->deleteLater(); // it is it that has told of its end
    }
    Q_EMIT stateChanged({});
    if (status.failure)
        Q_EMIT failed(*status.failure, choice);
    else if (isEmpty)
        Q_EMIT noted(tr("Nothing was recorded: %1 did not run meanwhile.").arg(targetText(choice)));
}

void Recorder::showState()
{
    if (!m_current)
        return;
    const RecordingStatus status = m_current->status();
    const QString missing = missingText(status);
    Q_EMIT stateChanged(
        {.isOn = true,
         .isStopping = status.phase == RecordingPhase::Stopping || status.isOver(),
         .text = textOf(progressText(status, std::chrono::steady_clock::now())),
         .toolTip = m_current->title() + (missing.isEmpty() ? QString() : QLatin1Char('\n') + missing)});
}

RecordRights Recorder::rights() const
{
    using Kind = RecordRights::Kind;
    const QString needs = tr(
        "The sampler loads programs into the kernel and looks into other users' processes: it needs CAP_BPF, "
        "CAP_PERFMON, CAP_SYS_PTRACE, CAP_SYSLOG and CAP_DAC_READ_SEARCH, and gives up everything else. ");
    const LaunchPlan plan = planLaunch(m_places);
    switch (plan.way) {
    case LaunchWay::Direct:
        return {Kind::Granted, needs + (plan.isRoot ? tr("Hearth runs as root, so it has them.")
                                                    : tr("It has them on this machine."))};
    case LaunchWay::Polkit:
        return {Kind::Asked, needs + tr("You will be asked to authorise that.")};
    case LaunchWay::ByHand:
        return {Kind::ByHand,
                needs + tr("This user has not got them, and nobody can be asked here: you will be given a "
                           "command for a terminal.")};
    case LaunchWay::NoAgent:
        break;
    }
    return {Kind::NoSampler, tr("hearth-agent, the sampler, is not installed beside hearth.")};
}

} // namespace hearth
