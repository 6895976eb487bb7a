#include "ui/export/ask_where.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>

namespace hearth {

namespace {

/// "SVG (*.svg *.svgz)" → ".svg"
QString firstEnding(const QString &filter)
{
    static const QRegularExpression ending(QStringLiteral("\\*(\\.[\\w.]+)"));
    return ending.match(filter).captured(1);
}

} // namespace

QString askWhereToWrite(QWidget *parent, const QString &title, const QString &name, const QString &filters)
{
    static const QRegularExpression unfit(QStringLiteral("[^\\w.,+-]+"),
                                          QRegularExpression::UseUnicodePropertiesOption);
    const QString folderKey = QStringLiteral("folder");
    const QString proposed =
        QString(name).replace(unfit, QStringLiteral("-")).left(120) + firstEnding(filters);
    QString chosen;
    QString file = QFileDialog::getSaveFileName(
        parent, title, QDir(QSettings().value(folderKey, QDir::homePath()).toString()).filePath(proposed),
        filters, &chosen);
    if (file.isEmpty())
        return {};
    if (QFileInfo(file).suffix().isEmpty())
        file += firstEnding(chosen.isEmpty() ? filters : chosen);
    QSettings().setValue(folderKey, QFileInfo(file).absolutePath());
    return file;
}

} // namespace hearth
