#pragma once

#include "app/window/application.h"
#include "app/window/single_instance.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QTemporaryDir>

/// The program with a window, which listens in a folder of its own.
class Desk {
public:
    explicit Desk(const QStringList &files = {})
    {
        m_application.start(files);
        for (QWidget *widget : QApplication::topLevelWidgets())
            if (auto *found = qobject_cast<hearth::MainWindow *>(widget))
                m_window = found;
    }

    hearth::MainWindow &window() const { return *m_window; }
    const hearth::Application &application() const { return m_application; }
    const hearth::Address &port() const { return m_port; }
    QString filePath(const QString &name) const { return m_folder.filePath(name); }

private:
    const QTemporaryDir m_folder;
    const hearth::Address m_port{
        .host = {}, .port = 0, .path = filePath(QStringLiteral("port")).toStdString()};
    hearth::SingleInstance m_instance{filePath(QStringLiteral("instance"))};
    hearth::Application m_application{m_instance, m_port};
    hearth::MainWindow *m_window = nullptr;
};
