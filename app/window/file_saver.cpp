#include "app/window/file_saver.h"

#include "app/cli/output_format.h"
#include "model/views/part.h"

#include <utility>

namespace hearth {

FileSaver::FileSaver(QObject *parent) : QObject(parent) {}

namespace {

Result<void> write(const std::shared_ptr<const Snapshot> &snapshot, const Lens &lens, const QString &file,
                   const std::stop_token &stop)
{
    const auto part = partOf(snapshot, lens, stop);
    if (!part)
        return tl::unexpected(part.error());
    return *part ? cli::writeDataSet(**part, file.toStdString()) : failure("stopped");
}

} // namespace

void FileSaver::save(std::shared_ptr<const Snapshot> snapshot, const Lens &lens, const QString &file)
{
    if (m_worker.isBusy()) {
        Q_EMIT failed(tr("Another file is still being written."));
        return;
    }
    m_worker.run([this, file, lens,
                  snapshot = std::move(snapshot)](const std::stop_token &stop) -> Worker::Delivery {
        const auto written = write(snapshot, lens, file, stop);
        if (written)
            return [this, file] { Q_EMIT saved(file); };
        return [this, message = QString::fromStdString(written.error().message)] { Q_EMIT failed(message); };
    });
}

} // namespace hearth
