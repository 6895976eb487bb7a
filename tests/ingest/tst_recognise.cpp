#include "ingest/formats/format.h"

#include <QTest>

#include <string>

using namespace hearth;

namespace {

QByteArray nameOf(std::string_view bytes, bool isWhole = true)
{
    const auto recognised =
        recognise({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()}, isWhole);
    return QByteArray(recognised.name.data(), static_cast<qsizetype>(recognised.name.size()));
}

} // namespace

class TestRecognise : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void formatsAreToldApartByContent_data()
    {
        using namespace std::string_literals;
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("name");
        const auto row = [](const std::string &bytes, const char *name) {
            QTest::addRow("%s", name) << QByteArray::fromStdString(bytes) << QByteArray(name);
        };
        row("main;f 3\n", "folded stacks");
        row("\x0a\x04\x08\x01\x10\x02\x32\x00\x32\x01x"s, "pprof profile");
        row("PERFILE2\x68\0\0\0"s, "perf.data recording");
        row("FLR\0\0\2\0\1"s, "JFR recording");
        row("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\"}", "speedscope profile");
        row("{\"traceEvents\":[]}", "Chrome trace");
        row("{\"nodes\":[{\"id\":1,\"callFrame\":{}}]}", "V8 CPU profile");
        row("{\"resourceProfiles\":[]}", "file of OTLP profiles in JSON");
        row("heap profile: 1: 2 [ 3: 4] @ heapprofile\n", "gperftools heap profile");
        row("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10\x27\0\0\0\0\0\0\0\0\0\0\0\0\0\0"s,
            "gperftools CPU profile");
        row("# callgrind format\nversion: 1\n", "callgrind output");
        row("prog 12 3.4: 5 cycles:\n\tffffffff81 do_it+0x1 ([kernel])\n\tffffffff82 it (/bin/x)\n",
            "perf script text");
        row("\x7f"
            "ELF\2\1\1"s,
            "program or library (ELF)");
        row("Dear reader,\nthis is a letter.\n", "text that is no profile");
        row("{\"a\":1}", "JSON file");
    }
    void formatsAreToldApartByContent()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, name);
        QCOMPARE(nameOf(bytes.toStdString()), name);
    }
    void refusalsSayWhatTheInputLooksLike()
    {
        const std::string bytes = "PERFILE2 and so on";
        const auto batch =
            readProfile(memorySource({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()}),
                        {.name = "rec", .stop = {}, .progress = {}});
        QVERIFY(!batch);
        QCOMPARE(QByteArray::fromStdString(batch.error().message),
                 QByteArray("rec: looks like a perf.data recording, which Hearth cannot read"));
    }
};

QTEST_GUILESS_MAIN(TestRecognise)
#include "tst_recognise.moc"
