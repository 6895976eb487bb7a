#include "app/window/window_main.h"

#include "app/window/application.h"
#include "ui/settings/settings.h"

#include <QApplication>

#include <algorithm>
#include <cstdlib>

namespace hearth {

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
    QStringList files;
    bool wantsNew = false;
    for (const std::string &word : words)
        if (word == "--new")
            wantsNew = true;
        else
            files += QString::fromStdString(word);
    SingleInstance instance;
    if (!wantsNew && !files.isEmpty() && instance.handOver(files))
        return EXIT_SUCCESS;
    applyTheme(Settings::load().theme.value_or(systemTheme()));
    Application hearth(instance);
    hearth.start(files);
    return QApplication::exec();
}

} // namespace hearth
