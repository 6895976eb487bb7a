#pragma once

#include "model/lens/lens.h"
#include "model/result.h"
#include "model/store/snapshot.h"
#include "ui/session/worker.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace hearth {

/// Writes data sets into files, on a thread of its own.
class FileSaver : public QObject {
    Q_OBJECT

public:
    explicit FileSaver(QObject *parent = nullptr);

    /// @param lens what of the data set is written; Lens() for all of it
    /// @param file its name tells the format
    void save(std::shared_ptr<const Snapshot> snapshot, const Lens &lens, const QString &file);
    /// Bytes as they are.
    void save(std::vector<std::uint8_t> bytes, const QString &file);

Q_SIGNALS:
    void saved(const QString &file);
    void failed(const QString &message);

private:
    using Writing = std::function<Result<void>(const std::stop_token &)>;

    void start(const QString &file, Writing writing);

    Worker m_worker;
};

} // namespace hearth
