#pragma once

#include "ingest/formats/profile_builder.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace hearth::perf {

/// Where a binary was in a process's memory.
struct MappedBinary {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;
    MappingId mapping;
};

/// What is mapped in a process, or in the kernel, by its start.
class AddressSpace {
public:
    /// What was mapped there before is gone.
    void map(const MappedBinary &binary);
    /// @return null if nothing is there
    const MappedBinary *find(std::uint64_t address) const;
    /// Differs whenever what is mapped may differ.
    std::uint64_t version() const { return m_version; }
    std::size_t size() const { return m_binaries.size(); }

private:
    static std::uint64_t nextVersion();

    std::map<std::uint64_t, MappedBinary> m_binaries;
    std::uint64_t m_version = nextVersion();
};

/// Processes and threads as a recording says they came to be: what they are called, and what they have
/// mapped.
class Processes {
public:
    explicit Processes(ProfileBuilder &builder) : m_builder(builder) {}

    static constexpr std::uint32_t kKernel = 0xffffffffU;

    /// What is mapped at an address, and in which state of the process. Valid until anything is mapped.
    const AddressSpace &spaceOf(std::uint32_t process);
    void map(std::uint32_t process, const MappedBinary &binary);
    void rename(std::uint32_t process, std::uint32_t thread, std::string_view name, bool isExec);
    void fork(std::uint32_t process, std::uint32_t thread, std::uint32_t parent, std::uint32_t parentThread);
    ContextId contextOf(std::uint32_t process, std::uint32_t thread, std::optional<std::uint32_t> cpu);

private:
    StringId nameOf(std::uint32_t thread) const;

    ProfileBuilder &m_builder;
    /// Shared by processes that forked until one of them maps anything.
    std::unordered_map<std::uint32_t, std::shared_ptr<AddressSpace>> m_spaces;
    std::unordered_map<std::uint32_t, StringId> m_names; ///< by thread
    std::size_t m_mappings = 0;                          ///< of all processes
    DigestMap m_contexts;
};

} // namespace hearth::perf
