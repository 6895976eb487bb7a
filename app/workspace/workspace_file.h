#pragma once

#include "app/workspace/workspace_text.h"

namespace hearth {

/// @return an error that names the file and the place in it
Result<ParsedWorkspace> readWorkspace(const QString &file);

/// Under another name first, so that a failure leaves what was there before.
Result<void> writeWorkspace(const Workspace &workspace, const QString &file);

} // namespace hearth
