#include "ingest/unwind/cfi_section.h"
#include "ingest/unwind/unwind_table.h"
#include "ingest/unwind/walker.h"

#include <QTest>

#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <sys/auxv.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

using namespace hearth;

namespace {

UnwindRule rule(UnwindKind kind, int cfaOffset, SavedFramePointer saved = kFpUnchanged, int fpOffset = 0)
{
    return {.kind = static_cast<__u8>(kind),
            .savedFp = static_cast<__u8>(saved),
            .fpOffset = static_cast<__s16>(fpOffset),
            .cfaOffset = cfaOffset};
}

/// Words of a stack from an address on.
struct Words {
    std::uint64_t address;
    std::vector<std::uint64_t> words;

    StackCopy copy() const
    {
        return {address, {reinterpret_cast<const std::uint8_t *>(words.data()), words.size() * 8}};
    }
};

/// What a walk found, as text: "11 21 31 lost".
std::string walkText(const UnwindRegisters &registers, const Words &stack, const RuleLookup &ruleAt)
{
    constexpr std::array kStops{"complete", "too deep", "unreadable", "lost"};
    const Walk walk = walkStack(registers, stack.copy(), ruleAt);
    std::ostringstream text;
    text << std::hex;
    for (const std::uint64_t place : walk.places)
        text << place << ' ';
    return text.str() + kStops.at(walk.stop);
}

/// This process, walked as the agent walks others: its tables are compiled from the files that it has mapped.
class OwnProcess {
public:
    OwnProcess()
    {
        dl_iterate_phdr(
            [](dl_phdr_info *info, std::size_t, void *self) {
                static_cast<OwnProcess *>(self)->add(*info);
                return 0;
            },
            this);
    }

    UnwindRule ruleAt(std::uint64_t address) const
    {
        const auto image = std::ranges::find_if(
            m_images, [address](const Image &each) { return address >= each.begin && address < each.end; });
        return image == m_images.end() ? UnwindRule{} : m_book[image->table.ruleAt(address - image->bias)];
    }

    bool hasVdso() const { return m_hasVdso; }

private:
    struct Image {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::uint64_t bias = 0;
        UnwindTable table;
    };

    void add(const dl_phdr_info &info)
    {
        const std::uint64_t vdso = getauxval(AT_SYSINFO_EHDR);
        Image added{.begin = ~std::uint64_t(0), .end = 0, .bias = info.dlpi_addr, .table = {}};
        for (const ElfW(Phdr) & header : std::span(info.dlpi_phdr, info.dlpi_phnum))
            if (header.p_type == PT_LOAD) {
                added.begin = std::min<std::uint64_t>(added.begin, info.dlpi_addr + header.p_vaddr);
                added.end =
                    std::max<std::uint64_t>(added.end, info.dlpi_addr + header.p_vaddr + header.p_memsz);
            }
        const bool isVdso = vdso >= added.begin && vdso < added.end;
        m_hasVdso = m_hasVdso || isVdso;
        const char *path = *info.dlpi_name == '\0' ? "/proc/self/exe" : info.dlpi_name;
        const auto *memory = reinterpret_cast<const std::uint8_t *>(vdso);
        const auto file =
            isVdso ? ElfFile::of(ByteRange::ofMemory({memory, memory + (added.end - added.begin)}), "vdso")
                   : ElfFile::open(path);
        if (!file)
            return;
        added.table = unwindTableOf(**file, m_book);
        m_images.push_back(std::move(added));
    }

    RuleBook m_book;
    std::vector<Image> m_images;
    bool m_hasVdso = false;
};

struct Captured {
    UnwindRegisters registers{};
    std::vector<std::uint8_t> stack;
    std::vector<std::uint64_t> expected; ///< by the C library's own unwinder: calls of the frames above
    std::size_t skipped = 0;             ///< frames of that list that the registers are below of
};

Captured captured;

std::uint64_t stackEnd()
{
    pthread_attr_t attributes;
    void *begin = nullptr;
    std::size_t size = 0;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &begin, &size);
    pthread_attr_destroy(&attributes);
    return reinterpret_cast<std::uint64_t>(begin) + size;
}

/// Registers as they were at some place, the stack above, and what backtrace() says of who called.
__attribute__((noinline)) void capture(const gregset_t &at)
{
    captured.registers = {.ip = static_cast<__u64>(at[REG_RIP]),
                          .sp = static_cast<__u64>(at[REG_RSP]),
                          .fp = static_cast<__u64>(at[REG_RBP]),
                          .isReturnAddress = 0,
                          .reserved = 0};
    const auto from = static_cast<std::uint64_t>(at[REG_RSP]);
    captured.stack.resize(stackEnd() - from);
    const int memory =
        open("/proc/self/mem", O_RDONLY | O_CLOEXEC); // sanitizers would rather not see it read
    const ssize_t size =
        pread(memory, captured.stack.data(), captured.stack.size(), static_cast<off_t>(from));
    close(memory);
    captured.stack.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    std::array<void *, 256> callers{};
    const int count = backtrace(callers.data(), callers.size());
    captured.expected.clear();
    for (int i = 0; i < count; ++i)
        captured.expected.push_back(reinterpret_cast<std::uint64_t>(callers.at(static_cast<std::size_t>(i))));
}

__attribute__((noinline)) void captureHere()
{
    ucontext_t context;
    getcontext(&context);
    capture(context.uc_mcontext.gregs);
}

template <int depth>
__attribute__((noinline)) int descend(int *sum)
{
    int padding[depth] = {};
    padding[depth / 2] = depth;
    const int below = descend<depth - 1>(sum);
    *sum += padding[depth / 2] + below;
    return *sum;
}

template <>
__attribute__((noinline)) int descend<0>(int *sum)
{
    captureHere();
    return *sum;
}

/// A frame whose size is known only when it runs, and that has to be aligned more than the stack is.
__attribute__((noinline)) int realigned(std::size_t size, int *sum)
{
    alignas(64) std::array<volatile int, 64> aligned{};
    auto *const more = static_cast<volatile char *>(alloca(size));
    more[0] = 1;
    aligned[1] = static_cast<int>(reinterpret_cast<std::uint64_t>(&aligned) % 64);
    const int below = descend<3>(sum);
    return below + aligned[1] + more[0];
}

void onSignal(int, siginfo_t *, void *)
{
    captureHere();
}

/// The walk's places from the frame on that called captureHere's like, as return addresses.
std::vector<std::uint64_t> walkedCallers(const OwnProcess &process)
{
    const StackCopy stack{captured.registers.sp, captured.stack};
    const Walk walk =
        walkStack(captured.registers, stack, [&](std::uint64_t at) { return process.ruleAt(at); });
    if (walk.stop != kStopOutermost)
        qWarning("the walk stopped for reason %d after %zu frames", walk.stop, walk.places.size());
    return walk.places;
}

} // namespace

class TestUnwind : public QObject {
    Q_OBJECT

    /// Both unwinders agree on all frames above the one that was captured in.
    void compareWithTheCLibrary()
    {
        const OwnProcess process;
        const std::vector<std::uint64_t> walked = walkedCallers(process);
        // backtrace() begins in itself, the walk in the caller of capture(); what it counts are return
        // addresses, what the walk counts are calls. So both are alike from the walk's second frame on.
        QVERIFY(walked.size() > 2);
        auto expected = std::ranges::find(captured.expected, walked[1] + 1);
        for (std::size_t i = 1; i < walked.size() && expected != captured.expected.end(); ++i, ++expected)
            QVERIFY2(walked[i] == *expected || walked[i] + 1 == *expected, // an interrupted place is as it is
                     qPrintable(QStringLiteral("frame %1: %2 instead of %3")
                                    .arg(i)
                                    .arg(walked[i], 0, 16)
                                    .arg(*expected, 0, 16)));
        QVERIFY(expected == captured.expected.end());
        QVERIFY(walked.back() + 1 == captured.expected.back());
    }

private Q_SLOTS:

    void callersAreFoundByFixedOffsets()
    {
        const Words stack{0x1000, {1, 2, 0x21, 4, 0x31, 0}};
        const auto ruleAt = [](std::uint64_t address) {
            return address == 0x10   ? rule(kCfaFromSp, 24)
                   : address == 0x20 ? rule(kCfaFromSp, 16)
                                     : rule(kOutermost, 0);
        };
        QCOMPARE(
            walkText({.ip = 0x10, .sp = 0x1000, .fp = 0, .isReturnAddress = 0, .reserved = 0}, stack, ruleAt),
            "10 20 30 complete");
    }

    void framePointersLeadThroughCodeWithoutRules()
    {
        const Words stack{0x1000, {0, 0x1020, 0x21, 9, 0, 0x31}};
        const auto ruleAt = [](std::uint64_t) { return rule(kByFramePointer, 0); };
        QCOMPARE(walkText({.ip = 0x10, .sp = 0x1000, .fp = 0x1008, .isReturnAddress = 0, .reserved = 0},
                          stack, ruleAt),
                 "10 20 30 complete");
    }

    void aFramePointerBelowTheStackLeadsNowhere()
    {
        const auto ruleAt = [](std::uint64_t) { return rule(kByFramePointer, 0); };
        QCOMPARE(walkText({.ip = 0x10, .sp = 0x1000, .fp = 0xff8, .isReturnAddress = 0, .reserved = 0},
                          {0x1000, {0, 0}}, ruleAt),
                 "10 lost");
    }

    void aStackThatGoesRoundEnds()
    {
        const auto ruleAt = [](std::uint64_t) { return rule(kCfaFromSp, 0); };
        QCOMPARE(walkText({.ip = 0x10, .sp = 0x1008, .fp = 0, .isReturnAddress = 0, .reserved = 0},
                          {0x1000, {0x11, 0x11}}, ruleAt),
                 "10 lost");
    }

    void whatWasNotCopiedCannotBeRead()
    {
        const auto ruleAt = [](std::uint64_t) { return rule(kCfaFromSp, 64); };
        QCOMPARE(walkText({.ip = 0x10, .sp = 0x1000, .fp = 0, .isReturnAddress = 0, .reserved = 0},
                          {0x1000, {1, 2, 3}}, ruleAt),
                 "10 unreadable");
    }

    void aFramePointerThatWasPoppedNeedNotBeRead()
    {
        const auto ruleAt = [](std::uint64_t address) {
            return address == 0x10   ? rule(kCfaFromSp, 24, kFpAtCfa, -48)
                   : address == 0x20 ? rule(kCfaFromFp, 16)
                                     : rule(kOutermost, 0);
        };
        QCOMPARE(walkText({.ip = 0x10, .sp = 0x1000, .fp = 0x1018, .isReturnAddress = 0, .reserved = 0},
                          {0x1000, {1, 2, 0x21, 4, 0x31}}, ruleAt),
                 "10 20 30 complete");
    }

    void deepStacksAreCutAndSaySo()
    {
        const Words stack{0x1000, std::vector<std::uint64_t>(300, 0x11)};
        const auto ruleAt = [](std::uint64_t) { return rule(kCfaFromSp, 8); };
        const Walk walk = walkStack({.ip = 0x11, .sp = 0x1000, .fp = 0, .isReturnAddress = 0, .reserved = 0},
                                    stack.copy(), ruleAt);
        QCOMPARE(walk.stop, kStopTooDeep);
        QCOMPARE(walk.places.size(), std::size_t(kMostUserFrames));
    }

    void theEntriesOfALinkageTablePushAtTheirMiddle()
    {
        const auto ruleAt = [](std::uint64_t at) {
            return at < 0x100 ? rule(kPlt, 11) : rule(kOutermost, 0);
        };
        const Words stack{0x1000, {0x201, 0x301}};
        QCOMPARE(
            walkText({.ip = 0x26, .sp = 0x1000, .fp = 0, .isReturnAddress = 0, .reserved = 0}, stack, ruleAt),
            "26 200 complete");
        QCOMPARE(
            walkText({.ip = 0x2b, .sp = 0x1000, .fp = 0, .isReturnAddress = 0, .reserved = 0}, stack, ruleAt),
            "2b 300 complete");
    }

    void ownFramesAreFound()
    {
        int sum = 0;
        descend<20>(&sum);
        compareWithTheCLibrary();
    }

    void framesOfUnknownSizeAndAlignmentAreFound()
    {
        int sum = 0;
        realigned(static_cast<std::size_t>(getpid() % 100 + 10), &sum);
        compareWithTheCLibrary();
    }

    void theFramesBelowASignalAreFound()
    {
        struct sigaction action{}, before{};
        action.sa_sigaction = onSignal;
        action.sa_flags = SA_SIGINFO;
        sigaction(SIGUSR1, &action, &before);
        raise(SIGUSR1);
        sigaction(SIGUSR1, &before, nullptr);
        compareWithTheCLibrary();
    }

    void threadsBeginSomewhere()
    {
        int sum = 0;
        std::thread([&sum] { descend<5>(&sum); }).join();
        compareWithTheCLibrary();
        const OwnProcess process;
        QCOMPARE(walkStack(captured.registers, {captured.registers.sp, captured.stack},
                           [&](std::uint64_t at) { return process.ruleAt(at); })
                     .stop,
                 kStopOutermost);
    }

    void theVdsoHasATable()
    {
        if (getauxval(AT_SYSINFO_EHDR) == 0)
            QSKIP("the kernel gave this process no vDSO");
        QVERIFY(OwnProcess().hasVdso());
    }

    void anImageCutAnywhereIsReadWithoutHarm()
    {
        std::ifstream stream("/proc/self/exe", std::ios::binary);
        const std::vector<std::uint8_t> whole{std::istreambuf_iterator<char>(stream), {}};
        for (std::size_t size = 1; size < whole.size(); size = size * 3 / 2 + 1) {
            RuleBook book;
            const auto file = ElfFile::of(
                ByteRange::ofMemory({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}),
                "cut");
            if (file)
                QVERIFY(std::ranges::is_sorted(unwindTableOf(**file, book).rows, {}, &UnwindRow::place));
        }
    }

    void everyFunctionOfTheCLibraryIsReadable()
    {
        const OwnProcess process;
        RuleBook book;
        const auto file = ElfFile::open("/lib/x86_64-linux-gnu/libc.so.6");
        if (!file)
            QSKIP("the C library is not where it is on Debian");
        const UnwindTable table = unwindTableOf(**file, book);
        QCOMPARE(table.unreadable, 0U);
        QVERIFY(table.rows.size() > 10'000);
        QVERIFY(book.rules().size() < 1000);
        const auto byFramePointer = std::ranges::count(table.rows, kRuleByFramePointer, &UnwindRow::rule);
        QVERIFY(static_cast<std::size_t>(byFramePointer) < table.rows.size() / 20);
    }
};

QTEST_GUILESS_MAIN(TestUnwind)
#include "tst_unwind.moc"
