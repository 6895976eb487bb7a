#include "ui/export/view_saver.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <utility>

namespace hearth {

namespace {

Result<void> failedToWrite(const QString &path, const QFileDevice &file)
{
    return failure((path + QStringLiteral(": ") + file.errorString()).toStdString());
}

/// Devices and pipes are written to as they are.
Result<void> writeDirectly(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Unbuffered) || file.write(bytes) != bytes.size())
        return failedToWrite(path, file);
    return {};
}

Result<void> writeWhole(const QString &path, const QByteArray &bytes)
{
    if (const QFileInfo known(path); known.exists() && !known.isFile() && !known.isDir())
        return writeDirectly(path, bytes);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return failedToWrite(path, file);
    return {};
}

} // namespace

void ViewSaver::save(const QString &file, Maker make)
{
    if (m_worker.isBusy()) {
        Q_EMIT failed(tr("Another file is still being written."));
        return;
    }
    m_worker.run([this, file, make = std::move(make)](const std::stop_token &) -> Worker::Delivery {
        const Result<QByteArray> bytes = make();
        const Result<void> written = bytes ? writeWhole(file, *bytes) : tl::unexpected(bytes.error());
        if (written)
            return [this, file] { Q_EMIT saved(file); };
        return [this, message = QString::fromStdString(written.error().message)] {
            Q_EMIT failed(tr("Nothing was written. %1").arg(message));
        };
    });
}

} // namespace hearth
