#pragma once

#include "app/cli/arguments.h"
#include "app/cli/command.h"

namespace hearth::cli {

/// Whether any of the files is a workspace.
bool hasWorkspace(const Arguments &arguments);

/// Puts what a workspace shows in its place: the files of the source in front, its lens and, for a report,
/// what is noted. Does nothing to other files, and for commands that look at no data set. Complains of what
/// is not as it should be. @return something else than Done if the command cannot be run
Exit takeWorkspace(Arguments &arguments, const Command &command);

/// `hearth info` of a workspace.
Exit runWorkspaceInfo(const Arguments &arguments);

} // namespace hearth::cli
