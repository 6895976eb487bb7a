#pragma once

#include "ingest/formats/id_map.h"
#include "ingest/formats/perf_event.h"
#include "ingest/formats/perf_processes.h"
#include "ingest/formats/perf_unwinder.h"

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hearth::perf {

/// Makes samples of perf's records, which must come in the order of time.
class Samples {
public:
    /// @param binaryFolders as in ReadOptions
    Samples(ProfileBuilder &builder, const std::vector<std::string> &binaryFolders, bool isSwapped)
        : m_builder(builder), m_processes(builder), m_unwinder(builder, binaryFolders), m_isSwapped(isSwapped)
    {}

    /// @return the number of the event
    std::size_t addEvent(Event event);
    void addId(std::uint64_t id, std::size_t event) { m_eventOfId.insert_or_assign(id, event); }
    /// What an event is called, as the file says further on.
    void rename(std::uint64_t id, std::string_view name);
    bool hasEvents() const { return !m_series.empty(); }

    /// When a record was made; 0 if that does not matter.
    std::uint64_t timeOf(std::span<const std::uint8_t> record) const;
    void take(std::span<const std::uint8_t> record);

    /// Of a binary that was in use, from where it was.
    void addBuildId(std::string_view path, std::span<const std::uint8_t> buildId);
    /// Gives binaries their build ids, and says what could not be kept.
    void finish();

private:
    struct Series {
        Event event;
        std::size_t block = 0;
    };

    const Series *seriesOf(Bytes body) const;
    void takeSample(std::span<const std::uint8_t> body, std::uint16_t misc);
    void takeMapping(Bytes body, std::uint16_t misc, bool isSecond);
    void takeComm(Bytes body, std::uint16_t misc);
    void takeFork(Bytes body);
    void takeSymbol(Bytes body);
    void takeLoss(std::uint64_t count);
    void unwind(std::uint16_t misc);
    StackId stackOf(const Sample &sample, std::uint16_t misc);
    void appendChain(const Sample &sample, bool isKernel);
    void appendBranches(const Sample &sample);
    FrameId frameOf(std::uint64_t ip, std::uint32_t process, bool isKernel, bool isCaller);

    ProfileBuilder &m_builder;
    Processes m_processes;
    Unwinder m_unwinder;
    bool m_isSwapped;
    std::vector<Series> m_series;
    std::unordered_map<std::uint64_t, std::size_t> m_eventOfId;
    std::unordered_map<StringId, StringId> m_buildIds; ///< by path
    DigestMap m_stackOfChain;
    std::vector<std::uint64_t> m_key;
    std::vector<FrameId> m_frames;
    Sample m_sample;
    std::uint64_t m_foreignCopies = 0;
};

} // namespace hearth::perf
