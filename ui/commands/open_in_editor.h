#pragma once

#include <QString>
#include <QStringList>

namespace hearth {

class Session;

/// A command line with %f for the file and %l for the line, as words. Without %f the file is added at the
/// end.
QStringList editorCommand(const QString &pattern, const QString &file, qint64 line);

/// Opens a file where the settings say. @return why not; empty if it was started
QString openInEditor(const QString &file, qint64 line);

/// Opens the selected function's source. @return why not; empty if it was started
QString openInEditor(const Session &session);

} // namespace hearth
