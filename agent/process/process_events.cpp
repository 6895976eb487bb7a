#include "agent/process/process_events.h"

#include "agent/bpf/perf_event.h"
#include "agent/process/proc_files.h"

#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <span>

namespace hearth::agent {

namespace {

constexpr std::size_t kRingPages = 64; ///< a power of two
constexpr std::size_t kPageSize = 4096;
constexpr std::size_t kRingBytes = kRingPages * kPageSize;
constexpr std::size_t kTrailer = 16; ///< process, thread and time, at the end of every record

/// What a perf event of one processor writes: a page that says how far, and a ring.
class EventRing {
public:
    static Result<EventRing> open(int processor);

    EventRing(EventRing &&other) noexcept
        : m_event(std::move(other.m_event)), m_page(std::exchange(other.m_page, nullptr))
    {}
    EventRing &operator=(EventRing &&) = delete;
    int descriptor() const { return m_event.get(); }
    ~EventRing()
    {
        if (m_page != nullptr)
            munmap(m_page, kRingBytes + kPageSize);
    }

    /// Calls for each record that has come.
    template <class Take>
    void read(const Take &take);

private:
    EventRing(FileDescriptor event, perf_event_mmap_page *page) : m_event(std::move(event)), m_page(page) {}

    void copy(std::uint64_t position, std::span<std::uint8_t> into) const;

    FileDescriptor m_event;
    perf_event_mmap_page *m_page;
};

/// Build ids instead of inodes are not asked for: kernels (6.18) then mark the records of everybody else who
/// listens as having some, which perf 6.1 takes for a reason to crash.
Result<FileDescriptor> openEvent(int processor)
{
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_DUMMY;
    attributes.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
    attributes.sample_id_all = 1;
    attributes.mmap = 1;
    attributes.mmap2 = 1;
    attributes.comm = 1;
    attributes.comm_exec = 1;
    attributes.task = 1;
    attributes.use_clockid = 1;
    attributes.clockid = CLOCK_MONOTONIC;
    attributes.watermark = 1;
    attributes.wakeup_watermark = kRingBytes / 8;
    return openPerfEvent(attributes, processor);
}

Result<EventRing> EventRing::open(int processor)
{
    auto event = openEvent(processor);
    if (!event)
        return tl::unexpected(event.error());
    void *page = mmap(nullptr, kRingBytes + kPageSize, PROT_READ | PROT_WRITE, MAP_SHARED, event->get(), 0);
    if (page == MAP_FAILED)
        return failure(std::string("cannot map the ring of a perf event: ") + std::strerror(errno));
    return EventRing(std::move(*event), static_cast<perf_event_mmap_page *>(page));
}

void EventRing::copy(std::uint64_t position, std::span<std::uint8_t> into) const
{
    const auto *ring = reinterpret_cast<const std::uint8_t *>(m_page) + kPageSize;
    const std::size_t from = position % kRingBytes;
    const std::size_t first = std::min(into.size(), kRingBytes - from);
    std::copy_n(ring + from, first, into.begin());
    std::copy_n(ring, into.size() - first, into.begin() + static_cast<std::ptrdiff_t>(first));
}

template <class Take>
void EventRing::read(const Take &take)
{
    const std::uint64_t head = std::atomic_ref(m_page->data_head).load(std::memory_order_acquire);
    std::uint64_t tail = m_page->data_tail;
    std::vector<std::uint8_t> record;
    while (tail < head) {
        perf_event_header header{};
        copy(tail, {reinterpret_cast<std::uint8_t *>(&header), sizeof header});
        if (header.size < sizeof header)
            break;
        record.resize(header.size);
        copy(tail, record);
        take(record);
        tail += header.size;
    }
    std::atomic_ref(m_page->data_tail).store(head, std::memory_order_release);
}

template <class Number>
Number numberAt(const std::vector<std::uint8_t> &record, std::size_t at)
{
    Number number = 0;
    if (at + sizeof number <= record.size())
        std::memcpy(&number, record.data() + at, sizeof number);
    return number;
}

std::string textAt(const std::vector<std::uint8_t> &record, std::size_t at, std::size_t size)
{
    if (at >= record.size())
        return {};
    const auto *text = reinterpret_cast<const char *>(record.data()) + at;
    return {text, strnlen(text, std::min(size, record.size() - at))};
}

// Where the members of records are.
namespace at {
constexpr std::size_t kProcess = 8;
constexpr std::size_t kForkParent = 12, kForkThread = 16;
constexpr std::size_t kAddress = 16, kLength = 24, kOffset = 32, kMajor = 40, kMinor = 44, kInode = 48;
constexpr std::size_t kPath = 72;
constexpr std::size_t kLostCount = 16;
} // namespace at

bool parseMapping(const std::vector<std::uint8_t> &record, ProcessEvent &event)
{
    event.kind = ProcessEvent::Kind::Mapped;
    MappedCode &code = event.code;
    code.begin = numberAt<std::uint64_t>(record, at::kAddress);
    if (__builtin_add_overflow(code.begin, numberAt<std::uint64_t>(record, at::kLength), &code.end))
        return false;
    code.offset = numberAt<std::uint64_t>(record, at::kOffset);
    code.device =
        makedev(numberAt<std::uint32_t>(record, at::kMajor), numberAt<std::uint32_t>(record, at::kMinor));
    code.inode = numberAt<std::uint64_t>(record, at::kInode);
    code.path = withoutDeleted(textAt(record, at::kPath, record.size() - at::kPath - kTrailer));
    if (code.path.starts_with("//")) // "//anon": memory without a file
        code.path.clear();
    return true;
}

class KernelEvents : public ProcessEvents {
public:
    Result<void> open()
    {
        for (const int processor : onlineProcessors()) {
            auto ring = EventRing::open(processor);
            if (!ring)
                return tl::unexpected(ring.error());
            epoll_event readable{.events = EPOLLIN, .data = {}};
            if (epoll_ctl(m_poll.get(), EPOLL_CTL_ADD, ring->descriptor(), &readable) != 0)
                return failure(std::string("cannot wait for perf events: ") + std::strerror(errno));
            m_rings.push_back(std::move(*ring));
        }
        return {};
    }

    int descriptor() const override { return m_poll.get(); }

    void read(std::vector<ProcessEvent> &events) override
    {
        for (EventRing &ring : m_rings)
            ring.read([&](const std::vector<std::uint8_t> &record) {
                ProcessEvent event;
                if (parseProcessEvent(record, event))
                    events.push_back(std::move(event));
                else if (numberAt<std::uint32_t>(record, 0) == PERF_RECORD_LOST)
                    m_lost += numberAt<std::uint64_t>(record, at::kLostCount);
            });
    }

    std::uint64_t lost() const override { return m_lost; }

private:
    const FileDescriptor m_poll{epoll_create1(EPOLL_CLOEXEC)};
    std::vector<EventRing> m_rings;
    std::uint64_t m_lost = 0;
};

} // namespace

bool parseProcessEvent(const std::vector<std::uint8_t> &record, ProcessEvent &event)
{
    if (record.size() < sizeof(perf_event_header) + 8 + kTrailer)
        return false;
    perf_event_header header{};
    std::memcpy(&header, record.data(), sizeof header);
    event.process = numberAt<std::uint32_t>(record, at::kProcess);
    event.timeNs = numberAt<std::uint64_t>(record, record.size() - 8);
    const bool isThread = event.process != numberAt<std::uint32_t>(record, at::kForkThread);
    switch (header.type) {
    case PERF_RECORD_MMAP2:
        return record.size() > at::kPath + kTrailer && parseMapping(record, event);
    case PERF_RECORD_COMM:
        event.kind = ProcessEvent::Kind::Executed;
        return (header.misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
    case PERF_RECORD_FORK:
        event.kind = ProcessEvent::Kind::Forked;
        event.parent = numberAt<std::uint32_t>(record, at::kForkParent);
        return !isThread && event.parent != event.process;
    case PERF_RECORD_EXIT:
        event.kind = ProcessEvent::Kind::Ended;
        return !isThread;
    default:
        return false;
    }
}

Result<std::unique_ptr<ProcessEvents>> ProcessEvents::open()
{
    auto events = std::make_unique<KernelEvents>();
    if (auto opened = events->open(); !opened)
        return tl::unexpected(opened.error());
    return events;
}

} // namespace hearth::agent
