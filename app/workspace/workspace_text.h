#pragma once

#include "app/workspace/workspace.h"
#include "model/result.h"

#include <QByteArray>
#include <QStringList>

// The text of a workspace file: JSON that people can read, compare and mend.
//
//   {
//       "hearthWorkspace": 1,                  the version; that key says what the file is
//       "note": "checkout is slow since Tuesday",
//       "sources": [
//           {
//               "name": "cpu.pb.gz",
//               "files": [
//                   { "path": "profiles/cpu.pb.gz", "size": 48213, "digest": "9f86d081884c7d65…" }
//               ],
//               "lens": "json::parse -@thread=main",
//               "note": "after the change"
//           }
//       ],
//       "shown": 0,                            of the sources, counted from 0
//       "baseline": { "source": 1, "lens": "" },   without a lens: that of the source that is shown
//       "view": "flames",
//       "choices": { … }, "layout": { … }      the window's own words
//   }
//
// Paths are relative to the folder of the workspace where files are beneath it, so that both can be moved
// together; elsewhere they are absolute, and a relative one that leads out of the folder is not followed. A
// source without files was received or recorded and is in none: its lens and its note are kept all the same.
// Everything but the version may be missing.

namespace hearth {

inline constexpr int kWorkspaceVersion = 1;

/// @param folder where the file will be
QByteArray workspaceText(const Workspace &workspace, const QString &folder);

struct ParsedWorkspace {
    Workspace workspace;
    /// "sources[1].lens: …": what could not be kept, with its place. Who writes the workspace again loses it.
    QStringList problems;
};

/// Whatever can be understood; nothing is looked for on disk.
/// @param folder where the file is
/// @return an error if nothing can, or if it is no workspace
Result<ParsedWorkspace> parseWorkspace(const QByteArray &text, const QString &folder);

} // namespace hearth
