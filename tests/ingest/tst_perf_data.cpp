#include "ingest/bytes/packing.h"
#include "tests/support/files.h"
#include "tests/support/profile_text.h"

#include <QTest>

#include <execinfo.h>
#include <fcntl.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

constexpr std::uint64_t kKernelMark = static_cast<std::uint64_t>(-128);
constexpr std::uint64_t kUserMark = static_cast<std::uint64_t>(-512);
/// IP, TID, TIME, CALLCHAIN, ID, CPU, PERIOD
constexpr std::uint64_t kSampleType = 1 | 2 | 4 | 32 | 64 | 128 | 256;
constexpr std::uint64_t kBranchStack = 1 << 11;
constexpr std::uint64_t kUserStack = 1 << 12 | 1 << 13; ///< with registers

/// Writes the records of perf.data in either byte order.
class PerfBytes {
public:
    explicit PerfBytes(bool isBig = false) : m_isBig(isBig) {}

    PerfBytes &u(std::uint64_t value, std::size_t size)
    {
        for (std::size_t byte = 0; byte < size; ++byte)
            m_bytes += static_cast<char>(value >> (8 * (m_isBig ? size - 1 - byte : byte)));
        return *this;
    }
    PerfBytes &u64(std::uint64_t value) { return u(value, 8); }
    PerfBytes &u32(std::uint64_t value) { return u(value, 4); }
    PerfBytes &text(std::string text)
    {
        text.resize(text.size() / 8 * 8 + 8);
        m_bytes += text;
        return *this;
    }
    PerfBytes &raw(const std::string &bytes)
    {
        m_bytes += bytes;
        return *this;
    }
    PerfBytes body() const { return PerfBytes(m_isBig); }
    PerfBytes &record(std::uint32_t type, std::uint16_t misc, const PerfBytes &body)
    {
        return u32(type).u(misc, 2).u(body.m_bytes.size() + 8, 2).raw(body.m_bytes);
    }

    /// A frequency of samples; ids everywhere.
    PerfBytes &attr(std::uint32_t type, std::uint64_t config, std::uint64_t sampleType = kSampleType,
                    std::uint64_t branchType = 0, std::uint64_t userRegisters = 0)
    {
        // freq is bit 10 of the flags, sample_id_all bit 18: a bit field, so the file's order is the bits'
        // order
        const std::uint64_t flags = m_isBig ? 1ULL << 53 | 1ULL << 45 : 1ULL << 10 | 1ULL << 18;
        u32(type).u32(88).u64(config).u64(999).u64(sampleType).u64(0).u64(flags);
        return u64(0).u64(0).u64(0).u64(branchType).u64(userRegisters);
    }
    /// Who and when, behind records that are no samples.
    PerfBytes &trailer(std::uint64_t time) { return u32(10).u32(11).u64(time).u64(1).u64(0); }

    PerfBytes &comm(std::uint32_t process, std::uint32_t thread, const std::string &name, std::uint64_t time)
    {
        return record(3, 0, body().u32(process).u32(thread).text(name).trailer(time));
    }
    PerfBytes &mmap(std::uint32_t process, std::uint64_t start, std::uint64_t length, std::uint64_t offset,
                    const std::string &path, std::uint64_t time)
    {
        return record(
            1, 2,
            body().u32(process).u32(process).u64(start).u64(length).u64(offset).text(path).trailer(time));
    }
    PerfBytes &sample(std::uint64_t time, std::uint64_t id, std::uint64_t period,
                      const std::vector<std::uint64_t> &chain)
    {
        PerfBytes b = body();
        b.u64(chain.empty() ? 0 : chain[0]).u32(10).u32(11).u64(time).u64(id).u32(1).u32(0).u64(period);
        b.u64(chain.size());
        for (const std::uint64_t ip : chain)
            b.u64(ip);
        return record(9, 2, b);
    }

    const std::string &bytes() const { return m_bytes; }

private:
    bool m_isBig;
    std::string m_bytes;
};

/// Two events; a process that maps a program at 0x400000, and the kernel; samples before what they need.
std::string records(bool isBig)
{
    PerfBytes b(isBig);
    b.sample(200, 1, 1000, {kUserMark, 0x400110, 0x400221});
    b.sample(300, 2, 7, {kKernelMark, 0xffff0010, kUserMark, 0x400220, 0x500000});
    b.comm(10, 10, "prog", 50).comm(10, 11, "worker", 60);
    b.mmap(10, 0x400000, 0x1000, 0x2000, "/usr/bin/prog", 100);
    b.record(1, 1,
             b.body()
                 .u32(0xffffffff)
                 .u32(0)
                 .u64(0xffff0000)
                 .u64(0x1000)
                 .u64(0)
                 .text("[kernel.kallsyms]_text")
                 .trailer(70));
    b.record(2, 0, b.body().u64(1).u64(5).trailer(250));
    b.record(68, 0, b.body());
    return b.bytes();
}

std::string magic(bool isBig)
{
    return isBig ? "2ELIFREP" : "PERFILE2";
}

std::string pipeFile(bool isBig, const std::string &recordBytes)
{
    PerfBytes b(isBig);
    b.raw(magic(false)).u64(16);
    b.record(64, 0, b.body().attr(1, 0).u64(1));
    b.record(64, 0, b.body().attr(0, 1).u64(2));
    b.record(78, 0, b.body().u64(2).u64(1).text("cpu-clock:u"));
    std::string bytes = b.raw(recordBytes).bytes();
    if (isBig)
        bytes.replace(0, 8, "PERFILE2"), std::reverse(bytes.begin(), bytes.begin() + 8);
    return bytes;
}

/// With the names of events and a build id behind the records.
std::string wholeFile(bool isBig, const std::string &recordBytes)
{
    constexpr std::uint64_t kHead = 104;
    constexpr std::uint64_t kAttr = 88 + 16;
    const std::uint64_t ids = kHead + 2 * kAttr;
    const std::uint64_t data = ids + 16;
    PerfBytes buildId(isBig);
    buildId.record(
        67, 0,
        buildId.body().u32(10).raw(std::string(20, '\x11')).raw(std::string(4, '\0')).text("/usr/bin/prog"));
    PerfBytes names(isBig);
    names.u32(1).u32(88).attr(0, 1).u32(1).u32(16).text("instructions:u").u64(2);
    PerfBytes b(isBig);
    b.raw(magic(isBig)).u64(kHead).u64(kAttr).u64(kHead).u64(2 * kAttr).u64(data).u64(recordBytes.size());
    b.u64(0).u64(0).u64(1 << 2 | 1 << 12).u64(0).u64(0).u64(0);
    b.attr(1, 0).u64(ids).u64(8).attr(0, 1).u64(ids + 8).u64(8).u64(1).u64(2);
    b.raw(recordBytes);
    const std::uint64_t sections = data + recordBytes.size() + 32;
    b.u64(sections).u64(buildId.bytes().size());
    b.u64(sections + buildId.bytes().size()).u64(names.bytes().size());
    return b.raw(buildId.bytes()).raw(names.bytes()).bytes();
}

/// Executable parts of files that this process has mapped.
struct Mapped {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;
    std::string path;
};

std::vector<Mapped> mappedHere()
{
    std::vector<Mapped> found;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        Mapped each;
        std::array<char, 5> rights{};
        if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64, &each.start, &each.end,
                        rights.data(), &each.offset) != 4 ||
            rights[2] != 'x' || line.find('/') == std::string::npos)
            continue;
        each.path = line.substr(line.find('/'));
        found.push_back(each);
    }
    return found;
}

/// What a sample taken in captureHere() has, and who called that.
struct Captured {
    std::uint64_t ip = 0;
    std::uint64_t sp = 0;
    std::uint64_t fp = 0;
    std::string stack;
    std::vector<std::uint64_t> callers; ///< by the C library's unwinder
};

__attribute__((noinline)) void capture(Captured &captured, const gregset_t &at)
{
    captured.ip = static_cast<std::uint64_t>(at[REG_RIP]);
    captured.sp = static_cast<std::uint64_t>(at[REG_RSP]);
    captured.fp = static_cast<std::uint64_t>(at[REG_RBP]);
    captured.stack.resize(32000);
    // Sanitizers would rather not see it read.
    const int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    const ssize_t size =
        pread(memory, captured.stack.data(), captured.stack.size(), static_cast<off_t>(captured.sp));
    close(memory);
    captured.stack.resize(size > 0 ? static_cast<std::size_t>(size) / 8 * 8 : 0);
    std::array<void *, 256> callers{};
    const int count = backtrace(callers.data(), callers.size());
    for (int i = 0; i < count; ++i)
        captured.callers.push_back(reinterpret_cast<std::uint64_t>(callers.at(static_cast<std::size_t>(i))));
}

__attribute__((noinline)) void captureHere(Captured &captured)
{
    ucontext_t context;
    getcontext(&context);
    capture(captured, context.uc_mcontext.gregs);
}

/// One sample, with a copy of its stack of which `copied` bytes were there.
std::string recordingOf(const Captured &captured, const std::vector<Mapped> &mapped, std::size_t copied)
{
    constexpr std::uint64_t kFpSpIp = 1U << 6 | 1U << 7 | 1U << 8;
    PerfBytes b;
    b.raw(magic(false)).u64(16);
    b.record(64, 0, b.body().attr(1, 0, kSampleType | kUserStack, 0, kFpSpIp).u64(1));
    for (const Mapped &each : mapped)
        b.mmap(10, each.start, each.end - each.start, each.offset, each.path, 10);
    PerfBytes sample = b.body();
    sample.u64(captured.ip).u32(10).u32(11).u64(20).u64(1).u32(0).u32(0).u64(5).u64(0);
    sample.u64(2).u64(captured.fp).u64(captured.sp).u64(captured.ip);
    sample.u64(captured.stack.size()).raw(captured.stack).u64(copied);
    return b.record(9, 2, sample).bytes();
}

/// Places in files, of the innermost frame first.
std::vector<std::uint64_t> placesOf(const Snapshot &snapshot)
{
    std::vector<std::uint64_t> places;
    for (StackId at(snapshot.stacks.size() - 1); at != StackId(); at = snapshot.stacks[at.value].parent)
        places.push_back(snapshot.frames[snapshot.stacks[at.value].frame.value].address);
    return places;
}

/// The places of calls that returned here would go on behind.
std::vector<std::uint64_t> placesOf(const std::vector<std::uint64_t> &returns)
{
    const std::vector<Mapped> mapped = mappedHere();
    std::vector<std::uint64_t> places;
    for (const std::uint64_t each : returns) {
        const auto in = std::ranges::find_if(
            mapped, [each](const Mapped &one) { return each >= one.start && each < one.end; });
        places.push_back(in == mapped.end() ? each - 1 : each - 1 - in->start + in->offset);
    }
    return places;
}

} // namespace

class TestPerfData : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEventIsASeries_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("clock");
        QTest::addColumn<QByteArray>("instructions");
        const auto row = [](const char *name, const std::string &file, const char *clock,
                            const char *instructions) {
            QTest::addRow("%s", name)
                << QByteArray::fromStdString(file) << QByteArray(clock) << QByteArray(instructions);
        };
        row("file", wholeFile(false, records(false)), "cpu-clock", "instructions:u");
        row("file of the other byte order", wholeFile(true, records(true)), "cpu-clock", "instructions:u");
        row("pipe", pipeFile(false, records(false)), "cpu-clock:u", "instructions");
        row("pipe of the other byte order", pipeFile(true, records(true)), "cpu-clock:u", "instructions");
    }
    void everyEventIsASeries()
    {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, clock);
        QFETCH(QByteArray, instructions);
        const auto snapshot = test::openFile(file.toStdString());
        COMPARE_TEXT(test::top(snapshot, "series:" + clock.toStdString() + " by:binary"), "prog 1000 1000\n");
        COMPARE_TEXT(test::top(snapshot, "series:" + instructions.toStdString() + " by:binary"),
                     "[kernel.kallsyms] 7 7\n<unknown> 0 7\nprog 0 7\n");
        QCOMPARE(snapshot->text(snapshot->series[0].unit), std::string_view("nanoseconds"));
        QCOMPARE(snapshot->losses.count(Loss::DroppedBySender), std::uint64_t(5));
        COMPARE_TEXT(
            test::top(snapshot,
                      "series:" + clock.toStdString() +
                          " by:binary @process=prog @thread=worker @process.pid=10 @thread.id=11 @cpu=1"),
            "prog 1000 1000\n");
    }
    void addressesAreThoseInTheFiles()
    {
        const auto snapshot = test::openFile(wholeFile(false, records(false)));
        std::vector<std::uint64_t> addresses;
        for (std::size_t frame = 0; frame < snapshot->frames.size(); ++frame)
            addresses.push_back(snapshot->frames[frame].address);
        std::ranges::sort(addresses);
        // A caller's address is moved into its call; the kernel's are those of memory.
        QCOMPARE(addresses, (std::vector<std::uint64_t>{0x2110, 0x2220, 0x4fffff, 0xffff0010}));
    }
    void buildIdsAreThoseBehindTheRecords()
    {
        const auto snapshot = test::openFile(wholeFile(false, records(false)));
        const auto isProg = [&](const Binary &binary) {
            return snapshot->text(binary.path) == "/usr/bin/prog";
        };
        const auto prog = std::ranges::find_if(snapshot->binaries, isProg);
        QVERIFY(prog != snapshot->binaries.end());
        QCOMPARE(snapshot->text(prog->buildId), std::string_view("1111111111111111111111111111111111111111"));
    }
    void compressedRecordsAreUnpacked()
    {
        const std::string plain = records(false).substr(0, records(false).size() - 8);
        const std::string zstd =
            packed({reinterpret_cast<const std::uint8_t *>(plain.data()), plain.size()}, Packing::Zstd);
        PerfBytes b;
        b.record(81, 0, b.body().raw(zstd.substr(0, 20))).record(81, 0, b.body().raw(zstd.substr(20)));
        const auto snapshot = test::openFile(wholeFile(false, b.bytes()));
        COMPARE_TEXT(test::top(snapshot, "series:cpu-clock by:binary"), "prog 1000 1000\n");
        QCOMPARE(snapshot->sampleCount(), std::uint64_t(2));
    }
    void processesThatForkedShareWhatIsMapped()
    {
        PerfBytes b;
        b.mmap(9, 0x400000, 0x1000, 0, "/usr/bin/shell", 10).comm(9, 9, "shell", 11);
        b.record(7, 0, b.body().u32(10).u32(9).u32(10).u32(9).u64(20).trailer(20));
        b.record(7, 0, b.body().u32(10).u32(10).u32(11).u32(10).u64(21).trailer(21));
        b.sample(30, 1, 1, {kUserMark, 0x400110});
        b.mmap(10, 0x400100, 0x100, 0, "/usr/bin/prog", 40);
        b.sample(50, 1, 10, {kUserMark, 0x400110});
        b.sample(60, 1, 100, {kUserMark, 0x400210});
        const auto snapshot = test::openFile(pipeFile(false, b.bytes()));
        COMPARE_TEXT(test::top(snapshot, "by:binary @thread=shell"), "shell 101 101\nprog 10 10\n");
    }
    void callStacksOfTheProcessorReplaceThoseOfTheUser()
    {
        PerfBytes b;
        b.raw(magic(false)).u64(16);
        b.record(64, 0, b.body().attr(0, 0, kSampleType | kBranchStack, 1 << 11).u64(1));
        b.mmap(10, 0x400000, 0x1000, 0, "/usr/bin/prog", 10);
        PerfBytes sample = b.body();
        sample.u64(0x400110).u32(10).u32(11).u64(20).u64(1).u32(0).u32(0).u64(5).u64(2).u64(kUserMark).u64(
            0x400110);
        sample.u64(2).u64(0x400300).u64(0x400100).u64(0).u64(0x400500).u64(0x400290).u64(0);
        b.record(9, 2, sample);
        const auto snapshot = test::openFile(b.bytes());
        std::vector<std::uint64_t> addresses;
        for (StackId at(snapshot->stacks.size() - 1); at != StackId(); at = snapshot->stacks[at.value].parent)
            addresses.push_back(snapshot->frames[snapshot->stacks[at.value].frame.value].address);
        QCOMPARE(addresses, (std::vector<std::uint64_t>{0x100, 0x300, 0x500}));
    }
    void copiesOfStacksAreUnwound()
    {
#ifndef __x86_64__
        QSKIP("copies of stacks are unwound on x86-64 only");
#endif
        Captured captured;
        captureHere(captured);
        const auto snapshot = test::openFile(recordingOf(captured, mappedHere(), captured.stack.size()));
        const std::vector<std::uint64_t> walked = placesOf(*snapshot);
        const std::vector<std::uint64_t> expected = placesOf(captured.callers);
        // backtrace() begins in itself and the sample in captureHere(): from its caller on they are alike.
        QVERIFY(walked.size() > 3);
        const auto common = std::ranges::find(expected, walked[1]);
        QVERIFY(std::equal(walked.begin() + 1, walked.end(), common, expected.end()));
        QVERIFY(!snapshot->losses.any());
    }
    void whereTheCopyOfAStackEndsItsFramesDo()
    {
        Captured captured;
        captureHere(captured);
        const auto snapshot = test::openFile(recordingOf(captured, mappedHere(), 16));
        QCOMPARE(placesOf(*snapshot).size(), std::size_t(1));
        QCOMPARE(snapshot->losses.count(Loss::CutStacks), std::uint64_t(1));
        QVERIFY(snapshot->losses.details().back().find("no more of them was copied") != std::string::npos);
    }
    void copiesOfOtherMachinesStacksAreCounted()
    {
        PerfBytes b;
        b.raw(magic(false)).u64(16);
        b.record(64, 0, b.body().attr(1, 0, kSampleType | kUserStack, 0, std::uint64_t(1) << 32).u64(1));
        PerfBytes sample = b.body();
        sample.u64(0x400110).u32(10).u32(11).u64(20).u64(1).u32(0).u32(0).u64(5).u64(0);
        sample.u64(2).u64(0x400110).u64(8).u64(0).u64(8);
        const auto snapshot = test::openFile(b.record(9, 2, sample).bytes());
        QCOMPARE(snapshot->sampleCount(), std::uint64_t(1));
        QCOMPARE(snapshot->losses.count(Loss::UnknownFields), std::uint64_t(1));
    }
    void buildIdsThatAreNoneAreDeviceAndInode()
    {
        PerfBytes b;
        PerfBytes mapping = b.body();
        mapping.u32(10).u32(10).u64(0x400000).u64(0x1000).u64(0).u32(254).u32(0).u64(9978162).u64(0);
        b.record(10, 0x4002, mapping.u32(5).u32(2).text("/usr/bin/prog").trailer(10));
        b.sample(20, 1, 1, {kUserMark, 0x400110});
        const auto snapshot = test::openFile(pipeFile(false, b.bytes()));
        QCOMPARE(snapshot->text(snapshot->binaries[0].buildId), std::string_view());
    }
    void aRecordingThatWasKilledHasNoSize()
    {
        std::string file = wholeFile(false, records(false));
        file.resize(104 + 2 * 104 + 16 + records(false).size());
        for (std::size_t byte = 0; byte < 8; ++byte)
            file[48 + byte] = 0;
        QCOMPARE(test::openFile(file)->sampleCount(), std::uint64_t(2));
    }
    void whatIsCutOffIsSaidWithItsPlace()
    {
        const std::string file = pipeFile(false, records(false));
        const auto batch = test::readFile(file.substr(0, file.size() - 20));
        QCOMPARE(batch->losses.count(Loss::TruncatedInput), std::uint64_t(1));
        QVERIFY(batch->losses.details().back().find("the last record is cut off, at byte ") == 0);
    }
    void whatIsCutOffOrDamagedLeavesTheRest()
    {
        QVERIFY(test::readDamaged(kPerfData, wholeFile(false, records(false))) > 100);
        QVERIFY(test::readDamaged(kPerfData, pipeFile(true, records(true))) > 100);
        Captured captured{.ip = 0x400110, .sp = 0x7000, .fp = 0x7010, .stack = {}, .callers = {}};
        for (const std::uint64_t word :
             {0x1ULL, 0x2ULL, 0x7030ULL, 0x400221ULL, 0x5ULL, 0x6ULL, 0x0ULL, 0x400331ULL})
            captured.stack += PerfBytes().u64(word).bytes();
        const std::string copied = recordingOf(captured, {{0x400000, 0x401000, 0, "/nowhere/prog"}}, 64);
        QCOMPARE(placesOf(*test::openFile(copied)), (std::vector<std::uint64_t>{0x110, 0x220, 0x330}));
        test::readDamaged(kPerfData,
                          copied); // the only sample comes last, so hardly a beginning has anything
    }
};

QTEST_GUILESS_MAIN(TestPerfData)
#include "tst_perf_data.moc"
