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

/// A field with a payload, as Protocol Buffers write it.
std::string field(unsigned number, const std::string &payload)
{
    return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(payload.size())} + payload;
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
        row("\x0a\x04\x08\x01\x10\x02\xa2\x06\x01x\x32\x00"s, "pprof profile"); // with a field 100
        row("PERFILE2\x68\0\0\0"s, "perf.data recording");
        row("FLR\0\0\2\0\1"s, "JFR recording");
        row("go 1.22 trace\0\0\0"s, "Go execution trace");
        row("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\"}", "speedscope profile");
        row("{\"meta\":{\"interval\":1,\"preprocessedProfileVersion\":70},\"libs\":[", "Firefox profile");
        row("{\"traceEvents\":[]}", "Chrome trace");
        row("{\"nodes\":[{\"id\":1,\"callFrame\":{}}]}", "V8 CPU profile");
        row("{\"head\":{\"callFrame\":{},\"selfSize\":0}}", "V8 heap profile");
        row("{\"resourceProfiles\":[]}", "file of OTLP profiles (JSON)");
        row("{\"resourceSpans\":[]}\n{\"resourceSpans\":[]}\n", "file of OTLP traces (JSON)");
        row("heap profile: 1: 2 [ 3: 4] @ heapprofile\n", "gperftools heap profile");
        row("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10\x27\0\0\0\0\0\0\0\0\0\0\0\0\0\0"s,
            "gperftools CPU profile");
        row("# callgrind format\nversion: 1\n", "callgrind output");
        row("desc: --time-unit=B\ncmd: ./a\ntime_unit: B\n", "massif output");
        row("v 10300 3\nX ./a\n", "heaptrack recording");
        row("Attaching 1 probe...\n@[\n  f+1\n]: 3\n", "bpftrace output");
        row("\n    libc.so.1`read+0x15\n    bash`main+0x2\n      12\n", "stacks printed by DTrace");
        row("Analysis of sampling x (pid 1) every 1 millisecond\nCall graph:\n    1 Thread_1\n",
            "call graph of macOS's sample");
        row("prog 12 3.4: 5 cycles:\n\tffffffff81 do_it+0x1 ([kernel])\n\n", "perf script text");
        row("\xfd\x37zXZ\0"s, "compressed file (xz)");
        row("BZh91AY&SY\1"s, "compressed file (bzip2)");
        row("\x04\x22\x4d\x18\x40"s, "compressed file (lz4)");
        row("x\x9c\x4b\x04\0\0"s, "compressed file (zlib)");
        row("PK\3\4\x14\0"s, "zip archive");
        row("\xff\6\0\0sNaPpY"s, "compressed file (snappy)");
        row(std::string(257, 'a') + "ustar\0"s, "tar archive");
        row("\x7f"
            "ELF\2\1\1"s,
            "program or library (ELF)");
        row("\x89PNG\r\n"s, "PNG picture");
        row("\xff\xd8\xff\xe0", "JPEG picture");
        row("%PDF-1.7\n", "PDF document");
        row("SQLite format 3\0"s, "SQLite database");
        row("<!DOCTYPE html>\n", "web page (HTML)");
        row("Dear reader,\nthis is a letter.\n", "text that is no profile");
        row("#include <x>\nint a;\nint b;\nvoid f();\n", "text that is no profile");
        row("{\"a\":1}", "JSON file");
        row("", "file without content");
        row("\xba\xad\xf0\1", "");
    }
    void formatsAreToldApartByContent()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, name);
        QCOMPARE(nameOf(bytes.toStdString()), name);
    }
    void protocolBuffersAreToldApartByTheirFields()
    {
        using namespace std::string_literals;
        // Each is a resource with a scope with one record.
        const auto otlp = [](const std::string &record) {
            const std::string scope = field(2, record);
            return field(1, field(1, "") + field(2, scope));
        };
        const std::string eight(8, '\1');
        const std::string span = field(1, std::string(16, '\7')) + field(2, eight) + "\x39"s + eight;
        QCOMPARE(nameOf(otlp(field(1, "\x08\1\x10\2"s) + "\x19"s + eight)), "file of OTLP profiles");
        QCOMPARE(nameOf(field(2, field(5, "name"))), "file of OTLP profiles");
        QCOMPARE(nameOf(otlp(span)), "file of OTLP traces");
        QCOMPARE(nameOf(otlp("\x09"s + eight + "\x10\x09"s)), "file of OTLP logs");
        QCOMPARE(nameOf(otlp(field(1, "cpu.time") + field(5, field(1, "x")))), "file of OTLP metrics");
        QCOMPARE(nameOf(field(1, "\x40\x05\x50\x01"s) + field(1, "\x40\x06\x50\x01"s)), "Perfetto trace");
        QCOMPARE(nameOf(field(1, "\x08\1\x10\2"s) + field(6, "") + field(6, "a")), "pprof profile");
    }
    void messagesBehindTheirLengthsAreLookedInto()
    {
        using namespace std::string_literals;
        const std::string message = field(2, field(5, "name"));
        const std::string framed = "\0\0\0"s + static_cast<char>(message.size()) + message;
        QCOMPARE(nameOf(framed + framed), "file of OTLP profiles");
        QCOMPARE(nameOf(framed + framed.substr(0, 7)), "file of OTLP profiles");
        QCOMPARE(nameOf(framed.substr(0, 7)), "");
        QCOMPARE(nameOf(framed + framed + "\0"s, false), "file of OTLP profiles");
        QCOMPARE(nameOf("\0\0\0\4\x28\xb5\x2f\xfd"s), "file of OTLP messages, each packed by itself");
        QCOMPARE(nameOf("\0\0\0\x17{\"resourceProfiles\":[]}"s), "file of OTLP profiles (JSON)");
    }
    void foldedStacksMayBeginLikeOtherFormats_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        for (const char *text :
             {"[native];f 3\n", "[12];f 3\n", "[true] 3\n", "{main};f 3\n", "{closure} 3\n", "SLOW;f 3\n",
              "BZhelper;f 3\n", "Nettrace;f 3\n", "x^y;f 3\n", "JAVA PROFILE ;f 3\n", "desc: ;f 3\n",
              "v 12;f 3\n", "#<Class:Job>#run;f 3\n", "@[a];f 3\n", "# made by hand\nmain 3\n",
              "main;f\nmain;g\n", "main;f 1.5\n", "main;f 3 4\n", "main loop;operator new 3\n"})
            QTest::addRow("%s", QByteArray(text).simplified().constData()) << QByteArray(text);
    }
    void foldedStacksMayBeginLikeOtherFormats()
    {
        QFETCH(QByteArray, bytes);
        QCOMPARE(nameOf(bytes.toStdString()), "folded stacks");
    }
    void foldedStacksOfOtherEncodingsAreRecognised()
    {
        using namespace std::string_literals;
        QCOMPARE(nameOf("\xef\xbb\xbfmain;f 3\r\n"), "folded stacks");
        QCOMPARE(nameOf("\xff\xfem\0;\0f\0 \0"
                        "3\0"s),
                 "folded stacks");
        QCOMPARE(nameOf("\xfe\xff\0m\0;\0f\0 \0"
                        "3"s),
                 "folded stacks");
        QCOMPARE(nameOf("m\0;\0f\0 \0"
                        "3\0"s),
                 "folded stacks");
        QCOMPARE(nameOf("\xef\xbb\xbf{\"traceEvents\":[]}"), "Chrome trace");
    }
    void aLittleDamageDoesNotHideFoldedStacks()
    {
        std::string text;
        for (int i = 0; i < 200; ++i)
            text += "main;function 12\n";
        text[100] = '\1';
        QCOMPARE(nameOf(text), "folded stacks");
    }
    void refusalsSayWhatTheInputLooksLike()
    {
        const std::string bytes = "tZst and so on";
        const auto batch =
            readProfile(memorySource({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()}),
                        {.name = "rec", .stop = {}, .progress = {}});
        QVERIFY(!batch);
        QCOMPARE(QByteArray::fromStdString(batch.error().message),
                 QByteArray("rec: looks like a Tracy trace, which Hearth cannot read"));
    }
};

QTEST_GUILESS_MAIN(TestRecognise)
#include "tst_recognise.moc"
