#include "ingest/formats/pprof_writer.h"
#include "tests/support/sampled_places.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace hearth;

namespace {

const std::string kProgram = KNOWN_PROGRAMS "/dwarf5";

struct Outcome {
    int status = -1;
    QString out;
    QString err;
};

Outcome hearthSource(const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral(HEARTH_PROGRAM), QStringList(QStringLiteral("source")) + arguments);
    process.waitForFinished(-1);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

/// The first line with a text in it.
QString lineWith(const QString &text, const QString &part)
{
    for (const QString &line : text.split(QLatin1Char('\n')))
        if (line.contains(part))
            return line;
    return {};
}

} // namespace

/// `hearth source`, as users call it.
class TestSourceReport : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_file;

private Q_SLOTS:
    /// Seven samples at the begin of plainC, which is not named in the file.
    void initTestCase()
    {
        const auto snapshot = test::namedPlaces(
            {{kProgram, test::buildIdOf(kProgram), test::offsetOfFunction(kProgram, "plainC"), 7}});
        m_file = m_folder.filePath(QStringLiteral("cpu.pb"));
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(pprofMessage(*snapshot).value()));
    }

    void linesHaveTheirWeights()
    {
        const Outcome outcome = hearthSource({m_file, "--function", "^plainC$"});
        QCOMPARE(outcome.status, 0);
        QVERIFY2(outcome.out.contains("samples/count: 7"), qPrintable(outcome.out));
        QVERIFY2(outcome.out.contains("self 7 (100.00%), total 7 (100.00%)"), qPrintable(outcome.out));
        QVERIFY2(lineWith(outcome.out, "void plainC()").contains(". "), qPrintable(outcome.out));
        QStringList weighed = outcome.out.split(QLatin1Char('\n')).filter(QStringLiteral("  7         7"));
        QCOMPARE(weighed.size(), 1);
    }

    void theContextIsAsLargeAsOneAsks()
    {
        const QString wide = hearthSource({m_file, "--function", "plainC"}).out;
        const QString narrow = hearthSource({m_file, "--function", "plainC", "--context", "0"}).out;
        QCOMPARE(wide.count(QLatin1Char('\n')), narrow.count(QLatin1Char('\n')) + 10);
    }

    void instructionsHaveTheirWeights()
    {
        const Outcome outcome = hearthSource({m_file, "--function", "plainC", "--asm"});
        QCOMPARE(outcome.status, 0);
        QVERIFY2(outcome.out.contains("plainC in " + QString::fromStdString(kProgram)),
                 qPrintable(outcome.out));
        QVERIFY2(outcome.out.contains("call    0x"), qPrintable(outcome.out));
        QVERIFY2(outcome.out.contains("# known::here()"), qPrintable(outcome.out));
        const QString att = hearthSource({m_file, "--function", "plainC", "--att"}).out;
        QVERIFY2(att.contains("callq   0x"), qPrintable(att));
    }

    void jsonHasTheSameNumbers()
    {
        const Outcome outcome = hearthSource({m_file, "--function", "plainC", "--asm", "--json"});
        const QJsonObject report = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
        QCOMPARE(report["total"].toInt(), 7);
        const QJsonObject row = report["rows"].toArray().at(0).toObject();
        QCOMPARE(row["name"].toString(), QStringLiteral("plainC"));
        QCOMPARE(row["self"].toInt(), 7);
        const QJsonObject file = row["files"].toArray().at(0).toObject();
        QCOMPARE(file["path"].toString(), QStringLiteral(KNOWN_SOURCE));
        QCOMPARE(file["lines"].toArray().at(0).toObject()["self"].toInt(), 7);
        const QJsonObject code = row["code"].toArray().at(0).toObject();
        QCOMPARE(code["name"].toString(), QStringLiteral("plainC"));
        int sum = 0;
        for (const QJsonValue &instruction : code["instructions"].toArray())
            sum += instruction.toObject()["self"].toInt();
        QCOMPARE(sum, 7);
    }

    void aSourceElsewhereIsReadByItsMapping()
    {
        QTemporaryDir folder;
        const QString from = QStringLiteral(KNOWN_SOURCE).section(QLatin1Char('/'), 0, -2);
        const Outcome outcome =
            hearthSource({m_file, "--function", "plainC", "--source-path", from + "=" + folder.path()});
        QCOMPARE(outcome.status, 0); // the mapping leads nowhere, so the file at its path is taken
        QVERIFY(outcome.out.contains("void plainC()"));
        const QString copy = folder.filePath(QStringLiteral("known_program.cpp"));
        QFile file(copy);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("nothing of it\n");
        file.close();
        const QString mapped =
            hearthSource({m_file, "--function", "plainC", "--source-path", from + "=" + folder.path()}).out;
        QVERIFY2(mapped.contains("read from " + copy), qPrintable(mapped));
        QVERIFY2(mapped.contains("lines may have moved"), qPrintable(mapped));
        QVERIFY(!mapped.contains("void plainC()"));
    }

    void functionsWithoutSourceSaySo()
    {
        const QString folded = m_folder.filePath(QStringLiteral("a.folded"));
        QFile file(folded);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("main;parse 3\n");
        file.close();
        const Outcome outcome = hearthSource({folded, "--function", "parse", "--asm"});
        QCOMPARE(outcome.status, 0);
        QVERIFY2(outcome.out.contains("which source file"), qPrintable(outcome.out));
    }

    void wrongUseIsExplained()
    {
        QCOMPARE(hearthSource({m_file}).status, 2);
        const Outcome broken = hearthSource({m_file, "--function", "("});
        QCOMPARE(broken.status, 2);
        QVERIFY(broken.err.contains("--function"));
        const Outcome none = hearthSource({m_file, "--function", "no_such_function"});
        QCOMPARE(none.status, 1);
        QVERIFY(none.err.contains("no_such_function"));
        QVERIFY(hearthSource({"--help"}).out.contains("Examples:"));
    }
};

QTEST_GUILESS_MAIN(TestSourceReport)
#include "tst_source_report.moc"
