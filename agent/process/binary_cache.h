#pragma once

#include "agent/process/binary.h"
#include "agent/process/process_table.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace hearth::agent {

/// Finds the files of mapped code and keeps what was read of them.
class BinaryCache {
public:
    /// What is mapped there; a binary without an image if the file cannot be read or is another by now.
    PlacedBinary find(const Process &process, const std::shared_ptr<const MappedCode> &code);

    /// What find() has found before; null if it was not asked.
    const PlacedBinary *known(const std::shared_ptr<const MappedCode> &code) const;

    /// Forgets what nothing has asked for in a while, as far as there is too much.
    /// @return binaries that are gone
    std::vector<std::shared_ptr<Binary>> forgetOld();

    std::uint64_t unreadable() const { return m_unreadable; }

private:
    /// A file is known by device, inode, size and time of change.
    using FileKey = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::int64_t>;

    PlacedBinary place(const Process &process, const MappedCode &code);
    std::shared_ptr<Binary> open(const Process &process, const MappedCode &code);
    std::shared_ptr<Binary> openFile(const std::string &file, const MappedCode &code, bool isOfProcess);
    std::shared_ptr<Binary> vdso();
    std::shared_ptr<Binary> nameless(const MappedCode &code);

    struct Known {
        std::shared_ptr<const MappedCode> code; ///< kept, so that its address is not used again
        PlacedBinary placed;
    };
    std::unordered_map<const MappedCode *, Known> m_ofCode;
    std::map<FileKey, std::shared_ptr<Binary>> m_ofFile;
    std::map<std::pair<std::string, std::uint64_t>, std::shared_ptr<Binary>>
        m_nameless; ///< by path and inode
    std::shared_ptr<Binary> m_vdso;
    std::uint64_t m_round = 0;
    std::uint64_t m_unreadable = 0;
};

} // namespace hearth::agent
