#include "ui/commands/open_in_editor.h"

#include "ui/session/session.h"
#include "ui/settings/settings.h"
#include "ui/theme/figures.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>

#include <algorithm>

namespace hearth {

QStringList editorCommand(const QString &pattern, const QString &file, qint64 line)
{
    QStringList words = QProcess::splitCommand(pattern);
    const bool namesFile =
        std::ranges::any_of(words, [](const QString &word) { return word.contains(QStringLiteral("%f")); });
    for (QString &word : words)
        word.replace(QStringLiteral("%l"), QString::number(std::max<qint64>(1, line)))
            .replace(QStringLiteral("%f"), file);
    if (!namesFile)
        words += file;
    return words;
}

QString openInEditor(const QString &file, qint64 line)
{
    if (!QFileInfo::exists(file))
        return QCoreApplication::translate("OpenInEditor", "there is no %1 on this machine").arg(file);
    QStringList words = editorCommand(Settings::load().editor, file, line);
    const QString program = words.takeFirst();
    return QProcess::startDetached(program, words)
               ? QString()
               : QCoreApplication::translate("OpenInEditor", "cannot start %1").arg(program);
}

QString openInEditor(const Session &session)
{
    const auto entry = session.selectedEntry();
    if (!entry)
        return QCoreApplication::translate("OpenInEditor", "nothing is selected");
    const Entry &selected = session.evaluation()->tree->entries()[*entry];
    return openInEditor(qString(selected.file), selected.line);
}

} // namespace hearth
