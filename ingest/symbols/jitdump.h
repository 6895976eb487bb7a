#pragma once

#include "ingest/bytes/byte_range.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hearth {

/// How much is remembered of a jitdump, and how much of that is looked through for an address.
struct JitDumpLimits {
    std::size_t stays = 1'048'576; ///< pieces of code
    std::size_t textBytes = std::size_t(64) << 20;
    int lookedBack = 4096;
};

/// Code that a process made while it ran, as it writes to jit-PID.dump. Code comes, is moved, and gives its
/// place to other code: what is at an address depends on the time.
class JitDump {
public:
    explicit JitDump(const JitDumpLimits &limits = {}) : m_limits(limits) {}

    /// Takes in what has been added since it was last called; what is behind the last whole record is to
    /// come.
    /// @param mostRecords the rest of them is for the next time
    /// @return false if it is no such file
    bool readOn(const ByteRange &file, std::size_t mostRecords = ~std::size_t(0));

    struct Found {
        std::string name;
        std::string file; ///< empty if not told
        std::int64_t line = 0;

        bool operator==(const Found &) const = default;
    };
    /// @param time by the clock that the process took, mostly CLOCK_MONOTONIC
    std::optional<Found> find(std::uint64_t address, std::uint64_t time) const;

    std::size_t size() const { return m_stays.size(); }
    /// What it takes of memory, nearly.
    std::size_t bytes() const;

private:
    struct Line {
        std::uint64_t address = 0; ///< from the begin of the code
        std::uint32_t file = 0;    ///< of m_files
        std::uint32_t line = 0;
    };
    struct Code {
        std::string name;
        std::shared_ptr<const std::vector<Line>> lines; ///< by address; null if none were told
    };
    /// Code that lies at an address until other code is put there.
    struct Stay {
        std::uint64_t end = 0;
        std::uint64_t from = 0; ///< time
        std::uint32_t code = 0; ///< of m_codes
    };
    struct Head {
        std::uint32_t kind = 0;
        std::uint32_t size = 0;
        std::uint64_t time = 0;
    };
    class Record;

    bool readHead(const ByteRange &file);
    void take(const Head &head, const ByteRange &record);
    void takeLoad(const Head &head, Record &record);
    void takeMove(const Head &head, Record &record);
    void takeLines(Record &record);
    void addStay(std::uint64_t begin, std::uint64_t size, std::uint64_t time, std::uint32_t code);
    std::uint32_t fileOf(std::string name);

    JitDumpLimits m_limits;
    std::uint64_t m_position = 0; ///< up to which the file was taken in
    bool m_isSwapped = false;
    std::size_t m_bytes = 0; ///< of names
    std::vector<Code> m_codes;
    std::multimap<std::uint64_t, Stay> m_stays;       ///< by begin, and at one place in the order of the file
    std::uint64_t m_longest = 0;                      ///< of them
    std::map<std::uint64_t, std::uint32_t> m_byIndex; ///< the code of an index of the process's own
    std::vector<std::string> m_files;
    std::map<std::string, std::uint32_t> m_fileNumbers;
    std::uint64_t m_linesFor = 0; ///< lines were told of code that is to come there
    std::shared_ptr<const std::vector<Line>> m_lines;
};

} // namespace hearth
