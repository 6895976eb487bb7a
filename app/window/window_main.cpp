#include "app/window/window_main.h"

#include "app/cli/terminal.h"
#include "app/window/file_loader.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QSettings>

#include <cstdlib>

namespace hearth {

namespace {

ThemeKind chosenTheme()
{
    constexpr int kFollowSystem = -1;
    const int kind = QSettings().value(QStringLiteral("theme"), kFollowSystem).toInt();
    return kind == kFollowSystem ? systemTheme() : static_cast<ThemeKind>(kind);
}

QString lossesOf(const Snapshot &snapshot)
{
    QStringList lines;
    for (const std::string &detail : snapshot.losses.details())
        lines += QString::fromStdString(detail);
    return lines.join(QLatin1Char('\n'));
}

} // namespace

bool hasDisplay()
{
    const auto isSet = [](const char *name) {
        const char *value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") || isSet("QT_QPA_PLATFORM");
}

int runWindow(int argc, char **argv, std::span<const std::string> words)
{
    QApplication::setApplicationName(QStringLiteral("hearth"));
    QApplication::setOrganizationName(QStringLiteral("hearth"));
    QApplication::setApplicationVersion(QStringLiteral(HEARTH_VERSION));
    QApplication application(argc, argv);
    applyTheme(chosenTheme());
    MainWindow window;
    FileLoader loader;
    QObject::connect(&window, &MainWindow::openRequested, &loader, &FileLoader::load);
    QObject::connect(&window, &MainWindow::cancelRequested, &loader, &FileLoader::cancel);
    QObject::connect(&loader, &FileLoader::progress, &window, &MainWindow::setProgress);
    QObject::connect(&loader, &FileLoader::failed, &window,
                     [&](const QString &message) { window.showMessage(message, true); });
    QObject::connect(&loader, &FileLoader::loaded, &window,
                     [&](const std::shared_ptr<const Snapshot> &snapshot, const QString &title) {
                         window.showSnapshot(snapshot, title);
                         if (const QString losses = lossesOf(*snapshot); !losses.isEmpty())
                             window.showMessage(losses, false);
                     });
    QStringList files;
    for (const std::string &word : words)
        files += QString::fromStdString(word);
    window.show();
    if (!files.isEmpty())
        loader.load(files);
    return QApplication::exec();
}

} // namespace hearth
