#pragma once

#include <QString>
#include <QVariantMap>

namespace hearth {

enum class RecordTarget : std::uint8_t { Machine, Process, Command, Cgroup };

/// What somebody wants to record, and how. Values of targets that are not chosen are kept, too.
struct RecordChoice {
    RecordTarget target = RecordTarget::Machine;
    int process = 0;
    QString processName =
        {};               ///< what the process is called, so that it is found again when it was started anew
    QString command = {}; ///< as typed: words, with quotes around those that have blanks
    QString directory = {}; ///< where the command runs
    QString cgroup = {};    ///< path of its directory
    int frequency = 97;     ///< samples a second and processor
    bool isOffCpu = false;
    bool hasNames = true; ///< the sampler sends names of functions

    bool operator==(const RecordChoice &) const = default;
};

/// "this machine", "PID 4711 shop", "make -j8", "cgroup user.slice"
QString targetText(const RecordChoice &choice);

/// Why nothing can be recorded by it; empty if it can.
QString problemOf(const RecordChoice &choice);

QVariantMap toVariant(const RecordChoice &choice);
/// What a map lacks or has wrong is as usual.
RecordChoice choiceOf(const QVariantMap &map);

} // namespace hearth
