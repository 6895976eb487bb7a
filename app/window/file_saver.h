#pragma once

#include "model/lens/lens.h"
#include "model/store/snapshot.h"
#include "ui/session/worker.h"

#include <QObject>
#include <QString>

#include <memory>

namespace hearth {

/// Writes data sets into files, on a thread of its own.
class FileSaver : public QObject {
    Q_OBJECT

public:
    explicit FileSaver(QObject *parent = nullptr);

    /// @param lens what of the data set is written; Lens() for all of it
    /// @param file its name tells the format
    void save(std::shared_ptr<const Snapshot> snapshot, const Lens &lens, const QString &file);

Q_SIGNALS:
    void saved(const QString &file);
    void failed(const QString &message);

private:
    Worker m_worker;
};

} // namespace hearth
