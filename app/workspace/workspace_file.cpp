#include "app/workspace/workspace_file.h"

#include "ingest/bytes/byte_sink.h"

#include <QFile>
#include <QFileInfo>

namespace hearth {

namespace {

constexpr qint64 kMostBytes = 16 << 20;

} // namespace

Result<ParsedWorkspace> readWorkspace(const QString &file)
{
    const std::string name = file.toStdString();
    QFile opened(file);
    if (QFileInfo(file).exists() && !QFileInfo(file).isFile())
        return failure(name + ": it is no file");
    if (!opened.open(QIODevice::ReadOnly))
        return failure("cannot open " + name + ": " + opened.errorString().toStdString());
    const QByteArray text = opened.read(kMostBytes + 1);
    if (text.size() > kMostBytes)
        return failure(name + ": it is larger than a workspace can be, 16 MiB");
    auto parsed = parseWorkspace(text, QFileInfo(file).absolutePath());
    if (!parsed)
        return failure(name + ": " + parsed.error().message);
    return parsed;
}

Result<void> writeWorkspace(const Workspace &workspace, const QString &file)
{
    const QByteArray text = workspaceText(workspace, QFileInfo(file).absolutePath());
    return writeFile(file.toStdString(), {text.constData(), static_cast<std::size_t>(text.size())});
}

} // namespace hearth
