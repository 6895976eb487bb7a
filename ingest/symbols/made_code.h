#pragma once

#include "ingest/symbols/jitdump.h"
#include "ingest/symbols/perf_map.h"
#include "model/store/symbols.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

namespace hearth {

/// In which process an address was seen, and when.
struct AddressUse {
    std::uint32_t process = 0;
    std::int64_t firstNs = 0; ///< since 1970; 0 where samples have no times
    std::int64_t lastNs = 0;
    std::string program; ///< that the process ran; empty if unknown

    bool operator==(const AddressUse &) const = default;
};

/// Names of code that processes of this machine made while they ran, as far as they tell: by a perf map, or
/// by a jitdump. Of one thread.
class MadeCode {
public:
    /// @param root where perf maps of processes that have gone are, in tmp/
    explicit MadeCode(std::string root = "/");
    ~MadeCode();

    struct Found {
        SymbolLine line;
        std::string source; ///< the file that tells it
    };
    /// @return nothing unless all uses agree on one name
    std::optional<Found> find(std::uint64_t address, std::span<const AddressUse> uses);

private:
    struct Process;

    Process &processOf(const AddressUse &use);
    std::optional<Found> find(std::uint64_t address, const AddressUse &use);

    const std::string m_root;
    std::unordered_map<std::uint32_t, std::unique_ptr<Process>> m_processes;
};

} // namespace hearth
