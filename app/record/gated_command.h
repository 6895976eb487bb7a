#pragma once

#include "model/result.h"

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace hearth {

/// A command that was started and waits at a gate before its first instruction, so that it can be watched
/// from there on. It is the user's own program: it has this program's terminal, environment and rights, but
/// under sudo those of whoever called.
class GatedCommand {
public:
    /// @param directory where it runs; empty: here
    /// @param isApart it reads from /dev/null, and gets no file but standard output and error of this program
    static Result<GatedCommand> start(const std::vector<std::string> &words, const std::string &directory,
                                      bool isApart);
    GatedCommand(GatedCommand &&other) noexcept;
    GatedCommand &operator=(GatedCommand &&) = delete;
    /// If it has not been let go it never runs.
    ~GatedCommand();

    pid_t process() const { return m_process; }

    /// Opens the gate. @return why it does not run (an errno); 0 if it does
    int letGo();

    /// How it ended, as shells have it; nothing while it runs.
    std::optional<int> status();

private:
    GatedCommand(pid_t process, int gate, int answer) : m_process(process), m_gate(gate), m_answer(answer) {}

    pid_t m_process;
    int m_gate;   ///< a byte through it opens it; its end without one closes it for ever
    int m_answer; ///< tells why the command cannot be run, or ends when it runs
    std::optional<int> m_status;
};

} // namespace hearth
