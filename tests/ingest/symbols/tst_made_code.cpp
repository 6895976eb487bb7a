#include "ingest/symbols/jitdump.h"
#include "ingest/symbols/symbolizer.h"
#include "model/store/store.h"
#include "tests/support/jitdump_writer.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ctime>
#include <random>

using namespace hearth;

namespace {

std::int64_t nowOf(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

JitDump dumpOf(const std::vector<std::uint8_t> &bytes)
{
    JitDump dump;
    dump.readOn(ByteRange::ofMemory(bytes));
    return dump;
}

std::string nameAt(const JitDump &dump, std::uint64_t address, std::uint64_t time)
{
    const auto found = dump.find(address, time);
    return found ? found->name : std::string();
}

constexpr std::uint64_t kAddress = 0x7000'1000;

/// One sample of code without a file, in this very process.
Batch sampleOf(std::int64_t timeNs, std::string_view host = {}, std::string_view binary = {})
{
    Batch batch;
    SampleBlock block;
    block.series = {{batch.addString("samples"), batch.addString("count")}};
    block.hasTimes = true;
    Attribute &process = batch.attributes.emplace_back();
    process.key = batch.addString("process.pid");
    process.type = AttributeType::Int;
    process.bits = static_cast<std::uint64_t>(getpid());
    if (!host.empty()) {
        Attribute &machine = batch.attributes.emplace_back();
        machine.key = batch.addString("host.name");
        machine.bits = batch.addString(host).value;
    }
    for (std::size_t i = 0; i < batch.attributes.size(); ++i)
        batch.attributeLists.push_back(AttributeId(i));
    batch.attributeSets.push_back({.begin = 0, .count = static_cast<std::uint32_t>(batch.attributes.size())});
    batch.contexts.push_back(
        {.resource = AttributeSetId(batch.attributeSets.size() - 1), .scope = {}, .sample = {}});
    Frame frame;
    frame.address = kAddress + 0x10;
    frame.kind = batch.addString("native");
    if (!binary.empty()) {
        batch.binaries.emplace_back().path = batch.addString(binary);
        batch.mappings.push_back(
            {.start = kAddress, .limit = kAddress + 0x1000, .offset = 0, .binary = BinaryId(0)});
        frame.mapping = MappingId(0);
        frame.address = 0x10;
    }
    batch.frames.push_back(frame);
    batch.stacks.push_back({StackId(0), FrameId(0)});
    SampleRows rows(1);
    const std::array<std::int64_t, 1> value{1};
    rows.add(StackId(1), ContextId(batch.contexts.size() - 1), {}, timeNs, value);
    block.chunks.emplace_back(rows);
    batch.blocks.push_back(std::move(block));
    return batch;
}

struct Named {
    std::string name;
    std::string file;
    std::int64_t line = 0;
    SymbolSource source = SymbolSource::None;
};

Named named(Batch batch)
{
    Store store;
    store.append(std::move(batch));
    Symbolizer symbolizer({});
    Named named;
    const auto take = [&](const SymbolUpdate &update) {
        for (const FrameSymbols &frame : update.frames)
            named = {frame.chain.at(0).name.str(), frame.chain.at(0).file.str(), frame.chain.at(0).line,
                     named.source};
        for (const BinarySymbols &binary : update.binaries)
            named.source = binary.source;
    };
    symbolizer.resolve(*store.publish(), {.take = take}, {});
    return named;
}

/// A perf map of this process, as long as this lives.
class OwnPerfMap {
public:
    explicit OwnPerfMap(const QByteArray &text)
    {
        m_file.open(QIODevice::WriteOnly);
        m_file.write(text);
        m_file.flush();
    }
    ~OwnPerfMap() { m_file.remove(); }
    OwnPerfMap(const OwnPerfMap &) = delete;
    OwnPerfMap &operator=(const OwnPerfMap &) = delete;

private:
    QFile m_file{QStringLiteral("/tmp/perf-%1.map").arg(getpid())};
};

} // namespace

/// Code that processes make while they run, and what they tell of it.
class TestMadeCode : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void jitdumpsNameCodeFromWhenItIsLoaded()
    {
        DumpWriter writer;
        writer.load(100, 0x1000, 0x40, 1, "first");
        const JitDump dump = dumpOf(writer.bytes());
        QCOMPARE(nameAt(dump, 0x1000, 100), std::string("first"));
        QCOMPARE(nameAt(dump, 0x103f, 5000), std::string("first"));
        QCOMPARE(nameAt(dump, 0x1040, 5000), std::string());
        QCOMPARE(nameAt(dump, 0x1000, 99), std::string());
    }

    void laterCodeTakesThePlaceOfEarlier()
    {
        DumpWriter writer;
        writer.load(100, 0x1000, 0x40, 1, "first");
        writer.load(200, 0x1010, 0x10, 2, "second");
        const JitDump dump = dumpOf(writer.bytes());
        QCOMPARE(nameAt(dump, 0x1018, 150), std::string("first"));
        QCOMPARE(nameAt(dump, 0x1018, 250), std::string("second"));
        QCOMPARE(nameAt(dump, 0x1000, 250), std::string("first"));
    }

    void movedCodeKeepsItsNameAndItsLines()
    {
        DumpWriter writer;
        writer.lines(90, 0x1000, {{0x1000, 7, "/src/a.js"}, {0x1020, 8, "\xff"}, {0x1030, 1, "/src/b.js"}});
        writer.load(100, 0x1000, 0x40, 1, "first");
        writer.move(200, 0x1000, 0x9000, 0x40, 1);
        const JitDump dump = dumpOf(writer.bytes());
        for (const auto &[address, time] : {std::pair(0x1025, 150), std::pair(0x9025, 250)})
            QCOMPARE(dump.find(static_cast<std::uint64_t>(address), static_cast<std::uint64_t>(time)).value(),
                     (JitDump::Found{.name = "first", .file = "/src/a.js", .line = 8}));
        QCOMPARE(dump.find(0x9035, 250)->file, std::string("/src/b.js"));
        QVERIFY(!dump.find(0x9025, 150));
    }

    void jitdumpsAreReadOnAsTheyGrow()
    {
        DumpWriter writer;
        writer.load(100, 0x1000, 0x40, 1, "first");
        writer.load(200, 0x2000, 0x40, 2, "second");
        JitDump dump;
        for (std::size_t size = 40; size <= writer.bytes().size(); ++size) {
            std::vector<std::uint8_t> part(writer.bytes().begin(),
                                           writer.bytes().begin() + static_cast<std::ptrdiff_t>(size));
            QVERIFY(dump.readOn(ByteRange::ofMemory(std::move(part))));
        }
        QCOMPARE(dump.size(), std::size_t(2));
        QCOMPARE(nameAt(dump, 0x2000, 200), std::string("second"));
    }

    void whatIsReadAtOnceAndKeptIsBounded()
    {
        DumpWriter writer;
        writer.load(100, 0x1000, 0x40, 1, "first");
        writer.load(200, 0x2000, 0x40, 2, "second");
        writer.load(300, 0x3000, 0x40, 3, "third");
        const ByteRange file = ByteRange::ofMemory(writer.bytes());
        JitDump dump(JitDumpLimits{.stays = 2});
        QVERIFY(dump.readOn(file, 1));
        QCOMPARE(dump.size(), std::size_t(1));
        QVERIFY(dump.readOn(file, 2)); // and one of these there is no room for
        QCOMPARE(dump.size(), std::size_t(2));
        QCOMPARE(nameAt(dump, 0x2000, 400), std::string("second"));
    }

    void damagedJitdumpsHarmNobody()
    {
        DumpWriter writer;
        writer.lines(90, 0x1000, {{0x1000, 7, "/src/a.js"}});
        writer.load(100, 0x1000, 0x40, 1, "first");
        writer.move(200, 0x1000, 0x9000, 0x40, 1);
        std::mt19937 random(4711);
        for (int i = 0; i < 5000; ++i) {
            std::vector<std::uint8_t> bytes = writer.bytes();
            for (int flips = 0; flips < 3; ++flips)
                bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
            const JitDump dump = dumpOf(bytes);
            QVERIFY(dump.size() <= 3);
            (void)dump.find(0x1000, 150);
        }
        JitDump none;
        QVERIFY(!none.readOn(ByteRange::ofMemory({1, 2, 3, 4})));
    }

    void perfMapsNameFramesWithoutAFile()
    {
        const OwnPerfMap map("70001000 100 LazyCompile:*fib /srv/fib.js:3:13\n");
        const std::int64_t now = nowOf(CLOCK_REALTIME);
        const Named plain = named(sampleOf(now));
        QCOMPARE(plain.name, std::string("fib"));
        QCOMPARE(plain.file, std::string("/srv/fib.js"));
        QCOMPARE(plain.line, std::int64_t(3));
        const Named mapped = named(sampleOf(now, {}, "//anon"));
        QCOMPARE(mapped.name, std::string("fib"));
        QVERIFY(mapped.source == SymbolSource::MadeAtRunTime);
    }

    void anotherProcessOfTheSameNumberIsNotAsked()
    {
        const OwnPerfMap map("70001000 100 fib\n");
        constexpr std::int64_t kBeforeThisProcess = 1'000'000'000'000'000'000; // 2001
        QCOMPARE(named(sampleOf(kBeforeThisProcess)).name, std::string());
        QCOMPARE(named(sampleOf(nowOf(CLOCK_REALTIME), "another.example")).name, std::string());
    }

    void withoutAMapTheReasonIsSaid()
    {
        Store store;
        store.append(sampleOf(nowOf(CLOCK_REALTIME), {}, "//anon"));
        std::string problem;
        Symbolizer({}).resolve(*store.publish(),
                               {.take =
                                    [&](const SymbolUpdate &update) {
                                        if (!update.binaries.empty())
                                            problem = update.binaries[0].problem;
                                    }},
                               {});
        QVERIFY2(problem.find("does not tell its names") != std::string::npos, problem.c_str());
    }

    void jitdumpsNameFramesByTheTimeOfSamples()
    {
        const std::int64_t now = nowOf(CLOCK_REALTIME);
        const auto clock = static_cast<std::uint64_t>(nowOf(CLOCK_MONOTONIC));
        constexpr std::uint64_t kMinute = 60'000'000'000;
        DumpWriter writer;
        writer.load(clock - kMinute, kAddress, 0x100, 1, "earlier");
        writer.load(clock + kMinute, kAddress, 0x100, 2, "later");
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("jit-%1.dump").arg(getpid())));
        QVERIFY(file.open(QIODevice::ReadWrite));
        const auto &bytes = writer.bytes();
        QCOMPARE(file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<qint64>(bytes.size())),
                 static_cast<qint64>(bytes.size()));
        QVERIFY(file.flush());
        void *const mark = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file.handle(), 0);
        QVERIFY(mark != MAP_FAILED);
        QCOMPARE(named(sampleOf(now)).name, std::string("earlier"));
        QCOMPARE(named(sampleOf(now + 2 * static_cast<std::int64_t>(kMinute))).name, std::string("later"));
        munmap(mark, 4096);
    }
};

QTEST_GUILESS_MAIN(TestMadeCode)
#include "tst_made_code.moc"
