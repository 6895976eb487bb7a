#pragma once

#include <chrono>

namespace hearth::cli {

/// From its construction on, SIGINT and SIGTERM are kept from ending the program, and wait to be asked for.
/// To be made before any thread is.
class EndSignals {
public:
    EndSignals();

    /// Waits. @return whether the program was asked to end
    bool arriveWithin(std::chrono::nanoseconds time);
};

} // namespace hearth::cli
