#pragma once

#include "agent/options.h"
#include "model/result.h"

namespace hearth::agent {

/// Samples as the options say until the time is over, the command has ended, or somebody asks to end.
/// @return the exit status: that of the command if there is one
Result<int> runSession(const Options &options);

} // namespace hearth::agent
