#include "agent/bpf/row_space.h"
#include "agent/options.h"
#include "agent/process/proc_files.h"
#include "agent/process/process_table.h"
#include "agent/symbols/binary_names.h"
#include "agent/symbols/jit_symbols.h"
#include "ingest/symbols/jit_name.h"
#include "ingest/symbols/perf_map.h"
#include "ingest/unwind/unwind_table.h"
#include "tests/support/jitdump_writer.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTest>

#include <fcntl.h>
#include <linux/perf_event.h>
#include <rapidcheck.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <random>
#include <thread>

using namespace hearth;
using namespace hearth::agent;

namespace {

ProcessEvent mapped(std::uint32_t process, std::uint64_t begin, std::uint64_t end, const char *path)
{
    ProcessEvent event{
        .kind = ProcessEvent::Kind::Mapped, .timeNs = 0, .process = process, .parent = 0, .code = {}};
    event.code.begin = begin;
    event.code.end = end;
    event.code.path = path;
    return event;
}

ProcessEvent happened(ProcessEvent::Kind kind, std::uint32_t process, std::uint32_t parent = 0)
{
    return {.kind = kind, .timeNs = 0, .process = process, .parent = parent, .code = {}};
}

/// "10-20 a, 30-40 b"
std::string codeText(const Process &process)
{
    std::string text;
    for (const auto &code : process.code)
        text += (text.empty() ? "" : ", ") + std::to_string(code->begin) + "-" + std::to_string(code->end) +
                " " + code->path;
    return text;
}

/// A jitdump that this process seems to have mapped.
class OwnJitDump {
public:
    OwnJitDump()
    {
        DumpWriter writer;
        writer.load(100, 0x1000, 0x40, 1, "first");
        writer.load(200, 0x1000, 0x40, 2, "LazyCompile:*fib /srv/fib.js:3:13");
        QFile file(QString::fromStdString(path()));
        if (file.open(QIODevice::WriteOnly))
            file.write(reinterpret_cast<const char *>(writer.bytes().data()),
                       static_cast<qint64>(writer.bytes().size()));
        MappedCode code;
        code.begin = 0x10000;
        code.end = 0x11000;
        code.path = path();
        m_process.number = static_cast<std::uint32_t>(getpid());
        m_process.code.push_back(std::make_shared<const MappedCode>(code));
        m_process.version = 1;
    }

    std::string path() const
    {
        return m_folder.filePath("jit-" + QString::number(getpid()) + ".dump").toStdString();
    }
    const Process &process() const { return m_process; }

private:
    QTemporaryDir m_folder;
    Process m_process;
};

constexpr std::uint32_t kNobody = 4'194'303; ///< a number that no process has: there are less

/// A record of the kernel's, of these 64-bit words behind its header, and of a text.
std::vector<std::uint8_t> eventRecord(std::uint32_t type, std::uint16_t misc,
                                      const std::vector<std::uint64_t> &words, std::string text,
                                      std::uint64_t time)
{
    std::vector<std::uint8_t> record(sizeof(perf_event_header));
    const auto append = [&record](const void *bytes, std::size_t size) {
        const auto *begin = static_cast<const std::uint8_t *>(bytes);
        record.insert(record.end(), begin, begin + size);
    };
    append(words.data(), words.size() * 8);
    text.resize((text.size() + 8) & ~std::size_t(7));
    append(text.data(), text.size());
    const std::uint64_t sampled = 0;
    append(&sampled, 8);
    append(&time, 8);
    const perf_event_header header{.type = type, .misc = misc, .size = static_cast<__u16>(record.size())};
    std::memcpy(record.data(), &header, sizeof header);
    return record;
}

std::uint64_t twoNumbers(std::uint32_t low, std::uint32_t high)
{
    return std::uint64_t(high) << 32 | low;
}

Result<Options> parse(std::vector<std::string> words)
{
    words.insert(words.begin(), "hearth-agent");
    std::vector<char *> arguments;
    for (std::string &word : words)
        arguments.push_back(word.data());
    return parseOptions(static_cast<int>(arguments.size()), arguments.data());
}

} // namespace

class TestProcesses : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void onlyCodeIsReadOfMaps()
    {
        const auto maps = parseMaps("1000-2000 r--p 00000000 08:01 17  /bin/a b\n"
                                    "2000-3000 r-xp 00001000 08:01 17  /bin/a b\n"
                                    "4000-5000 rwxp 00000000 00:00 0 \n"
                                    "6000-7000 r-xp 00000000 08:01 18  /tmp/gone (deleted)\n"
                                    "nonsense\n"
                                    "8000-9000 r-xp 00000000 00:00 0   [vdso]");
        QCOMPARE(maps.size(), std::size_t(4));
        QCOMPARE(maps[0].path, std::string("/bin/a b"));
        QCOMPARE(maps[0].offset, std::uint64_t(0x1000));
        QCOMPARE(maps[0].device, std::uint64_t(makedev(8, 1)));
        QCOMPARE(maps[0].inode, std::uint64_t(17));
        QCOMPARE(maps[1].path, std::string());
        QCOMPARE(maps[2].path, std::string("/tmp/gone"));
        QCOMPARE(maps[3].path, std::string("[vdso]"));
    }

    void aHundredThousandMappingsAreTooMany()
    {
        std::string text;
        for (int i = 0; i < 100'000; ++i)
            text += "1000-2000 r-xp 00000000 08:01 17 /bin/a\n";
        QCOMPARE(parseMaps(text).size(), kMostMappings);
    }

    void containersAreKnownByTheirCgroup()
    {
        const std::string id(64, 'a');
        QCOMPARE(containerId("0::/system.slice/docker-" + id + ".scope\n"), id);
        QCOMPARE(containerId("0::/kubepods/pod12/" + id), id);
        QCOMPARE(containerId("0::/user.slice/session-1.scope"), std::string());
        QCOMPARE(containerId("0::/" + id + "b"), std::string());
    }

    void whatIsMappedReplacesWhatWasThere()
    {
        ProcessTable table;
        table.apply(happened(ProcessEvent::Kind::Executed, kNobody));
        table.apply(mapped(kNobody, 10, 20, "/a"));
        table.apply(mapped(kNobody, 30, 40, "/b"));
        QCOMPARE(codeText(table.find(kNobody)), std::string("10-20 /a, 30-40 /b"));
        table.apply(mapped(kNobody, 15, 35, "/c"));
        QCOMPARE(codeText(table.find(kNobody)), std::string("15-35 /c"));
        QCOMPARE(table.find(kNobody).program, std::string("/a"));
        QVERIFY(table.find(kNobody).codeAt(34));
        QVERIFY(!table.find(kNobody).codeAt(35));
        QVERIFY(!table.find(kNobody).codeAt(14));
    }

    void childrenHaveWhatTheirParentsHadUntilTheyExecute()
    {
        ProcessTable table;
        table.apply(happened(ProcessEvent::Kind::Executed, kNobody));
        table.apply(mapped(kNobody, 10, 20, "/a"));
        table.apply(happened(ProcessEvent::Kind::Forked, kNobody - 1, kNobody));
        QCOMPARE(codeText(table.find(kNobody - 1)), std::string("10-20 /a"));
        QCOMPARE(table.find(kNobody - 1).program, std::string("/a"));
        table.apply(happened(ProcessEvent::Kind::Executed, kNobody - 1));
        table.apply(mapped(kNobody - 1, 50, 60, "/b"));
        QCOMPARE(codeText(table.find(kNobody - 1)), std::string("50-60 /b"));
        QCOMPARE(table.find(kNobody - 1).program, std::string("/b"));
        QCOMPARE(codeText(table.find(kNobody)), std::string("10-20 /a"));
    }

    void endedProcessesAreForgottenOneRoundLater()
    {
        ProcessTable table;
        table.apply(happened(ProcessEvent::Kind::Executed, kNobody));
        table.apply(mapped(kNobody, 10, 20, "/a"));
        table.apply(happened(ProcessEvent::Kind::Ended, kNobody));
        QVERIFY(table.forgetEnded().empty());
        QCOMPARE(codeText(table.find(kNobody)), std::string("10-20 /a"));
        QCOMPARE(table.forgetEnded(), std::vector<std::uint32_t>{kNobody});
        QCOMPARE(codeText(table.find(kNobody)), std::string());
    }

    void aNumberThatIsUsedAgainIsAnotherProcess()
    {
        ProcessTable table;
        table.apply(happened(ProcessEvent::Kind::Executed, kNobody));
        table.apply(mapped(kNobody, 10, 20, "/a"));
        table.apply(happened(ProcessEvent::Kind::Executed, kNobody - 1));
        table.apply(mapped(kNobody - 1, 50, 60, "/b"));
        table.apply(happened(ProcessEvent::Kind::Ended, kNobody));
        table.apply(happened(ProcessEvent::Kind::Forked, kNobody, kNobody - 1));
        QVERIFY(table.forgetEnded().empty());
        QVERIFY(table.forgetEnded().empty());
        QCOMPARE(codeText(table.find(kNobody)), std::string("50-60 /b"));
    }

    void aProcessThatExecutesHasNotEnded()
    {
        ProcessTable table;
        table.apply(happened(ProcessEvent::Kind::Ended, kNobody));
        table.apply(happened(ProcessEvent::Kind::Executed, kNobody));
        table.apply(mapped(kNobody, 10, 20, "/a"));
        QVERIFY(table.forgetEnded().empty());
        QVERIFY(table.forgetEnded().empty());
        QCOMPARE(codeText(table.find(kNobody)), std::string("10-20 /a"));
    }

    void ownMapsAreRead()
    {
        ProcessTable table;
        const Process &self = table.find(static_cast<std::uint32_t>(getpid()));
        const auto code = self.codeAt(reinterpret_cast<std::uint64_t>(&twoNumbers));
        QVERIFY(code);
        QVERIFY(code->path.ends_with("tst_processes"));
        QVERIFY(self.program.ends_with("tst_processes"));
    }

    void theKernelsRecordsAreEvents()
    {
        ProcessEvent event;
        // process and thread, address, length, offset, device, inode, its generation, protection
        const std::vector<std::uint64_t> words{twoNumbers(7, 8), 0x1000, 0x2000, 0x3000,
                                               twoNumbers(8, 1), 17,     0,      5};
        // What the kernel says of build ids is of somebody else who listens.
        QVERIFY(parseProcessEvent(
            eventRecord(PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID, words, "/bin/a", 99), event));
        QCOMPARE(event.kind, ProcessEvent::Kind::Mapped);
        QCOMPARE(event.process, 7U);
        QCOMPARE(event.timeNs, std::uint64_t(99));
        QCOMPARE(event.code.begin, std::uint64_t(0x1000));
        QCOMPARE(event.code.end, std::uint64_t(0x3000));
        QCOMPARE(event.code.offset, std::uint64_t(0x3000));
        QCOMPARE(event.code.device, std::uint64_t(makedev(8, 1)));
        QCOMPARE(event.code.inode, std::uint64_t(17));
        QCOMPARE(event.code.path, std::string("/bin/a"));
        QVERIFY(parseProcessEvent(
            eventRecord(PERF_RECORD_FORK, 0, {twoNumbers(9, 7), twoNumbers(9, 7), 1}, {}, 1), event));
        QCOMPARE(event.kind, ProcessEvent::Kind::Forked);
        QCOMPARE(event.parent, 7U);
        // a thread
        QVERIFY(!parseProcessEvent(
            eventRecord(PERF_RECORD_FORK, 0, {twoNumbers(7, 7), twoNumbers(9, 7), 1}, {}, 1), event));
        QVERIFY(parseProcessEvent(
            eventRecord(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, {twoNumbers(7, 7)}, "a", 1), event));
        // a new name of a thread
        QVERIFY(!parseProcessEvent(eventRecord(PERF_RECORD_COMM, 0, {twoNumbers(7, 7)}, "a", 1), event));
    }

    void cutRecordsDoNoHarm()
    {
        const auto whole = eventRecord(PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID,
                                       {1, 2, 3, 4, 5, 6, 7, 8}, "/bin/a", 9);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            ProcessEvent event;
            (void)parseProcessEvent({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)},
                                    event);
        }
    }

    void rowsAreGivenOutOnce()
    {
        QVERIFY(rc::check([] {
            RowSpace space(64);
            std::map<std::uint32_t, std::uint32_t> taken;
            for (const auto &[isTaking, count] :
                 *rc::gen::container<std::vector<std::pair<bool, std::uint32_t>>>(
                     rc::gen::pair(rc::gen::arbitrary<bool>(), rc::gen::inRange<std::uint32_t>(1, 20)))) {
                if (!isTaking && !taken.empty()) {
                    space.giveBack(taken.begin()->first, taken.begin()->second);
                    taken.erase(taken.begin());
                    space.recycle();
                    continue;
                }
                const auto first = space.take(count);
                if (!first)
                    continue;
                RC_ASSERT(*first + count <= 64);
                for (const auto &[other, size] : taken)
                    RC_ASSERT(*first + count <= other || other + size <= *first);
                taken.emplace(*first, count);
            }
            for (const auto &[first, count] : taken)
                space.giveBack(first, count);
            space.recycle();
            RC_ASSERT(space.take(64) == std::optional(0U));
        }));
    }

    void rowsGivenBackRestForARound()
    {
        RowSpace space(8);
        QCOMPARE(space.take(8), std::optional(0U));
        space.giveBack(0, 8);
        QVERIFY(!space.take(1));
        space.recycle();
        QCOMPARE(space.take(1), std::optional(0U));
    }

    void functionsOfOwnProgramHaveNames()
    {
        const auto file = ElfFile::open("/proc/self/exe");
        QVERIFY(file.has_value());
        ProcessTable table;
        const auto address = reinterpret_cast<std::uint64_t>(&parseOptions);
        const auto code = table.find(static_cast<std::uint32_t>(getpid())).codeAt(address);
        const auto inFile = (*file)->addressOfOffset(address - code->begin + code->offset);
        QVERIFY(inFile);
        BinaryNames names(*file);
        const std::vector<SymbolLine> chain = names.at(*inFile + 1);
        QCOMPARE(chain.size(), std::size_t(1));
        QCOMPARE(chain[0].name.str(), std::string("hearth::agent::parseOptions(int, char**)"));
        QCOMPARE(names.at(*inFile + 1), chain); // now as it is remembered
        QVERIFY(names.at(1).empty());
    }

    void runtimesNamesAreTakenApart_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("kind");
        QTest::newRow("V8") << "LazyCompile:*fib /a b/f.js:3:13" << "fib" << "/a b/f.js" << 3 << "v8js";
        QTest::newRow("V8 before") << "Function:~run file.js:7" << "run" << "file.js" << 7 << "v8js";
        QTest::newRow("V8 without a name")
            << "JS:^ node:internal/x:1:2" << "(anonymous)" << "node:internal/x" << 1 << "v8js";
        QTest::newRow("CPython") << "py::work:/srv/a.py" << "work" << "/srv/a.py" << 0 << "cpython";
        QTest::newRow("another") << "int Fib.fib(int)" << "int Fib.fib(int)" << "" << 0 << "";
        QTest::newRow("nothing") << "JS:" << "(anonymous)" << "" << 0 << "v8js";
    }

    /// Whoever may write a program can do so while it is read.
    void aBinaryThatChangesWhileItIsReadDoesNoHarm()
    {
        QFile original(QString::fromStdString(ownLibrary()));
        QVERIFY(original.open(QIODevice::ReadOnly));
        const QByteArray bytes = original.readAll();
        QTemporaryFile file;
        QVERIFY(file.open() && file.write(bytes) == bytes.size() && file.flush());
        std::jthread writer([&](const std::stop_token &stop) { spoil(file.handle(), bytes, stop); });
        RuleBook book;
        int readable = 0;
        for (int i = 0; i < 30; ++i) {
            const auto elf = ElfFile::open(file.fileName().toStdString());
            if (!elf)
                continue;
            ++readable;
            const UnwindTable table = unwindTableOf(**elf, book);
            QVERIFY(std::ranges::is_sorted(table.rows, {}, &UnwindRow::place));
            BinaryNames names(*elf);
            for (const UnwindRow &row : table.rows)
                if (row.place % 64 == 0)
                    (void)names.at(table.base + row.place);
        }
        QVERIFY(readable > 0);
    }

    /// A library that this process has mapped.
    static std::string ownLibrary()
    {
        for (const MappedCode &code : mapsOf(static_cast<std::uint32_t>(getpid())))
            if (code.path.find("/libc.so") != std::string::npos)
                return code.path;
        return {};
    }

    static void spoil(int file, const QByteArray &bytes, const std::stop_token &stop)
    {
        std::mt19937 random(4711);
        const auto size = static_cast<std::size_t>(bytes.size());
        while (!stop.stop_requested()) {
            const std::array<std::uint32_t, 4> noise{random(), random(), random(), random()};
            for (int i = 0; i < 100; ++i)
                (void)!pwrite(file, noise.data(), sizeof noise, static_cast<off_t>(random() % size));
            (void)!ftruncate(file, static_cast<off_t>(random() % size));
            (void)!pwrite(file, bytes.data(), size, 0);
        }
    }

    void runtimesNamesAreTakenApart()
    {
        QFETCH(QString, text);
        const std::string bytes = text.toStdString();
        const JitName name = parseJitName(bytes);
        QTEST(QString::fromStdString(name.name), "name");
        QTEST(QString::fromStdString(name.file), "file");
        QTEST(static_cast<int>(name.line), "line");
        QTEST(QString::fromStdString(std::string(name.kind)), "kind");
    }

    void whatComesLaterInAPerfMapCounts()
    {
        PerfMap map;
        const std::string_view text = "1000 100 first\nnonsense\n0x1080 10 within it\n2000 10 cut";
        QCOMPARE(map.add(text), text.find("2000"));
        QCOMPARE(map.nameAt(0x1088), std::optional<std::string_view>("within it"));
        QVERIFY(!map.nameAt(0x1010)); // what it overlapped is gone
        QVERIFY(!map.nameAt(0x2000)); // not a whole line yet
        map.add("ffffffffffffffff 10 beyond\n3000 0 empty\n3000 10 \n");
        QCOMPARE(map.size(), std::size_t(1));
    }

    void perfMapsOfStrangersAndLinksAreLeftAlone()
    {
        const QString path = "/tmp/perf-" + QString::number(getpid()) + ".map";
        const auto nameRead = [&] {
            PerfMapFile file(static_cast<std::uint32_t>(getpid()));
            file.readOn(1);
            return file.map().nameAt(0x10).has_value();
        };
        QTemporaryFile elsewhere;
        QVERIFY(elsewhere.open() && elsewhere.write("10 10 name\n") > 0 && elsewhere.flush());
        QVERIFY(QFile::link(elsewhere.fileName(), path));
        QVERIFY(!nameRead());
        QVERIFY(QFile::remove(path) && elsewhere.copy(path));
        QVERIFY(nameRead());
        QVERIFY(chmod(path.toUtf8().constData(), 0666) == 0); // anybody could have written it
        QVERIFY(!nameRead());
        QVERIFY(QFile::remove(path));
    }

    void aPerfMapIsReadOnAsItGrows()
    {
        QFile written("/tmp/perf-" + QString::number(getpid()) + ".map");
        QVERIFY(written.open(QIODevice::WriteOnly) && written.write("10 10 one\n20 1") > 0 &&
                written.flush());
        PerfMapFile file(static_cast<std::uint32_t>(getpid()));
        file.readOn(1);
        QCOMPARE(file.map().size(), std::size_t(1));
        QVERIFY(written.write("0 two\n") > 0 && written.flush());
        file.readOn(2); // too early to look again
        QCOMPARE(file.map().size(), std::size_t(1));
        file.readOn(1'000'000'000);
        QCOMPARE(file.map().nameAt(0x20), std::optional<std::string_view>("two"));
        QVERIFY(written.remove());
    }

    void whatAProcessPutAtAnAddressDependsOnTheTime()
    {
        const OwnJitDump dump;
        JitSymbols symbols;
        QCOMPARE(symbols.nameAt(dump.process(), 0x1000, 99), std::nullopt);
        QCOMPARE(symbols.nameAt(dump.process(), 0x1000, 150)->name, std::string("first"));
        const JitName second = symbols.nameAt(dump.process(), 0x1000, 250).value();
        QCOMPARE(second.name, std::string("fib"));
        QCOMPARE(second.file, std::string("/srv/fib.js"));
        QCOMPARE(second.line, 3);
        QCOMPARE(second.kind, std::string_view("v8js"));
        QCOMPARE(symbols.nameAt(dump.process(), 0x2000, 250), std::nullopt);
    }

    void jitdumpsOfStrangersAndLinksAreLeftAlone()
    {
        const OwnJitDump dump;
        const QByteArray path = QByteArray::fromStdString(dump.path());
        const auto isNamed = [&] { return JitSymbols().nameAt(dump.process(), 0x1000, 150).has_value(); };
        QVERIFY(isNamed());
        QVERIFY(chmod(path.constData(), 0666) == 0); // anybody could have written it
        QVERIFY(!isNamed());
        QVERIFY(chmod(path.constData(), 0600) == 0 && QFile::rename(path, path + ".other"));
        QVERIFY(QFile::link(path + ".other", path));
        QVERIFY(!isNamed());
        QVERIFY(QFile::remove(path) && mkfifo(path.constData(), 0600) == 0); // nor waited for
        QVERIFY(!isNamed());
    }

    void jitdumpsAreKnownByTheirNames()
    {
        QVERIFY(isJitDumpPath("/tmp/jit-4711.dump"));
        QVERIFY(isJitDumpPath("/home/u/.debug/jit/x/jit-1.dump"));
        QVERIFY(!isJitDumpPath("/tmp/jit-4711.dump (deleted)"));
        QVERIFY(!isJitDumpPath("jit-4711.dump"));
        QVERIFY(!isJitDumpPath("/etc/jit-/core.dump"));
        QVERIFY(!isJitDumpPath(""));
    }

    void optionsAreRead()
    {
        const auto options =
            parse({"-F", "250", "-p", "12,34", "--for", "1.5s", "--to", "unix:/run/x", "--gzip"});
        QVERIFY(options.has_value());
        QCOMPARE(options->frequency, 250U);
        QCOMPARE(options->processes, (std::vector<std::uint32_t>{12, 34}));
        QCOMPARE(options->duration->count(), 1'500'000'000);
        QCOMPARE(options->receiver->path, std::string("/run/x"));
        QVERIFY(options->isGzip);
        QCOMPARE(parse({"--", "ls", "-l"})->command, (std::vector<std::string>{"ls", "-l"}));
        QCOMPARE(parse({})->receiver->port, kDefaultPort);
        QCOMPARE(parse({"--page-faults", "--switches=7"})->pageFaultPeriod, 100U); // of a whole machine
        QCOMPARE(parse({"--page-faults", "--switches=7"})->switchPeriod, 7U);
        QCOMPARE(parse({"--page-faults", "ls"})->pageFaultPeriod, 1U);
    }

    void wrongOptionsAreSaid_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("message");
        QTest::newRow("rate") << QStringList{"-F", "5000"} << "-F needs a number from 1 to 1000, not '5000'";
        QTest::newRow("process") << QStringList{"-p", "12,x"}
                                 << "-p needs a number from 1 to 4194304, not 'x'";
        QTest::newRow("time") << QStringList{"--for", "soon"}
                              << "--for needs a duration like 10s or 1.5min, not 'soon'";
        QTest::newRow("names") << QStringList{"--symbols", "some"}
                               << "--symbols is none, names or full, not 'some'";
        QTest::newRow("clock") << QStringList{"--event", "moon"}
                               << "--event is cpu-clock or cycles, not 'moon'";
        QTest::newRow("period") << QStringList{"--page-faults=0"}
                                << "--page-faults needs a number from 1 to 1000000, not '0'";
        QTest::newRow("two targets") << QStringList{"-p", "1", "ls"}
                                     << "-p, --cgroup and a command exclude each other";
        QTest::newRow("two ends") << QStringList{"--to", "4317", "-o", "x"}
                                  << "--to and -o exclude each other";
    }

    void wrongOptionsAreSaid()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, message);
        std::vector<std::string> arguments;
        for (const QString &word : words)
            arguments.push_back(word.toStdString());
        const auto options = parse(arguments);
        QVERIFY(!options);
        QCOMPARE(QString::fromStdString(options.error().message), message);
    }
};

QTEST_GUILESS_MAIN(TestProcesses)
#include "tst_processes.moc"
