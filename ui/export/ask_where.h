#pragma once

#include <QString>

class QWidget;

namespace hearth {

/// Asks for the file to write, in the folder that was used last.
/// @param name what is proposed, without an ending; what no file can be called is taken out of it
/// @param filters of QFileDialog; a name without an ending gets the first one of the filter that was chosen
/// @return empty if nothing is to be written
QString askWhereToWrite(QWidget *parent, const QString &title, const QString &name, const QString &filters);

} // namespace hearth
