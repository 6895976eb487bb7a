#include "tests/support/run_hearth.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace hearth::test;

/// The program as users call it.
class TestReports : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_file;

private Q_SLOTS:
    void initTestCase()
    {
        m_file = m_folder.filePath(QStringLiteral("a.folded"));
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("main;parse;alloc 3\nmain;parse 2\nmain;io 5\n");
    }
    void topIsATable()
    {
        const Outcome outcome = runHearth({"top", m_file});
        QCOMPARE(outcome.status, 0);
        QCOMPARE(outcome.out, QByteArray("samples/count: 10\n"
                                         "self   self%  total   total%  name\n"
                                         "   5  50.00%      5   50.00%  io\n"
                                         "   3  30.00%      3   30.00%  alloc\n"
                                         "   2  20.00%      5   50.00%  parse\n"
                                         "   0   0.00%     10  100.00%  main\n"));
    }
    void topAsJson()
    {
        const Outcome outcome = runHearth({"top", "--json", "--focus", "parse", "--limit", "1", m_file});
        const QJsonObject report = QJsonDocument::fromJson(outcome.out).object();
        QCOMPARE(report["total"].toInt(), 10);
        QCOMPARE(report["matched"].toInt(), 5);
        QCOMPARE(report["series"].toObject()["type"].toString(), QStringLiteral("samples"));
        QCOMPARE(report["rows"].toArray().size(), 1);
        QCOMPARE(report["rows"].toArray()[0].toObject()["name"].toString(), QStringLiteral("alloc"));
        QCOMPARE(report["rows"].toArray()[0].toObject()["self"].toInt(), 3);
    }
    void topAsCsv()
    {
        QCOMPARE(runHearth({"top", "--csv", "--limit", "1", m_file}).out,
                 QByteArray("self,total,name,file,line,binary\n5,5,io,,0,\n"));
    }
    void treeIsIndented()
    {
        QCOMPARE(runHearth({"tree", "--min", "25", m_file}).out,
                 QByteArray("samples/count: 10\n"
                            "total   total%  self  name\n"
                            "   10  100.00%     0  main\n"
                            "    5   50.00%     5    io\n"
                            "    5   50.00%     2    parse\n"
                            "    3   30.00%     3      alloc\n"));
    }
    void treeAsJsonNests()
    {
        const QJsonObject report =
            QJsonDocument::fromJson(runHearth({"tree", "--json", "-i", m_file}).out).object();
        const QJsonObject first = report["rows"].toArray()[0].toObject();
        QCOMPARE(first["name"].toString(), QStringLiteral("io"));
        QCOMPARE(first["children"].toArray()[0].toObject()["name"].toString(), QStringLiteral("main"));
    }
    void infoAsJsonHasWhatAFileIs()
    {
        const QJsonObject info = QJsonDocument::fromJson(runHearth({"info", "--json", m_file}).out).object();
        QCOMPARE(info["format"].toString(), QStringLiteral("folded"));
        QCOMPARE(info["samples"].toInt(), 3);
        QCOMPARE(info["functions"].toInt(), 4);
        QCOMPARE(info["series"].toArray()[0].toObject()["total"].toInt(), 10);
        QVERIFY(info["losses"].toObject().isEmpty());
    }
    void severalFilesAreOneDataSet()
    {
        const QJsonObject report =
            QJsonDocument::fromJson(runHearth({"top", "--json", m_file, m_file}).out).object();
        QCOMPARE(report["total"].toInt(), 20);
    }
    void standardInputIsAFile() { QVERIFY(runHearth({"top", "-"}, "a;b 3\n").out.contains("b\n")); }
    void convertedFilesSayTheSame()
    {
        const QString pprof = m_folder.filePath(QStringLiteral("a.pb.gz"));
        QCOMPARE(runHearth({"convert", m_file, "-o", pprof}).status, 0);
        QCOMPARE(runHearth({"top", pprof}).out, runHearth({"top", m_file}).out);
        QCOMPARE(runHearth({"convert", pprof, "-o", "-", "--to", "folded"}).out,
                 QByteArray("main;io 5\nmain;parse 2\nmain;parse;alloc 3\n"));
    }
    void aReportIsMarkdownOrAPage()
    {
        const Outcome text = runHearth({"report", m_file, "--note", "look", "--focus", "parse"});
        QCOMPARE(text.status, 0);
        QVERIFY2(text.out.startsWith("# a.folded\n\nSamples: "), text.out.constData());
        QVERIFY(text.out.contains("\nlook\n"));
        const QString page = m_folder.filePath(QStringLiteral("a.html"));
        QCOMPARE(runHearth({"report", m_file, "-o", page}).status, 0);
        QFile written(page);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(written.readAll().contains("<svg"));
        QCOMPARE(runHearth({"report", m_file, "-o", m_folder.filePath(QStringLiteral("a.doc"))}).status, 2);
    }
    void messagesAreShownAsTheyWereSent()
    {
        const QString sent = m_folder.filePath(QStringLiteral("a.otlp"));
        QCOMPARE(runHearth({"convert", m_file, "-o", sent}).status, 0);
        const Outcome text = runHearth({"wire", "--tree", sent});
        QCOMPARE(text.status, 0);
        QVERIFY2(text.out.contains("profiles 1.10, "), text.out.constData());
        QVERIFY(text.out.contains("3 samples of "));
        QVERIFY(text.out.contains("nameStrindex 1: 2 B = "));
        const QJsonObject message =
            QJsonDocument::fromJson(runHearth({"wire", "--json", sent}).out).array()[0].toObject();
        QCOMPARE(message["signal"].toString(), QStringLiteral("profiles"));
        QCOMPARE(message["samples"].toInt(), 3);
        QVERIFY(message["findings"].toArray().isEmpty());
        QCOMPARE(runHearth({"wire", m_file}).status, 3);
        QCOMPARE(runHearth({"wire"}).status, 2);
    }
    void messagesOfJsonAreShownLikeOthers()
    {
        const QString sent = m_folder.filePath(QStringLiteral("a.otlp.json"));
        QCOMPARE(runHearth({"convert", m_file, "-o", sent}).status, 0);
        QVERIFY(runHearth({"wire", sent}).out.contains("3 samples of "));
    }
    void aPartIsConvertedAsTheLensSays()
    {
        QCOMPARE(runHearth({"convert", m_file, "--lens", "parse", "-o", "-", "--to", "folded"}).out,
                 QByteArray("main;parse 2\nmain;parse;alloc 3\n"));
        QCOMPARE(runHearth({"convert", m_file, "--ignore", "parse", "-o", "-", "--to", "folded"}).out,
                 QByteArray("main;io 5\n"));
    }
    void aPartHasWholeStacksAndThatIsSaid()
    {
        const Outcome outcome =
            runHearth({"convert", m_file, "--from", "parse", "-o", "-", "--to", "folded"});
        QCOMPARE(outcome.out, QByteArray("main;parse 2\nmain;parse;alloc 3\n"));
        QVERIFY2(outcome.err.contains("stacks are written whole"), outcome.err.constData());
    }
    void aPartByALensThatIsNoneIsWrongUse()
    {
        QCOMPARE(runHearth({"convert", m_file, "--lens", "time=x", "-o", "-", "--to", "folded"}).status, 2);
    }
    void filtersThatMatchNothingSayThatOnStandardError()
    {
        const Outcome outcome = runHearth({"top", "--json", "--focus", "nothing", m_file});
        QCOMPARE(outcome.status, 0);
        QVERIFY(QJsonDocument::fromJson(outcome.out).object()["rows"].toArray().isEmpty());
        QVERIFY(outcome.err.contains("no samples match focus:nothing"));
    }
    void wrongUseIsStatusTwoAndUnreadableInputStatusThree()
    {
        QCOMPARE(runHearth({"top"}).status, 2);
        QCOMPARE(runHearth({"nonsense"}).status, 2);
        QCOMPARE(runHearth({"top", "--focus", "(", m_file}).status, 2);
        QCOMPARE(runHearth({"top", "--series", "nonsense", m_file}).status, 2);
        QCOMPARE(runHearth({"top", "/no/such/file"}).status, 3);
        QCOMPARE(runHearth({"top", "-"}, "\x7f"
                                         "ELF something")
                     .status,
                 3);
    }
    void anErrorInALensPointsAtItsColumn()
    {
        const Outcome outcome = runHearth({"top", "--lens", "focus:a hide:(", m_file});
        QCOMPARE(outcome.status, 2);
        QVERIFY(outcome.err.contains("\nfocus:a hide:(\n"));
        QVERIFY(outcome.err.contains("\n             ^ "));
    }
    void everyCommandHasHelpWithExamples()
    {
        for (const char *command : {"info", "top", "tree", "flame", "diff", "convert", "completion"}) {
            const Outcome outcome = runHearth({command, "--help"});
            QCOMPARE(outcome.status, 0);
            QVERIFY(outcome.out.contains("Examples:"));
        }
    }
    void theBashCompletionIsAScript()
    {
        QProcess bash;
        bash.start(QStringLiteral("bash"), {"-n"});
        bash.write(runHearth({"completion", "bash"}).out);
        bash.closeWriteChannel();
        QVERIFY(bash.waitForFinished());
        QCOMPARE(bash.exitCode(), 0);
    }
    void aCutFileSaysWhatWasLost()
    {
        const QString pprof = m_folder.filePath(QStringLiteral("cut.pb"));
        QCOMPARE(runHearth({"convert", m_file, "-o", pprof}).status, 0);
        QFile file(pprof);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.resize(file.size() - 2));
        file.close();
        const Outcome outcome = runHearth({"info", "--json", pprof});
        QCOMPARE(outcome.status, 0);
        QCOMPARE(
            QJsonDocument::fromJson(outcome.out).object()["losses"].toObject()["truncated_input"].toInt(), 1);
        QVERIFY(outcome.err.contains("ends"));
    }
};

QTEST_GUILESS_MAIN(TestReports)
#include "tst_reports.moc"
