#pragma once

namespace hearth::agent {

// What is sampled is on its way at once, and waits in a ring of a second or less: an agent that has to queue
// for a processor on a busy machine sees less of each stack. It needs little, but when it does, now.

/// The calling thread, and those that it makes, go before others. Without the right to that, nothing changes.
/// To be called before any thread is made, and before privileges are given up.
void goFirst();

/// The calling thread waits for its turn again, as whoever started the agent.
void goWithTheRest();

} // namespace hearth::agent
