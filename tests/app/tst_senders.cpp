#include "app/window/sent_requests.h"
#include "ingest/client/client.h"
#include "tests/app/desk.h"
#include "tests/support/eventually.h"
#include "ui/senders/part_model.h"
#include "ui/senders/request_model.h"
#include "ui/senders/request_pane.h"
#include "ui/senders/sender_model.h"
#include "ui/senders/senders_view.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <algorithm>

using namespace hearth;

namespace {

std::span<const std::uint8_t> bytesOf(const QByteArray &text)
{
    return {reinterpret_cast<const std::uint8_t *>(text.constData()), static_cast<std::size_t>(text.size())};
}

QByteArray sentFile(const char *name)
{
    QFile file(QStringLiteral(HEARTH_TEST_DATA "/otlp/") + QLatin1String(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot open %s", name);
    return file.readAll();
}

/// Stack 1 is never used, and the second sample's time is not in the profile.
QByteArray carelessRequest()
{
    return QByteArray("{'resourceProfiles':[{'scopeProfiles':[{'profiles':[{'sampleType':{'typeStrindex':1,"
                      "'unitStrindex':2},'timeUnixNano':'100','durationNano':'10','samples':["
                      "{'stackIndex':2,'timestampsUnixNano':['105']},"
                      "{'stackIndex':3,'timestampsUnixNano':['111']}]}]}]}],"
                      "'dictionary':{'stringTable':['','samples','count','main','idle'],'mappingTable':[{}],"
                      "'functionTable':[{},{'nameStrindex':3},{'nameStrindex':4}],"
                      "'linkTable':[{}],'attributeTable':[{}],"
                      "'locationTable':[{},{'lines':[{'functionIndex':1}]},{'lines':[{'functionIndex':2}]}],"
                      "'stackTable':[{},{'locationIndices':[1,2]},{'locationIndices':[1]},"
                      "{'locationIndices':[2,1]}]}}")
        .replace('\'', '"');
}

QString textAt(const QAbstractItemModel &model, int row, int column, const QModelIndex &parent = {})
{
    return model.index(row, column, parent).data().toString();
}

/// "dictionary" of the rows beneath an index.
QModelIndex rowOf(const QAbstractItemModel &model, const QString &text, const QModelIndex &parent = {})
{
    for (int row = 0; row < model.rowCount(parent); ++row)
        if (textAt(model, row, 0, parent) == text)
            return model.index(row, 0, parent);
    return {};
}

void click(QAbstractItemView &view, const QModelIndex &index)
{
    view.scrollTo(index);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(index).center());
}

Request requestOf(const QByteArray &body, Encoding encoding, const char *program)
{
    return {.signal = Signal::Profiles,
            .encoding = encoding,
            .transport = Transport::Http,
            .body = bytesOf(body),
            .peer = "127.0.0.1:4711",
            .userAgent = program};
}

} // namespace

class TestSenders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
        QCoreApplication::setApplicationName(QStringLiteral("hearth-test-senders"));
        qputenv("XDG_STATE_HOME", m_folder.path().toLocal8Bit());
        QSettings().clear();
    }

    void aRequestIsShownAsItWasSent()
    {
        const QByteArray sent = carelessRequest();
        RecentRequests recent;
        recent.add(requestOf(sent, Encoding::Json, "careless/1"), {});
        SendersView view;
        view.resize(1400, 600);
        view.setRequests(requestRows(recent));
        view.show();
        click(*view.requests(), view.requests()->model()->index(0, RequestModel::Time));
        RequestPane &pane = *view.request();
        EVENTUALLY(pane.summary()->text().startsWith(QStringLiteral("profiles 1.")));
        QVERIFY2(pane.summary()->text().contains(QStringLiteral("2 samples of ")),
                 qPrintable(pane.summary()->text()));

        QAbstractItemModel &parts = *pane.parts()->model();
        QModelIndex at = rowOf(parts, QStringLiteral("resourceProfiles"));
        for (const char *field : {"scopeProfiles", "profiles", "samples"}) {
            pane.parts()->expand(at);
            at = rowOf(parts, QLatin1String(field), at);
            QVERIFY2(at.isValid(), field);
        }
        QCOMPARE(at.siblingAtColumn(PartModel::Value).data().toString(), QStringLiteral("2 elements"));
        pane.parts()->expand(at);
        at = rowOf(parts, QStringLiteral("samples[1]"), at);
        pane.parts()->expand(at);
        const QModelIndex stack = rowOf(parts, QStringLiteral("stackIndex"), at);
        QVERIFY2(stack.siblingAtColumn(PartModel::Value).data().toString().contains(QStringLiteral("idle")),
                 qPrintable(stack.siblingAtColumn(PartModel::Value).data().toString()));

        const QAbstractItemModel &tables = *pane.tables()->model();
        const QModelIndex stacks = rowOf(tables, QStringLiteral("stackTable"));
        QCOMPARE(stacks.siblingAtColumn(1).data().toString(), QStringLiteral("4"));
        QCOMPARE(stacks.siblingAtColumn(3).data().toString(), QStringLiteral("1")); // unused
        QAbstractItemModel &findings = *pane.findings()->model();
        QCOMPARE(findings.rowCount(), 2);
        QCOMPARE(textAt(findings, 0, 0),
                 QStringLiteral("1 × entries of the stack table that nothing refers to"));
        QCOMPARE(textAt(findings, 1, 0, findings.index(0, 0)),
                 QStringLiteral("First at dictionary.stackTable[1]"));
        QCOMPARE(pane.pages()->tabText(2), QStringLiteral("Findings (2)"));
        pane.pages()->setCurrentWidget(pane.findings());
        pane.findings()->setCurrentIndex(findings.index(1, 0));
        QTest::keyClick(pane.findings(), Qt::Key_Return);
        QCOMPARE(pane.pages()->currentWidget(), pane.parts());
        QCOMPARE(pane.parts()->currentIndex().data().toString(), QStringLiteral("samples[1]"));
    }
    void whatCannotBeReadSaysWhy()
    {
        RecentRequests recent;
        recent.add(requestOf("{\"resourceProfiles\":[", Encoding::Json, "torn/1"), "it ends too soon");
        recent.add(requestOf(QByteArray(100, '\xff'), Encoding::Protobuf, "noise/1"), "no message");
        SendersView view;
        view.resize(1400, 600);
        view.setRequests(requestRows(recent));
        view.show();
        const QAbstractItemModel &requests = *view.requests()->model();
        QCOMPARE(textAt(requests, 0, RequestModel::Sender), QStringLiteral("noise/1")); // the newest
        for (int row = 0; row < 2; ++row) {
            click(*view.requests(), requests.index(row, RequestModel::Time));
            const QString before = QStringLiteral("Reading…");
            EVENTUALLY(view.request()->summary()->text() != before);
            QVERIFY(!view.request()->summary()->text().isEmpty());
            QCOMPARE(view.request()->parts()->model()->rowCount(), 0);
        }
    }
    void whatIsTooLargeToKeepIsStillCounted()
    {
        const QByteArray sent = carelessRequest();
        RecentRequests recent(100);
        recent.add(requestOf(sent, Encoding::Json, "careless/1"), {});
        SendersView view;
        view.resize(1400, 600);
        view.setRequests(requestRows(recent));
        view.show();
        click(*view.requests(), view.requests()->model()->index(0, RequestModel::Time));
        QVERIFY(view.request()->summary()->text().contains(QStringLiteral("too large")));
        QVERIFY(!view.request()->openButton()->isEnabled());
        QVERIFY(!view.request()->saveButton()->isEnabled());
    }
    void newRequestsDoNotMoveTheOneThatIsLookedAt()
    {
        RecentRequests recent(std::size_t(1) << 20, 3);
        SendersView view;
        view.show();
        for (const char *body : {"{}", "{ }", "{  }"}) {
            recent.add(requestOf(body, Encoding::Json, "tool"), {});
            view.setRequests(requestRows(recent));
        }
        const QAbstractItemModel &requests = *view.requests()->model();
        QCOMPARE(requests.rowCount(), 3);
        view.requests()->setCurrentIndex(requests.index(1, 0));
        recent.add(requestOf("{   }", Encoding::Json, "tool"), {});
        view.setRequests(requestRows(recent));
        QCOMPARE(requests.rowCount(), 3);
        QCOMPARE(view.requests()->currentIndex().row(), 2);
        QCOMPARE(requestRowOf(view, 2).bytes, quint64(3));
    }
    void rowsOfSendersStayWhereTheyAre()
    {
        const auto senderOf = [](const char *program, std::uint64_t samples) {
            Sender sender;
            sender.peer = "127.0.0.1:1";
            sender.userAgent = program;
            sender.samples = samples;
            return sender;
        };
        Senders before;
        before.senders = {senderOf("first", 100), senderOf("second", 5)};
        Senders now;
        now.senders = {senderOf("third", 7), senderOf("second", 1005), senderOf("first", 100)};
        now.senders[1].rejected = 2;
        now.senders[1].reasons["a stack that is not there"] = 2;
        SenderModel model;
        model.set(senderRows(before, nullptr, 0));
        model.set(senderRows(now, &before, 2));
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(textAt(model, 0, SenderModel::Program), QStringLiteral("first"));
        QCOMPARE(textAt(model, 0, SenderModel::Rate), QStringLiteral("0"));
        QCOMPARE(textAt(model, 1, SenderModel::Program), QStringLiteral("second"));
        QCOMPARE(textAt(model, 1, SenderModel::Rate), QStringLiteral("500"));
        QCOMPARE(textAt(model, 1, SenderModel::LeftOut), QStringLiteral("2"));
        QCOMPARE(textAt(model, 2, SenderModel::Program), QStringLiteral("third"));
        QCOMPARE(model.rowCount(model.index(1, 0)), 1);
        QCOMPARE(textAt(model, 0, 0, model.index(1, 0)), QStringLiteral("2 × a stack that is not there"));
        model.set(senderRows(before, nullptr, 0));
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.rowCount(model.index(1, 0)), 0);
    }
    void fromThePortToTheSamplesOfOneRequest()
    {
        const Desk desk;
        const Address &port = desk.port();
        EVENTUALLY(QFile::exists(QString::fromStdString(port.path)));
        QTest::keyClick(&desk.window(), Qt::Key_F11);
        EVENTUALLY(desk.application().senders() != nullptr);
        SendersView &view = *desk.application().senders();
        EVENTUALLY(view.isVisible());
        QVERIFY(!view.senders()->isVisible()); // nobody yet

        const auto client = grpcClient(port, {});
        const QByteArray profiles = sentFile("v1.11.0-protoc.pb");
        const auto accepted = client->send(Signal::Profiles, Encoding::Protobuf, bytesOf(profiles));
        QVERIFY(accepted && accepted->verdict == SendAnswer::Verdict::Accepted);
        const auto refused =
            client->send(Signal::Profiles, Encoding::Protobuf, bytesOf(QByteArray(64, '\xff')));
        QVERIFY(refused && refused->verdict == SendAnswer::Verdict::Refused);

        QAbstractItemModel &senders = *view.senders()->model();
        EVENTUALLY(senders.rowCount() == 1 && textAt(senders, 0, SenderModel::Refused) == QLatin1String("1"));
        QCOMPARE(senders.rowCount(senders.index(0, 0)), 1); // why
        QAbstractItemModel &requests = *view.requests()->model();
        EVENTUALLY_COMPARE(requests.rowCount(), 2);
        QVERIFY(textAt(requests, 0, RequestModel::Outcome) != QLatin1String("accepted"));
        QCOMPARE(textAt(requests, 1, RequestModel::Outcome), QStringLiteral("accepted"));
        click(*view.senders(), senders.index(0, 0));
        QVERIFY(view.allButton()->isVisible());
        QCOMPARE(requests.rowCount(), 2);

        click(*view.requests(), requests.index(1, RequestModel::Time));
        EVENTUALLY(view.request()->parts()->model()->rowCount() > 0);
        Q_EMIT view.request()->saveRequested(requestRowOf(view, 1),
                                             m_folder.filePath(QStringLiteral("kept.otlp")));
        QFile kept(m_folder.filePath(QStringLiteral("kept.otlp")));
        EVENTUALLY(kept.exists());
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), profiles);
        QTest::mouseClick(view.request()->openButton(), Qt::LeftButton);
        EVENTUALLY(desk.window().windowTitle().startsWith(QStringLiteral("Request of ")));
        QVERIFY(desk.window().session().snapshot()->sampleCount() > 0);
    }
    void whoSendsOnlyTracesIsShownToo()
    {
        const Desk desk;
        const Address &port = desk.port();
        EVENTUALLY(QFile::exists(QString::fromStdString(port.path)));
        const auto answer =
            grpcClient(port, {})->send(Signal::Traces, Encoding::Protobuf, bytesOf(sentFile("traces.pb")));
        QVERIFY(answer && answer->verdict == SendAnswer::Verdict::Accepted);
        EVENTUALLY(desk.window().session().snapshot() && desk.window().session().snapshot()->spans.rows > 0);
    }

private:
    static const RequestRow &requestRowOf(const SendersView &view, int row)
    {
        return static_cast<const RequestModel *>(view.requests()->model())->requestAt(row);
    }

    QTemporaryDir m_folder;
};

QTEST_MAIN(TestSenders)
#include "tst_senders.moc"
