#pragma once

#include <QLocalServer>
#include <QObject>
#include <QStringList>

#include <functional>

namespace hearth {

/// One running program per user and display takes the files that later calls of `hearth FILE` name.
///
/// A caller connects, sends the absolute paths with a NUL behind each and one more at the end, and waits for
/// an answer of one byte, so that it knows that somebody took them.
class SingleInstance : public QObject {
    Q_OBJECT

public:
    /// @param name tells apart programs that do not belong together; empty: the usual one
    explicit SingleInstance(const QString &name = {}, QObject *parent = nullptr);

    /// Hands files to the program that is running. @return false if there is none that takes them
    bool handOver(const QStringList &files) const;

    /// Takes files from now on. @return why not; empty if it does
    QString listen();

Q_SIGNALS:
    /// Another program was started with these files; none of them: it only wants the window to be shown.
    void filesReceived(const QStringList &files);

private:
    void takeConnection();

    QString m_name;
    QLocalServer m_server;
};

} // namespace hearth
