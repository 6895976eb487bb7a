#include "app/demo/demo.h"
#include "app/window/sent_requests.h"
#include "ingest/formats/otlp_writer.h"
#include "model/lens/span_steps.h"
#include "model/store/store.h"
#include "model/views/neighbours.h"
#include "ui/commands/key_overview.h"
#include "ui/commands/palette.h"
#include "ui/compare/compare_view.h"
#include "ui/flame/flame_page.h"
#include "ui/log/log_model.h"
#include "ui/senders/request_pane.h"
#include "ui/senders/senders_view.h"
#include "ui/settings/settings_dialog.h"
#include "ui/table/top_view.h"
#include "ui/table/tree_view.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"
#include "ui/traces/traces_view.h"
#include "ui/traces/waterfall_view.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTextStream>
#include <QTreeView>

#include <algorithm>
#include <chrono>

// Pictures of every view in light and dark, from the demo or from files given.
// usage: hearth-shots FOLDER

namespace {

using namespace hearth;

/// Lets workers and animations come to their end.
void settle(MainWindow &window)
{
    QElapsedTimer timer;
    timer.start();
    do {
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
        QCoreApplication::postEvent(&window, new QEvent(QEvent::User)); // so that waiting ends
    } while (window.session().isEvaluating() || window.compare()->isComparing() || timer.elapsed() < 400);
}

class Photographer {
public:
    Photographer(QString folder, std::shared_ptr<const Snapshot> snapshot)
        : m_folder(std::move(folder)), m_snapshot(std::move(snapshot))
    {}

    void takeAll(const QString &theme)
    {
        m_theme = theme;
        takeStart();
        takeViews();
        takeTraces();
        takeCompare();
        takeOverlays();
        takeSenders();
    }
    bool failed() const { return m_failed; }

private:
    void take(QWidget &widget, const QString &name)
    {
        const QString path = QStringLiteral("%1/%2-%3.png").arg(m_folder, name, m_theme);
        if (!widget.grab().save(path)) {
            QTextStream(stderr) << "cannot write " << path << '\n';
            m_failed = true;
        }
    }

    void takeStart()
    {
        LogModel log;
        MainWindow window(log);
        window.setListening(QStringLiteral("127.0.0.1:11000"), QStringLiteral("127.0.0.1:11000 · waiting"),
                            true);
        window.show();
        settle(window);
        take(window, QStringLiteral("start"));
    }

    void open(MainWindow &window)
    {
        window.setListening(QStringLiteral("127.0.0.1:11000"), QStringLiteral("127.0.0.1:11000 · waiting"),
                            true);
        window.setDataSets({{.id = QStringLiteral("1"),
                             .name = QStringLiteral("Demo"),
                             .figure = countText(m_snapshot->sampleCount()),
                             .toolTip = {},
                             .isLive = false}},
                           QStringLiteral("1"));
        window.show();
        window.showDataSet(m_snapshot, QStringLiteral("Demo"));
        settle(window);
    }

    /// The demo as a request, and one that has less in it than in its tables.
    void takeSenders()
    {
        const auto demo = otlpFile(*m_snapshot, OtlpForm::Json);
        const std::string careless = R"({"dictionary":{"stringTable":["","main","main"]}})";
        RecentRequests recent;
        const auto add = [&](const std::string &body, const char *program) {
            recent.add({.signal = Signal::Profiles,
                        .encoding = Encoding::Json,
                        .transport = Transport::Http,
                        .body = {reinterpret_cast<const std::uint8_t *>(body.data()), body.size()},
                        .peer = "127.0.0.1:52114",
                        .userAgent = program},
                       {});
        };
        add(careless, "my-exporter/0.1");
        add(demo.value(), "shop/2.3");
        Senders senders;
        senders.senders.resize(1);
        Sender &shop = senders.senders[0];
        shop.peer = "127.0.0.1:52114";
        shop.userAgent = "shop/2.3";
        shop.generation = "1.10";
        shop.requests = 1;
        shop.samples = m_snapshot->sampleCount();
        shop.bytes = demo->size();
        shop.lastSeen = std::chrono::system_clock::now();
        shop.refused = 1;
        shop.reasons["not valid JSON: it ends within a string"] = 1;
        SendersView view;
        view.setSenders(senderRows(senders, nullptr, 0));
        view.setRequests(requestRows(recent));
        view.show();
        view.requests()->setCurrentIndex(view.requests()->model()->index(0, 0));
        const QAbstractItemModel &parts = *view.request()->parts()->model();
        while (parts.rowCount() == 0)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        for (QModelIndex at = parts.index(0, 0); at.isValid();
             at = parts.index(parts.rowCount(at) - 1, 0, at))
            view.request()->parts()->expand(at);
        take(view, QStringLiteral("senders"));
    }

    void takeViews()
    {
        LogModel log;
        MainWindow window(log);
        open(window);
        window.flames()->search()->setText(QStringLiteral("json::"));
        select(window, "json::parse(std::string_view)");
        settle(window);
        take(window, QStringLiteral("flame"));
        window.flames()->search()->clear();
        window.flames()->view()->zoomTo(window.session().selectedNode());
        settle(window);
        take(window, QStringLiteral("flame-zoomed"));
        window.commands()[QStringLiteral("invert")]->trigger();
        settle(window);
        take(window, QStringLiteral("flame-inverted"));
        window.session().undo();
        window.commands()[QStringLiteral("fit-all")]->trigger();
        for (int view = 0; view < window.views()->count(); ++view) {
            if (window.views()->widget(view) == window.flames())
                continue;
            window.views()->setCurrentIndex(view);
            settle(window);
            QString name = window.views()->tabText(view).toLower();
            take(window, name.replace(QLatin1Char(' '), QLatin1Char('-')));
        }
    }

    /// What is chosen in the tab of traces: a span of the slowest trace of a group.
    void takeTraces()
    {
        LogModel log;
        MainWindow window(log);
        open(window);
        window.views()->setCurrentWidget(window.traces());
        settle(window);
        SpanChoice choice;
        choice.name = "GET /cart";
        choice.service = "checkout";
        choice.fromNs = 300'000'000;
        choice.toNs = 900'000'000;
        window.session().setLens(withSpanChoice({}, choice));
        settle(window);
        window.traces()->showTraces(true);
        settle(window);
        take(window, QStringLiteral("traces-of-a-band"));
        window.traces()->showTraces(false);
        const WaterfallScene &scene = window.traces()->waterfall()->scene();
        const Link &link = m_snapshot->links[scene.waterfall->rows[2].link.value];
        choice = {};
        choice.trace = traceText(link);
        choice.span = spanText(link);
        window.session().setLens(withSpanChoice({}, choice));
        settle(window);
        take(window, QStringLiteral("traces-span"));
    }

    /// What slow spans of a group do more of than fast ones.
    void takeCompare()
    {
        LogModel log;
        MainWindow window(log);
        open(window);
        window.views()->setCurrentWidget(window.traces());
        settle(window);
        SpanChoice choice;
        choice.name = "GET /cart";
        choice.service = "checkout";
        choice.fromNs = 300'000'000;
        window.session().setLens(withSpanChoice({}, choice));
        settle(window);
        window.traces()->slowMinusFast()->click();
        settle(window);
        take(window, QStringLiteral("compare-slow-and-fast"));
    }

    void takeOverlays()
    {
        LogModel log;
        MainWindow window(log);
        log.add(LogLevel::Note, QStringLiteral("port"), QStringLiteral("listening on 127.0.0.1:11000"));
        log.add(LogLevel::Warning, QStringLiteral("files"), QStringLiteral("the input ends early"));
        open(window);
        window.goTo()->open(QStringLiteral("par"));
        settle(window);
        take(window, QStringLiteral("palette"));
        window.goTo()->hide();
        window.commands()[QStringLiteral("show-log")]->trigger();
        window.showMessage(MessageKind::Problem,
                           QStringLiteral("cpu.pb.gz: the input ends early; 41,200 samples were read"));
        settle(window);
        take(window, QStringLiteral("log"));
        window.commands()[QStringLiteral("show-log")]->trigger();
        new KeyOverview(window.commands(), window);
        settle(window);
        take(window, QStringLiteral("keys"));
        auto *dialog = new SettingsDialog(window.commands(), &window);
        dialog->show();
        settle(window);
        take(*dialog, QStringLiteral("settings"));
        delete dialog;
    }

    /// The heaviest frame of a function.
    static void select(MainWindow &window, std::string_view name)
    {
        const CallTree &tree = *window.session().evaluation()->tree;
        if (const auto entry = entryNamed(tree, name))
            window.session().selectNode(heaviestNodeOf(tree, *entry));
    }

    QString m_folder;
    std::shared_ptr<const Snapshot> m_snapshot;
    QString m_theme;
    bool m_failed = false;
};

} // namespace

int main(int argc, char **argv)
{
    qputenv("TZ", "UTC");
    QStandardPaths::setTestModeEnabled(true); // nobody's own settings are in the pictures
    QApplication::setOrganizationName(QStringLiteral("hearth"));
    QApplication::setApplicationName(QStringLiteral("hearth-shots"));
    QApplication application(argc, argv);
    if (argc != 2) {
        QTextStream(stderr) << "usage: hearth-shots FOLDER\n";
        return 2;
    }
    const QString folder = QString::fromLocal8Bit(argv[1]);
    if (!QDir().mkpath(folder)) {
        QTextStream(stderr) << "cannot make the folder " << folder << '\n';
        return 3;
    }
    Store store;
    store.append(demoBatch());
    Photographer photographer(folder, store.publish());
    for (const auto &[kind, name] : {std::pair(ThemeKind::Light, QStringLiteral("light")),
                                     std::pair(ThemeKind::Dark, QStringLiteral("dark"))}) {
        QSettings().clear();
        Settings settings;
        settings.theme = kind;
        settings.save();
        applyTheme(kind);
        photographer.takeAll(name);
    }
    return photographer.failed() ? 1 : 0;
}
