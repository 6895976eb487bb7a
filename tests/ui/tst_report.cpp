#include "model/lens/lens_text.h"
#include "tests/support/profile_text.h"
#include "ui/export/report.h"
#include "ui/theme/page_colors.h"

#include <QTest>
#include <QXmlStreamReader>

using namespace hearth;

namespace {

Report reportOf(std::string_view profile, std::string_view lens = {}, const QString &note = {})
{
    const auto snapshot = test::snapshotOf(profile);
    const Lens parsed = *parseLens(lens);
    Evaluator evaluator;
    auto overview = overviewOf(evaluator, snapshot, parsed, kReportRows, {});
    if (!overview)
        qFatal("the lens does not fit");
    const auto evaluation = Evaluator().evaluate(snapshot, parsed).value();
    return {.title = QStringLiteral("cpu.pb.gz"),
            .note = note,
            .lens = parsed,
            .overview = std::make_shared<const Overview>(std::move(*overview)),
            .flames = reportFlames(snapshot, evaluation, parsed)};
}

constexpr const char *kProfile = "series: samples/count\n"
                                 "main[app];parse[app] 500 | thread=worker\n"
                                 "main[app];draw[app] 300 | thread=ui\n";

} // namespace

class TestReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { chooseColors(ThemeKind::Light); }

    void itsPictureIsLightAlsoFromADarkWindow()
    {
        const QByteArray light = reportOf(kProfile).flames;
        chooseColors(ThemeKind::Dark);
        QCOMPARE(reportOf(kProfile).flames, light);
        QVERIFY(light.contains(themeOf(ThemeKind::Light).panel.name().toLatin1()));
        QCOMPARE(theme().kind, ThemeKind::Dark); // the window's stays
    }
    void markdownHasFiguresAdviceAndNote()
    {
        const QString text = QString::fromUtf8(
            reportMarkdown(reportOf(kProfile, "-nothing", QStringLiteral("since *Tuesday*"))));
        QVERIFY2(text.startsWith(QStringLiteral("# cpu.pb.gz\n\nSamples: 800\n\nFilter: ` -nothing `\n\n"
                                                "since *Tuesday*\n\n- 62.5 % is in parse itself")),
                 qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("## Functions, by themselves\n\n| Name | Weight | Share |\n"
                                             "|:--|--:|--:|\n| parse | 500 | ")));
        QVERIFY(text.contains(QStringLiteral("\n## Thread\n\n")));
    }
    void namesAreNoMarkdown()
    {
        const QString text = QString::fromUtf8(reportMarkdown(reportOf("a|b`c<d*e_f[g] 5\n")));
        QVERIFY2(text.contains(QStringLiteral("| a\\|b\\`c\\<d\\*e\\_f ")) ||
                     text.contains(QStringLiteral("a\\|b\\`c\\<d\\*e\\_f")),
                 qPrintable(text));
    }
    void aLensWithBackticksStaysCode()
    {
        const QString text = QString::fromUtf8(reportMarkdown(reportOf(kProfile, "-\"a`b\"")));
        QVERIFY2(text.contains(QStringLiteral("Filter: `` -a`b ``")) ||
                     text.contains(QStringLiteral("Filter: `` -\"a`b\" ``")),
                 qPrintable(text));
    }
    void thePageHasTheFlameGraphAndEscapesEverything()
    {
        const QByteArray page =
            reportPage(reportOf("main;<b&evil 1000\n", {}, QStringLiteral("<script>alert(1)</script>")));
        QVERIFY(page.contains("<svg"));
        QVERIFY(!page.contains("<?xml"));
        QVERIFY(!page.contains("<script"));
        QVERIFY(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        QVERIFY(page.contains("<td>&lt;b&amp;evil</td>"));
        QVERIFY(page.contains("default-src 'none'"));
    }
    void thePageIsWellFormed()
    {
        QByteArray page = reportPage(reportOf(kProfile, "-nothing", QStringLiteral("a & b\nc")));
        page.replace("<!DOCTYPE html>", "").replace("<meta charset=\"utf-8\">", "");
        const qsizetype policy = page.indexOf("<meta");
        page.remove(policy, page.indexOf('>', policy) + 1 - policy); // void elements, which XML knows not
        page.replace("<br>", "");
        QXmlStreamReader xml(page);
        while (!xml.atEnd())
            xml.readNext();
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    }
    void theEndingTellsWhichOfBoth()
    {
        const Report report = reportOf(kProfile);
        QVERIFY(reportFor(QStringLiteral("a.html"), report)->startsWith("<!DOCTYPE html>"));
        QVERIFY(reportFor(QStringLiteral("a.MD"), report)->startsWith("# "));
        QCOMPARE(reportFor(QStringLiteral("a.doc"), report).error().message,
                 std::string("a.doc: reports are written as .html or .md"));
    }
    void nothingIsAReportToo()
    {
        const Report report = reportOf("series: cpu/nanoseconds\n");
        QVERIFY(reportMarkdown(report).contains("CPU time: 0"));
        QVERIFY(reportPage(report).endsWith("</body>\n</html>\n"));
    }
};

QTEST_APPLESS_MAIN(TestReport)
#include "tst_report.moc"
