#include "app/record/recording_run.h"
#include "tests/app/stand_in.h"
#include "tests/support/eventually.h"

#include <QTemporaryDir>
#include <QTest>

#include <linux/capability.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

using namespace hearth;
using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;

RecordingOrder orderOf(RecordingRequest request = {})
{
    return {.request = std::move(request),
            .delivery = {"--to", "unix:/run/data"},
            .deliveryByHand = {"--to", "localhost:11000"},
            .isInTerminal = false};
}

RecordingStatus recordedBy(const LaunchPlaces &places, RecordingOrder order = orderOf())
{
    RecordingRun run(std::move(order), places, [] {});
    for (int i = 0; i < 6000 && !run.status().isOver(); ++i)
        QTest::qWait(10);
    return run.status();
}

FailureKind failureOf(const RecordingStatus &status)
{
    if (!status.failure)
        return FailureKind::Other;
    return status.failure->kind;
}

AgentEnd endOf(const std::string &failed, std::vector<std::string> missing = {})
{
    return {.plan = {.way = LaunchWay::Direct, .agent = "/usr/bin/hearth-agent", .pkexec = {}},
            .options = {"--pid", "7"},
            .failed = failed,
            .errors = {},
            .missing = std::move(missing)};
}

std::string capabilityAttribute(std::uint32_t upper, bool isEffective)
{
    vfs_cap_data data{};
    data.magic_etc = VFS_CAP_REVISION_2 | (isEffective ? VFS_CAP_FLAGS_EFFECTIVE : 0);
    data.data[1].permitted = upper;
    std::string bytes(sizeof data, '\0');
    std::memcpy(bytes.data(), &data, sizeof data);
    return bytes;
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

Q_DECLARE_METATYPE(hearth::KernelFacts)
Q_DECLARE_METATYPE(hearth::AgentEnd)

class TestRecording : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesOfTheAgentBecomeAStatus()
    {
        RecordingStatus status;
        AgentWords words;
        const Clock::time_point begin = Clock::now();
        takeAgentLine(status, words, "missing CAP_SYSLOG functions of the kernel have no names", begin);
        takeAgentLine(status, words, "recording", begin);
        QCOMPARE(status.phase, RecordingPhase::Recording);
        takeAgentLine(status, words, "samples=100 lost=1 complete=90 cut=9 unreadable=3 dropped=2",
                      begin + 1s);
        takeAgentLine(status, words, "samples=300 lost=4 complete=290 cut=9 more=x", begin + 2s);
        QCOMPARE(status.samples, 300U);
        QCOMPARE(status.lost, 4U);
        QCOMPARE(status.complete, 290U);
        QCOMPARE(status.cut, 9U);
        QCOMPARE(status.dropped, 2U);
        QCOMPARE(status.rate, 200.0);
        QCOMPARE(status.missing[0], std::string("CAP_SYSLOG: functions of the kernel have no names"));
        QCOMPARE(status.elapsedAt(begin + 5s), Clock::duration(5s));
        QCOMPARE(progressText(status, begin + 72s),
                 std::string("1 min 12 s · 200 samples/s · 4 lost · 2 messages not delivered"));
        takeAgentLine(status, words, "ended 0", begin + 6s);
        QVERIFY(words.hasEnded);
    }
    void whatTheAgentShouldNotSayIsPassedOver()
    {
        RecordingStatus status;
        AgentWords words;
        for (const char *line :
             {"", " ", "=", "samples", "samples=", "samples=-1", "samples=1x",
              "samples=9999999999999999999999", "recordings", "\xff\xfe", "samples=\t5 lost"})
            takeAgentLine(status, words, line, Clock::now());
        QCOMPARE(status.samples, 0U);
        QCOMPARE(status.phase, RecordingPhase::Launching);
        QVERIFY(!words.hasEnded && words.failed.empty());
    }
    void timesAreWrittenAsPeopleSayThem()
    {
        QCOMPARE(elapsedText(-1s), std::string("0.0 s"));
        QCOMPARE(elapsedText(9940ms), std::string("9.9 s"));
        QCOMPARE(elapsedText(9990ms), std::string("10 s"));
        QCOMPARE(elapsedText(59'400ms), std::string("59 s"));
        QCOMPARE(elapsedText(59'600ms), std::string("1 min 0 s"));
        QCOMPARE(elapsedText(3725s), std::string("62 min 5 s"));
    }
    void capabilitiesOfAFileAreRead()
    {
        constexpr std::uint32_t kBoth = 1U << (CAP_BPF - 32) | 1U << (CAP_PERFMON - 32);
        QVERIFY(givesSampling(capabilityAttribute(kBoth, true)));
        QVERIFY(!givesSampling(capabilityAttribute(kBoth, false)));
        QVERIFY(!givesSampling(capabilityAttribute(1U << (CAP_BPF - 32), true)));
        QVERIFY(!givesSampling(capabilityAttribute(kBoth, true).substr(0, 19)));
        QVERIFY(!givesSampling({}));
    }
    void aCommandToBeCopiedIsSafeInAShell()
    {
        const LaunchPlan plan{
            .way = LaunchWay::ByHand, .agent = "/opt/my programs/hearth-agent", .pkexec = {}};
        QCOMPARE(sudoCommand(plan, {"-o", "a'b", "$(rm)", "", "x=1"}),
                 std::string("sudo '/opt/my programs/hearth-agent' -o 'a'\\''b' '$(rm)' '' x=1"));
    }
    void whatKeepsTheKernelFromBeingSampledIsExplained_data()
    {
        QTest::addColumn<AgentEnd>("end");
        QTest::addColumn<KernelFacts>("kernel");
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("remedy");
        const AgentEnd refused = endOf("the kernel does not take the BPF programs: Operation not permitted");
        const AgentEnd poor = endOf("cannot open a perf event: Permission denied",
                                    {"CAP_BPF: no programs can be loaded into the kernel"});
        const auto add = [](const char *name, const AgentEnd &end, const KernelFacts &kernel,
                            FailureKind kind, FailureRemedy remedy) {
            QTest::newRow(name) << end << kernel << int(kind) << int(remedy);
        };
        add("no BTF", refused, {.hasBtf = false, .version = 6001}, FailureKind::NoBtf,
            FailureRemedy::CopyCommand);
        add("old", poor, {.hasBtf = false, .version = 5004}, FailureKind::OldKernel,
            FailureRemedy::CopyCommand);
        add("locked down", refused, {.hasBtf = true, .version = 6001, .isLockedDown = true},
            FailureKind::Lockdown, FailureRemedy::OtherSenders);
        add("no capability", poor, {.hasBtf = true, .version = 6001}, FailureKind::CapabilityMissing,
            FailureRemedy::CopyCommand);
        add("anything", refused, {.hasBtf = true, .version = 6001}, FailureKind::Other,
            FailureRemedy::TryAgain);
        add("no process", endOf("there is no process 7"), {}, FailureKind::ProcessGone,
            FailureRemedy::ChooseTarget);
        add("no cgroup", endOf("there is no cgroup /x"), {}, FailureKind::CgroupNotFound,
            FailureRemedy::ChooseTarget);
    }
    void whatKeepsTheKernelFromBeingSampledIsExplained()
    {
        QFETCH(AgentEnd, end);
        QFETCH(KernelFacts, kernel);
        QFETCH(int, kind);
        QFETCH(int, remedy);
        const RecordingFailure failure = explain(end, kernel);
        QCOMPARE(int(failure.kind), kind);
        QCOMPARE(int(failure.remedy), remedy);
        QVERIFY(failure.text.ends_with("."));
        QCOMPARE(failure.remedy == FailureRemedy::CopyCommand, !failure.command.empty());
    }
    void itRecordsUntilItIsStopped()
    {
        const StandIn agent(obedientAgent());
        RecordingRun run(orderOf(), agent.places(), [] {});
        EVENTUALLY(run.status().samples == 1U);
        QCOMPARE(run.status().phase, RecordingPhase::Recording);
        run.stop();
        run.stop();
        EVENTUALLY(run.status().isOver());
        const RecordingStatus status = run.status();
        QCOMPARE(status.phase, RecordingPhase::Ended);
        QCOMPARE(status.samples, 7U);
        QCOMPARE(status.lost, 2U);
        QVERIFY(status.elapsed > 0s);
    }
    void theAgentGetsTheWordsOfTheRequest()
    {
        const StandIn agent(
            QStringLiteral("echo \"$*\" >\"$(dirname \"$0\")/words\"; echo recording; echo ended 0"));
        const std::string self = std::to_string(::getpid());
        const RecordingStatus status = recordedBy(agent.places(), orderOf({.processes = {::getpid()},
                                                                           .cgroup = {},
                                                                           .command = {},
                                                                           .directory = {},
                                                                           .frequency = 250,
                                                                           .isOffCpu = true,
                                                                           .symbols = "none"}));
        QCOMPARE(status.phase, RecordingPhase::Ended);
        QCOMPARE(contentOf(agent.path(QStringLiteral("words"))).toStdString(),
                 "--pid " + self +
                     " --frequency 250 --off-cpu --symbols none --to unix:/run/data --control\n");
    }
    void withoutAnAgentThereIsNothingToStart()
    {
        const RecordingStatus status = recordedBy({.agent = {}, .searchPath = {}, .isRoot = true});
        QCOMPARE(status.phase, RecordingPhase::Failed);
        QCOMPARE(failureOf(status), FailureKind::AgentNotFound);
    }
    void anAgentOfAnotherVersionIsNotStarted()
    {
        const StandIn agent({});
        agent.write(QStringLiteral("hearth-agent"), QStringLiteral("echo hearth-agent 99.0"));
        const RecordingStatus status = recordedBy(agent.places());
        QCOMPARE(failureOf(status), FailureKind::VersionMismatch);
        QVERIFY(status.failure->text.find("99.0") != std::string::npos);
    }
    void somebodyWhoMayNotIsToldWhatToType()
    {
        const StandIn agent(obedientAgent());
        const RecordingStatus status =
            recordedBy(agent.places(false), orderOf({.command = {"sleep", "1 s"}}));
        QCOMPARE(failureOf(status), FailureKind::NoPrivileges);
        QCOMPARE(status.failure->command,
                 "sudo " + agent.places().agent + " --to localhost:11000 -- sleep '1 s'");
    }
    void pkexecIsAsked()
    {
        const StandIn agent(obedientAgent());
        agent.write(QStringLiteral("pkexec"),
                    QStringLiteral("while [ ! -e \"$0.yes\" ]; do sleep 0.01; done\n"
                                   "[ \"$1\" = --disable-internal-agent ] || exit 127\n"
                                   "shift; exec \"$@\""));
        RecordingRun run(orderOf(), agent.places(false), [] {});
        EVENTUALLY(run.status().phase == RecordingPhase::Authorising);
        agent.write(QStringLiteral("pkexec.yes"), {});
        EVENTUALLY(run.status().phase == RecordingPhase::Recording);
        run.stop();
        EVENTUALLY(run.status().phase == RecordingPhase::Ended);
    }
    void whatPkexecAnswersIsUnderstood_data()
    {
        QTest::addColumn<QString>("answer");
        QTest::addColumn<int>("kind");
        QTest::newRow("dismissed")
            << "echo 'Error executing command as another user: Request dismissed' >&2; exit 126"
            << int(FailureKind::Dismissed);
        QTest::newRow("not authorised")
            << "echo 'Error executing command as another user: Not authorized' >&2; exit 127"
            << int(FailureKind::Dismissed);
        QTest::newRow("nobody to ask")
            << "echo 'Error executing command as another user: No authentication agent found.' >&2; exit 127"
            << int(FailureKind::NoPolkitAgent);
        QTest::newRow("no bus") << "echo 'Error getting authority: no such file' >&2; exit 127"
                                << int(FailureKind::NoPolkitAgent);
    }
    void whatPkexecAnswersIsUnderstood()
    {
        QFETCH(QString, answer);
        QFETCH(int, kind);
        const StandIn agent(obedientAgent());
        agent.write(QStringLiteral("pkexec"), answer);
        const RecordingStatus status = recordedBy(agent.places(false));
        QCOMPARE(int(failureOf(status)), kind);
        QCOMPARE(status.failure->remedy == FailureRemedy::CopyCommand,
                 kind == int(FailureKind::NoPolkitAgent));
    }
    void stoppingWhileSomebodyIsAskedEndsTheQuestion()
    {
        const StandIn agent(obedientAgent());
        agent.write(QStringLiteral("pkexec"), QStringLiteral("exec sleep 600"));
        RecordingRun run(orderOf(), agent.places(false), [] {});
        EVENTUALLY(run.status().phase == RecordingPhase::Authorising);
        run.stop();
        EVENTUALLY(run.status().isOver());
        QCOMPARE(run.status().phase, RecordingPhase::Ended);
    }
    void whyTheAgentFailedIsInItsOwnWords()
    {
        const StandIn agent(QStringLiteral("echo 'failed the disk is full'; exit 125"));
        const RecordingStatus status = recordedBy(agent.places());
        QCOMPARE(failureOf(status), FailureKind::Other);
        QVERIFY(status.failure->text.find("the disk is full.") != std::string::npos);
    }
    void anAgentThatDiesIsMissed()
    {
        const StandIn agent(
            QStringLiteral("echo recording; echo samples=5 lost=0; echo out of memory >&2; kill -9 $$"));
        const RecordingStatus status = recordedBy(agent.places());
        QCOMPARE(status.phase, RecordingPhase::Failed);
        QCOMPARE(status.samples, 5U);
        QVERIFY(status.failure->text.find("out of memory.") != std::string::npos);
    }
    void anAgentThatTalksNonsenseDoesNoHarm()
    {
        const StandIn agent(QStringLiteral(
            "head -c 3000000 /dev/zero | tr '\\0' x; echo; head -c 100000 /dev/urandom; exit 1"));
        const RecordingStatus status = recordedBy(agent.places());
        QCOMPARE(status.phase, RecordingPhase::Failed);
        QCOMPARE(failureOf(status), FailureKind::Other);
    }
    void aProcessThatIsGoneIsSaidSoBeforeAnybodyIsAsked()
    {
        const StandIn agent(QStringLiteral("touch \"$0.started\""));
        constexpr pid_t kNobody = 4194303;
        const RecordingStatus status = recordedBy(agent.places(), orderOf({.processes = {kNobody}}));
        QCOMPARE(failureOf(status), FailureKind::ProcessGone);
        QVERIFY(!QFile::exists(agent.path(QStringLiteral("hearth-agent.started"))));
    }
    void itEndsWithTheProcessThatIsRecorded()
    {
        const StandIn agent(obedientAgent());
        auto target = GatedCommand::start({"sleep", "600"}, {}, true);
        QVERIFY(target.has_value());
        QCOMPARE(target->letGo(), 0);
        RecordingRun run(orderOf({.processes = {target->process()}}), agent.places(), [] {});
        EVENTUALLY(run.status().phase == RecordingPhase::Recording);
        QCOMPARE(::kill(target->process(), SIGKILL), 0);
        EVENTUALLY(run.status().isOver());
        QCOMPARE(run.status().phase, RecordingPhase::Ended);
        QVERIFY(run.status().isTargetGone);
    }
    void aCommandRunsWhenItIsWatchedAndNotBefore()
    {
        const StandIn agent(QStringLiteral("while [ ! -e \"$0.yes\" ]; do sleep 0.01; done; ") +
                            obedientAgent());
        const QTemporaryDir folder;
        RecordingRun run(
            orderOf({.command = {"sh", "-c", "pwd >ran; exit 5"}, .directory = folder.path().toStdString()}),
            agent.places(), [] {});
        QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("ran"))));
        agent.write(QStringLiteral("hearth-agent.yes"), {});
        EVENTUALLY(run.status().isOver());
        QCOMPARE(run.status().phase, RecordingPhase::Ended);
        QCOMPARE(run.status().commandStatus, 5);
        QVERIFY(run.status().isTargetGone);
        QCOMPARE(contentOf(folder.filePath(QStringLiteral("ran"))).trimmed(),
                 QFileInfo(folder.path()).canonicalFilePath().toUtf8());
    }
    void aCommandThatCannotBeRunIsSaidSo()
    {
        const StandIn agent(obedientAgent());
        for (const RecordingRequest &request :
             {RecordingRequest{.command = {"/no/such/command"}, .directory = {}},
              RecordingRequest{.command = {"true"}, .directory = "/no/such/folder"}}) {
            const RecordingStatus status = recordedBy(agent.places(), orderOf(request));
            QCOMPARE(failureOf(status), FailureKind::CommandNotFound);
            QVERIFY(status.failure->text.find("No such file or directory.") != std::string::npos);
        }
    }
    void aCommandOfARecordingThatFailsNeverRuns()
    {
        const StandIn agent(QStringLiteral("echo failed as it is; exit 125"));
        const QTemporaryDir folder;
        const RecordingStatus status =
            recordedBy(agent.places(),
                       orderOf({.command = {"touch", folder.filePath(QStringLiteral("ran")).toStdString()}}));
        QCOMPARE(status.phase, RecordingPhase::Failed);
        QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("ran"))));
    }
    void theAgentEndsWhenItsProgramGoesAway()
    {
        const StandIn agent(
            QStringLiteral("echo recording; while read line; do :; done; touch \"$0.ended\""));
        {
            RecordingRun run(orderOf(), agent.places(), [] {});
            EVENTUALLY(run.status().phase == RecordingPhase::Recording);
        }
        EVENTUALLY(QFile::exists(agent.path(QStringLiteral("hearth-agent.ended"))));
    }
};

QTEST_GUILESS_MAIN(TestRecording)
#include "tst_recording.moc"
