#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <vector>

namespace hearth {

/// A program that sends to the port.
struct SenderRow {
    QString program;    ///< what it calls itself; may be empty
    QString host;       ///< "127.0.0.1"
    QString generation; ///< of OTLP, of what it sent last
    double rate = 0;    ///< records a second
    quint64 requests = 0;
    quint64 records = 0;
    quint64 bytes = 0;
    quint64 leftOut = 0; ///< records
    quint64 refused = 0; ///< requests
    QDateTime lastSeen;
    QStringList reasons; ///< why something was left out or refused: "3 × it is damaged"
};

/// A field of a request, or an element of one.
struct RequestPart {
    QString field; ///< "samples", "samples[17]"
    quint64 bytes = 0;
    QString value;                                   ///< of a scalar
    QString meaning;                                 ///< what a reference leads to, or what it is
    std::function<std::vector<RequestPart>()> parts; ///< null: it has none
};

/// What a table of a request's dictionary is worth.
struct RequestTable {
    QString name;
    quint64 entries = 0;
    quint64 bytes = 0;
    quint64 unused = 0;
    quint64 duplicates = 0;
};

/// What of a request is against the standard.
struct RequestFinding {
    quint64 count = 0;
    QString what;
    QString place; ///< of the first
    QString rule;
};

/// A request taken apart.
struct RequestAnatomy {
    QString summary; ///< "profiles 1.8 · 412 KiB · 10,000 samples of 42 bytes each"
    std::vector<RequestPart> parts;
    std::vector<RequestTable> tables;
    std::vector<RequestFinding> findings;
};

/// A request as it came.
struct RequestRow {
    std::shared_ptr<const void> identity; ///< the same for as long as it is kept
    QDateTime time;
    QString signal;    ///< "profiles"
    QString transport; ///< "gRPC", "HTTP, JSON"
    QString program;
    QString host;
    quint64 bytes = 0;
    bool isText = false;
    bool isKept = true;                   ///< the bytes are still there
    QString outcome;                      ///< empty: all of it was accepted
    std::function<RequestAnatomy()> read; ///< on any thread
};

} // namespace hearth
