#include "ingest/journal/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace hearth {

namespace {

namespace fs = std::filesystem;

constexpr const char *kRunning = "running";
constexpr std::string_view kSegmentEnding = ".otlp.zst";

/// Names sort by time.
std::string runName()
{
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    std::tm utc{};
    ::gmtime_r(&now.tv_sec, &utc);
    std::array<char, 32> seconds{};
    std::strftime(seconds.data(), seconds.size(), "%Y%m%dT%H%M%S", &utc);
    std::array<char, 32> rest{};
    std::snprintf(rest.data(), rest.size(), ".%06ldZ-%d", now.tv_nsec / 1000, ::getpid());
    return std::string(seconds.data()) + rest.data();
}

std::string segmentName(unsigned number)
{
    std::array<char, 16> digits{};
    std::snprintf(digits.data(), digits.size(), "%06u", number);
    return digits.data() + std::string(kSegmentEnding);
}

std::vector<fs::path> entries(const fs::path &directory)
{
    std::vector<fs::path> found;
    std::error_code error; // what cannot be listed is as good as empty
    for (const auto &entry : fs::directory_iterator(directory, error))
        found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
}

std::vector<fs::path> segmentsOf(const fs::path &run)
{
    std::vector<fs::path> segments = entries(run);
    std::erase_if(segments, [](const fs::path &path) { return !path.string().ends_with(kSegmentEnding); });
    return segments;
}

std::uint64_t sizeOf(const fs::path &path)
{
    std::error_code error;
    const std::uint64_t size = fs::file_size(path, error);
    return error ? 0 : size;
}

/// Whether the process of the run is still there: it holds a lock that goes with it.
bool isGoingOn(const fs::path &run)
{
    const int descriptor = ::open((run / kRunning).c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    const bool isLocked = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    return isLocked;
}

/// A run that ended before anything came. A new one looks like that until it has its lock.
void removeIfOldAndEmpty(const fs::path &run)
{
    std::error_code error;
    const auto changed = fs::last_write_time(run, error);
    const bool isOld = !error && fs::file_time_type::clock::now() - changed > std::chrono::minutes(1);
    const auto segments = segmentsOf(run);
    const bool isEmpty =
        std::ranges::all_of(segments, [](const fs::path &path) { return sizeOf(path) == 0; });
    if (isOld && isEmpty && !isGoingOn(run))
        fs::remove_all(run, error);
}

void syncDirectory(const fs::path &path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
}

} // namespace

fs::path journalDirectory()
{
    const char *const state = std::getenv("XDG_STATE_HOME");
    if (state != nullptr && *state == '/')
        return fs::path(state) / "hearth/journal";
    const char *const home = std::getenv("HOME");
    return fs::path(home != nullptr ? home : ".") / ".local/state/hearth/journal";
}

// ---- this run

Result<std::unique_ptr<Journal>> Journal::open(JournalOptions options)
{
    std::error_code error;
    fs::create_directories(options.directory, error);
    const fs::path run = options.directory / runName();
    if (!error)
        fs::create_directory(run, error);
    if (!error)
        fs::permissions(run, fs::perms::owner_all, error); // what programs send is nobody else's business
    if (error)
        return failure("cannot keep a journal in " + run.string() + ": " + error.message());
    const int lock = ::open((run / kRunning).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0 || ::flock(lock, LOCK_EX | LOCK_NB) != 0) {
        const std::string reason = std::strerror(errno);
        if (lock >= 0)
            ::close(lock);
        return failure("cannot keep a journal in " + run.string() + ": " + reason);
    }
    std::unique_ptr<Journal> journal(new Journal(std::move(options), run, lock));
    if (const auto begun = journal->beginSegment(); !begun)
        return tl::unexpected(begun.error());
    return journal;
}

Journal::Journal(JournalOptions options, fs::path run, int lock)
    : m_options(std::move(options)), m_run(std::move(run)), m_lock(lock),
      m_syncing([this](const std::stop_token &stop) { syncNowAndThen(stop); })
{
    for (const fs::path &other : entries(m_options.directory)) {
        for (const fs::path &segment : segmentsOf(other))
            m_otherBytes += sizeOf(segment);
        removeIfOldAndEmpty(other);
    }
}

Journal::~Journal()
{
    m_syncing.request_stop();
    m_wake.notify_all();
    m_syncing.join();
    sync();
    const bool isEmpty = m_segments == 1 && m_segment->size() == 0;
    std::error_code error; // the run then counts as unfinished, and is offered
    if (isEmpty)
        fs::remove_all(m_run, error);
    else
        fs::remove(m_run / kRunning, error);
    ::close(m_lock);
}

Result<void> Journal::append(std::string_view record)
{
    // m_segment is changed by this thread only.
    if (m_segment->size() > 0 && m_segment->size() + record.size() > m_options.segmentBytes)
        if (const auto begun = beginSegment(); !begun)
            return begun;
    if (const auto appended = m_segment->append(record); !appended)
        return appended;
    const std::lock_guard lock(m_mutex);
    m_isDirty = true;
    return {};
}

Result<void> Journal::beginSegment()
{
    auto segment = MessageFile::create(m_run / segmentName(m_segments + 1));
    if (!segment)
        return tl::unexpected(segment.error());
    sync();
    ++m_segments;
    if (m_segment)
        m_otherBytes += m_segment->size();
    dropOldest();
    const std::lock_guard lock(m_mutex);
    m_segment = std::make_shared<MessageFile>(std::move(*segment));
    return {};
}

/// Makes room for the segment that begins. Of other runs that go on nothing is taken.
void Journal::dropOldest()
{
    const std::uint64_t room = m_options.mostBytes - std::min(m_options.mostBytes, m_options.segmentBytes);
    for (const fs::path &run : entries(m_options.directory)) {
        if (m_otherBytes <= room)
            return;
        if (run != m_run && isGoingOn(run))
            continue;
        std::error_code error;
        for (const fs::path &segment : segmentsOf(run)) {
            if (m_otherBytes <= room || segment == m_run / segmentName(m_segments))
                break;
            m_otherBytes -= std::min(m_otherBytes, sizeOf(segment));
            fs::remove(segment, error);
        }
        if (run != m_run && segmentsOf(run).empty())
            fs::remove_all(run, error);
    }
}

void Journal::syncNowAndThen(const std::stop_token &stop)
{
    while (!stop.stop_requested()) {
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait_for(lock, stop, m_options.syncInterval, [] { return false; });
        }
        sync();
    }
}

void Journal::sync()
{
    std::shared_ptr<MessageFile> segment;
    {
        const std::lock_guard lock(m_mutex);
        if (!std::exchange(m_isDirty, false))
            return;
        segment = m_segment;
    }
    if (!segment->sync()) { // the next append fails too, and says why
        const std::lock_guard lock(m_mutex);
        m_isDirty = true;
    }
    syncDirectory(m_run);
}

// ---- earlier runs

std::vector<UnfinishedRun> unfinishedRuns(const fs::path &directory)
{
    std::vector<UnfinishedRun> runs;
    for (const fs::path &path : entries(directory)) {
        std::error_code error;
        if (!fs::exists(path / kRunning, error) || isGoingOn(path))
            continue;
        UnfinishedRun run{.path = path, .segments = segmentsOf(path)};
        for (const fs::path &segment : run.segments)
            run.bytes += sizeOf(segment);
        if (run.bytes > 0)
            runs.push_back(std::move(run));
    }
    return runs;
}

void markFinished(const UnfinishedRun &run)
{
    std::error_code error; // it is offered again
    fs::remove(run.path / kRunning, error);
}

} // namespace hearth
