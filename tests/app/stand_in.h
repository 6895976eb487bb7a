#pragma once

#include "app/record/launch.h"

#include <QFile>
#include <QString>
#include <QTemporaryDir>
#include <QTest>

namespace hearth {

/// Programs that play hearth-agent and pkexec, as shell scripts in a folder of their own.
class StandIn {
public:
    /// @param recording what the agent does when it is to record, as a shell script
    explicit StandIn(const QString &recording)
    {
        write(QStringLiteral("hearth-agent"),
              QStringLiteral("if [ \"$1\" = --version ]; then echo \"hearth-agent %1\"; exit; fi\n%2\n")
                  .arg(QStringLiteral(HEARTH_VERSION), recording));
    }

    void write(const QString &program, const QString &script) const
    {
        QFile file(path(program));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + script.toUtf8());
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    QString path(const QString &name) const { return m_folder.filePath(name); }

    /// As root they are started at once, as anybody else by pkexec, if there is one in the folder.
    LaunchPlaces places(bool isRoot = true) const
    {
        return {.agent = path(QStringLiteral("hearth-agent")).toStdString(),
                .searchPath = m_folder.path().toStdString(),
                .isRoot = isRoot};
    }

private:
    QTemporaryDir m_folder;
};

/// Says that it records, then waits until it is told to stop.
inline QString obedientAgent()
{
    return QStringLiteral("echo recording; echo samples=1 lost=0 complete=1 cut=0 dropped=0\n"
                          "while read line; do [ \"$line\" = stop ] && break; done\n"
                          "echo samples=7 lost=2 complete=6 cut=1 dropped=0; echo ended 0");
}

} // namespace hearth
