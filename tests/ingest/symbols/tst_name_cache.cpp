#include "ingest/symbols/name_cache.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <filesystem>

using namespace hearth;

namespace {

namespace fs = std::filesystem;

SymbolLine lineOf(const char *name, std::int64_t line, const char *file = "/src/a.cpp")
{
    return {.name = name, .systemName = "_Z", .file = file, .startLine = 3, .line = line, .column = -1};
}

NameBook bookOf(std::size_t places)
{
    NameBook book;
    book.source = SymbolSource::DebugInformation;
    book.file = "/usr/lib/debug/a";
    for (std::size_t i = 0; i < places; ++i) {
        const std::vector<SymbolLine> chain{lineOf("inner", std::int64_t(i)), lineOf("outer", 7)};
        book.add(i * 16, chain);
    }
    return book;
}

std::span<const std::uint8_t> bytesOf(const std::string &text)
{
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

BinaryIdentity binaryWith(const std::string &buildId)
{
    return {.path = "/bin/a", .buildId = buildId, .goBuildId = {}, .fileHash = {}};
}

} // namespace

/// Names on disk.
class TestNameCache : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string folder() const { return m_folder->filePath(QStringLiteral("names")).toStdString(); }
    std::size_t fileCount() const
    {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder()), {}));
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aBookHasWhatWasPutIntoIt()
    {
        const NameBook book = bookOf(100);
        const auto again = NameBook::decoded(bytesOf(book.encoded()));
        QVERIFY(again);
        QVERIFY(again->source == book.source);
        QCOMPARE(again->file, book.file);
        QCOMPARE(again->size(), std::size_t(100));
        for (std::uint64_t i = 0; i < 100; ++i)
            QVERIFY(again->find(i * 16) == book.find(i * 16));
        QVERIFY(again->find(16) == std::vector({lineOf("inner", 1), lineOf("outer", 7)}));
        QVERIFY(again->find(1).empty());
    }
    void whatIsInTheBookStays()
    {
        NameBook book = bookOf(1);
        book.add(0, std::vector{lineOf("other", 1)});
        QCOMPARE(book.find(0).front().name.str(), std::string("inner"));
    }
    void damagedBooksAreNone()
    {
        const std::string bytes = bookOf(3).encoded();
        for (std::size_t size = 0; size < bytes.size(); ++size)
            QVERIFY(!NameBook::decoded(bytesOf(bytes.substr(0, size))));
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            std::string damaged = bytes;
            damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
            QVERIFY(!NameBook::decoded(bytesOf(damaged)));
        }
        QVERIFY(!NameBook::decoded(bytesOf(bytes + "x")));
    }
    void buildsHaveABookEach()
    {
        const NameCache cache(folder());
        cache.save(binaryWith("aa"), bookOf(1));
        cache.save(binaryWith("bb"), bookOf(2));
        QCOMPARE(cache.load(binaryWith("aa"))->size(), std::size_t(1));
        QCOMPARE(cache.load(binaryWith("bb"))->size(), std::size_t(2));
        QVERIFY(!cache.load(binaryWith("cc")));
        BinaryIdentity go;
        go.goBuildId = "x/y/z";
        QVERIFY(!cache.load(go));
        cache.save(go, bookOf(3));
        QCOMPARE(cache.load(go)->size(), std::size_t(3));
    }
    void whatNothingTellsFromOtherBuildsIsNotKept()
    {
        const NameCache cache(folder());
        cache.save(binaryWith({}), bookOf(1));
        QVERIFY(!fs::exists(folder()));
    }
    void idsOfSendersAreNoWayOutOfTheFolder()
    {
        const NameCache cache(folder());
        for (const std::string &id : {std::string("../../evil"), std::string("/etc/x"),
                                      std::string(5000, 'a'), std::string("a\0b", 3)}) {
            cache.save(binaryWith(id), bookOf(1));
            QVERIFY(cache.load(binaryWith(id)));
        }
        QCOMPARE(fileCount(), std::size_t(4));
    }
    void whatWasNotUsedForLongestGoesFirst()
    {
        const std::uint64_t size = bookOf(50).encoded().size();
        const NameCache cache(folder(), 3 * size);
        const auto now = fs::file_time_type::clock::now();
        for (const char *id : {"a1", "a2", "a3"}) {
            cache.save(binaryWith(id), bookOf(50));
            for (const auto &entry : fs::directory_iterator(folder()))
                fs::last_write_time(entry.path(), now - std::chrono::hours(id[1] == '1' ? 1 : 2));
        }
        QVERIFY(cache.load(binaryWith("a2"))); // used just now
        for (const auto &entry : fs::directory_iterator(folder()))
            if (entry.path().filename() == "gnu-a1.names")
                fs::last_write_time(entry.path(), now - std::chrono::hours(9));
        cache.save(binaryWith("a4"), bookOf(50));
        cache.trim();
        QCOMPARE(fileCount(), std::size_t(3));
        QVERIFY(!cache.load(binaryWith("a1")));
        QVERIFY(cache.load(binaryWith("a2")));
        QVERIFY(cache.load(binaryWith("a4")));
    }
    void aFolderThatCannotBeWrittenHarmsNobody()
    {
        const NameCache cache("/dev/null/names");
        cache.save(binaryWith("aa"), bookOf(1));
        QVERIFY(!cache.load(binaryWith("aa")));
        QVERIFY(!NameCache().load(binaryWith("aa")));
    }
};

QTEST_GUILESS_MAIN(TestNameCache)
#include "tst_name_cache.moc"
