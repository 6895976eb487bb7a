#include "ingest/elf/dwarf/dwarf_file.h"
#include "ingest/elf/go/go_table.h"
#include "ingest/symbols/program.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <random>

using namespace hearth;

namespace {

constexpr std::uint64_t kText = 0x401000;

/// A number in the order of bytes and with the size of a pointer that a table is made for.
struct Writer {
    std::endian order = std::endian::little;
    unsigned pointerSize = 8;
    std::vector<std::uint8_t> bytes = {};

    void put(std::uint64_t number, unsigned size)
    {
        for (unsigned i = 0; i < size; ++i)
            bytes.push_back(
                static_cast<std::uint8_t>(number >> (8 * (order == std::endian::little ? i : size - 1 - i))));
    }
    void u32(std::uint64_t number) { put(number, 4); }
    void pointer(std::uint64_t number) { put(number, pointerSize); }
    void text(std::string_view text)
    {
        bytes.insert(bytes.end(), text.begin(), text.end());
        bytes.push_back(0);
    }
    std::uint64_t at() const { return bytes.size(); }
    void add(const Writer &other) { bytes.insert(bytes.end(), other.bytes.begin(), other.bytes.end()); }
};

/// Values of a function of 32 bytes: pairs of a value and how many bytes it holds for.
std::vector<std::uint8_t> valueTable(const std::vector<std::pair<int, int>> &runs)
{
    std::vector<std::uint8_t> bytes;
    int before = -1;
    for (const auto &[value, size] : runs) {
        const int difference = value - before;
        bytes.push_back(static_cast<std::uint8_t>(difference < 0 ? (-difference << 1) - 1 : difference << 1));
        bytes.push_back(static_cast<std::uint8_t>(size));
        before = value;
    }
    bytes.push_back(0);
    return bytes;
}

/// Two functions of 32 bytes, main.outer and main.other; main.inner is inlined into the first, in its second
/// half.
struct MadeTable {
    std::vector<std::uint8_t> table;
    std::vector<std::uint8_t> functionData;
};

class TableMaker {
public:
    TableMaker(go::Layout layout, std::endian order, unsigned pointerSize)
        : m_layout(layout), m_table{.order = order, .pointerSize = pointerSize}, m_part(m_table)
    {}

    MadeTable made()
    {
        makeParts();
        makeHead();
        return {m_table.bytes, m_calls.bytes};
    }

private:
    bool isSince(go::Layout layout) const { return m_layout >= layout; }
    unsigned fieldSize() const { return isSince(go::Layout::Go18) ? 4 : m_table.pointerSize; }
    Writer empty() const { return {.order = m_table.order, .pointerSize = m_table.pointerSize}; }

    std::uint64_t headSize() const
    {
        const unsigned words = isSince(go::Layout::Go18) ? 8 : isSince(go::Layout::Go16) ? 7 : 1;
        return 8 + std::uint64_t(words) * m_table.pointerSize;
    }

    /// Everything that records refer to lies before them, but in the oldest layout, where functions come
    /// first and all counts from the begin of the table.
    void makeParts()
    {
        const std::uint64_t functionsSize = 5 * fieldSize();
        const std::uint64_t begin =
            headSize() + (isSince(go::Layout::Go16) ? 0 : functionsSize + sizeof(std::uint32_t));
        Writer part = empty();
        const auto place = [&] { return begin + part.at(); };
        m_names = isSince(go::Layout::Go16) ? place() : 0;
        const std::uint64_t none = place();
        part.text("");
        const std::uint64_t outer = place() - m_names;
        part.text("main.outer");
        const std::uint64_t inner = place() - m_names;
        part.text("main.inner");
        const std::uint64_t other = place() - m_names;
        part.text("example.com/some%2ething.other");
        (void)none;
        const std::uint64_t fileText = place();
        part.text("/src/main.go");
        m_unitFiles = place();
        part.u32(isSince(go::Layout::Go16) ? 0 : 1); // of a unit: where its file is; before: how many files
        part.u32(fileText);
        m_files = isSince(go::Layout::Go16) ? fileText : m_unitFiles;
        m_values = isSince(go::Layout::Go16) ? place() : 0;
        part.text(""); // no table is at 0
        const auto table = [&](const std::vector<std::pair<int, int>> &runs) {
            const std::uint64_t at = place() - m_values;
            const auto bytes = valueTable(runs);
            part.bytes.insert(part.bytes.end(), bytes.begin(), bytes.end());
            return at;
        };
        const std::uint64_t files = table({{isSince(go::Layout::Go16) ? 0 : 1, 32}});
        const std::uint64_t lines = table({{10, 8}, {11, 8}, {5, 16}});
        const std::uint64_t indexes = table({{-1, 16}, {0, 16}});
        m_functions = place();
        m_records = isSince(go::Layout::Go16) ? m_functions : 0;
        const std::uint64_t recordsBegin =
            place() - m_records + (isSince(go::Layout::Go16) ? functionsSize : 0);
        Writer records = empty();
        const std::uint64_t first = recordsBegin;
        record(records, 0, outer, files, lines, indexes, 9);
        const std::uint64_t second = recordsBegin + records.at();
        record(records, 32, other, files, lines, 0, 0);
        Writer functions = empty();
        const std::uint64_t text = isSince(go::Layout::Go18) ? 0 : kText;
        for (const std::uint64_t number : {text, first, text + 32, second, text + 64})
            functions.put(number, fieldSize());
        if (isSince(go::Layout::Go16)) {
            part.add(functions);
        } else {
            m_part.add(functions);
            m_part.u32(m_files);
        }
        m_part.add(part);
        m_part.add(records);
        makeCalls(inner);
    }

    void record(Writer &records, std::uint64_t begin, std::uint64_t name, std::uint64_t files,
                std::uint64_t lines, std::uint64_t indexes, std::uint64_t firstLine) const
    {
        records.put(isSince(go::Layout::Go18) ? begin : kText + begin, fieldSize());
        records.u32(name);
        for (int i = 0; i < 3; ++i)
            records.u32(0);
        records.u32(files);
        records.u32(lines);
        records.u32(3); // value tables
        if (isSince(go::Layout::Go16))
            records.u32(0); // unit
        if (isSince(go::Layout::Go20))
            records.u32(firstLine);
        records.put(0, 1);
        records.put(0, 1);
        records.put(0, 1);
        records.put(4, 1); // data
        for (const std::uint64_t table : {std::uint64_t(0), std::uint64_t(0), indexes})
            records.u32(table);
        for (int i = 0; i < 3; ++i)
            records.u32(~0U);
        records.u32(indexes == 0 ? ~0U : 0);
    }

    void makeCalls(std::uint64_t inner)
    {
        m_calls = empty();
        if (isSince(go::Layout::Go20)) {
            for (const std::uint64_t number : {std::uint64_t(0), inner, std::uint64_t(8), std::uint64_t(4)})
                m_calls.u32(number);
        } else {
            for (const std::uint64_t number : {0xffff0000U, 0U, 11U})
                m_calls.u32(number);
            m_calls.u32(inner);
            m_calls.u32(8);
        }
    }

    void makeHead()
    {
        m_table.u32(m_layout == go::Layout::Go2    ? 0xfffffffbU
                    : m_layout == go::Layout::Go16 ? 0xfffffffaU
                    : m_layout == go::Layout::Go18 ? 0xfffffff0U
                                                   : 0xfffffff1U);
        m_table.put(0, 2);
        m_table.put(1, 1);
        m_table.put(m_table.pointerSize, 1);
        m_table.pointer(2);
        if (isSince(go::Layout::Go16)) {
            m_table.pointer(1);
            if (isSince(go::Layout::Go18))
                m_table.pointer(0);
            for (const std::uint64_t begin : {m_names, m_unitFiles, m_files, m_values, m_functions})
                m_table.pointer(begin);
        }
        m_table.add(m_part);
    }

    const go::Layout m_layout;
    Writer m_table;
    Writer m_part; ///< what is behind the head
    Writer m_calls;
    std::uint64_t m_names = 0;
    std::uint64_t m_unitFiles = 0;
    std::uint64_t m_files = 0;
    std::uint64_t m_values = 0;
    std::uint64_t m_functions = 0;
    std::uint64_t m_records = 0;
};

std::shared_ptr<const GoTable> tableOf(MadeTable made)
{
    go::Module module{.table = ByteRange::ofMemory(std::move(made.table)),
                      .header = {},
                      .text = kText,
                      .functionData = ByteRange::ofMemory(std::move(made.functionData)),
                      .relocations = {}};
    const auto header = go::readHeader(module.table);
    if (!header)
        return nullptr;
    module.header = *header;
    return GoTable::of(std::move(module));
}

/// "name:line", innermost first. Type parameters are told in full, or not at all.
QStringList texts(const std::vector<SymbolLine> &chain)
{
    static const QRegularExpression kParameters(QStringLiteral("\\[.*\\]"));
    QStringList functions;
    for (const SymbolLine &line : chain)
        functions += QStringLiteral("%1:%2").arg(
            QString::fromStdString(line.name.str()).replace(kParameters, QStringLiteral("[...]")),
            QString::number(line.line));
    return functions;
}

std::string known(const char *name)
{
    return std::string(KNOWN_PROGRAMS "/") + name;
}

/// Places in a program's code, some bytes from each other.
std::vector<std::uint64_t> addressesIn(const ElfFile &file, std::uint64_t step)
{
    std::vector<std::uint64_t> addresses;
    const ElfSection *const code = file.section(".text");
    for (std::uint64_t at = 0; at < code->size; at += step)
        addresses.push_back(code->address + at);
    return addresses;
}

/// What the Go program says of its addresses: address, and "name:line" of each function there.
std::vector<std::pair<std::uint64_t, QStringList>> claims()
{
    QProcess process;
    process.start(QString::fromStdString(known("go")), QStringList());
    process.waitForFinished(-1);
    std::vector<std::pair<std::uint64_t, QStringList>> claims;
    for (const QByteArray &line : process.readAllStandardOutput().trimmed().split('\n')) {
        QStringList words = QString::fromUtf8(line).split(QLatin1Char(' '));
        const std::uint64_t address = words.takeFirst().toULongLong(nullptr, 16);
        claims.emplace_back(address, words);
    }
    std::ranges::sort(claims, {}, [](const auto &claim) { return claim.first; });
    return claims;
}

bool isOfASourceFile(const std::vector<SymbolLine> &chain)
{
    return !chain.empty() && std::ranges::all_of(chain, [](const SymbolLine &line) {
        return line.line > 0 && line.file.startsWith("/");
    });
}

} // namespace

#define NEED_GO                                                                                              \
    if (!QFile::exists(QStringLiteral(KNOWN_PROGRAMS "/go")))                                                \
    QSKIP("there was no Go to build programs with")

/// What Go programs know of their functions: tables made here in each of the layouts, and those of programs.
class TestGoTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyLayoutIsRead_data()
    {
        QTest::addColumn<int>("layout");
        QTest::addColumn<bool>("isBig");
        QTest::addColumn<int>("pointerSize");
        const std::array names{"Go 1.2", "Go 1.16", "Go 1.18", "Go 1.20"};
        for (int layout = 0; layout < 4; ++layout)
            for (const bool isBig : {false, true})
                for (const int pointerSize : {4, 8})
                    QTest::addRow("%s, %s, %d bits", names.at(static_cast<std::size_t>(layout)),
                                  isBig ? "big-endian" : "little-endian", 8 * pointerSize)
                        << layout << isBig << pointerSize;
    }
    void everyLayoutIsRead()
    {
        QFETCH(int, layout);
        QFETCH(bool, isBig);
        QFETCH(int, pointerSize);
        const auto kind = static_cast<go::Layout>(layout);
        TableMaker maker(kind, isBig ? std::endian::big : std::endian::little,
                         static_cast<unsigned>(pointerSize));
        const auto table = tableOf(maker.made());
        QVERIFY(table != nullptr);
        const auto chains = table->linesOf(
            std::array{kText - 1, kText, kText + 8, kText + 20, kText + 32, kText + 63, kText + 64});
        QVERIFY(chains[0].empty());
        QCOMPARE(texts(chains[1]), QStringList("main.outer:10"));
        QCOMPARE(texts(chains[2]), QStringList("main.outer:11"));
        if (kind >= go::Layout::Go18)
            QCOMPARE(texts(chains[3]), QStringList({"main.inner:5", "main.outer:11"}));
        else
            QCOMPARE(texts(chains[3]), QStringList("main.outer:5"));
        QCOMPARE(texts(chains[4]), QStringList("example.com/some.thing.other:10"));
        QCOMPARE(texts(chains[5]), QStringList("example.com/some.thing.other:5"));
        QVERIFY(chains[6].empty());
        for (std::size_t i = 1; i < 6; ++i)
            QCOMPARE(chains[i].front().file, std::string("/src/main.go"));
        QCOMPARE(chains[1].front().startLine, kind == go::Layout::Go20 ? 9 : 0);
    }

    void programsSayOfThemselvesWhatTheirTableSays_data()
    {
        QTest::addColumn<QByteArray>("program");
        for (const char *const name : {"go", "go_stripped"})
            QTest::newRow(name) << QByteArray(name);
    }
    void programsSayOfThemselvesWhatTheirTableSays()
    {
        NEED_GO;
        QFETCH(QByteArray, program);
        const auto file = *ElfFile::open(known(program));
        const auto table = GoTable::of(*file);
        QVERIFY(table != nullptr);
        const auto said = claims();
        QCOMPARE(said.size(), std::size_t(3));
        for (const auto &[address, functions] : said)
            QCOMPARE(texts(table->linesOf(std::array{address}).front()), functions);
    }

    void programsOfAllKindsHaveTheSameFunctions_data()
    {
        QTest::addColumn<QByteArray>("program");
        for (const char *const name : {"go_pie", "go_linked", "go_s390x", "go_386"})
            QTest::newRow(name) << QByteArray(name);
    }
    void programsOfAllKindsHaveTheSameFunctions()
    {
        NEED_GO;
        QFETCH(QByteArray, program);
        const auto file = *ElfFile::open(known(program));
        const auto table = GoTable::of(*file);
        QVERIFY(table != nullptr);
        const auto chains = table->linesOf(addressesIn(*file, 1));
        for (const auto &[address, functions] : claims())
            QVERIFY2(std::ranges::any_of(chains,
                                         [&](const auto &chain) {
                                             return !chain.empty() && chain.front().name == "main.inner" &&
                                                    texts(chain) == functions;
                                         }),
                     qPrintable(functions.join(QLatin1Char(' '))));
        const auto named = std::ranges::count_if(chains, [](const auto &chain) { return !chain.empty(); });
        QVERIFY(static_cast<std::size_t>(named) > chains.size() * 95 / 100);
    }

    void theTableSaysWhatDebugInformationSays()
    {
        NEED_GO;
        const auto file = *ElfFile::open(known("go"));
        const std::vector<std::uint64_t> addresses = addressesIn(*file, 37);
        QVERIFY(addresses.size() > 10'000);
        const auto own = GoTable::of(*file)->linesOf(addresses);
        const auto debug = DwarfFile::of(file)->linesOf(addresses);
        std::size_t compared = 0;
        std::size_t same = 0;
        for (std::size_t i = 0; i < addresses.size(); ++i) {
            if (!isOfASourceFile(debug[i]))
                continue;
            ++compared;
            same += texts(own[i]) == texts(debug[i]) && own[i].front().file == debug[i].front().file ? 1 : 0;
        }
        QVERIFY(compared > 9'000);
        // The compiler tells of an instruction here and there in one of both that it was inlined.
        QVERIFY2(same * 1000 > compared * 997,
                 qPrintable(QStringLiteral("%1 of %2").arg(same).arg(compared)));
    }

    void theTableSaysWhatGosOwnToolSays()
    {
        NEED_GO;
        const auto file = *ElfFile::open(known("go"));
        const std::vector<std::uint64_t> addresses = addressesIn(*file, 101);
        QProcess tool;
        tool.start(QStringLiteral(GO_PROGRAM), {QStringLiteral("tool"), QStringLiteral("addr2line"),
                                                QString::fromStdString(known("go"))});
        for (const std::uint64_t address : addresses)
            tool.write("0x" + QByteArray::number(qulonglong(address), 16) + '\n');
        tool.closeWriteChannel();
        tool.waitForFinished(-1);
        const QList<QByteArray> answers = tool.readAllStandardOutput().trimmed().split('\n');
        if (answers.size() != 2 * static_cast<qsizetype>(addresses.size()))
            QSKIP("this Go has no addr2line");
        const auto chains = GoTable::of(*file)->linesOf(addresses);
        for (std::size_t i = 0; i < addresses.size(); ++i) {
            if (chains[i].empty() || chains[i].front().line == 0)
                continue;
            const SymbolLine &innermost = chains[i].front();
            const auto place = static_cast<qsizetype>(2 * i);
            QCOMPARE(QByteArray::fromStdString(chains[i].back().systemName.str()), answers[place]);
            QCOMPARE(QByteArray::fromStdString(innermost.file.str() + ':' + std::to_string(innermost.line)),
                     answers[place + 1]);
        }
    }

    void debugInformationIsPreferred()
    {
        NEED_GO;
        const auto sourceOf = [](const char *name) {
            const auto file = *ElfFile::open(known(name));
            const bool isStripped =
                file->section(".debug_info") == nullptr && file->section(".zdebug_info") == nullptr;
            return Program({.program = file, .debug = isStripped ? nullptr : file, .supplement = nullptr})
                .source();
        };
        QVERIFY(sourceOf("go") == SymbolSource::DebugInformation);
        QVERIFY(sourceOf("go_stripped") == SymbolSource::GoTable);
    }

    void otherProgramsHaveNone()
    {
        const auto self = *ElfFile::open("/proc/self/exe");
        QVERIFY(GoTable::of(*self) == nullptr);
    }

    void damagedTablesHarmNobody()
    {
        std::mt19937 random(4711);
        for (const go::Layout layout :
             {go::Layout::Go2, go::Layout::Go16, go::Layout::Go18, go::Layout::Go20}) {
            const MadeTable whole = TableMaker(layout, std::endian::little, 8).made();
            for (int i = 0; i < 2000; ++i) {
                MadeTable damaged = whole;
                for (auto flips = 1 + random() % 4; flips > 0; --flips)
                    damaged.table[random() % damaged.table.size()] = static_cast<std::uint8_t>(random());
                if (random() % 8 == 0)
                    damaged.table.resize(random() % damaged.table.size());
                const auto table = tableOf(std::move(damaged));
                const std::array addresses{kText, kText + 20, kText + 40};
                if (table)
                    QCOMPARE(table->linesOf(addresses).size(), addresses.size());
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestGoTable)
#include "tst_go_table.moc"
