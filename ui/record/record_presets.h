#pragma once

#include "ui/record/record_choice.h"

#include <QList>

// Ways to record that are remembered: the last one, and those that got a name.

namespace hearth {

struct RecordPreset {
    QString name;
    RecordChoice choice;
};

/// In the order of their names.
QList<RecordPreset> recordPresets();

/// Replaces one of the same name.
void saveRecordPreset(const RecordPreset &preset);
void removeRecordPreset(const QString &name);

RecordChoice lastRecordChoice();
/// The name of the preset that it is one of; empty if it is none.
QString lastRecordPreset();
void rememberRecordChoice(const RecordChoice &choice, const QString &preset);

} // namespace hearth
