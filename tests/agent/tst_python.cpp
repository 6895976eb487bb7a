#include "agent/python/line_table.h"
#include "agent/python/merge_stacks.h"
#include "agent/python/python_binary.h"
#include "agent/python/python_code.h"

#include <QTest>

#include <unistd.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

using namespace hearth;
using namespace hearth::agent;

namespace {

std::uint32_t self()
{
    return static_cast<std::uint32_t>(getpid());
}

template <class Value>
std::uint64_t addressOf(const Value &value)
{
    return reinterpret_cast<std::uint64_t>(&value);
}

/// Leaf first: "add INTERPRET main" with "h g* f*".
std::string merged(const std::vector<std::string> &native, const std::vector<std::string> &python, bool isCut)
{
    std::vector<bool> interprets;
    std::vector<bool> isEntry;
    for (const std::string &name : native)
        interprets.push_back(name == "INTERPRET");
    for (const std::string &name : python)
        isEntry.push_back(name.ends_with('*'));
    std::string text;
    for (const MergedFrame &frame : mergeStacks(interprets, isEntry, isCut))
        text += (text.empty() ? "" : " ") + (frame.isPython ? python : native).at(frame.number);
    return text;
}

/// A string and a code object as CPython 3.11 has them.
struct Text311 {
    std::array<std::uint64_t, 2> object{};
    std::uint64_t length = 0;
    std::uint64_t hash = 0;
    std::uint64_t state = 0;
    std::uint64_t wide = 0;
    std::array<char, 64> characters{};

    explicit Text311(std::string_view text) : length(text.size()), state(1U << 2 | 1U << 5 | 1U << 6)
    {
        std::copy(text.begin(), text.end(), characters.begin());
    }
};
static_assert(offsetof(Text311, characters) == 48);

struct Bytes311 {
    std::array<std::uint64_t, 2> object{};
    std::uint64_t size = 0;
    std::uint64_t hash = 0;
    std::array<std::uint8_t, 64> bytes{};
};

using Code311 = std::array<std::uint8_t, 256>;

template <class Value>
void put(Code311 &code, std::size_t at, Value value)
{
    std::memcpy(code.data() + at, &value, sizeof value);
}

} // namespace

class TestPython : public QObject {
    Q_OBJECT

private Q_SLOTS:

    /// As the releases themselves compile and list
    ///
    ///     def f(a):            2
    ///         x = 1            3
    ///                          4
    ///         for i in a:      5
    ///             x += (       6
    ///                 i)       7
    ///         return x         8
    void instructionsHaveTheLinesThatTheirReleaseLists_data()
    {
        using Bytes = std::vector<std::uint8_t>;
        using Lines = std::vector<std::pair<int, int>>; // from an instruction on, a line
        QTest::addColumn<int>("version");
        QTest::addColumn<Bytes>("table");
        QTest::addColumn<Lines>("lines");
        QTest::newRow("3.6") << 6 << Bytes{0, 1, 4, 2, 10, 1, 2, 1, 10, 1}
                             << Lines{{0, 3}, {4, 5}, {14, 6}, {16, 7}, {26, 8}};
        QTest::newRow("3.9") << 9 << Bytes{0, 1, 4, 2, 8, 1, 2, 1, 2, 255, 6, 2}
                             << Lines{{0, 3}, {4, 5}, {12, 6}, {14, 7}, {16, 6}, {22, 8}};
        QTest::newRow("3.10") << 10 << Bytes{4, 1, 8, 2, 2, 1, 2, 1, 6, 255, 4, 2}
                              << Lines{{0, 3}, {4, 5}, {12, 6}, {14, 7}, {16, 6}, {22, 8}};
        QTest::newRow("3.11") << 11 << Bytes{128, 0,   216, 8, 9,  128, 65,  224, 13,  14,  240, 0,   2,   5,
                                             15,  240, 0,   2, 5,  15,  136, 1,   216, 8,   9,   216, 12,  13,
                                             241, 3,   1,   9, 15, 136, 1,   136, 1,   224, 11,  12,  128, 72}
                              << Lines{{0, 2}, {2, 3}, {16, 7}, {18, 6}};
        QTest::newRow("3.13") << 13 << Bytes{128, 0, 216, 8,  9,   128, 65, 227, 13, 14,  136, 1, 216,
                                             8,   9, 216, 12, 13,  241, 3,  1,   9,  15,  138, 1, 241,
                                             3,   0, 14,  15, 240, 6,   0,  12,  13, 128, 72}
                              << Lines{{0, 2}, {2, 3}, {6, 5}, {16, 6}, {18, 7}, {20, 6}, {30, 5}, {34, 8}};
    }

    void instructionsHaveTheLinesThatTheirReleaseLists()
    {
        QFETCH(int, version);
        using Bytes = std::vector<std::uint8_t>;
        using Lines = std::vector<std::pair<int, int>>;
        QFETCH(Bytes, table);
        QFETCH(Lines, lines);
        const auto line = [&](int instruction) {
            return pythonLine(static_cast<std::uint32_t>(version), table, 2, instruction);
        };
        for (const auto &[instruction, expected] : lines)
            QCOMPARE(line(instruction), std::int64_t(expected));
        QCOMPARE(line(-2), std::int64_t(2));                    // before the first instruction
        for (std::size_t size = 0; size < table.size(); ++size) // cut anywhere
            (void)pythonLine(static_cast<std::uint32_t>(version), std::span(table).first(size), 2, 1000);
    }

    void codeWithoutALineHasNone()
    {
        QCOMPARE(pythonLine(10, std::vector<std::uint8_t>{4, 1, 4, 0x80}, 1, 5), std::int64_t(0));
        QCOMPARE(pythonLine(12, std::vector<std::uint8_t>{0xf8}, 1, 1), std::int64_t(0));
    }

    void pythonsFramesTakeThePlaceOfTheirInterpreter()
    {
        QCOMPARE(merged({"add", "INTERPRET", "call", "INTERPRET", "main"}, {"h", "g*", "f*"}, false),
                 std::string("add h g* call f* main"));
        QCOMPARE(merged({"INTERPRET", "main"}, {"g", "f*"}, false), std::string("g f* main"));
    }

    void aCallThatIsJustBegunStaysNative()
    {
        QCOMPARE(merged({"INTERPRET", "call", "INTERPRET", "main"}, {"f*"}, false),
                 std::string("INTERPRET call f* main"));
    }

    void aFrameWhoseInterpreterIsNotSeenIsAtTheLeaf()
    {
        QCOMPARE(merged({"add", "INTERPRET", "main"}, {"g*", "f*"}, false), std::string("g* add f* main"));
        QCOMPARE(merged({"add"}, {"f*"}, false), std::string("f* add"));
    }

    void aStackThatWasCutIsCountedFromItsLeaf()
    {
        QCOMPARE(merged({"INTERPRET", "call", "INTERPRET"}, {"h*", "g*", "f*"}, true),
                 std::string("h* call g*"));
    }

    void textsAreOfAnyWidth()
    {
        constexpr std::uint32_t kCompact = 1U << 5, kAscii = 1U << 6;
        const std::vector<std::uint8_t> narrow{'f', 0xe9};
        QCOMPARE(pythonText(1U << 2 | kCompact, narrow), std::string("f\u00e9"));
        const std::vector<std::uint8_t> wide{0xac, 0x20, 0, 0xd8};
        QCOMPARE(pythonText(2U << 2 | kCompact, wide), std::string("\u20ac\ufffd"));
        const std::vector<std::uint8_t> widest{0x00, 0xf6, 0x01, 0x00, 0xff, 0xff, 0xff, 0xff};
        QCOMPARE(pythonText(4U << 2 | kCompact, widest), std::string("\U0001f600\ufffd"));
        QCOMPARE(pythonText((1U << 2 | kCompact | kAscii) << 14, std::vector<std::uint8_t>{'f'}),
                 std::string("f")); // of builds that need more bits for something else
        QCOMPARE(pythonText(3U << 2 | kCompact, narrow), std::string());
    }

    void functionsAreReadFromTheirProcess()
    {
        const Text311 name("Tree.walk");
        const Text311 file("/srv/tree.py");
        Bytes311 lineTable;
        lineTable.size = 5;
        lineTable.bytes = {0x80, 0, 0xd8, 0, 0}; // a unit in the first line, and one in the next
        alignas(16) Code311 code{};
        put(code, 72, std::int32_t(40));
        put(code, 112, addressOf(file));
        put(code, 128, addressOf(name));
        put(code, 136, addressOf(lineTable));
        PythonCode names;
        const auto offsets = pythonOffsets({.minorVersion = 11, .runtime = 1, .currentThread = 0}, self(), 0);
        names.know(self(), 11, *offsets);
        const PythonFrame frame{.code = addressOf(code) | kPythonEntry,
                                .instruction = addressOf(code) + 184 + 2,
                                .identity = pythonIdentity(addressOf(name), addressOf(file))};
        const auto found = names.nameOf(self(), frame);
        QVERIFY(found);
        QCOMPARE(found->name, std::string("Tree.walk"));
        QCOMPARE(found->file, std::string("/srv/tree.py"));
        QCOMPARE(found->line, std::int64_t(41));
        QCOMPARE(found->kind, std::string_view("cpython"));

        const Text311 other("other");
        put(code, 128, addressOf(other));                                      // it is another function's now
        QCOMPARE(names.nameOf(self(), frame)->name, std::string("Tree.walk")); // what was sampled
        PythonFrame later = frame;
        later.identity = pythonIdentity(addressOf(other), addressOf(file));
        QCOMPARE(names.nameOf(self(), later)->name, std::string("other"));
        QVERIFY(!names.nameOf(self(), frame)); // cannot be told any more
        QVERIFY(!names.nameOf(self(), {.code = 16, .instruction = 16, .identity = 0}));
        names.forget(self());
        QVERIFY(!names.nameOf(self(), later));
    }

    void hostileObjectsAreBounded()
    {
        Text311 name("endless");
        name.length = ~std::uint64_t(0);
        alignas(16) Code311 code{};
        put(code, 112, addressOf(name));
        put(code, 128, addressOf(name));
        put(code, 136, std::uint64_t(8));
        PythonCode names;
        names.know(self(), 11, *pythonOffsets({.minorVersion = 11, .runtime = 1, .currentThread = 0}, 1, 0));
        QVERIFY(!names.nameOf(self(), {.code = addressOf(code),
                                       .instruction = 0,
                                       .identity = pythonIdentity(addressOf(name), addressOf(name))}));
    }

    void newerReleasesTellWhereTheirMembersAre()
    {
        std::array<std::uint64_t, 128> table{};
        std::memcpy(table.data(), "xdebugpy", 8);
        table[1] = 0x030e00f0; // 3.14
        table[5] = 632;        // behind _PyRuntime: the interpreters
        table[6 + 2] = 7264;   // the next one
        table[6 + 3] = 7344;   // its threads
        table[22 + 2] = 8;     // the next one
        table[22 + 4] = 72;    // its frame
        table[22 + 5] = 152;   // its id
        table[31 + 1] = 8;     // the caller
        table[31 + 3] = 56;
        table[31 + 5] = 74; // who owns it
        table[39 + 1] = 112;
        table[39 + 3] = 128;
        table[39 + 4] = 136;
        table[39 + 5] = 68;
        table[39 + 9] = 200;
        const PythonBinary binary{.minorVersion = 14, .runtime = addressOf(table) - 4096, .currentThread = 0};
        const auto offsets = pythonOffsets(binary, self(), 4096);
        QVERIFY(offsets);
        QCOMPARE(offsets->layout.interpreters, addressOf(table) + 632);
        QCOMPARE(offsets->layout.interpreterThreads, std::uint16_t(7344));
        QCOMPARE(offsets->layout.threadFrame, std::uint16_t(72));
        QCOMPARE(offsets->layout.frameBytes, std::uint16_t(75));
        QCOMPARE(offsets->codeInstructions, std::uint16_t(200));
        table[31 + 5] = 100'000; // no frame is that large
        QVERIFY(!pythonOffsets(binary, self(), 4096));
        table[1] = 0x030d00f0; // another release than the file
        QVERIFY(!pythonOffsets(binary, self(), 4096));
    }
};

QTEST_GUILESS_MAIN(TestPython)
#include "tst_python.moc"
