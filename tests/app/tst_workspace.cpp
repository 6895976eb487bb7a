#include "app/workspace/workspace_file.h"
#include "ingest/formats/format.h"
#include "model/lens/lens_text.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace hearth;

namespace {

Workspace shop()
{
    return {.note = QStringLiteral("checkout is slow\nsince \"Tuesday\""),
            .sources = {{.name = QStringLiteral("before"),
                         .files = {{QStringLiteral("/srv/shop/profiles/before.pb.gz"), 48213, "0123abcd"}}},
                        {.name = QStringLiteral("after"),
                         .files = {{QStringLiteral("/data/after-1.pb.gz"), 7, "ab"},
                                   {QStringLiteral("/data/after-2.pb.gz")}},
                         .lens = *parseLens("json::parse -@thread=main"),
                         .note = QStringLiteral("with the change")},
                        {.name = QStringLiteral("Live :11000"), .files = {}, .note = QStringLiteral("gone")}},
            .shown = 1,
            .baseline = WorkspaceBaseline{.source = 0, .lens = Lens()},
            .window = {.view = QStringLiteral("top"),
                       .choices = {{QStringLiteral("top"), QJsonObject{{QStringLiteral("column"), 2}}}},
                       .layout = {}}};
}

const QString kFolder = QStringLiteral("/srv/shop");

ParsedWorkspace parsed(const QByteArray &text)
{
    const auto result = parseWorkspace(text, kFolder);
    return result ? *result : ParsedWorkspace{.workspace = {}, .problems = {QStringLiteral("no workspace")}};
}

QString problemOf(const QByteArray &text)
{
    const auto result = parseWorkspace(text, kFolder);
    return result ? result->problems.join(QLatin1Char('\n'))
                  : QStringLiteral("! ") + QString::fromStdString(result.error().message);
}

/// The golden text of shop().
QByteArray shopText()
{
    QFile file(QStringLiteral(HEARTH_TEST_DATA "/workspace/shop.hearth"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

} // namespace

class TestWorkspace : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString pathOf(const char *name) { return m_folder.filePath(QString::fromLatin1(name)); }

private Q_SLOTS:
    void theFileIsTextThatPeopleRead()
    {
        QCOMPARE(QString::fromUtf8(workspaceText(shop(), kFolder)), QString::fromUtf8(shopText()));
    }
    void whatIsWrittenReadsAsTheSame()
    {
        const ParsedWorkspace again = parsed(shopText());
        QCOMPARE(again.problems, QStringList());
        QVERIFY(again.workspace == shop());
    }
    void folderAndFilesMoveTogether()
    {
        const auto moved = parseWorkspace(shopText(), QStringLiteral("/home/me"));
        QCOMPARE(moved->workspace.sources[0].files[0].path, QStringLiteral("/home/me/profiles/before.pb.gz"));
        QCOMPARE(moved->workspace.sources[1].files[0].path, QStringLiteral("/data/after-1.pb.gz"));
    }
    void theVersionIsAllThatMustBeThere()
    {
        QVERIFY(parsed(R"({"hearthWorkspace": 1})").problems.isEmpty());
        QVERIFY(problemOf(R"({"version": 1})").startsWith(QStringLiteral("! not a workspace of Hearth")));
        QVERIFY(problemOf("[]").startsWith(QLatin1Char('!')));
        QVERIFY(problemOf("").startsWith(QLatin1Char('!')));
        QVERIFY(problemOf("\x7f\0nothing").startsWith(QLatin1Char('!')));
    }
    void ofANewerVersionIsKeptWhatIsKnown()
    {
        const ParsedWorkspace newer =
            parsed(R"({"hearthWorkspace": 7, "note": "kept", "colour": "blue", "sources": [{"name": "a"}]})");
        QCOMPARE(newer.workspace.note, QStringLiteral("kept"));
        QCOMPARE(newer.workspace.sources.size(), std::size_t(1));
        QCOMPARE(newer.problems.size(), 1);
        QVERIFY(newer.problems[0].contains(QStringLiteral("newer Hearth (version 7, this one knows 1)")));
    }
    void ofACutFileIsKeptWhatIsWhole()
    {
        const QByteArray whole = shopText();
        for (qsizetype length = whole.indexOf("\"note\""); length < whole.size() - 2; ++length) {
            const ParsedWorkspace cut = parsed(whole.left(length));
            QVERIFY2(cut.problems.size() >= 1 && cut.problems[0].startsWith(QLatin1String("line ")),
                     qPrintable(QString::number(length)));
            QCOMPARE(cut.workspace.window.choices, shop().window.choices);
        }
        const ParsedWorkspace cut = parsed(whole.left(whole.indexOf("\"view\"")));
        QVERIFY(cut.workspace.sources == shop().sources);
        QVERIFY(cut.problems[0].startsWith(QStringLiteral("line 45: damaged")));
    }
    void damageInTheMiddleLeavesWhatIsInFrontOfIt()
    {
        const ParsedWorkspace read =
            parsed("{\"hearthWorkspace\": 1,\n\"note\": \"kept\",\n\"sources\": bogus, \"view\": \"top\"}");
        QCOMPARE(read.workspace.note, QStringLiteral("kept"));
        QVERIFY(read.problems[0].startsWith(QStringLiteral("line 3: damaged")));
    }
    void aLensThatIsNoneIsSaidWithItsPlace()
    {
        const QString problem = problemOf("{\"hearthWorkspace\": 1, \"sources\": [{\"name\": \"a\"}, "
                                          "{\"name\": \"b\", \"lens\": \"parse focus:(\"}]}");
        QVERIFY2(problem.startsWith(QStringLiteral("sources[1].lens: it cannot be understood")),
                 qPrintable(problem));
        QVERIFY(problem.contains(QStringLiteral("parse focus:(\n")));
    }
    void valuesOfAnotherKindAreLeftOutAlone()
    {
        const ParsedWorkspace read = parsed(R"({"hearthWorkspace": 1, "note": 5, "shown": 3, "view": "top",
            "baseline": {"source": "x"}, "choices": [],
            "sources": [7, {"name": "b", "files": [{"path": 1}, {"path": "b.pb"}, null]}, {"files": {}}]})");
        QCOMPARE(read.workspace.sources.size(), std::size_t(2));
        QCOMPARE(read.workspace.sources[0].files.size(), std::size_t(1));
        QCOMPARE(read.workspace.sources[1].name, QStringLiteral("sources[2]"));
        QCOMPARE(read.workspace.window.view, QStringLiteral("top"));
        const QString problems = read.problems.join(QLatin1Char('\n'));
        for (const char *place :
             {"note: ", "sources[0]: ", "sources[1].files[0].path: ", "sources[1].files[2]: ",
              "sources[2].files: ", "shown: ", "baseline.source: ", "choices: "})
            QVERIFY2(problems.contains(QLatin1String(place)), place);
    }
    void sourcesAreCountedAsTheyAreWritten()
    {
        const ParsedWorkspace read =
            parsed(R"({"hearthWorkspace": 1, "shown": 2, "sources": [{"name": "a"}, 0, {"name": "c"}]})");
        QCOMPARE(read.workspace.sources[*read.workspace.shown].name, QStringLiteral("c"));
    }
    void noRelativePathLeadsOutOfTheFolder()
    {
        const ParsedWorkspace read = parsed(R"({"hearthWorkspace": 1, "sources": [{"name": "a", "files": [
            {"path": "../secret"}, {"path": "a/../../secret"}, {"path": "a/../b.pb"}, {"path": "x\u0000y"},
            {"path": ""}, {"path": "/data/../b.pb"}]}]})");
        QCOMPARE(read.problems.size(), 4);
        QVERIFY(read.problems[1].startsWith(
            QStringLiteral("sources[0].files[1].path: a/../../secret leads out of the folder")));
        const auto &files = read.workspace.sources[0].files;
        QCOMPARE(files.size(), std::size_t(2));
        QCOMPARE(files[0].path, QStringLiteral("/srv/shop/b.pb"));
        QCOMPARE(files[1].path, QStringLiteral("/b.pb"));
    }
    void moreSourcesThanAnybodyHasAreCutOff()
    {
        QByteArray text = R"({"hearthWorkspace": 1, "sources": [)";
        for (int i = 0; i < 1500; ++i)
            text += R"({"name": "a"},)";
        text.chop(1);
        const ParsedWorkspace read = parsed(text + "]}");
        QCOMPARE(read.workspace.sources.size(), std::size_t(1000));
        QVERIFY(read.problems[0].startsWith(QStringLiteral("sources[1000]: too many")));
    }
    void depthWithoutEndIsNoTrap()
    {
        QVERIFY(!parseWorkspace(QByteArray(1'000'000, '['), kFolder));
        const QByteArray deep = R"({"hearthWorkspace": 1, "choices": {"a": )" + QByteArray(100'000, '[');
        QVERIFY(!parsed(deep).problems.isEmpty());
    }
    void aFileThatChangedOrWentIsNoticed()
    {
        write(pathOf("a.folded"), "main 1\n");
        const SourceFile file = sourceFile(pathOf("a.folded"));
        QCOMPARE(file.size, 7);
        QCOMPARE(stateOf(file), SourceState::Same);
        write(pathOf("a.folded"), "main 2\n");
        QCOMPARE(stateOf(file), SourceState::Changed);
        write(pathOf("a.folded"), "main 1\n");
        QCOMPARE(stateOf(file), SourceState::Same); // a copy with another time is the same
        QVERIFY(QFile::remove(pathOf("a.folded")));
        QCOMPARE(stateOf(file), SourceState::Gone);
        QCOMPARE(stateOf({.path = m_folder.path()}), SourceState::Gone);
    }
    void theEndsOfALargeFileTell()
    {
        QByteArray large(1 << 20, 'x');
        write(pathOf("large"), large);
        const SourceFile file = sourceFile(pathOf("large"));
        large.back() = 'y';
        write(pathOf("large"), large);
        QCOMPARE(stateOf(file), SourceState::Changed);
    }
    void aWorkspaceIsRecognisedByItsContent()
    {
        write(pathOf("any.txt"), shopText());
        QVERIFY(isWorkspace(pathOf("any.txt")));
        write(pathOf("cut.txt"), shopText().left(300));
        QVERIFY(isWorkspace(pathOf("cut.txt")));
        write(pathOf("a.hearth"), "main;parse 1\n");
        QVERIFY(!isWorkspace(pathOf("a.hearth"))); // a profile, whatever it is called
        write(pathOf("damaged.hearth"), "{\"hearthWorkspace\": oh no");
        QVERIFY(isWorkspace(pathOf("damaged.hearth")));
        write(pathOf("a.json"), R"({"shared": {}, "profiles": []})");
        QVERIFY(!isWorkspace(pathOf("a.json")));
        QVERIFY(!isWorkspace(m_folder.path()));
        QVERIFY(!isWorkspace(QStringLiteral("/dev/zero")));
        QCOMPARE(::mkfifo(qPrintable(pathOf("pipe.hearth")), 0600), 0);
        QVERIFY(!isWorkspace(pathOf("pipe.hearth"))); // and nobody waits for what comes of it
    }
    void aWorkspaceIsNoProfile()
    {
        write(pathOf("w.hearth"), shopText());
        const auto batch = readProfile(pathOf("w.hearth").toStdString());
        QVERIFY(!batch);
        QVERIFY(batch.error().message.find("a workspace, which says where profiles are") !=
                std::string::npos);
    }
    void itIsWrittenWholeOrNotAtAll()
    {
        const QString file = pathOf("shop.hearth");
        QVERIFY(writeWorkspace(shop(), file));
        QVERIFY(readWorkspace(file)->workspace == shop());
        QVERIFY(!writeWorkspace(shop(), pathOf("no/such/folder.hearth")));
        QCOMPARE(QDir(m_folder.path()).entryList({QStringLiteral("shop*")}, QDir::Files).size(), 1);
    }
    void whatCannotBeReadIsSaid()
    {
        const auto message = [&](const QString &file) {
            const auto read = readWorkspace(file);
            return read ? QString() : QString::fromStdString(read.error().message);
        };
        QVERIFY(message(pathOf("none.hearth")).startsWith(QStringLiteral("cannot open ")));
        QVERIFY(message(m_folder.path()).endsWith(QStringLiteral("it is no file")));
        write(pathOf("huge.hearth"), R"({"hearthWorkspace": 1})" + QByteArray(17 << 20, ' '));
        QVERIFY(message(pathOf("huge.hearth")).contains(QStringLiteral("larger than a workspace can be")));
        write(pathOf("other.hearth"), "{}");
        QCOMPARE(message(pathOf("other.hearth")),
                 pathOf("other.hearth") + QStringLiteral(": not a workspace of Hearth"));
    }
};

QTEST_GUILESS_MAIN(TestWorkspace)
#include "tst_workspace.moc"
