#include "tests/support/run_hearth.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace hearth::test;

/// Comparing profiles, as users do it in a terminal and in CI.
class TestDiffReports : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_before;
    QString m_after;

    QString written(const QString &name, const char *text)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(text);
        return file.fileName();
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_before = written(QStringLiteral("before.folded"), "main;parse 300\nmain;io 95\nmain;old 5\n");
        m_after = written(QStringLiteral("after.folded"), "main;parse 500\nmain;io 100\nmain;fresh 200\n");
    }
    void diffIsATableOfWhatMoved()
    {
        const Outcome outcome = runHearth({"diff", m_before, m_after});
        QCOMPARE(outcome.status, 0);
        QCOMPARE(outcome.out, QByteArray("samples/count: 400 > 800 (+100.00%)\n"
                                         "base  new  change   change%   share         name\n"
                                         "   0  200    +200       new  50.00%    new  fresh\n"
                                         " 300  500    +200   +66.67%  50.00%   more  parse\n"
                                         "  95  100      +5    +5.26%   1.25%  noise  io\n"
                                         "   5    0      -5  -100.00%  -1.25%  noise  old\n"
                                         "   0    0       0     0.00%   0.00%      =  main\n"));
    }
    void diffOfSharesScalesTheNewSide()
    {
        const Outcome outcome =
            runHearth({"diff", "--normalize", "total", "--sort", "total", "--limit", "1", m_before, m_after});
        QCOMPARE(outcome.out,
                 QByteArray("samples/count: 400 > 400; new side times 0.5, by total; the first 1 of 5 rows\n"
                            "base  new  change  change%  share       name\n"
                            "   0  100    +100      new  25.00%  new  fresh\n")
                     .replace("change%  share       name", "change%   share       name"));
    }
    void diffAsJson()
    {
        const QJsonObject report =
            QJsonDocument::fromJson(runHearth({"diff", "--json", m_before, m_after}).out).object();
        QCOMPARE(report["series"].toObject()["type"].toString(), QStringLiteral("samples"));
        QCOMPARE(report["base"].toObject()["total"].toInt(), 400);
        QCOMPARE(report["new"].toObject()["total"].toInt(), 800);
        QCOMPARE(report["normalize"].toObject()["factor"].toDouble(), 1.0);
        QCOMPARE(report["rows"].toArray().size(), 5);
        const QJsonObject first = report["rows"].toArray()[0].toObject();
        QCOMPARE(first["name"].toString(), QStringLiteral("fresh"));
        QCOMPARE(first["self"].toObject()["change"].toInt(), 200);
        QCOMPARE(first["self"].toObject()["noise"].toBool(true), false);
    }
    void diffAsCsv()
    {
        QCOMPARE(runHearth({"diff", "--csv", "--limit", "1", m_before, m_after}).out,
                 QByteArray("self_base,self_new,self_change,self_noise,total_base,total_new,total_change,"
                            "total_noise,name,file,line,binary\n"
                            "0,200,200,0,0,200,200,0,fresh,,0,\n"));
    }
    void severalFilesMayBeASide()
    {
        const QJsonObject report =
            QJsonDocument::fromJson(runHearth({"diff", "--json", "--base", m_before, "--base", m_before,
                                               m_after, m_after, m_after})
                                        .out)
                .object();
        QCOMPARE(report["base"].toObject()["total"].toInt(), 800);
        QCOMPARE(report["new"].toObject()["total"].toInt(), 2400);
        QCOMPARE(runHearth({"diff", m_before, m_before, m_after}).status, 2);
    }
    void twoViewsOfOneFileAreCompared()
    {
        QVERIFY(runHearth({"diff", m_before, m_before, "--base-lens", "io", "--lens", "parse"})
                    .out.startsWith("samples/count: 95 > 300 (+215.79%)\n"));
    }
    void aFileDoesNotDifferFromItself()
    {
        const Outcome outcome = runHearth({"diff", "--csv", m_before, m_before});
        QVERIFY(outcome.out.contains("\n300,300,0,1,300,300,0,1,parse,,0,\n"));
        QCOMPARE(runHearth({"check", m_before, m_before, "--max-growth", ".*=0"}).status, 0);
    }
    void checkFailsOnGrowthBeyondTheLimit()
    {
        const Outcome outcome =
            runHearth({"check", m_before, m_after, "--max-growth", "parse=10%", "--max-growth", "^io$=2"});
        QCOMPARE(outcome.status, 1);
        QCOMPARE(outcome.out, QByteArray("samples/count: 400 > 800 (+100.00%)\n"
                                         "base  new  change%  limit            functions\n"
                                         " 300  500  +66.67%   +10%  exceeded  parse\n"
                                         "  95  100   +5.26%    +2%     noise  ^io$\n"));
    }
    void checkDoesNotFailOnNoise()
    {
        QCOMPARE(runHearth({"check", m_before, m_after, "--max-growth", "io=0"}).status, 0);
        QCOMPARE(runHearth({"check", m_before, m_after, "--max-growth", "parse=70%"}).status, 0);
        // far from chance to have grown, but not by more than chance above the limit
        QCOMPARE(runHearth({"check", m_before, m_after, "--max-growth", "parse=60%"}).status, 0);
    }
    void checkTakesWhatMatchesTogether()
    {
        const auto rows = [this](const char *rule) {
            return QJsonDocument::fromJson(
                       runHearth({"check", "--json", m_before, m_after, "--max-growth", rule}).out)
                .object()["rows"]
                .toArray();
        };
        const QJsonObject row = rows("parse|io|main=5%")[0].toObject();
        QCOMPARE(row["base"].toInt(), 400);
        QCOMPARE(row["new"].toInt(), 800);
        QCOMPARE(row["verdict"].toString(), QStringLiteral("exceeded"));
        QCOMPARE(rows("fresh=1000%")[0].toObject()["verdict"].toString(), QStringLiteral("exceeded"));
    }
    void checkSaysWhatMatchesNothing()
    {
        const Outcome outcome = runHearth({"check", m_before, m_after, "--max-growth", "nothing=5%"});
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.err.contains("matches nothing"));
    }
    void wrongUseIsStatusTwoAndUnreadableInputStatusThree()
    {
        QCOMPARE(runHearth({"diff", m_before}).status, 2);
        QCOMPARE(runHearth({"diff", m_before, m_after, "--normalize", "luck"}).status, 2);
        QCOMPARE(runHearth({"diff", m_before, m_after, "--normalize", "duration"}).status, 2);
        QCOMPARE(runHearth({"diff", m_before, m_after, "--base-lens", "("}).status, 0);
        QCOMPARE(runHearth({"diff", m_before, m_after, "--base-lens", "hide:("}).status, 2);
        QCOMPARE(runHearth({"diff", m_before, "/no/such/file"}).status, 3);
        QCOMPARE(runHearth({"check", m_before, m_after}).status, 2);
        for (const char *rule : {"=5", "parse", "parse=", "parse=much", "parse=-1", "parse=inf", "(=5"})
            QCOMPARE(runHearth({"check", m_before, m_after, "--max-growth", rule}).status, 2);
    }
    void baseIsSubtractedAsPprofDoes()
    {
        // shares of the sum of what each stack differs by: 200 + 5 + 5 + 200
        QCOMPARE(runHearth({"top", m_after, "--base", m_before, "--limit", "2"}).out,
                 QByteArray("samples/count: 410; the first 2 of 5 rows\n"
                            "self   self%  total  total%  name\n"
                            " 200  48.78%    200  48.78%  fresh\n"
                            " 200  48.78%    200  48.78%  parse\n"));
        // shares of the base
        // what is below a node may differ though it adds up to nothing
        QCOMPARE(runHearth({"tree", m_after, "--diff-base", m_before, "--normalize", "--min", "10"}).out,
                 QByteArray("samples/count: 200 of 400 (50.00%); 1 branches left out "
                            "(--min 0 --limit 0 shows them)\n"
                            "total   total%  self  name\n"
                            "    0    0.00%     0  main\n"
                            "  100   25.00%   100    fresh\n"
                            "  -50  -12.50%   -50    parse\n"
                            "  -45  -11.25%   -45    io\n"));
        QCOMPARE(runHearth({"top", m_after, "--base", m_before, "--diff-base", m_before}).status, 2);
        QCOMPARE(runHearth({"top", m_after, "--base", "/no/such/file"}).status, 3);
    }
    void nothingIsLeftOfAProfileLessItself()
    {
        QCOMPARE(runHearth({"top", m_after, "--base", m_after}).out,
                 QByteArray("samples/count: 0\nself  self%  total  total%  name\n"));
    }
};

QTEST_GUILESS_MAIN(TestDiffReports)
#include "tst_diff_reports.moc"
