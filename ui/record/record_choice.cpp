#include "ui/record/record_choice.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace hearth {

namespace {

constexpr int kHighestFrequency = 1000;

QString tr(const char *text)
{
    return QCoreApplication::translate("RecordChoice", text);
}

} // namespace

QString targetText(const RecordChoice &choice)
{
    switch (choice.target) {
    case RecordTarget::Machine:
        break;
    case RecordTarget::Process:
        return tr("PID %1 %2").arg(choice.process).arg(choice.processName).trimmed();
    case RecordTarget::Command:
        return choice.command.trimmed();
    case RecordTarget::Cgroup:
        return tr("cgroup %1").arg(QFileInfo(choice.cgroup).fileName());
    }
    return tr("this machine");
}

QString problemOf(const RecordChoice &choice)
{
    switch (choice.target) {
    case RecordTarget::Machine:
        break;
    case RecordTarget::Process:
        return choice.process > 0 ? QString() : tr("Choose a process.");
    case RecordTarget::Command:
        if (choice.command.trimmed().isEmpty())
            return tr("Type a command.");
        if (!choice.directory.isEmpty() && !QFileInfo(choice.directory).isDir())
            return tr("There is no folder %1.").arg(choice.directory);
        return {};
    case RecordTarget::Cgroup:
        return choice.cgroup.isEmpty() ? tr("Choose a cgroup.") : QString();
    }
    return {};
}

QVariantMap toVariant(const RecordChoice &choice)
{
    return {{QStringLiteral("target"), int(choice.target)},      {QStringLiteral("process"), choice.process},
            {QStringLiteral("processName"), choice.processName}, {QStringLiteral("command"), choice.command},
            {QStringLiteral("directory"), choice.directory},     {QStringLiteral("cgroup"), choice.cgroup},
            {QStringLiteral("frequency"), choice.frequency},     {QStringLiteral("offCpu"), choice.isOffCpu},
            {QStringLiteral("names"), choice.hasNames}};
}

RecordChoice choiceOf(const QVariantMap &map)
{
    const RecordChoice usual;
    const int target = map.value(QStringLiteral("target")).toInt();
    const int frequency = map.value(QStringLiteral("frequency"), usual.frequency).toInt();
    RecordChoice choice;
    if (target >= int(RecordTarget::Machine) && target <= int(RecordTarget::Cgroup))
        choice.target = static_cast<RecordTarget>(target);
    choice.process = std::max(0, map.value(QStringLiteral("process")).toInt());
    choice.processName = map.value(QStringLiteral("processName")).toString();
    choice.command = map.value(QStringLiteral("command")).toString();
    choice.directory = map.value(QStringLiteral("directory")).toString();
    choice.cgroup = map.value(QStringLiteral("cgroup")).toString();
    choice.frequency = frequency >= 1 && frequency <= kHighestFrequency ? frequency : usual.frequency;
    choice.isOffCpu = map.value(QStringLiteral("offCpu"), usual.isOffCpu).toBool();
    choice.hasNames = map.value(QStringLiteral("names"), usual.hasNames).toBool();
    return choice;
}

} // namespace hearth
