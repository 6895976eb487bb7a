#include "ingest/formats/format.h"
#include "model/lens/lens_text.h"
#include "model/store/store.h"
#include "tests/support/eventually.h"
#include "ui/flame/flame_page.h"
#include "ui/log/log_model.h"
#include "ui/theme/theme.h"
#include "ui/traces/trace_model.h"
#include "ui/traces/traces_view.h"
#include "ui/traces/waterfall_view.h"
#include "ui/window/main_window.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSettings>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <set>

using namespace hearth;

namespace {

constexpr int kRequests = 6;
constexpr int kPatienceMs = 240'000;

} // namespace

/// Two services that send their spans to the port, sampled by the agent that sends its samples to the same:
/// from the slowest span to the function that it spent its time in, and from that function back to the spans
/// that ran it.
class TestTracedShop : public QObject {
    Q_OBJECT

    QTemporaryDir m_directory;
    QString m_recording;

    QJsonArray rows(const QStringList &arguments)
    {
        QProcess process;
        process.start(HEARTH_PROGRAM, arguments + QStringList{m_recording, "--json"});
        process.waitForFinished(kPatienceMs);
        const QJsonObject report = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
        if (process.exitCode() != 0)
            qWarning("%s", process.readAllStandardError().constData());
        return report["rows"].toArray();
    }

    /// The port that `hearth serve` says it listens on.
    static QString portOf(QProcess &serve)
    {
        QByteArray said;
        const QByteArray before = "listening on 127.0.0.1:";
        while (!said.contains(before) || !said.mid(said.indexOf(before)).contains('\n')) {
            if (!serve.waitForReadyRead(kPatienceMs))
                return {};
            said += serve.readAll();
        }
        const qsizetype at = said.indexOf(before) + before.size();
        return QString::fromLatin1(said.mid(at, said.indexOf('\n', at) - at));
    }

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
        QCoreApplication::setApplicationName(QStringLiteral("hearth-test-shop"));
        QSettings().clear();
        applyTheme(ThemeKind::Light);
        m_recording = m_directory.filePath("shop.otlp");
        QProcess serve;
        serve.setProcessChannelMode(QProcess::MergedChannels);
        serve.start(HEARTH_PROGRAM,
                    {"serve", "--no-journal", "--listen", "127.0.0.1:0", "--save", m_recording});
        const QString port = portOf(serve);
        QVERIFY(!port.isEmpty());
        QProcess agent;
        agent.start(HEARTH_AGENT, {"-F", "500", "--to", "127.0.0.1:" + port, "--",
                                   KNOWN_PROGRAMS "/traced-shop", port, QString::number(kRequests)});
        QVERIFY(agent.waitForFinished(kPatienceMs));
        ::kill(static_cast<pid_t>(serve.processId()), SIGTERM);
        QVERIFY(serve.waitForFinished(kPatienceMs));
        constexpr int kCannotRecord = 125;
        if (agent.exitCode() == kCannotRecord)
            QSKIP(("the agent cannot record here: " + agent.readAllStandardError()).constData());
        QVERIFY2(agent.exitCode() == 0, agent.readAllStandardError().constData());
    }

    void fromTheSlowestSpanToItsFunctionAndBackInATerminal()
    {
        const QJsonArray traces = rows({"traces"});
        QCOMPARE(traces.size(), qsizetype(kRequests));
        const QJsonObject slowest = traces[0].toObject();
        QCOMPARE(slowest["name"].toString(), QStringLiteral("GET /cart"));
        QCOMPARE(slowest["spans"].toInt(), 3);
        const QString trace = slowest["trace"].toString();
        QVERIFY(trace.endsWith('3') || trace.endsWith('6')); // every third is slow

        const QJsonArray spans = rows({"spans", "--lens", "trace=" + trace});
        QCOMPARE(spans.size(), qsizetype(3));
        QCOMPARE(spans[2].toObject()["name"].toString(), QStringLiteral("parse answer"));
        const QString parse = spans[2].toObject()["span"].toString();
        const QJsonArray top =
            rows({"top", "--sort", "total", "--lens", "trace=" + trace + " spanid=" + parse});
        QStringList functions;
        for (const QJsonValue &row : top)
            functions += row.toObject()["name"].toString();
        QVERIFY2(functions.contains(QStringLiteral("parseLongAnswer")), qPrintable(functions.join(' ')));
        QVERIFY(!functions.contains(QStringLiteral("lookUpItems")));
        QVERIFY(!functions.contains(QStringLiteral("routeRequest")));

        std::set<QString> ran;
        for (const QJsonValue &row : rows({"spans", "--limit", "0", "--function", "^parseLongAnswer$"})) {
            QCOMPARE(row.toObject()["name"].toString(), QStringLiteral("parse answer"));
            ran.insert(row.toObject()["trace"].toString().right(1));
        }
        QCOMPARE(ran, (std::set<QString>{QStringLiteral("3"), QStringLiteral("6")}));
    }

    void theSameWithMouseAndKeysInTheWindow()
    {
        Store store;
        auto batch = readProfile(m_recording.toStdString());
        QVERIFY(batch);
        store.append(std::move(*batch));
        LogModel log;
        MainWindow window(log);
        window.resize(1300, 900);
        window.show();
        window.showDataSet(store.publish(), QStringLiteral("shop"));
        TracesView &view = *window.traces();
        const auto settle = [&] { EVENTUALLY(!window.session().isEvaluating() && !view.isStudying()); };
        window.views()->setCurrentWidget(&view);
        settle();
        EVENTUALLY(view.traces()->model()->rowCount() == kRequests);
        view.showTraces(true);
        QTest::mouseClick(view.traces()->viewport(), Qt::LeftButton, {},
                          view.traces()->visualRect(view.traces()->model()->index(0, 0)).center());
        settle();
        const WaterfallScene &scene = view.waterfall()->scene();
        QCOMPARE(scene.rows(), std::size_t(3));
        QTest::mouseClick(view.waterfall()->viewport(), Qt::LeftButton, {}, scene.row(2).center());
        settle();
        const CallTree &tree = *window.session().evaluation()->tree;
        NodeId node = NodeId::none();
        for (std::size_t i = 1; i < tree.nodeCount() && node.isNone(); ++i)
            if (tree.entries()[tree.entryOf(NodeId(i))].name == "parseLongAnswer" &&
                tree.total(NodeId(i)) > 0)
                node = NodeId(i);
        QVERIFY(!node.isNone());
        QVERIFY(tree.total(node) * 2 > window.session().evaluation()->matched);

        window.session().selectNode(node);
        QTest::keyClick(&window, Qt::Key_S); // the spans that ran it
        settle();
        EVENTUALLY(view.traces()->model()->rowCount() == 2);
        for (int row = 0; row < 2; ++row)
            QCOMPARE(view.traces()->model()->index(row, TraceModel::Name).data().toString(),
                     QStringLiteral("GET /cart"));
    }
};

QTEST_MAIN(TestTracedShop)
#include "tst_traced_shop.moc"
