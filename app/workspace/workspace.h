#pragma once

#include "app/workspace/source_file.h"
#include "model/lens/lens.h"
#include "ui/window/window_state.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace hearth {

/// A data set of a workspace: where it is from, and what its user looks at and says of it.
struct WorkspaceSource {
    QString name;
    std::vector<SourceFile> files; ///< none: it was received or recorded, and never saved
    Lens lens = {};
    QString note = {};

    bool operator==(const WorkspaceSource &) const = default;
};

/// What Compare shows the view beside.
struct WorkspaceBaseline {
    std::size_t source = 0;
    std::optional<Lens> lens = {}; ///< none: that of the view

    bool operator==(const WorkspaceBaseline &) const = default;
};

/// What is open and how it is looked at, to go on with another day or elsewhere. It refers to data by its
/// files and has none itself.
struct Workspace {
    QString note;
    std::vector<WorkspaceSource> sources;
    std::optional<std::size_t> shown; ///< of the sources
    std::optional<WorkspaceBaseline> baseline;
    WindowState window;

    bool operator==(const Workspace &) const = default;
};

} // namespace hearth
