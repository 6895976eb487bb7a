#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace hearth::bench {

/// A program that runs meanwhile, its output thrown away. It is killed in the end.
class Background {
public:
    /// @param holdsInput its standard input stays open until endInput()
    explicit Background(std::vector<std::string> words, const std::string &directory = {},
                        bool holdsInput = false);
    Background(const Background &) = delete;
    Background &operator=(const Background &) = delete;
    ~Background();

    pid_t process() const { return m_process; }
    void endInput();
    /// Waits until it has ended by itself. @return whether it did so well
    bool wait();

private:
    pid_t m_process = -1;
    int m_input = -1;
};

/// Processor time that the threads of a process have used that there are now.
double cpuMilliseconds(pid_t process);
/// The line of /proc/PID/status, in MiB: "VmRSS" is what is resident, "VmHWM" the most that ever was.
double statusMiB(pid_t process, const std::string &line);

} // namespace hearth::bench
