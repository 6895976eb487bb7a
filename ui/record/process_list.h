#pragma once

#include <QString>

#include <stop_token>
#include <vector>

namespace hearth {

/// A process that runs on this machine.
struct ProcessRow {
    int process = 0;
    QString name = {};
    QString user = {};
    QString container = {};   ///< the first digits of its id; empty if it is in none
    QString commandLine = {}; ///< words with blanks between them
    quint64 ticks = 0;        ///< of processor time since it started
    quint64 started = 0;      ///< ticks since the machine started
    double share = 0;         ///< of one processor
};

/// What runs, as far as /proc tells, threads of the kernel left out. What programs call themselves is made
/// harmless. @param folder /proc, or what looks like it
std::vector<ProcessRow> readProcesses(const QString &folder, const std::stop_token &stop);

/// Gives the rows their shares of a processor since the rows before were read, or, of those that were not
/// there, since they started.
void setShares(std::vector<ProcessRow> &rows, const std::vector<ProcessRow> &before, double secondsBetween,
               double secondsUp);

/// How long the machine has been up, by FOLDER/uptime.
double secondsUp(const QString &folder);

} // namespace hearth
