#include "ui/record/record_presets.h"

#include <QSettings>

#include <algorithm>

namespace hearth {

namespace {

constexpr const char *kPresets = "record/presets";
constexpr const char *kLast = "record/last";
constexpr const char *kLastPreset = "record/lastPreset";
constexpr const char *kName = "name";

QString key(const char *name)
{
    return QString::fromLatin1(name);
}

void store(const QList<RecordPreset> &presets)
{
    QVariantList list;
    for (const RecordPreset &preset : presets) {
        QVariantMap map = toVariant(preset.choice);
        map.insert(key(kName), preset.name);
        list += map;
    }
    QSettings().setValue(key(kPresets), list);
}

} // namespace

QList<RecordPreset> recordPresets()
{
    QList<RecordPreset> presets;
    for (const QVariant &entry : QSettings().value(key(kPresets)).toList()) {
        const QVariantMap map = entry.toMap();
        const QString name = map.value(key(kName)).toString();
        if (!name.isEmpty())
            presets.push_back({name, choiceOf(map)});
    }
    std::ranges::sort(presets, [](const RecordPreset &a, const RecordPreset &b) {
        return QString::localeAwareCompare(a.name, b.name) < 0;
    });
    return presets;
}

void saveRecordPreset(const RecordPreset &preset)
{
    QList<RecordPreset> presets = recordPresets();
    presets.removeIf([&](const RecordPreset &other) { return other.name == preset.name; });
    presets += preset;
    store(presets);
}

void removeRecordPreset(const QString &name)
{
    QList<RecordPreset> presets = recordPresets();
    presets.removeIf([&](const RecordPreset &preset) { return preset.name == name; });
    store(presets);
}

RecordChoice lastRecordChoice()
{
    return choiceOf(QSettings().value(key(kLast)).toMap());
}

QString lastRecordPreset()
{
    return QSettings().value(key(kLastPreset)).toString();
}

void rememberRecordChoice(const RecordChoice &choice, const QString &preset)
{
    QSettings settings;
    settings.setValue(key(kLast), toVariant(choice));
    settings.setValue(key(kLastPreset), preset);
}

} // namespace hearth
