#include "ingest/symbols/kernel_symbols.h"
#include "ingest/symbols/symbol_thread.h"
#include "ingest/symbols/symbolizer.h"
#include "model/store/store.h"
#include "tests/support/sampled_places.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <semaphore>
#include <sstream>
#include <thread>

using namespace hearth;
using namespace hearth::test;

namespace {

namespace fs = std::filesystem;

const std::string kFolder = KNOWN_PROGRAMS;

std::shared_ptr<const ElfFile> opened(const std::string &path)
{
    return *ElfFile::open(path);
}

/// A data set and what a symbolizer makes of it.
struct Resolved {
    explicit Resolved(const std::vector<SampledPlace> &samples, SearchPlaces places = {},
                      std::int64_t timeNs = 0)
        : symbolizer(std::move(places))
    {
        add(samples, timeNs);
    }

    void add(const std::vector<SampledPlace> &samples, std::int64_t timeNs = 0)
    {
        store.append(batchOfPlaces(samples, timeNs));
        resolve();
    }
    void resolve()
    {
        updates.clear();
        symbolizer.resolve(*store.publish(),
                           {.take = [this](SymbolUpdate update) { updates.push_back(std::move(update)); }},
                           {});
        for (const SymbolUpdate &update : updates)
            store.apply(update);
        snapshot = store.publish();
    }

    std::string name(std::size_t frame) const
    {
        const auto lines = snapshot->linesOf(FrameId(frame));
        return lines.empty()
                   ? std::string()
                   : std::string(snapshot->text(snapshot->functions[lines.back().function.value].name));
    }
    const BinarySymbols &binary(std::size_t binary) const { return *snapshot->symbolsOf(BinaryId(binary)); }

    Store store;
    Symbolizer symbolizer;
    std::vector<SymbolUpdate> updates;
    std::shared_ptr<const Snapshot> snapshot;
};

SearchPlaces placesWith(const std::string &folder)
{
    SearchPlaces places;
    places.folders = {folder};
    return places;
}

} // namespace

/// Names for frames that came without, from real files.
class TestSymbolizer : public QObject {
    Q_OBJECT

    const std::string m_program = kFolder + "/dwarf5";
    const std::string m_buildId = buildIdOf(m_program);
    const std::uint64_t m_outer = offsetOfFunction(m_program, "_ZN5known5outerEv");

private Q_SLOTS:
    void theFileAtItsPathIsTakenIfItIsTheSameBuild()
    {
        const Resolved resolved({{m_program, m_buildId, m_outer}});
        QCOMPARE(resolved.name(0), std::string("known::outer()"));
        QVERIFY(resolved.binary(0).source == SymbolSource::DebugInformation);
        QCOMPARE(resolved.binary(0).file, m_program);
        QCOMPARE(resolved.binary(0).problem, std::string());
    }

    void anotherBuildIsNeverTaken()
    {
        const Resolved resolved({{kFolder + "/dwarf4", m_buildId, m_outer}});
        QCOMPARE(resolved.name(0), std::string());
        QVERIFY(resolved.binary(0).source == SymbolSource::None);
        QVERIFY2(resolved.binary(0).problem.find("is another build") != std::string::npos,
                 resolved.binary(0).problem.c_str());
        QVERIFY2(resolved.binary(0).problem.find(m_buildId.substr(0, 12)) != std::string::npos,
                 resolved.binary(0).problem.c_str());
        QVERIFY(!resolved.binary(0).advice.empty());
    }

    void foldersOfTheUserAreSearched()
    {
        const Resolved without({{"dwarf5", m_buildId, m_outer}});
        QCOMPARE(without.name(0), std::string());
        const Resolved with({{"dwarf5", m_buildId, m_outer}}, placesWith(kFolder));
        QCOMPARE(with.name(0), std::string("known::outer()"));
        const Resolved fileAlone({{"dwarf5", m_buildId, m_outer}}, placesWith(m_program));
        QCOMPARE(fileAlone.name(0), std::string("known::outer()"));
    }

    void otherPlacesAreTriedForWhatWasNotFound()
    {
        Resolved resolved({{"dwarf5", m_buildId, m_outer}});
        QCOMPARE(resolved.name(0), std::string());
        resolved.symbolizer.setPlaces(placesWith(kFolder));
        resolved.resolve();
        QCOMPARE(resolved.name(0), std::string("known::outer()"));
        QVERIFY(resolved.binary(0).source == SymbolSource::DebugInformation);
    }

    void debugFilesAreFoundByTheirLink()
    {
        const Resolved resolved({{kFolder + "/stripped", m_buildId, m_outer}});
        QCOMPARE(resolved.name(0), std::string("known::outer()"));
        QCOMPARE(resolved.binary(0).file, kFolder + "/stripped.debug");
    }

    void debugFilesAreFoundByTheirBuildId()
    {
        const QTemporaryDir folder;
        const std::string system = folder.path().toStdString();
        const fs::path place = system + "/.build-id/" + m_buildId.substr(0, 2);
        fs::create_directories(place);
        fs::copy_file(kFolder + "/stripped.debug", place / (m_buildId.substr(2) + ".debug"));
        fs::copy_file(kFolder + "/stripped", system + "/alone"); // whose link leads nowhere
        SearchPlaces places;
        places.systemDebug = system;
        const Resolved resolved({{system + "/alone", m_buildId, m_outer}}, places);
        QVERIFY(resolved.binary(0).source == SymbolSource::DebugInformation);
        QCOMPARE(resolved.name(0), std::string("known::outer()"));
    }

    void debuginfodsCacheIsSearched()
    {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString() + "/" + m_buildId;
        fs::create_directories(place);
        fs::copy_file(m_program, place / "executable");
        SearchPlaces places;
        places.debuginfod.cache = folder.path().toStdString();
        const Resolved resolved({{"gone", m_buildId, m_outer}}, places);
        QCOMPARE(resolved.name(0), std::string("known::outer()"));
    }

    void runningProgramsAreSearched()
    {
        const std::string self = fs::read_symlink("/proc/self/exe").string();
        const auto file = opened(self);
        if (file->buildId().empty())
            QSKIP("the linker gave this test no build id");
        const Resolved resolved(
            {{fs::path(self).filename().string(), file->buildId(), offsetOfFunction(self, "main")}});
        QCOMPARE(resolved.name(0), std::string("main"));
    }

    void namesSurviveTheFilesThatTheyCameFrom()
    {
        const QTemporaryDir folder;
        const std::string program = folder.filePath(QStringLiteral("program")).toStdString();
        SearchPlaces places;
        places.names = NameCache(folder.filePath(QStringLiteral("names")).toStdString());
        fs::copy_file(m_program, program);
        {
            const Resolved first({{program, m_buildId, m_outer}}, places);
            QCOMPARE(first.binary(0).file, program);
        }
        fs::remove(program);
        Resolved later({{program, m_buildId, m_outer}}, places);
        QCOMPARE(later.name(0), std::string("known::outer()"));
        QVERIFY(later.binary(0).source == SymbolSource::DebugInformation);
        QCOMPARE(later.binary(0).problem, std::string());
        const auto lines = later.snapshot->linesOf(FrameId(0));
        QVERIFY(lines.back().line > 0);
        // A function that nobody asked for before has no name now, and the row says why.
        later.add({{program, m_buildId, offsetOfFunction(m_program, "plainC")}});
        QCOMPARE(later.name(1), std::string());
        QVERIFY(!later.binary(0).problem.empty());
        QVERIFY(later.binary(0).source == SymbolSource::DebugInformation);
    }

    void namesOfOneBuildAreNotThoseOfAnother()
    {
        const QTemporaryDir folder;
        SearchPlaces places;
        places.names = NameCache(folder.path().toStdString());
        {
            const Resolved first({{m_program, m_buildId, m_outer}}, places);
        }
        std::string other = m_buildId;
        other.front() = other.front() == '0' ? '1' : '0';
        const Resolved later({{"/nowhere/dwarf5", other, m_outer}}, places);
        QCOMPARE(later.name(0), std::string());
    }

    void namesWithoutLinesAreLookedForAgain()
    {
        const QTemporaryDir folder;
        SearchPlaces places;
        places.names = NameCache(folder.filePath(QStringLiteral("names")).toStdString());
        const std::string program = kFolder + "/nodebug";
        {
            const Resolved first({{program, buildIdOf(program), offsetOfFunction(program, "plainC")}},
                                 places);
        }
        QVERIFY(!fs::exists(folder.filePath(QStringLiteral("names")).toStdString()));
    }

    void withoutABuildIdAFileThatWasWrittenLaterIsNotTaken()
    {
        constexpr std::int64_t kLongAgo = 1'000'000'000'000'000'000; // 2001
        const Resolved old({{m_program, {}, m_outer}}, {}, kLongAgo);
        QCOMPARE(old.name(0), std::string());
        QVERIFY2(old.binary(0).problem.find("was written after") != std::string::npos,
                 old.binary(0).problem.c_str());
        constexpr std::int64_t kLater = 4'000'000'000'000'000'000; // 2096
        const Resolved young({{m_program, {}, m_outer}}, {}, kLater);
        QCOMPARE(young.name(0), std::string("known::outer()"));
    }

    void strippedProgramsSayWhatWouldHelp()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("alone").toStdString();
        fs::copy_file(kFolder + "/stripped", path);
        SearchPlaces places;
        places.systemDebug = folder.path().toStdString();
        places.debuginfod.cache = folder.path().toStdString();
        const Resolved resolved({{path, m_buildId, m_outer}}, places);
        QCOMPARE(resolved.name(0), std::string());
        QVERIFY2(resolved.binary(0).problem.starts_with("stripped"), resolved.binary(0).problem.c_str());
        QVERIFY2(resolved.binary(0).advice.find("debug file") != std::string::npos,
                 resolved.binary(0).advice.c_str());
    }

    void codeWithoutAFileSaysSo()
    {
        const Resolved resolved({{"[anon:v8]", {}, 4096}, {"//anon", {}, 4096}});
        for (const std::size_t binary : {0, 1})
            QVERIFY2(resolved.binary(binary).problem.find("without a file") != std::string::npos,
                     resolved.binary(binary).problem.c_str());
    }

    void laterSnapshotsCostWhatIsNew()
    {
        Resolved resolved({{m_program, m_buildId, m_outer}});
        QCOMPARE(resolved.updates.size(), std::size_t(1));
        resolved.resolve();
        QVERIFY(resolved.updates.empty());
        resolved.add({{m_program, m_buildId, offsetOfFunction(m_program, "plainC")}});
        QCOMPARE(resolved.updates.size(), std::size_t(1));
        QVERIFY(resolved.updates[0].binaries.empty());
        QCOMPARE(resolved.name(1), std::string("plainC"));
    }

    void theHeaviestBinaryComesFirst()
    {
        const std::string other = kFolder + "/dwarf4";
        const std::uint64_t offset = offsetOfFunction(other, "plainC");
        const Resolved resolved({{m_program, m_buildId, m_outer, 3}, {other, buildIdOf(other), offset, 5}});
        QCOMPARE(resolved.updates.size(), std::size_t(2));
        QCOMPARE(resolved.updates[0].frames.at(0).frame.value, std::uint32_t(1));
        QCOMPARE(resolved.updates[1].frames.at(0).frame.value, std::uint32_t(0));
    }

    void framesWithNamesKeepThem()
    {
        Store store;
        Batch batch = batchOfPlaces({{m_program, m_buildId, m_outer}});
        batch.functions.emplace_back().name = batch.addString("said");
        batch.lines.push_back({.function = FunctionId(0)});
        batch.frames[0].lineCount = 1;
        store.append(std::move(batch));
        bool isCalled = false;
        Symbolizer({}).resolve(*store.publish(), {.take = [&](const SymbolUpdate &) { isCalled = true; }},
                               {});
        QVERIFY(!isCalled);
    }

    void namesAreLookedForInTheBackground()
    {
        Store store;
        store.append(batchOfPlaces({{"dwarf5", m_buildId, m_outer}}));
        std::counting_semaphore isTaken(0);
        std::vector<SymbolUpdate> updates; // of the thread, until it has said so
        SymbolThread thread({},
                            {.take =
                                 [&](SymbolUpdate update) {
                                     updates.push_back(std::move(update));
                                     isTaken.release();
                                 }},
                            std::chrono::milliseconds(0));
        thread.follow(store.publish());
        isTaken.acquire();
        QCOMPARE(updates.size(), std::size_t(1));
        QVERIFY(updates[0].frames.empty());
        thread.setPlaces(placesWith(kFolder));
        isTaken.acquire();
        QCOMPARE(updates.size(), std::size_t(2));
        QCOMPARE(updates[1].frames.at(0).chain.at(0).name, std::string("known::outer()"));
    }

    /// Of debuginfod-find, here a program that says that it was called, and then nothing any more.
    void aServerThatHangsDelaysNobody()
    {
        const QTemporaryDir folder;
        const QString asked = folder.filePath("asked");
        QFile client(folder.filePath("debuginfod-find"));
        QVERIFY(client.open(QIODevice::WriteOnly));
        client.write("#!/bin/sh\necho $1 >> '" + asked.toUtf8() + "'\nexec sleep 1000\n");
        client.close();
        QVERIFY(client.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder.path().toUtf8() + ':' + path);
        SearchPlaces places = placesWith(kFolder);
        places.debuginfod.servers = {"http://localhost:1"};
        places.debuginfod.cache = folder.filePath("cache").toStdString();
        Store store;
        const std::string nowhere(40, 'a');
        store.append(batchOfPlaces({{"nowhere", nowhere, 0x1000, 5}, {m_program, m_buildId, m_outer, 3}}));
        std::counting_semaphore isTaken(0);
        std::vector<SymbolUpdate> updates; // of the thread, until it has said so
        std::jthread thread([&, snapshot = store.publish()](const std::stop_token &stop) {
            Symbolizer(places).resolve(*snapshot,
                                       {.take =
                                            [&](SymbolUpdate update) {
                                                updates.push_back(std::move(update));
                                                isTaken.release();
                                            }},
                                       stop);
        });
        isTaken.acquire(); // that there is no such file here
        isTaken.acquire();
        QCOMPARE(updates.size(), std::size_t(2));
        QCOMPARE(updates[1].frames.at(0).chain.at(0).name, std::string("known::outer()"));
        while (!QFile::exists(asked)) // the server is asked in the end
            std::this_thread::yield();
        thread.request_stop();
        thread.join();
        QCOMPARE(updates.size(), std::size_t(2));
        qputenv("PATH", path);
    }

    void kernelFunctionsAreFoundByAddressAndByDistance()
    {
        std::istringstream kallsyms("ffffffff81000000 T _stext\n"
                                    "ffffffff81000100 t do_one\n"
                                    "ffffffff81000100 t alias\n"
                                    "ffffffff81000200 D some_data\n"
                                    "ffffffff81000300 T do_two\n"
                                    "ffffffffc0001000 t helper\t[module]\n"
                                    "0000000000001234 A absolute\n"
                                    "ffff\nno line at all\n");
        const KernelSymbols symbols(kallsyms);
        QCOMPARE(symbols.find(0xffffffff81000180)->name, std::string_view("do_one"));
        QCOMPARE(symbols.find(0x310)->name, std::string_view("do_two"));
        QCOMPARE(symbols.find(0x310)->module, std::string_view("vmlinux"));
        QCOMPARE(symbols.find(0x310)->base, std::uint64_t(0xffffffff81000000));
        QCOMPARE(symbols.find(0xffffffffc0001010)->name, std::string_view("helper"));
        QCOMPARE(symbols.find(0xffffffffc0001010)->module, std::string_view("module"));
        QVERIFY(!symbols.find(0xffffffffe0000000));
        QVERIFY(!symbols.find(0xffffffff80000000));
        std::istringstream hidden("0000000000000000 T _stext\n");
        QVERIFY(KernelSymbols(hidden).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestSymbolizer)
#include "tst_symbolizer.moc"
