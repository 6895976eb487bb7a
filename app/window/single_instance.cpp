#include "app/window/single_instance.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QLocalSocket>
#include <QStandardPaths>
#include <QTimer>

#include <memory>

namespace hearth {

namespace {

constexpr int kPatienceMs = 1000;
constexpr qsizetype kMostBytes = 1 << 20;
constexpr char kTaken = '+';

/// Sockets of other displays and other home directories are other programs.
QString usualName()
{
    const QByteArray place = qgetenv("WAYLAND_DISPLAY") + '|' + qgetenv("DISPLAY") + '|' +
                             QDir::homePath().toUtf8() + '|' + qgetenv("QT_QPA_PLATFORM");
    const QByteArray hash = QCryptographicHash::hash(place, QCryptographicHash::Sha1).toHex().left(12);
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    const QString name = QStringLiteral("hearth-") + QString::fromLatin1(hash);
    return folder.isEmpty() ? name : folder + QLatin1Char('/') + name;
}

} // namespace

SingleInstance::SingleInstance(const QString &name, QObject *parent)
    : QObject(parent), m_name(name.isEmpty() ? usualName() : name)
{
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, &SingleInstance::takeConnection);
}

bool SingleInstance::handOver(const QStringList &files) const
{
    QLocalSocket socket;
    socket.connectToServer(m_name);
    if (!socket.waitForConnected(kPatienceMs))
        return false;
    QByteArray message;
    for (const QString &file : files)
        message += QFileInfo(file).absoluteFilePath().toUtf8() + '\0';
    message += '\0';
    socket.write(message);
    char answer = 0;
    return socket.waitForBytesWritten(kPatienceMs) && socket.waitForReadyRead(kPatienceMs) &&
           socket.getChar(&answer) && answer == kTaken;
}

/// A program that crashed leaves its socket behind; one that runs answers. Listening itself would tell
/// neither: with access options it takes the place of whatever is there.
QString SingleInstance::listen()
{
    QLocalSocket socket;
    socket.connectToServer(m_name);
    if (socket.waitForConnected(kPatienceMs))
        return tr("another Hearth does already");
    QLocalServer::removeServer(m_name);
    return m_server.listen(m_name) ? QString() : m_server.errorString();
}

void SingleInstance::takeConnection()
{
    while (QLocalSocket *socket = m_server.nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        QTimer::singleShot(kPatienceMs, socket, [socket] { socket->abort(); });
        auto received = std::make_shared<QByteArray>();
        const auto take = [this, socket, received] {
            *received += socket->readAll();
            if (received->size() > kMostBytes)
                return socket->abort();
            if (!received->endsWith(QByteArray(2, '\0')) && *received != QByteArray(1, '\0'))
                return;
            QStringList files;
            for (const QByteArray &file : received->split('\0'))
                if (!file.isEmpty())
                    files += QString::fromUtf8(file);
            socket->putChar(kTaken);
            socket->flush();
            socket->disconnectFromServer();
            Q_EMIT filesReceived(files);
        };
        connect(socket, &QLocalSocket::readyRead, this, take);
        if (socket->bytesAvailable() > 0)
            take();
    }
}

} // namespace hearth
