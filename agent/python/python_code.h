#pragma once

#include "agent/python/python_binary.h"
#include "ingest/symbols/jit_name.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hearth::agent {

/// Names the functions that CPython is in: reads its code objects, as long as the process is there, and
/// remembers them. The process is not trusted: all that is read has a limit.
class PythonCode {
public:
    /// From now on this is where members are in that process.
    void know(std::uint32_t process, std::uint32_t minorVersion, const PythonOffsets &offsets);
    void forget(std::uint32_t process);

    /// The function of a frame; nothing if it cannot be read, or is another by now.
    std::optional<JitName> nameOf(std::uint32_t process, const PythonFrame &frame);

private:
    struct Process {
        std::uint32_t minorVersion = 0;
        PythonOffsets offsets;
    };

    struct Members {
        std::uint64_t file = 0;
        std::uint64_t name = 0;
        std::uint64_t lineTable = 0;
        std::int32_t firstLine = 0;
    };
    struct Code {
        Members members;
        std::string name;
        std::string file;
        std::vector<std::uint8_t> lineTable;
    };

    static std::uint64_t identityOf(const Members &members);
    static std::optional<Members> readMembers(std::uint32_t process, const PythonOffsets &offsets,
                                              std::uint64_t address);
    static std::optional<Code> readCode(std::uint32_t process, const PythonOffsets &offsets,
                                        const Members &members);
    const Code *codeAt(std::uint32_t process, const PythonOffsets &offsets, const PythonFrame &frame);

    std::map<std::uint32_t, Process> m_processes;
    std::map<std::pair<std::uint32_t, std::uint64_t>, Code> m_code; ///< by process and address
};

/// The text of a string object of CPython, by its bytes behind the head.
/// @param state of the string, which says how wide its characters are
std::string pythonText(std::uint32_t state, std::span<const std::uint8_t> characters);

} // namespace hearth::agent
