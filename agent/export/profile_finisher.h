#pragma once

#include "agent/export/profile.h"
#include "agent/symbols/line_namer.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace hearth::agent {

/// Names and encodes profiles in a thread of its own, so that reading debug information does not hold up the
/// recording. The thread begins by giving up all capabilities: what it reads are other people's files.
class ProfileFinisher {
public:
    using Take = std::function<void(std::string)>;

    /// @param take is called in that thread, with an OTLP message for each profile
    explicit ProfileFinisher(Take take);
    ProfileFinisher(const ProfileFinisher &) = delete;
    ProfileFinisher &operator=(const ProfileFinisher &) = delete;
    ~ProfileFinisher() { finish(); }

    /// Waits if far too many are waiting already.
    void add(Profile profile);

    /// Waits until all are done. Nothing is added any more.
    void finish();

private:
    void run();

    const Take m_take;
    std::mutex m_mutex;
    std::condition_variable m_hasChanged;
    // guarded by m_mutex
    std::deque<Profile> m_waiting;
    bool m_isEnding = false;

    // the thread's
    LineNamer m_namer;
    std::thread m_thread;
};

} // namespace hearth::agent
