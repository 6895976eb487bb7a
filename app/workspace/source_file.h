#pragma once

#include <QByteArray>
#include <QString>

#include <cstdint>

namespace hearth {

/// A file that a data set was read from, and how to tell that it is still the same.
struct SourceFile {
    QString path;           ///< absolute
    qint64 size = -1;       ///< in bytes; -1: unknown
    QByteArray digest = {}; ///< of its beginning and its end, as hex; empty: unknown

    bool operator==(const SourceFile &) const = default;
};

/// The file as it is now. Of large files only the ends are read: whatever packs data has sums at its end, and
/// what grows has another size.
SourceFile sourceFile(const QString &path);

enum class SourceState : std::uint8_t { Same, Changed, Gone };

SourceState stateOf(const SourceFile &file);

/// Whether a file is a workspace, by its content; if that tells nothing because it is damaged, by its name.
/// Reads no more than its beginning, and nothing of what is no file.
bool isWorkspace(const QString &path);

} // namespace hearth
