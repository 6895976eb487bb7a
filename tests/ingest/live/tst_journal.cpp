#include "ingest/bytes/byte_source.h"
#include "ingest/journal/journal.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

using namespace hearth;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

std::vector<std::uint8_t> message(std::uint32_t number)
{
    std::minstd_rand random(number + 1);
    std::vector<std::uint8_t> bytes(200 + number % 1000);
    std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
    std::memcpy(bytes.data(), &number, sizeof number);
    return bytes;
}

/// The numbers of the messages of a segment, until its end or what is left of a torn one.
std::vector<std::uint32_t> numbersIn(const fs::path &segment)
{
    auto source = unpacked(std::move(*openSource(segment)));
    std::vector<std::uint32_t> numbers;
    std::array<std::uint8_t, 4> length;
    while (source->read(length) == 4) {
        const std::size_t size = (std::size_t(length[0]) << 24) | (std::size_t(length[1]) << 16) |
                                 (std::size_t(length[2]) << 8) | length[3];
        std::vector<std::uint8_t> bytes(size);
        if (source->read(bytes) < size)
            break;
        std::uint32_t number = 0;
        std::memcpy(&number, bytes.data(), sizeof number);
        if (bytes != message(number))
            qFatal("a message is not what was written");
        numbers.push_back(number);
    }
    return numbers;
}

std::vector<std::uint32_t> numbersIn(const UnfinishedRun &run)
{
    std::vector<std::uint32_t> numbers;
    for (const fs::path &segment : run.segments)
        for (const std::uint32_t number : numbersIn(segment))
            numbers.push_back(number);
    return numbers;
}

std::uint64_t bytesBelow(const fs::path &directory)
{
    std::uint64_t bytes = 0;
    for (const auto &entry : fs::recursive_directory_iterator(directory))
        bytes += entry.is_regular_file() ? entry.file_size() : 0;
    return bytes;
}

} // namespace

class TestJournal : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunThatEndsWellIsNotOffered();
    void aRunThatGoesOnIsNotOffered();
    void nothingAcknowledgedIsLostByAKill();
    void aTornTailLosesItsMessageOnly();
    void allRunsTogetherAreBounded();
    void nothingIsLeftOfARunWithoutMessages();
    void aDirectoryThatCannotBeWrittenIsAnError();
};

void TestJournal::aRunThatEndsWellIsNotOffered()
{
    const QTemporaryDir folder;
    const fs::path directory = folder.path().toStdString();
    fs::path segment;
    {
        const auto journal = std::move(*Journal::open({.directory = directory}));
        QVERIFY(journal->append(Journal::record(message(1))));
        QVERIFY(journal->append(Journal::record(message(2))));
        segment = journal->run() / "000001.otlp.zst";
    }
    QVERIFY(unfinishedRuns(directory).empty());
    QCOMPARE(numbersIn(segment), (std::vector<std::uint32_t>{1, 2}));
}

void TestJournal::aRunThatGoesOnIsNotOffered()
{
    const QTemporaryDir folder;
    const auto journal = std::move(*Journal::open({.directory = folder.path().toStdString()}));
    QVERIFY(journal->append(Journal::record(message(1))));
    QVERIFY(unfinishedRuns(folder.path().toStdString()).empty());
}

/// A process appends and tells us which messages it would have acknowledged; it is killed at any moment.
void TestJournal::nothingAcknowledgedIsLostByAKill()
{
    constexpr int kKills = 60;
    auto *const acknowledged = static_cast<std::atomic<std::uint32_t> *>(
        ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    QVERIFY(acknowledged != MAP_FAILED);
    std::mt19937 random(4711);
    for (int kill = 0; kill < kKills; ++kill) {
        const QTemporaryDir folder;
        const fs::path directory = folder.path().toStdString();
        acknowledged->store(0);
        const pid_t child = ::fork();
        if (child == 0) {
            const auto journal =
                Journal::open({.directory = directory, .segmentBytes = 20'000, .syncInterval = 1ms});
            for (std::uint32_t number = 1; journal; ++number) {
                if (!(*journal)->append(Journal::record(message(number))))
                    break;
                acknowledged->store(number);
            }
            ::_exit(1);
        }
        const auto enough = static_cast<std::uint32_t>(random() % 300);
        while (acknowledged->load() < enough)
            std::this_thread::yield();
        ::kill(child, SIGKILL);
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status));

        const auto runs = unfinishedRuns(directory);
        const std::uint32_t promised = acknowledged->load();
        if (promised == 0 && runs.empty())
            continue;
        QCOMPARE(runs.size(), std::size_t(1));
        const auto numbers = numbersIn(runs[0]);
        QVERIFY(numbers.size() >= promised);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            QCOMPARE(numbers[i], static_cast<std::uint32_t>(i + 1));
        markFinished(runs[0]);
        QVERIFY(unfinishedRuns(directory).empty());
    }
    ::munmap(acknowledged, 4096);
}

void TestJournal::aTornTailLosesItsMessageOnly()
{
    const QTemporaryDir folder;
    fs::path segment;
    {
        const auto journal = std::move(*Journal::open({.directory = folder.path().toStdString()}));
        for (std::uint32_t number = 1; number <= 5; ++number)
            QVERIFY(journal->append(Journal::record(message(number))));
        segment = journal->run() / "000001.otlp.zst";
    }
    const std::uint64_t whole = fs::file_size(segment);
    const std::uint64_t last = Journal::record(message(5)).size();
    constexpr std::uint64_t kChecksum = 4; // without which the message is whole nevertheless
    for (std::uint64_t cut = kChecksum + 1; cut < last; ++cut) {
        fs::resize_file(segment, whole - cut);
        QCOMPARE(numbersIn(segment), (std::vector<std::uint32_t>{1, 2, 3, 4}));
    }
    auto source = unpacked(std::move(*openSource(segment)));
    std::vector<std::uint8_t> all(1 << 20);
    (void)source->read(all);
    QVERIFY(source->fault().has_value()); // which readers count as a loss
}

void TestJournal::allRunsTogetherAreBounded()
{
    constexpr std::uint64_t kMost = 100'000;
    const QTemporaryDir folder;
    const fs::path directory = folder.path().toStdString();
    for (int run = 0; run < 3; ++run) {
        const auto journal =
            std::move(*Journal::open({.directory = directory, .segmentBytes = 10'000, .mostBytes = kMost}));
        std::uint32_t number = 0;
        for (; number < 500; ++number)
            QVERIFY(journal->append(Journal::record(message(number))));
        QVERIFY2(bytesBelow(directory) <= kMost, std::to_string(bytesBelow(directory)).c_str());
        const auto segments = std::distance(fs::directory_iterator(journal->run()), fs::directory_iterator());
        QVERIFY2(segments > 5, std::to_string(segments).c_str());
    }
}

void TestJournal::nothingIsLeftOfARunWithoutMessages()
{
    const QTemporaryDir folder;
    {
        const auto journal = Journal::open({.directory = folder.path().toStdString()});
        QVERIFY(journal.has_value());
    }
    QVERIFY(fs::is_empty(folder.path().toStdString()));
}

void TestJournal::aDirectoryThatCannotBeWrittenIsAnError()
{
    const QTemporaryDir folder;
    const std::string file = folder.filePath("file").toStdString();
    std::ofstream(file) << "x";
    const auto journal = Journal::open({.directory = file + "/journal"});
    QVERIFY(!journal);
    QVERIFY2(journal.error().message.find(file) != std::string::npos, journal.error().message.c_str());
}

QTEST_GUILESS_MAIN(TestJournal)
#include "tst_journal.moc"
