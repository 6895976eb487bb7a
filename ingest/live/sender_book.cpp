#include "ingest/live/sender_book.h"

#include <algorithm>

namespace hearth {

namespace {

// Who sends garbage decides how many senders and reasons there are, so there is an end to them.
constexpr std::size_t kMostSenders = 1000;
constexpr std::size_t kMostReasons = 32;
constexpr std::size_t kLongestText = 300;
constexpr const char *kOtherReasons = "other reasons";

std::string hostOf(const std::string &peer)
{
    return peer.substr(0, peer.rfind(':'));
}

void countReason(Sender &sender, const std::string &reason, std::uint64_t count)
{
    const auto known = sender.reasons.find(reason.substr(0, kLongestText));
    if (known != sender.reasons.end())
        known->second += count;
    else if (sender.reasons.size() < kMostReasons)
        sender.reasons.emplace(reason.substr(0, kLongestText), count);
    else
        sender.reasons[kOtherReasons] += count;
}

} // namespace

void SenderBook::accepted(const Request &request, const std::string &generation, std::uint64_t samples,
                          std::uint64_t rejected, const std::string &reason)
{
    const std::lock_guard lock(m_mutex);
    Sender &sender = senderOf(request.peer, request.userAgent);
    if (!generation.empty())
        sender.generation = generation;
    ++sender.requests;
    sender.samples += samples;
    sender.bytes += request.body.size();
    sender.rejected += rejected;
    if (!reason.empty())
        countReason(sender, reason, std::max<std::uint64_t>(rejected, 1));
    ++m_totals.requests;
    m_totals.samples += samples;
    m_totals.bytes += request.body.size();
    m_totals.rejected += rejected;
}

void SenderBook::refused(const std::string &peer, const std::string &userAgent, const std::string &reason)
{
    const std::lock_guard lock(m_mutex);
    Sender &sender = senderOf(peer, userAgent);
    ++sender.refused;
    countReason(sender, reason, 1);
    ++m_totals.refused;
}

std::shared_ptr<const Senders> SenderBook::snapshot() const
{
    const std::lock_guard lock(m_mutex);
    if (m_snapshot)
        return m_snapshot;
    auto senders = std::make_shared<Senders>(m_totals);
    for (const auto &[key, sender] : m_senders)
        senders->senders.push_back(sender);
    std::ranges::sort(senders->senders, std::greater(), &Sender::lastSeen);
    m_snapshot = std::move(senders);
    return m_snapshot;
}

Sender &SenderBook::senderOf(const std::string &peer, const std::string &userAgent)
{
    m_snapshot = nullptr;
    const auto [place, isNew] = m_senders.try_emplace({hostOf(peer), userAgent.substr(0, kLongestText)});
    Sender &sender = place->second;
    sender.peer = peer;
    sender.userAgent = place->first.second;
    sender.lastSeen = std::chrono::system_clock::now();
    if (isNew && m_senders.size() > kMostSenders)
        forgetOldest();
    return sender;
}

void SenderBook::forgetOldest()
{
    m_senders.erase(
        std::ranges::min_element(m_senders, {}, [](const auto &entry) { return entry.second.lastSeen; }));
}

} // namespace hearth
