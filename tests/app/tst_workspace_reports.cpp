#include "tests/support/run_hearth.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace hearth::test;

/// Workspaces in a terminal, as users call the program.
class TestWorkspaceReports : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString pathOf(const char *name) { return m_folder.filePath(QString::fromLatin1(name)); }
    void write(const char *name, const QByteArray &bytes)
    {
        QFile file(pathOf(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }

private Q_SLOTS:
    void initTestCase()
    {
        write("before.folded", "main;parse 10\nmain;draw 30\n");
        write("after.folded", "main;parse 20\nmain;draw 31\n");
        write("shop.hearth", R"({"hearthWorkspace": 1, "note": "the shop\nis slow", "shown": 1, "view": "top",
            "baseline": {"source": 0, "lens": "parse"}, "sources": [
            {"name": "before", "files": [{"path": "before.folded", "size": 9}]},
            {"name": "after", "files": [{"path": "after.folded"}], "lens": "parse", "note": "*since* Tuesday"},
            {"name": "lost", "files": [{"path": "lost.pb.gz"}]}, {"name": "live"}]})");
    }
    void infoTellsWhatIsInIt()
    {
        Outcome outcome = runHearth({"info", pathOf("shop.hearth")});
        QCOMPARE(outcome.status, 0);
        QCOMPARE(outcome.err, QByteArray());
        QCOMPARE(outcome.out.replace(m_folder.path().toUtf8(), "/w"),
                 QByteArray("format         workspace of Hearth\n"
                            "note           the shop\n"
                            "               is slow\n"
                            "source         before\n"
                            "  file         /w/before.folded: changed\n"
                            "  lens         everything\n"
                            "source         after (in front)\n"
                            "  file         /w/after.folded: unchanged\n"
                            "  lens         parse\n"
                            "  note         *since* Tuesday\n"
                            "source         lost\n"
                            "  file         /w/lost.pb.gz: gone\n"
                            "  lens         everything\n"
                            "source         live: received or recorded, and in no file\n"
                            "  lens         everything\n"
                            "baseline       before, lens parse\n"
                            "view           top\n"));
    }
    void infoAsJsonHasTheSame()
    {
        const Outcome outcome = runHearth({"info", "--json", pathOf("shop.hearth")});
        const QJsonObject report = QJsonDocument::fromJson(outcome.out).object();
        QCOMPARE(report["format"].toString(), QStringLiteral("workspace"));
        const QJsonArray sources = report["sources"].toArray();
        QCOMPARE(sources.size(), 4);
        QCOMPARE(sources[2].toObject()["files"].toArray()[0].toObject()["state"].toString(),
                 QStringLiteral("gone"));
        QCOMPARE(report["baseline"].toObject()["lens"].toString(), QStringLiteral("parse"));
        QCOMPARE(report["shown"].toInt(), 1);
    }
    void reportsTakeTheSourceInFrontWithItsLens()
    {
        const Outcome outcome = runHearth({"top", "--csv", "--limit", "1", pathOf("shop.hearth")});
        QCOMPARE(outcome.status, 0);
        QCOMPARE(outcome.out, QByteArray("self,total,name,file,line,binary\n20,20,parse,,0,\n"));
        QVERIFY2(outcome.err.contains("shop.hearth: after, the one in front of 4"), outcome.err);
        QVERIFY2(outcome.err.contains("with its lens parse"), outcome.err);
    }
    void aLensOfTheCommandLineHoldsAsWell()
    {
        const Outcome outcome =
            runHearth({"top", "--json", "--lens", "-parse", "--limit", "1", pathOf("shop.hearth")});
        QCOMPARE(QJsonDocument::fromJson(outcome.out).object()["matched"].toInt(), 0);
    }
    void aReportHasTheNotes()
    {
        const QByteArray text = runHearth({"report", pathOf("shop.hearth")}).out;
        QVERIFY2(text.startsWith("# after\\.folded\n") || text.startsWith("# after.folded\n"), text);
        QVERIFY2(text.contains("the shop\nis slow\n\n*since* Tuesday\n"), text);
        QVERIFY2(text.contains("Filter: ` parse `"), text);
        const QByteArray other = runHearth({"report", "--note", "mine", pathOf("shop.hearth")}).out;
        QVERIFY(other.contains("mine") && !other.contains("the shop"));
    }
    void whatComparesAsksForItsSides()
    {
        const Outcome outcome = runHearth({"diff", pathOf("shop.hearth"), pathOf("after.folded")});
        QCOMPARE(outcome.status, 2);
        const Outcome alone = runHearth({"diff", pathOf("shop.hearth")});
        QCOMPARE(alone.status, 2);
        QVERIFY2(alone.err.contains("hearth diff compares two files") && alone.err.contains("before.folded"),
                 alone.err);
    }
    void whatCannotBeOpenedIsSaid()
    {
        write("gone.hearth", R"({"hearthWorkspace": 1, "sources": [{"files": [{"path": "lost.pb.gz"}]}]})");
        const Outcome outcome = runHearth({"top", pathOf("gone.hearth")});
        QCOMPARE(outcome.status, 3);
        QVERIFY2(outcome.err.contains("lost.pb.gz is gone") && outcome.err.contains("hearth info "),
                 outcome.err);
        write("none.hearth", R"({"hearthWorkspace": 1})");
        QCOMPARE(runHearth({"top", pathOf("none.hearth")}).status, 3);
        write("bad.hearth", "{\"hearthWorkspace\": 1, ");
        const Outcome cut = runHearth({"info", pathOf("bad.hearth")});
        QCOMPARE(cut.status, 0);
        QVERIFY2(cut.out.contains("problem        line 1: damaged"), cut.out);
    }
    void onStandardInputItIsNamedForWhatItIs()
    {
        QFile file(pathOf("shop.hearth"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const Outcome outcome = runHearth({"top", "-"}, file.readAll());
        QCOMPARE(outcome.status, 3);
        QVERIFY2(outcome.err.contains("a workspace, which says where profiles are"), outcome.err);
    }
    void aWorkspaceInAWorkspaceIsNotFollowed()
    {
        write("self.hearth", R"({"hearthWorkspace": 1, "sources": [{"files": [{"path": "self.hearth"}]}]})");
        const Outcome outcome = runHearth({"top", pathOf("self.hearth")});
        QCOMPARE(outcome.status, 3);
        QVERIFY2(outcome.err.contains("a workspace, which says where profiles are"), outcome.err);
    }
    void anythingElseIsLeftAlone()
    {
        QCOMPARE(runHearth({"top", pathOf("after.folded"), pathOf("before.folded")}).status, 0);
        QCOMPARE(runHearth({"top", pathOf("after.folded"), pathOf("shop.hearth")}).status, 2);
        QCOMPARE(runHearth({"info", pathOf("after.folded"), pathOf("shop.hearth")}).status, 2);
    }
};

QTEST_GUILESS_MAIN(TestWorkspaceReports)
#include "tst_workspace_reports.moc"
