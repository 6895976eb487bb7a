#include "ingest/formats/otlp_writer.h"
#include "model/store/store.h"
#include "tests/support/run_hearth.h"
#include "tests/support/spans_text.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace hearth;
using namespace hearth::test;

namespace {

QJsonArray rowsOf(const QStringList &arguments)
{
    return QJsonDocument::fromJson(runHearth(arguments).out).object()["rows"].toArray();
}

/// What a column of a report holds, from the first row to the last.
QStringList column(const QJsonArray &rows, const char *key)
{
    QStringList values;
    for (const QJsonValue &row : rows)
        values << row.toObject()[QLatin1String(key)].toVariant().toString();
    return values;
}

} // namespace

/// Traces and spans as users ask for them in a terminal.
class TestTraceReports : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_shop;
    QString m_spansAlone;

    QString written(const QString &name, const Snapshot &snapshot)
    {
        const auto bytes = otlpFile(snapshot, OtlpForm::Framed);
        QFile file(m_folder.filePath(name));
        if (!bytes || !file.open(QIODevice::WriteOnly))
            return {};
        file.write(QByteArray::fromStdString(*bytes));
        return file.fileName();
    }

private Q_SLOTS:
    void initTestCase()
    {
        constexpr const char *kSpans = "1.2<1.1 1000020000..1000040000 db select\n"
                                       "1.1 1000000000..1000100000 shop! GET /cart\n"
                                       "2.1 2000000000..2000030000 shop GET /cart\n"
                                       "3.1 3000000000..3000007000 shop POST /order\n";
        m_shop = written(QStringLiteral("shop.otlp"), *test::dataSetOf("period: cpu/nanoseconds 1000\n"
                                                                       "handle;parse 1 | ~1.1 @1000010000\n"
                                                                       "handle;parse 1 | ~2.1 @2000010000\n"
                                                                       "handle 1 | ~2.1 @2000020000\n"
                                                                       "query 1 | ~1.2 @1000030000\n"
                                                                       "idle 1 | @1\n",
                                                                       kSpans));
        Store store;
        store.append(test::spansOf(kSpans));
        m_spansAlone = written(QStringLiteral("spans.otlp"), *store.publish());
        QVERIFY(!m_shop.isEmpty() && !m_spansAlone.isEmpty());
    }

    void tracesComeSlowestFirst()
    {
        const QJsonObject report =
            QJsonDocument::fromJson(runHearth({"traces", "--json", m_shop}).out).object();
        QCOMPARE(report["total"].toInt(), 5000);
        const QJsonArray rows = report["rows"].toArray();
        QCOMPARE(column(rows, "duration"), QStringList({"100000", "30000", "7000"}));
        const QJsonObject first = rows[0].toObject();
        QCOMPARE(first["trace"].toString(), QStringLiteral("00000000000000000000000000000001"));
        QCOMPARE(first["name"].toString(), QStringLiteral("GET /cart"));
        QCOMPARE(first["service"].toString(), QStringLiteral("shop"));
        QCOMPARE(first["spans"].toInt(), 2);
        QCOMPARE(first["errors"].toInt(), 1);
        QCOMPARE(first["samples"].toInt(), 2);
        QCOMPARE(first["cpu"].toInt(), 2000);
        QCOMPARE(column(rowsOf({"traces", "--json", "--sort", "start", "--limit", "1", m_shop}), "start"),
                 QStringList({"1000000000"}));
    }

    void tracesAreATable()
    {
        const QByteArray text = runHearth({"traces", m_shop}).out;
        QVERIFY2(text.startsWith("3 traces\n"), text.constData());
        QVERIFY2(text.contains("0000000000000000"), text.constData());
        QVERIFY2(text.contains("GET /cart"), text.constData());
        QVERIFY(runHearth({"traces", "--csv", m_shop})
                    .out.contains(",GET /cart,shop,2000000000,30000,1,0,2,2000,0\n"));
    }

    void aLensNarrowsTracesAndFunctions()
    {
        const QString lens = QStringLiteral("span~\"GET /cart\" duration>50us");
        QCOMPARE(column(rowsOf({"traces", "--json", "--lens", lens, m_shop}), "duration"),
                 QStringList({"100000"}));
        QCOMPARE(column(rowsOf({"top", "--json", "--lens", lens, m_shop}), "name"),
                 QStringList({"parse", "query", "handle"}));
        QCOMPARE(column(rowsOf({"top", "--json", "--lens", lens + " nochildren", m_shop}), "name"),
                 QStringList({"parse", "handle"}));
    }

    void fromTheSlowestSpanOneComesToItsFunctionAndBack()
    {
        const QJsonArray slowest = rowsOf({"spans", "--json", "--limit", "1", m_shop});
        const QJsonObject span = slowest[0].toObject();
        const QString lens = QStringLiteral("trace=%1 spanid=%2 nochildren")
                                 .arg(span["trace"].toString(), span["span"].toString());
        const QStringList functions = column(rowsOf({"top", "--json", "--lens", lens, m_shop}), "name");
        QCOMPARE(functions.first(), QStringLiteral("parse"));
        const QJsonArray back = rowsOf({"spans", "--json", "--function", "^parse$", m_shop});
        QCOMPARE(column(back, "duration"), QStringList({"100000", "30000"}));
        QCOMPARE(column(back, "name"), QStringList({"GET /cart", "GET /cart"}));
        QCOMPARE(column(rowsOf({"spans", "--json", "--function", "^query$", m_shop}), "name"),
                 QStringList({"select"}));
        QCOMPARE(column(rowsOf({"spans", "--json", "--function", "^query$", "--children", m_shop}), "name"),
                 QStringList({"GET /cart", "select"}));
    }

    void spansAreGroupedByServiceAndName()
    {
        const QJsonArray rows = rowsOf({"spans", "--groups", "--json", m_shop});
        QCOMPARE(column(rows, "name"), QStringList({"GET /cart", "select", "POST /order"}));
        QCOMPARE(column(rows, "count"), QStringList({"2", "1", "1"}));
        QCOMPARE(column(rows, "p50"), QStringList({"30000", "20000", "7000"}));
        QCOMPARE(column(rows, "errors"), QStringList({"1", "0", "0"}));
    }

    void spansWithoutSamplesAreListedAllTheSame()
    {
        QCOMPARE(column(rowsOf({"traces", "--json", m_spansAlone}), "samples"), QStringList({"0", "0", "0"}));
        QCOMPARE(rowsOf({"spans", "--json", "--lens", "@service=shop", m_spansAlone}).size(), 3);
    }

    void whatIsWrongIsSaidOnStandardError()
    {
        Store store;
        store.append(test::spansOf("1.2<1.9 5..1 s x\n1.2 0..1 s x\n"));
        const QString odd = written(QStringLiteral("odd.otlp"), *store.publish());
        const Outcome outcome = runHearth({"traces", odd});
        QCOMPARE(outcome.status, 0);
        QVERIFY2(
            outcome.err.contains("of the spans, 1 name a parent that was not received; 1 end before they "
                                 "start; 1 have the id of another"),
            outcome.err.constData());
        QVERIFY(
            runHearth({"traces", "--lens", "span=none", m_shop}).err.contains("no traces match span=none"));
        QCOMPARE(runHearth({"traces", "--sort", "colour", m_shop}).status, 2);
        QCOMPARE(runHearth({"spans", "--function", "(", m_shop}).status, 2);
        QCOMPARE(runHearth({"spans", "--lens", "duration>x", m_shop}).status, 2);
        QCOMPARE(runHearth({"traces"}).status, 2);
        QCOMPARE(runHearth({"traces", "/no/such/file"}).status, 3);
    }
};

QTEST_GUILESS_MAIN(TestTraceReports)
#include "tst_trace_reports.moc"
