#pragma once

#include "ingest/journal/message_file.h"
#include "model/result.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

// What is received is kept on disk, so that a crash or a kill loses none of it:
//
//   $XDG_STATE_HOME/hearth/journal/
//     20261121T020304.567890Z-4711/     a run of the program: when it began, its process
//       running                         there, and locked, while the run lasts
//       000001.otlp.zst                 segments: ordinary files of OTLP messages
//       000002.otlp.zst
//
// A record is in the page cache before its sender is told "accepted", and on the disk a second later. All
// runs together are bounded; the oldest segments go.

namespace hearth {

struct JournalOptions {
    std::filesystem::path directory; ///< of all runs
    std::uint64_t segmentBytes = std::uint64_t(32) << 20;
    std::uint64_t mostBytes = std::uint64_t(1) << 30;
    std::chrono::milliseconds syncInterval{500};
};

/// $XDG_STATE_HOME/hearth/journal, or ~/.local/state/hearth/journal.
std::filesystem::path journalDirectory();

/// The journal of this run.
class Journal {
public:
    static Result<std::unique_ptr<Journal>> open(JournalOptions options);
    Journal(const Journal &) = delete;
    Journal &operator=(const Journal &) = delete;
    /// Everything is on the disk, and the run counts as ended well.
    ~Journal();

    /// One thread. @param record of messageRecord()
    Result<void> append(std::string_view record);

    static std::string record(std::span<const std::uint8_t> message)
    {
        return messageRecord(message, Packing::Zstd);
    }

    const std::filesystem::path &run() const { return m_run; }

private:
    Journal(JournalOptions options, std::filesystem::path run, int lock);

    Result<void> beginSegment();
    void dropOldest();
    void syncNowAndThen(const std::stop_token &stop);
    void sync();

    const JournalOptions m_options;
    const std::filesystem::path m_run;
    const int m_lock;
    unsigned m_segments = 0;
    std::uint64_t m_otherBytes = 0; ///< of finished segments, other runs' included

    std::mutex m_mutex;
    std::shared_ptr<MessageFile> m_segment; ///< guarded by m_mutex; appending needs no lock
    bool m_isDirty = false;                 ///< guarded by m_mutex
    std::condition_variable_any m_wake;
    std::jthread m_syncing;
};

/// A run that ended without stopping, by a crash or a kill or with the machine.
struct UnfinishedRun {
    std::filesystem::path path;
    std::vector<std::filesystem::path> segments; ///< in the order they were written
    std::uint64_t bytes = 0;
};

/// Oldest first. Runs that still go on are not among them.
std::vector<UnfinishedRun> unfinishedRuns(const std::filesystem::path &directory);

/// It was offered and answered: it is no longer unfinished. Its segments stay until they are the oldest.
void markFinished(const UnfinishedRun &run);

} // namespace hearth
