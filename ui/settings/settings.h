#pragma once

#include "model/views/short_name.h"
#include "ui/theme/theme.h"

#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace hearth {

/// What people choose once and keep.
struct Settings {
    std::optional<ThemeKind> theme;      ///< none: as the system
    NameDetail names = NameDetail::Full; ///< how much of functions' names tables show
    bool growsUp = false;                ///< flame graphs: flames instead of icicles
    bool reducedMotion = false;
    int memoryMiB = 0;                           ///< that data may take; 0: half of what the machine has
    QString editor = QStringLiteral("xdg-open"); ///< command line; %f is the file, %l the line
    QStringList symbolPlaces;                    ///< folders with programs or debug files, or such files
    QStringList symbolServers;                   ///< of debuginfod, that may be asked
    QStringList sourcePlaces;   ///< folders with sources, or FROM=TO: what was compiled in FROM is in TO now
    bool usesAttSyntax = false; ///< instructions of x86, not Intel's
    QHash<QString, QList<QKeySequence>> keys; ///< by command: what it has instead of its own keys

    static Settings load();
    void save() const;

    bool operator==(const Settings &) const = default;
};

/// The files that were opened last, the newest first.
QStringList recentFiles();
void addRecentFile(const QString &file);

} // namespace hearth
