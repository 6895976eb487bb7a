#pragma once

#include "model/lens/lens.h"
#include "model/result.h"
#include "model/views/overview.h"

#include <QByteArray>
#include <QString>

#include <memory>

namespace hearth {

/// What one sends a colleague: what was looked at, what it weighs, what is worth a look, and a note.
struct Report {
    QString title; ///< the data set
    QString note;  ///< by whoever sends it; lines
    Lens lens;
    std::shared_ptr<const Overview> overview;
    QByteArray flames; ///< an SVG, in pages; empty: none
};

/// How many rows a report's lists have, and how wide its picture is.
inline constexpr std::size_t kReportRows = 20;
inline constexpr int kReportWidth = 1100;

/// The flame graph of a report, light as its page is whatever theme the window has.
QByteArray reportFlames(std::shared_ptr<const Snapshot> snapshot,
                        std::shared_ptr<const Evaluation> evaluation, const Lens &lens);

/// For tickets and mails. The note may be Markdown; names are not taken for any.
QByteArray reportMarkdown(const Report &report);

/// One file without scripts that asks for nothing from anywhere.
QByteArray reportPage(const Report &report);

/// By the ending of a file's name.
/// @return an error that names what there is, if it is none of ours
Result<QByteArray> reportFor(const QString &file, const Report &report);

} // namespace hearth
