#include "app/window/window_main.h"

#include "app/window/file_loader.h"
#include "app/window/live_port.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QSettings>

#include <cstdlib>
#include <vector>

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

/// Brings together the window, the files it opens and the port.
class Application : public QObject {
public:
    Application()
    {
        connect(&m_window, &MainWindow::openRequested, &m_loader, &FileLoader::load);
        connect(&m_window, &MainWindow::cancelRequested, &m_loader, &FileLoader::cancel);
        connect(&m_window, &MainWindow::dataSetChosen, this, &Application::show);
        connect(&m_loader, &FileLoader::progress, &m_window, &MainWindow::setProgress);
        connect(&m_loader, &FileLoader::failed, &m_window,
                [this](const QString &message) { m_window.showMessage(message, true); });
        connect(&m_loader, &FileLoader::loaded, this, &Application::addFile);
        connect(&m_port, &LivePort::updated, this, &Application::takeLive);
        connect(&m_port, &LivePort::rateChanged, this, &Application::showListening);
    }

    void open(const QStringList &files)
    {
        m_window.show();
        listen();
        if (!files.isEmpty())
            m_loader.load(files);
    }

private:
    struct DataSet {
        QString title;
        std::shared_ptr<const Snapshot> snapshot; ///< null: live
    };
    static constexpr int kNone = -1;

    void listen()
    {
        const QString problem = m_port.listen(*parseAddress("localhost"));
        if (problem.isEmpty())
            return showListening(tr("waiting"));
        m_window.setListening({}, problem, false);
    }

    void showListening(const QString &text)
    {
        m_window.setListening(m_port.address(), m_port.address() + QStringLiteral(" · ") + text, true);
    }

    void addFile(const std::shared_ptr<const Snapshot> &snapshot, const QString &title)
    {
        m_dataSets.push_back({title, snapshot});
        show(static_cast<int>(m_dataSets.size()) - 1);
        if (const QString losses = lossesOf(*snapshot); !losses.isEmpty())
            m_window.showMessage(losses, false);
    }

    /// The first data that arrives is shown, unless a file is.
    void takeLive()
    {
        const auto snapshot = m_port.snapshot();
        if (!snapshot || snapshot->sampleCount() == 0)
            return;
        if (m_live == kNone) {
            m_live = static_cast<int>(m_dataSets.size());
            m_dataSets.push_back({tr("Live %1").arg(m_port.address()), nullptr});
            m_window.setDataSets(titles());
            if (m_shown == kNone)
                show(m_live);
        } else if (m_shown == m_live) {
            m_window.session().updateDataSet(snapshot);
        }
    }

    void show(int index)
    {
        const DataSet &dataSet = m_dataSets[static_cast<std::size_t>(index)];
        m_shown = index;
        m_window.setDataSets(titles());
        m_window.showDataSet(dataSet.snapshot ? dataSet.snapshot : m_port.snapshot(), dataSet.title);
    }

    QStringList titles() const
    {
        QStringList titles;
        for (const DataSet &dataSet : m_dataSets)
            titles += dataSet.title;
        return titles;
    }

    MainWindow m_window;
    FileLoader m_loader;
    LivePort m_port;
    std::vector<DataSet> m_dataSets;
    int m_live = kNone;
    int m_shown = kNone;
};

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
    QStringList files;
    for (const std::string &word : words)
        files += QString::fromStdString(word);
    Application hearth;
    hearth.open(files);
    return QApplication::exec();
}

} // namespace hearth
