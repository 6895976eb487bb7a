#pragma once

#include "agent/export/delivery.h"
#include "agent/session/privileges.h"
#include "agent/session/recorder.h"

#include <string>

namespace hearth::agent {

/// How the window and the agent talk (--control): in lines, over standard input and output, which sudo,
/// pkexec and a plain start all pass on. The window writes
///
///     stop                      record no more; so does the end of input, so no agent outlives its window
///
/// and the agent, each line being written at once:
///
///     missing NAME COST         a capability that it has not, and what there is none of for that: first
///     recording                 what runs from now on is sampled
///     samples=N lost=N complete=N cut=N unreadable=N dropped=N
///                               once a second, counted since the start: samples; samples and events that
///                               there was no room for; user stacks that end at the outermost frame, and
///                               that do not; binaries that could not be read; messages that did not arrive.
///                               More may be added behind. The last one comes when all is delivered.
///     ended STATUS              the last line: as it was asked to, or with the command, whose status it is
///     failed TEXT               the last line instead: it could not record; the exit status is 125
///
/// What the command that is followed prints goes to standard error then, and it reads from /dev/null.
namespace control {

std::string missing(const MissingCapability &capability);
std::string recording();
std::string progress(const RecorderCounts &counts, const DeliveryCounts &delivery);
std::string ended(int status);
std::string failed(const std::string &message);

/// Writes a line of these to standard output.
void say(const std::string &line);

} // namespace control

/// What has come on standard input so far. @return whether it says to stop
class ControlInput {
public:
    bool readsStop();

private:
    std::string m_line;
};

} // namespace hearth::agent
