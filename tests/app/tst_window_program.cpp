#include "app/demo/demo.h"
#include "app/window/data_sets.h"
#include "app/window/single_instance.h"
#include "model/store/store.h"
#include "model/views/evaluator.h"
#include "model/views/time_range.h"

#include <QLocalSocket>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <thread>

using namespace hearth;

namespace {

std::shared_ptr<const Snapshot> demo()
{
    Store store;
    store.append(demoBatch());
    return store.publish();
}

} // namespace

class TestWindowProgram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSecondProgramHandsItsFilesToTheFirst()
    {
        const QTemporaryDir folder;
        const QString name = folder.filePath(QStringLiteral("socket"));
        QVERIFY(!SingleInstance(name).handOver({QStringLiteral("/a")})); // nobody is there
        SingleInstance first(name);
        QCOMPARE(first.listen(), QString());
        QSignalSpy received(&first, &SingleInstance::filesReceived);
        bool wasTaken = false;
        std::jthread second([&] {
            wasTaken = SingleInstance(name).handOver({QStringLiteral("/a b"), QStringLiteral("/\u00e4")});
        });
        QTRY_COMPARE(received.size(), 1);
        second.join();
        QVERIFY(wasTaken);
        QCOMPARE(received[0][0].toStringList(),
                 QStringList({QStringLiteral("/a b"), QStringLiteral("/\u00e4")}));
        QVERIFY(!SingleInstance(name).listen().isEmpty());
    }
    void aCrashedProgramDoesNotKeepTheNextFromListening()
    {
        const QTemporaryDir folder;
        const QString name = folder.filePath(QStringLiteral("socket"));
        QFile left(name);
        QVERIFY(left.open(QIODevice::WriteOnly));
        left.close();
        SingleInstance instance(name);
        QCOMPARE(instance.listen(), QString());
    }
    void garbageOnTheSocketOpensNothing()
    {
        const QTemporaryDir folder;
        const QString name = folder.filePath(QStringLiteral("socket"));
        SingleInstance instance(name);
        QCOMPARE(instance.listen(), QString());
        QSignalSpy received(&instance, &SingleInstance::filesReceived);
        QLocalSocket socket;
        socket.connectToServer(name);
        socket.write(QByteArray(2 << 20, 'x'));
        QTRY_COMPARE(socket.state(), QLocalSocket::UnconnectedState);
        QCOMPARE(received.size(), 0);
    }
    void theDemoIsTheSameEveryTimeAndHasAllThatViewsShow()
    {
        const auto snapshot = demo();
        QCOMPARE(snapshot->sampleCount(), demo()->sampleCount());
        QVERIFY(snapshot->sampleCount() > 10'000);
        const auto evaluation = Evaluator().evaluate(snapshot, {}).value();
        QCOMPARE(evaluation->series.name(), std::string("cpu/nanoseconds"));
        QCOMPARE(evaluation->matched, evaluation->total);
        const auto span = timeSpanOf(*snapshot);
        QVERIFY(span.has_value());
        QCOMPARE((span->end - span->begin) / 1'000'000'000, std::int64_t(119));
        QVERIFY(!snapshot->losses.any());
    }
    void dataSetsComeAndGo()
    {
        DataSets dataSets;
        QSignalSpy changes(&dataSets, &DataSets::listChanged);
        const QString id = dataSets.add(QStringLiteral("demo"), {}, false, demo());
        QCOMPARE(dataSets.sources().size(), 1);
        QVERIFY(dataSets.sources()[0].figure.endsWith(QLatin1Char('k')));
        QVERIFY(dataSets.find(id) != nullptr);
        dataSets.remove(id);
        QVERIFY(dataSets.find(id) == nullptr);
        QCOMPARE(changes.size(), 2);
        dataSets.remove(id);
        QCOMPARE(changes.size(), 2);
    }
};

QTEST_GUILESS_MAIN(TestWindowProgram)
#include "tst_window_program.moc"
