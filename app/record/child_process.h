#pragma once

#include "model/result.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace hearth {

/// A program that was started, with pipes to its standard input and from its standard output.
class ChildProcess {
public:
    enum class Errors { Captured, PassedOn };

    /// @param words the path of the program, and its arguments
    static Result<ChildProcess> start(const std::vector<std::string> &words, Errors errors);
    ChildProcess(ChildProcess &&other) noexcept;
    ChildProcess &operator=(ChildProcess &&) = delete;
    /// Closes the pipes, and leaves a program alone that still runs.
    ~ChildProcess();

    int output() const { return m_output; }
    int errors() const { return m_errors; } ///< -1 if they are passed on

    /// Writes a line, which may fail: it may have ended.
    void say(const std::string &line) const;
    void closeInput();
    /// It may not be this user's to end.
    void askToEnd() const;

    /// Waits for its end. @return its exit status, or 128 and the signal that ended it
    int wait();

private:
    ChildProcess() = default;

    pid_t m_process = -1;
    int m_input = -1;
    int m_output = -1;
    int m_errors = -1;
};

} // namespace hearth
