#include "ingest/symbols/kernel_symbols.h"
#include "ingest/symbols/symbol_thread.h"
#include "ingest/symbols/symbolizer.h"
#include "model/store/store.h"
#include "tests/support/http_server.h"
#include "tests/support/sampled_places.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

#include <algorithm>
#include <cctype>
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

    void identitiesOfAllKindsTellBuildsApart_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("kind");
        QTest::newRow("build id") << "dwarf5" << "build id";
        QTest::newRow("build id in capitals") << "dwarf5" << "build id in capitals";
        QTest::newRow("file hash") << "dwarf5" << "file hash";
        QTest::newRow("file hash of Go") << "go_stripped" << "file hash";
        QTest::newRow("Go build id") << "go" << "Go build id";
        QTest::newRow("Go build id, stripped") << "go_stripped" << "Go build id";
        QTest::newRow("Go build id where others have theirs") << "go" << "any";
    }
    void identitiesOfAllKindsTellBuildsApart()
    {
        QFETCH(QString, program);
        QFETCH(QString, kind);
        const std::string path = kFolder + '/' + program.toStdString();
        if (!fs::exists(path))
            QSKIP("there was no Go to build programs with");
        const auto file = opened(path);
        SampledPlace place{path, {}, program == u"dwarf5" ? m_outer : file->section(".text")->offset};
        std::string &id = kind == u"Go build id" ? place.goBuildId
                          : kind == u"file hash" ? place.fileHash
                                                 : place.buildId;
        id = kind.startsWith(u"build id") ? file->buildId()
             : kind == u"file hash"       ? htlHash(file->bytes())
                                          : file->goBuildId();
        if (kind == u"build id in capitals")
            std::ranges::transform(id, id.begin(), [](unsigned char c) { return std::toupper(c); });
        QVERIFY(!id.empty());
        const Resolved same({place});
        QVERIFY2(!same.name(0).empty(), same.binary(0).problem.c_str());

        id.back() = id.back() == '1' ? '2' : '1';
        for (const std::string &folder : {std::string("/nowhere"), kFolder}) {
            const Resolved other({place}, placesWith(folder));
            QCOMPARE(other.name(0), std::string());
            QVERIFY(other.binary(0).source == SymbolSource::None);
            QVERIFY2(other.binary(0).problem.find("is another build") != std::string::npos,
                     other.binary(0).problem.c_str());
        }
    }

    void filesWithoutAPathAreFoundByTheirBuildId()
    {
        const QTemporaryDir folder;
        const std::string system = folder.path().toStdString();
        const fs::path place = system + "/.build-id/" + m_buildId.substr(0, 2);
        fs::create_directories(place);
        fs::copy_file(m_program, place / m_buildId.substr(2));
        SearchPlaces places;
        places.systemDebug = system;
        const Resolved resolved({{"", m_buildId, m_outer}}, places);
        QCOMPARE(resolved.name(0), std::string("known::outer()"));
    }

    void whatHasComeMeanwhileIsFoundWhenAskedToLookAgain()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("program")).toStdString();
        Resolved resolved({{path, m_buildId, m_outer}, {m_program, m_buildId, m_outer}});
        QCOMPARE(resolved.name(0), std::string());
        fs::copy_file(m_program, path);
        resolved.symbolizer.lookAgain(std::vector{BinaryId(1)});
        resolved.resolve();
        QCOMPARE(resolved.name(0), std::string());
        resolved.symbolizer.lookAgain(std::vector{BinaryId(0)});
        resolved.resolve();
        QCOMPARE(resolved.name(0), std::string("known::outer()"));
        QCOMPARE(resolved.binary(0).problem, std::string());
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

    /// As those of containers: what such a process has mapped is nowhere to be found from here.
    void processesWithOtherFilesystemsAreSearched()
    {
        if (::geteuid() != 0)
            QSKIP("only root gives a process a file system of its own");
        const QTemporaryDir folder;
        const QString library = folder.filePath(QStringLiteral("library"));
        QProcess process;
        process.start(
            QStringLiteral("unshare"),
            {QStringLiteral("-m"), QStringLiteral("sh"), QStringLiteral("-c"),
             QStringLiteral("mount -t tmpfs none '%1' && cp '%2' '%3' && LD_PRELOAD='%3' exec sleep 600")
                 .arg(folder.path(), QString::fromStdString(kFolder + "/library"), library)});
        if (!process.waitForStarted())
            QSKIP("there is no unshare");
        const auto maps = [&] {
            QFile file(QStringLiteral("/proc/%1/maps").arg(process.processId()));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        while (process.state() == QProcess::Running && !maps().contains(library.toUtf8()))
            process.waitForFinished(1);
        if (process.state() != QProcess::Running)
            QSKIP("this machine gives no process a file system of its own");
        QVERIFY(!QFile::exists(library));
        const std::string origin = kFolder + "/library";
        const SampledPlace place{library.toStdString(), buildIdOf(origin),
                                 offsetOfFunction(origin, "plainC")};
        const Resolved resolved({place});
        process.kill();
        process.waitForFinished(-1);
        QCOMPARE(resolved.name(0), std::string("plainC"));
        QVERIFY2(resolved.binary(0).file.starts_with("/proc/"), resolved.binary(0).file.c_str());
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

    void serversAreAskedForWhatIsNotHere()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("debuginfod-find")).isEmpty())
            QSKIP("there is no debuginfod-find");
        const QTemporaryDir folder;
        const HttpServer::Files files{{"/buildid/" + m_buildId + "/executable", kFolder + "/stripped"},
                                      {"/buildid/" + m_buildId + "/debuginfo", kFolder + "/stripped.debug"}};
        const HttpServer server(files);
        SearchPlaces places;
        places.debuginfod.servers = {server.url()};
        places.debuginfod.cache = folder.path().toStdString();
        places.systemDebug = folder.path().toStdString();
        const Resolved resolved({{"/gone/program", m_buildId, m_outer}}, places);
        QCOMPARE(resolved.name(0), std::string("known::outer()"));
        QVERIFY(resolved.binary(0).source == SymbolSource::DebugInformation);
        QVERIFY2(resolved.binary(0).file.starts_with(places.debuginfod.cache),
                 resolved.binary(0).file.c_str());
        const Resolved unknown({{"/gone/other", std::string(40, 'b'), m_outer}}, places);
        QCOMPARE(unknown.name(0), std::string());
        QVERIFY2(unknown.binary(0).problem.starts_with("no file of build id bbbb"),
                 unknown.binary(0).problem.c_str());
    }

    /// One that sends another file than it was asked for.
    void whatAServerSendsIsOnlyTakenIfItIsTheSameBuild()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("debuginfod-find")).isEmpty())
            QSKIP("there is no debuginfod-find");
        const QTemporaryDir folder;
        const HttpServer::Files files{{"/buildid/" + m_buildId + "/executable", kFolder + "/dwarf4"}};
        const HttpServer server(files);
        SearchPlaces places;
        places.debuginfod.servers = {server.url()};
        places.debuginfod.cache = folder.path().toStdString();
        const Resolved resolved({{"/gone/program", m_buildId, m_outer}}, places);
        QCOMPARE(resolved.name(0), std::string());
        QVERIFY2(resolved.binary(0).problem.find("is another build") != std::string::npos,
                 resolved.binary(0).problem.c_str());
    }

    void aRealServerThatHangsIsGivenUpWhenStopped()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("debuginfod-find")).isEmpty())
            QSKIP("there is no debuginfod-find");
        const QTemporaryDir folder;
        const HttpServer::Files files{{"/buildid/" + m_buildId + "/executable", HttpServer::kNeverAnswered}};
        HttpServer server(files);
        SearchPlaces places;
        places.debuginfod.servers = {server.url()};
        places.debuginfod.cache = folder.path().toStdString();
        Store store;
        store.append(batchOfPlaces({{"/gone/program", m_buildId, m_outer}}));
        bool isNamed = false;
        std::jthread thread([&, snapshot = store.publish()](const std::stop_token &stop) {
            Symbolizer(places).resolve(
                *snapshot, {.take = [&](const SymbolUpdate &update) { isNamed |= !update.frames.empty(); }},
                stop);
        });
        server.waitForRequest();
        thread.request_stop();
        thread.join();
        QVERIFY(!isNamed);
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
