#include "ui/settings/settings.h"

#include <QFileInfo>
#include <QSettings>
#include <QStringList>

#include <algorithm>

namespace hearth {

namespace {

constexpr const char *kTheme = "theme";
constexpr const char *kNames = "names";
constexpr const char *kGrowsUp = "flame/growsUp";
constexpr const char *kReducedMotion = "reducedMotion";
constexpr const char *kMemory = "memoryMiB";
constexpr const char *kEditor = "editor";
constexpr const char *kSymbolPlaces = "symbols/places";
constexpr const char *kSymbolServers = "symbols/servers";
constexpr const char *kSourcePlaces = "sources/places";
constexpr const char *kAttSyntax = "code/att";
constexpr const char *kKeys = "keys";
constexpr const char *kRecent = "recentFiles";
constexpr int kFollowSystem = -1;
constexpr qsizetype kMostRecent = 12;

QString key(const char *name)
{
    return QString::fromLatin1(name);
}

} // namespace

Settings Settings::load()
{
    Settings settings;
    QSettings stored;
    const int kind = stored.value(key(kTheme), kFollowSystem).toInt();
    if (kind >= 0 && kind <= int(ThemeKind::HighContrast))
        settings.theme = static_cast<ThemeKind>(kind);
    settings.names = nameDetail(stored.value(key(kNames)).toString().toStdString()).value_or(settings.names);
    settings.growsUp = stored.value(key(kGrowsUp), settings.growsUp).toBool();
    settings.reducedMotion = stored.value(key(kReducedMotion), settings.reducedMotion).toBool();
    settings.memoryMiB = std::max(0, stored.value(key(kMemory), settings.memoryMiB).toInt());
    settings.editor = stored.value(key(kEditor), settings.editor).toString();
    settings.symbolPlaces = stored.value(key(kSymbolPlaces)).toStringList();
    settings.symbolServers = stored.value(key(kSymbolServers)).toStringList();
    settings.sourcePlaces = stored.value(key(kSourcePlaces)).toStringList();
    settings.usesAttSyntax = stored.value(key(kAttSyntax), settings.usesAttSyntax).toBool();
    stored.beginGroup(key(kKeys));
    for (const QString &command : stored.childKeys())
        settings.keys.insert(command, QKeySequence::listFromString(stored.value(command).toString(),
                                                                   QKeySequence::PortableText));
    return settings;
}

void Settings::save() const
{
    QSettings stored;
    stored.setValue(key(kTheme), theme ? int(*theme) : kFollowSystem);
    stored.setValue(key(kNames), QString::fromUtf8(nameOf(names).data()));
    stored.setValue(key(kGrowsUp), growsUp);
    stored.setValue(key(kReducedMotion), reducedMotion);
    stored.setValue(key(kMemory), memoryMiB);
    stored.setValue(key(kEditor), editor);
    stored.setValue(key(kSymbolPlaces), symbolPlaces);
    stored.setValue(key(kSymbolServers), symbolServers);
    stored.setValue(key(kSourcePlaces), sourcePlaces);
    stored.setValue(key(kAttSyntax), usesAttSyntax);
    stored.beginGroup(key(kKeys));
    stored.remove(QString());
    for (auto chosen = keys.begin(); chosen != keys.end(); ++chosen)
        stored.setValue(chosen.key(), QKeySequence::listToString(chosen.value(), QKeySequence::PortableText));
}

QStringList recentFiles()
{
    return QSettings().value(key(kRecent)).toStringList();
}

void addRecentFile(const QString &file)
{
    QStringList files = recentFiles();
    const QString path = QFileInfo(file).absoluteFilePath();
    files.removeAll(path);
    files.prepend(path);
    QSettings().setValue(key(kRecent), QStringList(files.mid(0, kMostRecent)));
}

} // namespace hearth
