#pragma once

#include <QString>

#include <string>
#include <vector>

namespace hearth {

class Session;

// What is selected, as text to paste elsewhere. Empty if nothing is.

QString selectedName(const Session &session);

/// From the root to the selected frame, groups left out; empty if no frame is selected.
std::vector<std::string> selectedPathNames(const Session &session);

/// From the root to the selected frame, a line each; the name alone if no frame is selected.
QString selectedStackText(const Session &session);

/// The same as a table with weights.
QString selectedStackMarkdown(const Session &session);

/// {"series":…,"unit":…,"total":…,"stack":[{"name":…,"file":…,"line":…,"binary":…,"self":…,"total":…}, …]}
QString selectedStackJson(const Session &session);

} // namespace hearth
