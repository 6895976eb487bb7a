#pragma once

#include "model/result.h"
#include "ui/session/worker.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <functional>

namespace hearth {

/// Writes what a view shows into a file, in the background. A file that cannot be written whole is not
/// touched.
class ViewSaver : public QObject {
    Q_OBJECT

public:
    using Maker = std::function<Result<QByteArray>()>;

    using QObject::QObject;

    /// @param make the bytes; called on another thread
    void save(const QString &file, Maker make);

Q_SIGNALS:
    void saved(const QString &file);
    void failed(const QString &message);

private:
    Worker m_worker;
};

} // namespace hearth
