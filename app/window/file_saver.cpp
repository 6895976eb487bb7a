#include "app/window/file_saver.h"

#include "app/cli/output_format.h"
#include "ingest/bytes/byte_sink.h"
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
    start(file, [snapshot = std::move(snapshot), lens, file](const std::stop_token &stop) {
        return write(snapshot, lens, file, stop);
    });
}

void FileSaver::save(std::vector<std::uint8_t> bytes, const QString &file)
{
    start(file, [bytes = std::move(bytes), file](const std::stop_token &) {
        return writeFile(file.toStdString(), {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
    });
}

void FileSaver::start(const QString &file, Writing writing)
{
    if (m_worker.isBusy()) {
        Q_EMIT failed(tr("Another file is still being written."));
        return;
    }
    m_worker.run([this, file, writing = std::move(writing)](const std::stop_token &stop) -> Worker::Delivery {
        const Result<void> written = writing(stop);
        if (written)
            return [this, file] { Q_EMIT saved(file); };
        return [this, message = QString::fromStdString(written.error().message)] { Q_EMIT failed(message); };
    });
}

} // namespace hearth
