#include "model/lens/lens_text.h"
#include "model/views/difference_evaluator.h"
#include "tests/support/files.h"
#include "tests/support/profile_text.h"
#include "ui/export/flame_image.h"
#include "ui/export/flame_svg.h"
#include "ui/export/page_tree.h"
#include "ui/export/shown_text.h"
#include "ui/export/web_page.h"
#include "ui/table/copied_table.h"
#include "ui/theme/page_colors.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <numeric>

using namespace hearth;

namespace {

std::shared_ptr<const Evaluation> evaluated(const std::shared_ptr<const Snapshot> &snapshot, const Lens &lens)
{
    return Evaluator().evaluate(snapshot, lens).value();
}

FlameSheet sheetOf(const std::shared_ptr<const Snapshot> &snapshot, std::string_view lens = {},
                   const QString &title = QStringLiteral("test"), int width = 1020)
{
    const Lens parsed = parseLens(lens).value();
    return sheetOf(snapshot, evaluated(snapshot, parsed), parsed, title, width);
}

FlameSheet sheetOf(std::string_view profile, std::string_view lens = {})
{
    return sheetOf(test::snapshotOf(profile), lens);
}

/// What is read of an SVG; throws where it is no XML.
struct Drawn {
    QStringList titles; ///< what boxes say when the mouse is over them
    QStringList texts;
    QStringList fills;
    int width = 0;
    double right = 0; ///< of the box that reaches furthest
};

Drawn read(const QByteArray &svg)
{
    Drawn drawn;
    QXmlStreamReader xml(svg);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        const QXmlStreamAttributes attributes = xml.attributes();
        if (xml.name() == QLatin1String("svg"))
            drawn.width = attributes.value(QLatin1String("width")).toInt();
        if (xml.name() == QLatin1String("rect")) {
            drawn.fills += attributes.value(QLatin1String("fill")).toString();
            drawn.right = std::max(drawn.right, attributes.value(QLatin1String("x")).toDouble() +
                                                    attributes.value(QLatin1String("width")).toDouble());
        }
        if (xml.name() == QLatin1String("title"))
            drawn.titles += xml.readElementText();
        else if (xml.name() == QLatin1String("text"))
            drawn.texts += xml.readElementText();
    }
    if (xml.hasError())
        throw std::runtime_error(xml.errorString().toStdString());
    return drawn;
}

/// The text of the page's only element that begins so.
QByteArray between(const QByteArray &page, const QByteArray &begin, const QByteArray &end)
{
    const qsizetype from = page.indexOf(begin);
    if (from < 0 || page.indexOf(begin, from + 1) >= 0)
        throw std::runtime_error("not exactly one " + begin.toStdString());
    const qsizetype start = from + begin.size();
    return page.mid(start, page.indexOf(end, start) - start);
}

QJsonObject dataOf(const QByteArray &page)
{
    QJsonParseError error;
    const QByteArray json = between(page, "<script type=\"application/json\" id=\"data\">", "</script>");
    const QJsonObject data = QJsonDocument::fromJson(json, &error).object();
    if (error.error != QJsonParseError::NoError)
        throw std::runtime_error(error.errorString().toStdString());
    return data;
}

std::vector<qint64> numbers(const QJsonObject &tree, const char *key)
{
    std::vector<qint64> numbers;
    for (const QJsonValue &value : tree[QLatin1String(key)].toArray())
        numbers.push_back(value.toInteger());
    return numbers;
}

qint64 sum(const std::vector<qint64> &numbers)
{
    return std::accumulate(numbers.begin(), numbers.end(), qint64(0));
}

/// "name self" by node, indented.
QStringList treeOf(const QJsonObject &data)
{
    const QJsonObject tree = data[QLatin1String("tree")].toObject();
    const auto names = numbers(tree, "name");
    const auto depths = numbers(tree, "depth");
    const auto self = numbers(tree, "self");
    QStringList lines;
    for (std::size_t node = 1; node < names.size(); ++node)
        lines += QString(depths[node] - 1, QLatin1Char(' ')) +
                 (names[node] < 0 ? QStringLiteral("%1 merged").arg(-names[node])
                                  : data[QLatin1String("names")].toArray()[names[node]].toString()) +
                 QLatin1Char(' ') + QString::number(self[node]);
    return lines;
}

std::string manyLeaves(int count)
{
    std::string profile = "main;heavy 1000000\n";
    for (int i = 0; i < count; ++i)
        profile += "main;leaf" + std::to_string(i) + " 1\n";
    return profile;
}

/// A file as somebody might write it to break what shows it.
std::shared_ptr<const Snapshot> hostile()
{
    return test::openFile("</script><script>alert(1)</script> 9\n"
                          "<!--\"'&lt]]>;@title@@data@ 8\n"
                          "bell\x07\x1b[31m\x7f 7\n"
                          "\xe2\x80\xaetxt.exe\xe2\x80\x8b 6\n"
                          "broken\xff\xc3 5\n" +
                          std::string(100'000, 'x') + " 4\n");
}

} // namespace

class TestExport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { chooseColors(ThemeKind::Light); }

    void namesAreShownWithoutWhatHidesOrReorders()
    {
        QCOMPARE(shownText(std::string_view("a\nb\x7f")), QStringLiteral("a\u240ab\u2421"));
        QCOMPARE(shownText(std::string_view("\xe2\x80\xaeok")), QStringLiteral("\ufffdok"));
        QCOMPARE(shownText(std::string_view("\xff")), QStringLiteral("\ufffd"));
        QCOMPARE(shownText(std::string_view("\xf0\x9f\x94\xa5 жар")), QStringLiteral("🔥 жар"));
        QCOMPARE(shownText(QString(QChar(0xd83d))), QStringLiteral("\ufffd"));
        const QString cut = shownText(std::string(100'000, 'x'));
        QVERIFY(cut.size() < 2100);
        QVERIFY(cut.endsWith(QStringLiteral("x… (cut, 100000 characters)")));
    }
    void anSvgNamesItsBoxesAndWhatTheyWeigh()
    {
        const Drawn drawn =
            read(flameSvg(sheetOf("series: cpu/nanoseconds\nmain;parse 3000000\nmain;io 1000000\n")));
        QCOMPARE(drawn.width, 1020);
        QCOMPARE(drawn.titles[0], QStringLiteral("test – cpu/nanoseconds · 4.00\u202fms"));
        QCOMPARE(drawn.titles[1],
                 QStringLiteral("main\ntotal 4.00\u202fms · 100\u202f%\nself 0\u202fs · 0.00\u202f%"));
        QCOMPARE(drawn.titles[2],
                 QStringLiteral("parse\ntotal 3.00\u202fms · 75.0\u202f%\nself 3.00\u202fms · 75.0\u202f%"));
        QVERIFY(drawn.texts.contains(QStringLiteral("io")));
        QVERIFY(drawn.texts.contains(QStringLiteral("native"))); // the legend
    }
    void anSvgHasTheColoursOfTheWindow()
    {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            chooseColors(kind);
            const Drawn drawn = read(flameSvg(sheetOf("main;parse 3\n")));
            QCOMPARE(drawn.fills[0], theme().panel.name());
            QVERIFY(drawn.fills.contains(frameColor(FrameClass::Native, "parse", kind).name()));
        }
        QVERIFY(frameColor(FrameClass::Native, "parse", ThemeKind::Light) !=
                frameColor(FrameClass::Native, "parse", ThemeKind::Dark));
    }
    void anSvgSaysWhatItIsOf()
    {
        const Drawn drawn = read(flameSvg(sheetOf("main;parse 3\nmain;io 1\n", "hide:^main$ -io")));
        QCOMPARE(drawn.titles[0], QStringLiteral("test – samples/count · 3 of 4 · -io hide:^main$"));
    }
    void anSvgOfHostileNamesIsWellFormedAndSmall()
    {
        const QByteArray svg = flameSvg(sheetOf(hostile()));
        QVERIFY(svg.size() < 30'000);
        const QString titles = read(svg).titles.join(QLatin1Char('\n'));
        QVERIFY(titles.contains(QStringLiteral("</script><script>alert(1)</script>\n")));
        QVERIFY(titles.contains(QStringLiteral("<!--\"'&lt]]>")));
        QVERIFY(titles.contains(QStringLiteral("bell\u2407\u241b[31m\u2421\n")));
        QVERIFY(titles.contains(QStringLiteral("(cut, 100000 characters)")));
        QVERIFY(!titles.contains(QChar(0x202e)));
    }
    void unitsMayBeHostileToo()
    {
        const FlameSheet sheet = sheetOf("series: c\x01<pu>/n\x02&s\xff\na;b 3\n");
        const Drawn drawn = read(flameSvg(sheet));
        QCOMPARE(drawn.titles[1].section(QLatin1Char('\n'), 1, 1),
                 QStringLiteral("total 3\u202fn\u2402&s\ufffd · 100\u202f%"));
        QVERIFY(drawn.texts.contains(QStringLiteral("all · 3\u202fn\u2402&s\ufffd of c\u2401<pu>")));
        QCOMPARE(dataOf(webPage(sheet))[QLatin1String("unit")].toString(), QStringLiteral("n\u2402&s\ufffd"));
    }
    void longNamesHaveShorterFormsForNarrowBoxes()
    {
        const auto named = test::openFile("ns::run<int>(long) 3\nplain 1\n[lib.so] 1\n");
        const QJsonObject data = dataOf(webPage(sheetOf(named)));
        const QJsonArray shorter = data[QLatin1String("shorter")].toArray();
        QCOMPARE(shorter[0].toArray(), QJsonArray({"ns::run<int>", "ns::run"}));
        QCOMPARE(data[QLatin1String("names")][2].toString(), QStringLiteral("plain"));
        QCOMPARE(shorter[2].toInt(-1), 0);
        QCOMPARE(data[QLatin1String("nameless")].toArray(), QJsonArray({1}));
    }
    void whatIsTooNarrowIsMergedAndSaid()
    {
        const QByteArray svg = flameSvg(sheetOf(manyLeaves(5000)));
        QVERIFY(svg.size() < 5000);
        const Drawn drawn = read(svg);
        QVERIFY(drawn.titles.contains(QStringLiteral("5,000 narrow boxes\n5000 · 0.50\u202f%")));
        QVERIFY(drawn.texts.contains(QStringLiteral(
            "5,000 boxes narrower than a pixel, with all below them, are drawn as 1 hatched ones: "
            "0.50\u202f% of the width.")));
    }
    void boxesStayOnTheSheet()
    {
        QVERIFY(read(flameSvg(sheetOf(manyLeaves(300)))).right <= 1020);
        QVERIFY(read(flameSvg(sheetOf("a;b -5\na;c 5\na 1\n"))).right <= 1020);
    }
    void nothingToDrawIsSaid_data()
    {
        QTest::addColumn<QString>("profile");
        QTest::addColumn<QString>("lens");
        QTest::addColumn<QString>("note");
        QTest::newRow("no samples") << "series: cpu/nanoseconds\n"
                                    << QString() << "nothing in this data set weighs";
        QTest::newRow("all are 0") << "a;b 0\n" << QString() << "nothing in this data set weighs";
        QTest::newRow("no match") << "a;b 1\n" << "nowhere" << "no sample matches";
        QTest::newRow("adds up to 0") << "a;b 5\na;c -5\n" << QString() << "Some weights are negative";
        QTest::newRow("negative") << "a;b -5\na;c 2\n" << QString() << "Some weights are negative";
    }
    void nothingToDrawIsSaid()
    {
        QFETCH(QString, profile);
        QFETCH(QString, lens);
        QFETCH(QString, note);
        const FlameSheet sheet = sheetOf(profile.toStdString(), lens.toStdString());
        QVERIFY(read(flameSvg(sheet)).texts.join(QLatin1Char('\n')).contains(note));
        const QByteArray page = webPage(sheet);
        QVERIFY(between(page, "<ul>", "</ul>").contains(note.toUtf8()));
        const QJsonObject tree = dataOf(page)[QLatin1String("tree")].toObject();
        QCOMPARE(sum(numbers(tree, "self")), qint64(sheet.scene.evaluation->tree->total(TreeShape::kRoot)));
        QVERIFY(!flameImage(sheet, 1)->isNull());
    }
    void oneSampleIsOneTower()
    {
        const FlameSheet sheet = sheetOf("a;b;c 1\n");
        QCOMPARE(treeOf(dataOf(webPage(sheet))), QStringList({"a 0", " b 0", "  c 1"}));
        QCOMPARE(read(flameSvg(sheet)).titles.size(), 4);
    }
    void anInvertedLensGivesCallersBelowCallees()
    {
        QCOMPARE(treeOf(dataOf(webPage(sheetOf("a;c 2\nb;c 1\n", "inverted")))),
                 QStringList({"c 0", " a 2", " b 1"}));
    }
    void aPictureIsPaintedAtAnyScale()
    {
        const FlameSheet sheet = sheetOf("main;parse 3\n");
        const QImage image = flameImage(sheet, 2).value();
        QCOMPARE(image.size(), QSize(1020, heightOf(sheet)) * 2);
        const int inFirstRow = topOfRows(sheet) + kFlameRowHeight + 2;
        QCOMPARE(image.pixelColor(2 * 1000, 2 * inFirstRow).name(),
                 frameColor(FrameClass::Native, "main").name());
        QCOMPARE(image.pixelColor(2, 2).name(), theme().panel.name());
    }
    void flamesThatGrowUpHaveTheirRootAtTheBottom()
    {
        FlameSheet sheet = sheetOf("main;parse 3\n");
        sheet.scene.growsUp = true;
        const QImage image = flameImage(sheet, 1).value();
        QCOMPARE(image.pixelColor(1000, topOfRows(sheet) - 10).name(), theme().soft.name());
        QCOMPARE(image.pixelColor(1000, kSheetHead + 8).name(),
                 frameColor(FrameClass::Native, "parse").name());
    }
    void whatIsTooHighToBePaintedIsRefused()
    {
        std::string deep = "f0";
        for (int i = 1; i < 2000; ++i)
            deep += ";f" + std::to_string(i);
        const FlameSheet sheet = sheetOf(deep + " 1\n");
        const auto image = flameImage(sheet, 1);
        QVERIFY(!image);
        QVERIFY(image.error().message.find("only up to 32000") != std::string::npos);
        QCOMPARE(read(flameSvg(sheet)).titles.size(), 2001);
        QCOMPARE(treeOf(dataOf(webPage(sheet))).size(), 2000);
    }
    void aPageHoldsTheTreeOnce()
    {
        const QJsonObject data =
            dataOf(webPage(sheetOf("main;parse;alloc 6\nmain;render;alloc 2\nmain;render 1\n")));
        QCOMPARE(treeOf(data), QStringList({"main 0", " parse 0", "  alloc 6", " render 1", "  alloc 2"}));
        QCOMPARE(data[QLatin1String("names")].toArray().size(), 4);
        QCOMPARE(data[QLatin1String("whole")].toInteger(), 9);
        const int color = data[QLatin1String("colorOf")].toArray()[0].toInt();
        for (const auto &[name, kind] :
             {std::pair{"light", ThemeKind::Light}, std::pair{"dark", ThemeKind::Dark}})
            QCOMPARE(data[QLatin1String("colors")][QLatin1String(name)].toArray()[color].toString(),
                     frameColor(FrameClass::Native, "main", kind).name());
    }
    void aPageOfHostileNamesIsClosedAgainstThem()
    {
        const QByteArray page =
            webPage(sheetOf(hostile(), {}, QStringLiteral("</title><script>x</script>.folded")));
        QCOMPARE(page.count("<script"), 2);
        QCOMPARE(page.count("</script"), 2);
        QCOMPARE(page.count("<!--"), 0);
        QVERIFY(page.contains("<title>&lt;/title&gt;&lt;script&gt;x&lt;/script&gt;.folded</title>"));
        const QJsonArray names = dataOf(page)[QLatin1String("names")].toArray();
        QVERIFY(names.contains(QStringLiteral("</script><script>alert(1)</script>")));
        QVERIFY(names.contains(QStringLiteral("@title@@data@")));
        for (const QJsonValue &name : names) {
            QVERIFY(name.toString().size() < 2100);
            QVERIFY(!name.toString().contains(QRegularExpression(QStringLiteral("[\\x00-\\x1f\\x{202e}]"))));
        }
    }
    void aPageMayRunItsOwnScriptAndAskNobody()
    {
        const QByteArray page = webPage(sheetOf("main 1\n"));
        const auto hashed = [](const QByteArray &text) {
            return "'sha256-" + QCryptographicHash::hash(text, QCryptographicHash::Sha256).toBase64() + '\'';
        };
        const QByteArray policy = between(page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
        QCOMPARE(policy, "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " +
                             hashed(between(page, "<style>", "</style>")) + "; script-src " +
                             hashed(between(page, "<script>", "</script>")));
        for (const char *request :
             {"http:", "https:", "src=", "href=", "url(", "@import", "fetch(", "style="})
            QVERIFY2(!page.contains(request), request);
    }
    void aPageKeepsTheHeaviestAndSaysWhatItMerged()
    {
        const FlameSheet sheet = sheetOf("a;b 50\na;c;d 30\na;c;e 2\na;f 3\na;g;h 1\n");
        const QByteArray page = webPage(sheet, 5);
        QCOMPARE(treeOf(dataOf(page)),
                 QStringList({"a 0", " b 50", " c 0", "  d 30", "  1 merged 2", " 2 merged 4"}));
        QVERIFY(between(page, "<ul>", "</ul>").contains("The lightest 4 of 9 boxes are merged"));
        QVERIFY(!webPage(sheet).contains("are merged"));
    }
    void manyOfOneWeightAreMergedTogether()
    {
        const QByteArray page = webPage(sheetOf(manyLeaves(100)), 50);
        QCOMPARE(treeOf(dataOf(page)), QStringList({"main 0", " heavy 1000000", " 100 merged 100"}));
    }
    void aComparisonHasBothSidesOfEachNode()
    {
        const auto base = test::snapshotOf("main;parse 300\nmain;io 95\nmain;old 50\n");
        const auto current = test::snapshotOf("main;parse 500\nmain;io 100\nmain;fresh 200\n");
        DifferenceEvaluator evaluator;
        const auto difference = evaluator.evaluate({base, {}}, {current, {}}, Normalisation::None).value();
        const QByteArray page =
            webPage(*difference, {QStringLiteral("a > b"), QStringLiteral("grown"), {}}, NameDetail::Full);
        const QJsonObject data = dataOf(page);
        const QJsonObject tree = data[QLatin1String("tree")].toObject();
        const QJsonArray names = data[QLatin1String("names")].toArray();
        QCOMPARE(names, QJsonArray({"main", "parse", "fresh", "io", "old"}));
        QCOMPARE(numbers(tree, "base"), std::vector<qint64>({0, 0, 300, 0, 95, 50}));
        QCOMPARE(numbers(tree, "now"), std::vector<qint64>({0, 0, 500, 200, 100, 0}));
        QCOMPARE(tree[QLatin1String("noise")].toString(), QStringLiteral("000010")); // io
        QVERIFY(page.contains("<h1>a &gt; b</h1>"));
    }
    void whatGrewIsRedAndWhatShrankBlue()
    {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            QVERIFY(changeColor(1, kind).red() > changeColor(1, kind).blue());
            QVERIFY(changeColor(-1, kind).blue() > changeColor(-1, kind).red());
            QVERIFY(changeColor(0, kind).saturation() < 10);
        }
    }
    void csvQuotesWhatWouldEndACell()
    {
        const CopiedTable table{
            QStringLiteral("t"),
            {{QStringLiteral("Total"), QStringLiteral("ns"), true}, {QStringLiteral("Name"), {}, false}},
            {{{QStringLiteral("1.27 s"), qlonglong(1'270'000'001)}, {QStringLiteral("f<a, b>(\"x\")"), {}}},
             {{QStringLiteral("0"), qlonglong(0)}, {QStringLiteral("two\nlines"), {}}},
             {{QStringLiteral("1"), qlonglong(1)}, {QStringLiteral("=HYPERLINK(1)"), {}}}},
            -1,
            {}};
        QCOMPARE(asCsv({table}), QStringLiteral("Total (ns),Name\r\n1270000001,\"f<a, b>(\"\"x\"\")\"\r\n"
                                                "0,\"two\nlines\"\r\n1,=HYPERLINK(1)\r\n"));
        const QJsonArray rows = QJsonDocument::fromJson(asJson(QList{table}).toUtf8()).array();
        QCOMPARE(rows[0][QLatin1String("Total (ns)")].toInteger(), qint64(1'270'000'001));
    }
    void numbersBeyondDoublesStayExact()
    {
        const CopiedTable table{
            {}, {{QStringLiteral("n"), {}, true}}, {{{{}, qlonglong(9'007'199'254'740'993)}}}, -1, {}};
        QVERIFY(asJson(QList{table}).contains(QStringLiteral("9007199254740993")));
        QVERIFY(asCsv({table}).contains(QStringLiteral("9007199254740993")));
    }
};

QTEST_MAIN(TestExport)
#include "tst_export.moc"
