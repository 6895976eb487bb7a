#include "agent/export/profile_finisher.h"

#include "agent/session/priority.h"
#include "agent/session/privileges.h"
#include "ingest/otlp/encode/profiles.h"
#include "model/store/store.h"

#include <utility>

namespace hearth::agent {

namespace {

constexpr std::size_t kMostWaiting = 16;

} // namespace

ProfileFinisher::ProfileFinisher(Take take) : m_take(std::move(take)), m_thread([this] { run(); }) {}

void ProfileFinisher::add(Profile profile)
{
    std::unique_lock lock(m_mutex);
    m_hasChanged.wait(lock, [this] { return m_waiting.size() < kMostWaiting; });
    m_waiting.push_back(std::move(profile));
    m_hasChanged.notify_all();
}

void ProfileFinisher::finish()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
        m_hasChanged.notify_all();
    }
    if (m_thread.joinable())
        m_thread.join();
}

void ProfileFinisher::run()
{
    giveUpCapabilities();
    goWithTheRest();
    for (;;) {
        std::unique_lock lock(m_mutex);
        m_hasChanged.wait(lock, [this] { return !m_waiting.empty() || m_isEnding; });
        if (m_waiting.empty())
            return;
        Profile profile = std::move(m_waiting.front());
        m_waiting.pop_front();
        const bool isHurried = !m_waiting.empty() && !m_isEnding;
        m_hasChanged.notify_all();
        lock.unlock();
        m_namer.name(profile, isHurried);
        Store store;
        store.append(std::move(profile.batch));
        m_take(otlp::profilesOf(*store.publish()));
    }
}

} // namespace hearth::agent
