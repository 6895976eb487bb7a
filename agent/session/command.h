#pragma once

#include "agent/file_descriptor.h"
#include "model/result.h"

#include <string>
#include <vector>

namespace hearth::agent {

/// A command that was started: it waits to be let go, so that it can be watched from its first instruction
/// on.
class Command {
public:
    /// @param isApart it reads from /dev/null and prints to standard error: the others are not for it
    static Result<Command> start(const std::vector<std::string> &words, bool isApart = false);

    int process() const { return m_process; }
    void letGo() { m_gate = FileDescriptor(); }

    /// Whether it has ended; then status() says how.
    bool hasEnded();
    int status() const { return m_status; }

private:
    Command(int process, FileDescriptor gate) : m_process(process), m_gate(std::move(gate)) {}

    int m_process = 0;
    FileDescriptor m_gate;
    bool m_hasEnded = false;
    int m_status = 0;
};

} // namespace hearth::agent
