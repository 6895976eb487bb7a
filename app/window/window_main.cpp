#include "app/window/window_main.h"

#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/terminal.h"
#include "app/window/application.h"
#include "ui/settings/settings.h"

#include <QApplication>

#include <array>
#include <cstdlib>

namespace hearth {

namespace {

constexpr std::array kOptions{
    cli::Option{.name = "new", .help = "a program of its own, even if a window is open"},
    cli::Option{.name = "listen",
                .value = "ADDR",
                .help = "HOST:PORT, PORT or unix:PATH; localhost:11000 by default"}};

int complain(const std::string &message)
{
    cli::complain(message);
    return static_cast<int>(cli::Exit::WrongUse);
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
    const auto arguments = cli::Arguments::parse(words, kOptions);
    if (!arguments)
        return complain(arguments.error().message);
    const auto address = parseAddress(arguments->value("listen").value_or("localhost"));
    if (!address)
        return complain(address.error().message);
    QApplication application(argc, argv);
    QStringList files;
    for (const std::string &file : arguments->files())
        files += QString::fromStdString(file);
    SingleInstance instance;
    if (!arguments->has("new") && !files.isEmpty() && instance.handOver(files))
        return EXIT_SUCCESS;
    applyTheme(Settings::load().theme.value_or(systemTheme()));
    Application hearth(instance, *address);
    hearth.start(files);
    return QApplication::exec();
}

} // namespace hearth
