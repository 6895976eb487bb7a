#include "model/views/wait_cause.h"

#include <array>
#include <optional>

namespace hearth {

namespace {

struct Telling {
    std::string_view begin; ///< of a function's name
    WaitCause cause;
};

/// Functions of Linux, glibc, Go and the JVM that a thread waits in. What is nearer to the processor says
/// more: a lock's futex sleeps in the scheduler, a query's socket in a lock of its own.
constexpr std::array kTelling{
    Telling{"futex_", WaitCause::Lock},
    Telling{"do_futex", WaitCause::Lock},
    Telling{"__futex_", WaitCause::Lock},
    Telling{"__lll_lock", WaitCause::Lock},
    Telling{"pthread_mutex_", WaitCause::Lock},
    Telling{"__pthread_mutex_", WaitCause::Lock},
    Telling{"pthread_cond_", WaitCause::Lock},
    Telling{"__pthread_cond_", WaitCause::Lock},
    Telling{"pthread_rwlock_", WaitCause::Lock},
    Telling{"pthread_join", WaitCause::Lock},
    Telling{"sem_wait", WaitCause::Lock},
    Telling{"__mutex_lock", WaitCause::Lock},
    Telling{"mutex_lock", WaitCause::Lock},
    Telling{"rwsem_down_", WaitCause::Lock},
    Telling{"down_read", WaitCause::Lock},
    Telling{"down_write", WaitCause::Lock},
    Telling{"do_wait", WaitCause::Lock},
    Telling{"runtime.semacquire", WaitCause::Lock},
    Telling{"runtime.chanrecv", WaitCause::Lock},
    Telling{"runtime.chansend", WaitCause::Lock},
    Telling{"sync.(*Mutex).", WaitCause::Lock},
    Telling{"sync.(*WaitGroup).", WaitCause::Lock},
    Telling{"jdk.internal.misc.Unsafe.park", WaitCause::Lock},
    Telling{"java.lang.Object.wait", WaitCause::Lock},
    Telling{"io_schedule", WaitCause::Disk},
    Telling{"blk_", WaitCause::Disk},
    Telling{"submit_bio_wait", WaitCause::Disk},
    Telling{"folio_wait_", WaitCause::Disk},
    Telling{"wait_on_page_", WaitCause::Disk},
    Telling{"filemap_fault", WaitCause::Disk},
    Telling{"vfs_fsync", WaitCause::Disk},
    Telling{"ext4_", WaitCause::Disk},
    Telling{"xfs_", WaitCause::Disk},
    Telling{"btrfs_", WaitCause::Disk},
    Telling{"jbd2_", WaitCause::Disk},
    Telling{"tcp_", WaitCause::Network},
    Telling{"udp_", WaitCause::Network},
    Telling{"inet_", WaitCause::Network},
    Telling{"unix_stream_", WaitCause::Network},
    Telling{"sk_wait_", WaitCause::Network},
    Telling{"sk_stream_wait", WaitCause::Network},
    Telling{"sock_", WaitCause::Network},
    Telling{"__skb_wait", WaitCause::Network},
    Telling{"ep_poll", WaitCause::Events},
    Telling{"do_epoll_wait", WaitCause::Events},
    Telling{"epoll_wait", WaitCause::Events},
    Telling{"do_sys_poll", WaitCause::Events},
    Telling{"do_select", WaitCause::Events},
    Telling{"runtime.netpoll", WaitCause::Events},
    Telling{"hrtimer_nanosleep", WaitCause::Sleep},
    Telling{"do_nanosleep", WaitCause::Sleep},
    Telling{"clock_nanosleep", WaitCause::Sleep},
    Telling{"nanosleep", WaitCause::Sleep},
    Telling{"usleep", WaitCause::Sleep},
    Telling{"msleep", WaitCause::Sleep},
    Telling{"time.Sleep", WaitCause::Sleep},
    Telling{"java.lang.Thread.sleep", WaitCause::Sleep},
};

std::optional<WaitCause> causeOf(std::string_view function)
{
    for (const Telling &telling : kTelling)
        if (function.starts_with(telling.begin))
            return telling.cause;
    return std::nullopt;
}

std::vector<std::optional<WaitCause>> causesOfFrames(const Snapshot &snapshot)
{
    std::vector<std::optional<WaitCause>> ofFunction(snapshot.functions.size());
    for (std::size_t i = 0; i < ofFunction.size(); ++i)
        ofFunction[i] = causeOf(snapshot.text(snapshot.functions[i].name));
    std::vector<std::optional<WaitCause>> ofFrame(snapshot.frames.size());
    for (std::size_t i = 0; i < ofFrame.size(); ++i)
        for (const Line &line : snapshot.linesOf(FrameId(i)))
            if (!ofFrame[i] && !line.function.isNone())
                ofFrame[i] = ofFunction[line.function.value];
    return ofFrame;
}

} // namespace

std::string_view nameOf(WaitCause cause)
{
    constexpr std::array<std::string_view, kWaitCauses> kNames{"lock",   "disk",  "network",
                                                               "events", "sleep", "other"};
    return kNames[static_cast<std::size_t>(cause)];
}

std::vector<WaitCause> waitCauses(const Snapshot &snapshot)
{
    const auto ofFrame = causesOfFrames(snapshot);
    std::vector<WaitCause> causes(snapshot.stacks.size(), WaitCause::Other);
    for (std::size_t stack = 0; stack < causes.size(); ++stack)
        if (const StackNode &node = snapshot.stacks[stack]; !node.parent.isNone())
            causes[stack] = ofFrame[node.frame.value].value_or(causes[node.parent.value]);
    return causes;
}

} // namespace hearth
