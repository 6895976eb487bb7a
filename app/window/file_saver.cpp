#include "app/window/file_saver.h"

#include "app/cli/output_format.h"

#include <utility>

namespace hearth {

FileSaver::FileSaver(QObject *parent) : QObject(parent) {}

void FileSaver::save(std::shared_ptr<const Snapshot> snapshot, const QString &file)
{
    if (m_worker.isBusy()) {
        Q_EMIT failed(tr("Another file is still being written."));
        return;
    }
    m_worker.run([this, file, snapshot = std::move(snapshot)](const std::stop_token &) -> Worker::Delivery {
        const auto written = cli::writeDataSet(*snapshot, file.toStdString());
        if (written)
            return [this, file] { Q_EMIT saved(file); };
        return [this, message = QString::fromStdString(written.error().message)] { Q_EMIT failed(message); };
    });
}

} // namespace hearth
