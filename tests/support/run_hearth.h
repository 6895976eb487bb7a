#pragma once

#include <QByteArray>
#include <QProcess>
#include <QStringList>

namespace hearth::test {

/// What a call of the program came to.
struct Outcome {
    int status = -1; ///< -1: it does not end; -2: it crashed
    QByteArray out;
    QByteArray err;
};

/// Calls the program as users do, with something on its standard input.
inline Outcome runHearth(const QStringList &arguments, const QByteArray &input = {})
{
    QProcess process;
    process.start(QStringLiteral(HEARTH_PROGRAM), arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60000))
        return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace hearth::test
