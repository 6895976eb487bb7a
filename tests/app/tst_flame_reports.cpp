#include "tests/support/run_hearth.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace hearth::test;

/// Flame graphs that leave the program by the terminal, where there is no display.
class TestFlameReports : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_file;

    QString path(const char *name) const { return m_folder.filePath(QLatin1String(name)); }

    static QByteArray contentOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QString written(const char *name, const char *text) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(text);
        return file.fileName();
    }

    static QStringList textsOf(const QByteArray &svg)
    {
        QStringList texts;
        QXmlStreamReader xml(svg);
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("text"))
                texts += xml.readElementText();
        return xml.hasError() ? QStringList{xml.errorString()} : texts;
    }

    static QJsonObject dataOf(const QByteArray &page)
    {
        const QByteArray begin = "id=\"data\">";
        const qsizetype from = page.indexOf(begin) + begin.size();
        return QJsonDocument::fromJson(page.mid(from, page.indexOf("</script>", from) - from)).object();
    }

private Q_SLOTS:
    void initTestCase()
    {
        for (const char *name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"})
            qunsetenv(name);
        m_file = written("a.folded", "main;parse;alloc 3\nmain;parse 2\nmain;io 5\n");
    }
    void theNameTellsTheFormat()
    {
        for (const char *name : {"a.svg", "a.png", "a.html"}) {
            const Outcome outcome = runHearth({"flame", m_file, "-o", path(name)});
            QCOMPARE(outcome.err, QByteArray());
            QCOMPARE(outcome.status, 0);
            QVERIFY(outcome.out.isEmpty());
        }
        QVERIFY(textsOf(contentOf(path("a.svg"))).contains(QStringLiteral("parse")));
        QCOMPARE(QImage(path("a.png")).width(), 2400);
        QCOMPARE(dataOf(contentOf(path("a.html")))["whole"].toInt(), 10);
    }
    void picturesGoThroughPipes()
    {
        const Outcome svg = runHearth({"flame", "-", "-o", "-", "--format", "svg"}, "a;b 3\n");
        QCOMPARE(svg.status, 0);
        QCOMPARE(textsOf(svg.out)[0], QStringLiteral("standard input"));
        const Outcome png =
            runHearth({"flame", m_file, "-o", "-", "--format", "png", "--width", "400", "--scale", "1.5"});
        QCOMPARE(QImage::fromData(png.out, "PNG").width(), 600);
        QVERIFY(
            runHearth({"flame", m_file, "-o", "-", "--format", "html"}).out.startsWith("<!DOCTYPE html>"));
    }
    void filtersAndGroupsAreThoseOfOtherReports()
    {
        const auto texts = [&](const QStringList &options) {
            return textsOf(
                runHearth(QStringList{"flame", m_file, "-o", "-", "--format", "svg"} + options).out);
        };
        QVERIFY(!texts({"--focus", "io"}).contains(QStringLiteral("parse")));
        QCOMPARE(texts({"--lens", "hide:^main$ -io"})[1],
                 QStringLiteral("samples/count · 5 of 10 · -io hide:^main$"));
        // Rows are written from the top: the title, the subtitle, the notes, the legend, the root, its
        // children.
        QVERIFY(texts({"--inverted"}).indexOf(QStringLiteral("io")) <
                texts({"--inverted"}).indexOf(QStringLiteral("main")));
        QVERIFY(texts({}).indexOf(QStringLiteral("main")) < texts({}).indexOf(QStringLiteral("io")));
    }
    void namesAreShownAsMuchAsAsked()
    {
        const QString file = written("names.folded", "ns::run<int>(long) 3\n");
        const auto svg = [&](const QString &names) {
            return textsOf(runHearth({"flame", file, "-o", "-", "--format", "svg", "--names", names}).out);
        };
        QVERIFY(svg(QStringLiteral("full")).contains(QStringLiteral("ns::run<int>(long)")));
        QVERIFY(svg(QStringLiteral("no-args")).contains(QStringLiteral("ns::run<int>")));
        QVERIFY(svg(QStringLiteral("no-templates")).contains(QStringLiteral("ns::run")));
        QCOMPARE(dataOf(runHearth({"flame", file, "-o", "-", "--format", "html", "--names", "no-args"})
                            .out)["names"][0]
                     .toString(),
                 QStringLiteral("ns::run<int>"));
    }
    void themesDiffer()
    {
        const auto svg = [&](const char *theme) {
            return runHearth({"flame", m_file, "-o", "-", "--format", "svg", "--theme", theme}).out;
        };
        QVERIFY(svg("light").contains("fill=\"#ffffff\""));
        QVERIFY(!svg("dark").contains("fill=\"#ffffff\""));
    }
    void wrongUseIsSaid_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("no output") << QStringList{} << QByteArray("needs a file to write");
        QTest::newRow("no format") << QStringList{"-o", "x.gif"} << QByteArray("name it .svg, .png or .html");
        QTest::newRow("format") << QStringList{"-o", "-", "--format", "gif"}
                                << QByteArray("svg, png or html");
        QTest::newRow("theme") << QStringList{"-o", "x.svg", "--theme", "pink"}
                               << QByteArray("light or dark");
        QTest::newRow("width") << QStringList{"-o", "x.svg", "--width", "3"} << QByteArray("200 to 16000");
        QTest::newRow("scale") << QStringList{"-o", "x.png", "--scale", "-1"} << QByteArray("from 0.5 to 8");
        QTest::newRow("scale nan") << QStringList{"-o", "x.png", "--scale", "nan"} << QByteArray("0.5 to 8");
        QTest::newRow("size") << QStringList{"-o", "x.png", "--width", "16000", "--scale", "8"}
                              << QByteArray("only up to 32000");
    }
    void wrongUseIsSaid()
    {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, said);
        const Outcome outcome = runHearth(QStringList{"flame", m_file} + options);
        QCOMPARE(outcome.status, 2);
        QVERIFY2(outcome.err.contains(said), outcome.err.constData());
    }
    void nothingMatchesIsAPictureThatSaysSo()
    {
        const Outcome outcome =
            runHearth({"flame", m_file, "-o", "-", "--format", "svg", "--focus", "nowhere"});
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.err.contains("no samples match"));
        QVERIFY(
            textsOf(outcome.out).contains(QStringLiteral("There is nothing to draw: no sample matches.")));
    }
    void aFullDiskIsSaidAndNothingIsLeft()
    {
        for (const char *format : {"svg", "png", "html"}) {
            const Outcome outcome = runHearth({"flame", m_file, "-o", "/dev/full", "--format", format});
            QCOMPARE(outcome.status, 3);
            QVERIFY(outcome.err.contains("cannot write /dev/full: No space left on device"));
        }
        QVERIFY(!QFileInfo(QStringLiteral("/dev/full")).isFile()); // it is a device still
        QVERIFY(!QFileInfo::exists(QStringLiteral("/dev/full.part")));
        const Outcome outcome = runHearth({"flame", m_file, "-o", path("no/such/folder/a.svg")});
        QCOMPARE(outcome.status, 3);
        QVERIFY(outcome.err.contains("No such file or directory"));
    }
    void aFileIsReplacedWholeOrNotAtAll()
    {
        const QString page = written("old.html", "old");
        QVERIFY(QDir(m_folder.path()).mkdir(QStringLiteral("old.html.part"))); // what it is written to first
        QCOMPARE(runHearth({"flame", m_file, "-o", page}).status, 3);
        QCOMPARE(contentOf(page), QByteArray("old"));
        QVERIFY(QDir(m_folder.path()).rmdir(QStringLiteral("old.html.part")));
        QCOMPARE(runHearth({"flame", m_file, "-o", page}).status, 0);
        QVERIFY(contentOf(page).startsWith("<!DOCTYPE html>"));
        QVERIFY(!QFileInfo::exists(page + QStringLiteral(".part")));
    }
    void diffIsAPageOfBothSides()
    {
        const QString after = written("b.folded", "main;parse;alloc 300\nmain;parse 2\n");
        const QString page = path("diff.html");
        const Outcome outcome = runHearth({"diff", m_file, after, "-o", page});
        QCOMPARE(outcome.err, QByteArray());
        QCOMPARE(outcome.status, 0);
        const QJsonObject data = dataOf(contentOf(page));
        QCOMPARE(data["names"].toArray(), QJsonArray({"main", "parse", "alloc", "io"}));
        QCOMPARE(data["tree"]["base"].toArray(), QJsonArray({0, 0, 2, 3, 5}));
        QCOMPARE(data["tree"]["now"].toArray(), QJsonArray({0, 0, 2, 300, 0}));
        QVERIFY(contentOf(page).contains("<h1>a.folded &gt; b.folded</h1>"));
        QCOMPARE(runHearth({"diff", m_file, after, "--html"}).out, contentOf(page));
        QCOMPARE(runHearth({"diff", m_file, after, "-o", path("diff.txt")}).status, 2);
    }
};

QTEST_GUILESS_MAIN(TestFlameReports)
#include "tst_flame_reports.moc"
