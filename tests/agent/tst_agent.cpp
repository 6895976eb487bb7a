#include "ingest/formats/format.h"
#include "model/store/store.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace hearth;

namespace {

/// The distinct stacks of a recording, "main;recurse;spin", with their samples.
using Stacks = std::map<std::string, std::int64_t>;

std::string stackText(const Snapshot &snapshot, StackId stack)
{
    std::string text;
    for (StackId at = stack; at != StackId(); at = snapshot.stacks[at.value].parent) {
        const auto lines = snapshot.linesOf(snapshot.stacks[at.value].frame);
        const std::string name(
            lines.empty() ? "?" : snapshot.text(snapshot.functions[lines[0].function.value].name));
        text = text.empty() ? name : name + ";" + text;
    }
    return text;
}

template <class Take>
void forEachSample(const Snapshot &snapshot, std::string_view series, const Take &take)
{
    for (const SampleTable &table : snapshot.tables) {
        if (snapshot.text(snapshot.series[table.series[0].value].type) != series)
            continue;
        for (const auto &chunk : table.chunks)
            for (std::size_t i = 0; i < chunk->rows(); ++i)
                take(StackId(chunk->stacks()[i]), snapshot.contexts[chunk->contexts()[i]],
                     static_cast<std::int64_t>(chunk->values(0)[i]));
    }
}

Stacks stacksOf(const Snapshot &snapshot, std::string_view series = "samples")
{
    Stacks stacks;
    forEachSample(snapshot, series, [&](StackId stack, const Context &, std::int64_t value) {
        stacks[stackText(snapshot, stack)] += value;
    });
    return stacks;
}

/// CPython's frames of a stack with their lines: "<module>:16;outer:12".
std::string pythonText(const Snapshot &snapshot, StackId stack)
{
    std::string text;
    for (StackId at = stack; at != StackId(); at = snapshot.stacks[at.value].parent) {
        const FrameId frame = snapshot.stacks[at.value].frame;
        const auto lines = snapshot.linesOf(frame);
        if (lines.empty() || snapshot.text(snapshot.frames[frame.value].kind) != "cpython")
            continue;
        const std::string name(snapshot.text(snapshot.functions[lines[0].function.value].name));
        text = name + ":" + std::to_string(lines[0].line) + (text.empty() ? "" : ";") + text;
    }
    return text;
}

/// The value of an attribute of a set as text; empty if it has none of this key.
std::string attributeOf(const Snapshot &snapshot, AttributeSetId set, std::string_view key)
{
    for (const AttributeId id : snapshot.attributesOf(set)) {
        const Attribute &attribute = snapshot.attributes[id.value];
        if (snapshot.text(attribute.key) == key)
            return attribute.hasText() ? std::string(snapshot.text(attribute.text()))
                                       : std::to_string(attribute.integer());
    }
    return {};
}

std::int64_t sum(const Stacks &stacks, std::string_view part)
{
    std::int64_t total = 0;
    for (const auto &[text, value] : stacks)
        if (text.find(part) != std::string::npos)
            total += value;
    return total;
}

/// What could not be walked or is cut short, but for samples within execve: there the program that called has
/// gone already, and the one that is to come has no stack yet. A busy machine has several of them.
std::int64_t unknown(const Stacks &stacks)
{
    std::int64_t total = 0;
    for (const auto &[text, value] : stacks)
        if (text.find("[stack") != std::string::npos && text.find("sys_execve") == std::string::npos)
            total += value;
    return total;
}

std::string repeated(const std::string &text, int times)
{
    std::string all;
    for (int i = 0; i < times; ++i)
        all += (i == 0 ? "" : ";") + text;
    return all;
}

std::string describe(const Stacks &stacks)
{
    std::string text;
    for (const auto &[stack, value] : stacks)
        text += std::to_string(value) + " " + stack + "\n";
    return text;
}

constexpr int kEnoughSamples = 20; ///< of the 160 or so that a third of a second gives
constexpr int kPatienceMs = 240'000;

} // namespace

/// The agent as it is used, on programs whose stacks are known. Needs to be root, and a kernel with BTF.
class TestAgent : public QObject {
    Q_OBJECT

    QTemporaryDir m_directory;

    std::shared_ptr<const Snapshot> record(QStringList options, const QStringList &command)
    {
        const QString output = m_directory.filePath("recording.otlp");
        options << "-o" << output << "--" << command;
        QProcess agent;
        agent.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        agent.start(HEARTH_AGENT, options);
        if (!agent.waitForFinished(kPatienceMs) || agent.exitCode() != 0)
            qWarning("the agent failed");
        Store store;
        if (auto batch = readProfile(output.toStdString()))
            store.append(std::move(*batch));
        return store.publish();
    }

    /// What `known-calls WHAT NUMBER` does.
    Stacks recordKnown(const QString &what, int number, const QString &program = "known-calls")
    {
        return stacksOf(
            *record({"-F", "500"}, {QString(KNOWN_PROGRAMS) + "/" + program, what, QString::number(number)}));
    }

private Q_SLOTS:

    void initTestCase()
    {
        QProcess agent;
        agent.start(HEARTH_AGENT, {"-o", m_directory.filePath("nothing.otlp"), "--for", "1ms"});
        QVERIFY(agent.waitForFinished(kPatienceMs));
        constexpr int kCannotRecord = 125;
        if (agent.exitCode() == kCannotRecord)
            QSKIP(("the agent cannot record here: " + agent.readAllStandardError()).constData());
        QVERIFY2(agent.exitCode() == 0, agent.readAllStandardError().constData());
    }

    void everyCallOfARecursionIsAFrame_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<int>("depth");
        QTest::newRow("by rules, 1") << "known-calls" << 1;
        QTest::newRow("by rules, 60") << "known-calls" << 60;
        QTest::newRow("by rules, 110") << "known-calls" << 110;
        QTest::newRow("by frame pointers, 60") << "known-calls-fp" << 60;
    }

    void everyCallOfARecursionIsAFrame()
    {
        QFETCH(QString, program);
        QFETCH(int, depth);
        const Stacks stacks = recordKnown("recurse", depth, program);
        const std::string expected = "_start;__libc_start_main;__libc_start_call_main;main;" +
                                     repeated("recurse", depth) + ";spinUntilOver";
        QVERIFY2(sum(stacks, "spinUntilOver") > kEnoughSamples, describe(stacks).c_str());
        for (const auto &[text, value] : stacks)
            if (text.find("spinUntilOver") != std::string::npos)
                QVERIFY2(withoutStart(text).starts_with(withoutStart(expected)), text.c_str());
    }

    /// The C library's own calls have names only where its symbols are.
    static std::string withoutStart(const std::string &stack)
    {
        return stack.substr(std::min(stack.find("main;recurse"), stack.size()));
    }

    void deeperStacksAreCutWhereTheyBegan()
    {
        const Stacks stacks = recordKnown("recurse", 500);
        QVERIFY2(sum(stacks, "spinUntilOver") > kEnoughSamples, describe(stacks).c_str());
        for (const auto &[text, value] : stacks)
            if (text.find("spinUntilOver") != std::string::npos)
                QVERIFY2(text.starts_with("[stack is deeper];recurse;recurse"), text.c_str());
    }

    void timeIsSharedAsItIsSpent()
    {
        const Stacks stacks = recordKnown("split", 1);
        const auto light = static_cast<double>(sum(stacks, "lightPart"));
        const auto heavy = static_cast<double>(sum(stacks, "heavyPart"));
        const double count = light + heavy;
        QVERIFY2(count > 3 * kEnoughSamples, describe(stacks).c_str());
        const double fiveSigma = 5 * std::sqrt(0.3 * 0.7 / count);
        QVERIFY2(std::abs(light / count - 0.3) < fiveSigma, describe(stacks).c_str());
    }

    void stacksLeadThrough_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("expected");
        QTest::newRow("realigned frames") << "realigned" << "main;realigned;spinUntilOver";
        QTest::newRow("leaves without frames") << "leaf" << "main;leaves;leaf";
        QTest::newRow("calls that do not return")
            << "noreturn" << "main;endsWithCall;neverReturns;spinUntilOver";
        QTest::newRow("libraries that are loaded later") << "loads" << "main;loads;inLibrary;spinUntilOver";
        QTest::newRow("threads") << "thread"
                                 << "inThread;recurse;recurse;recurse;recurse;recurse;spinUntilOver";
    }

    void stacksLeadThrough()
    {
        QFETCH(QString, what);
        QFETCH(QString, expected);
        const Stacks stacks = recordKnown(what, 24);
        QVERIFY2(sum(stacks, expected.toStdString()) > kEnoughSamples, describe(stacks).c_str());
        QVERIFY2(unknown(stacks) * 50 <= sum(stacks, ""), describe(stacks).c_str());
    }

    void stacksLeadThroughLinkageTables()
    {
        const Stacks stacks = stacksOf(*record({"-F", "500"}, {QString(KNOWN_PROGRAMS) + "/known-imports"}));
        QVERIFY2(sum(stacks, "main;callThroughTable;returnsAtOnce") > kEnoughSamples,
                 describe(stacks).c_str());
        QVERIFY2(unknown(stacks) * 50 <= sum(stacks, ""), describe(stacks).c_str());
    }

    void aProgramThatHasBeenDeletedHasNames()
    {
        const QString program = m_directory.filePath("deleted");
        QVERIFY(QFile::copy(QString(KNOWN_PROGRAMS) + "/known-calls", program));
        const auto snapshot = record({"-F", "500"}, {program, "deletes", "1"});
        QVERIFY(!QFile::exists(program));
        const Stacks stacks = stacksOf(*snapshot);
        QVERIFY2(sum(stacks, "main;deletes;recurse;recurse;recurse;spinUntilOver") > kEnoughSamples,
                 describe(stacks).c_str());
        QVERIFY2(unknown(stacks) * 50 <= sum(stacks, ""), describe(stacks).c_str());
    }

    void aProcessThatExecutesIsAnotherProgram()
    {
        const auto snapshot =
            record({"-F", "500"}, {QString(KNOWN_PROGRAMS) + "/known-calls", "becomes", "1"});
        std::map<std::string, std::int64_t> samplesOf; // by program and function
        forEachSample(*snapshot, "samples", [&](StackId stack, const Context &context, std::int64_t value) {
            const std::string text = stackText(*snapshot, stack);
            const std::string program = attributeOf(*snapshot, context.resource, "process.executable.name");
            for (const char *function :
                 {"main;becomes;spinUntilOver", "main;recurse;recurse;recurse;recurse;"})
                if (text.find(function) != std::string::npos)
                    samplesOf[program + ' ' + function] += value;
        });
        QCOMPARE(samplesOf.size(), std::size_t(2));
        QVERIFY(samplesOf["known-calls main;becomes;spinUntilOver"] > kEnoughSamples);
        QVERIFY(samplesOf["known-calls-fp main;recurse;recurse;recurse;recurse;"] > kEnoughSamples);
    }

    /// Each sample is of a moment of its own: so shares differ by chance, as those of any two samplings do.
    /// By more, where the machine has other work in one part of the program's time than in another, since its
    /// clock ticks by processor and perf's by task: such a run says nothing, and is done again.
    void perfSeesTheSameProgramTheSameWay()
    {
        constexpr int kMostRuns = 4;
        const QString data = m_directory.filePath("perf.data");
        QProcess perf;
        perf.start("perf", {"record", "-B", "-N", "-o", data, "--", "true"});
        if (!perf.waitForFinished(kPatienceMs) || perf.exitCode() != 0)
            QSKIP("perf cannot record here");
        std::string difference;
        for (int run = 0; run < kMostRuns && (run == 0 || !difference.empty()); ++run) {
            const auto [ours, theirs] = sampledByBoth(data);
            QVERIFY2(theirs.size() >= 10, describe(theirs).c_str());
            QVERIFY(sum(ours, "") > 10 * kEnoughSamples && sum(theirs, "") > 10 * kEnoughSamples);
            difference = unlikeShares(ours, theirs) + unlikeShares(theirs, ours);
            if (!difference.empty())
                qInfo("run %d: %s", run, difference.c_str());
        }
        QVERIFY2(difference.empty(), difference.c_str());
    }

    /// What the sampler and perf see of one run of a program.
    std::pair<Stacks, Stacks> sampledByBoth(const QString &data)
    {
        const auto snapshot =
            record({"-F", "500"},
                   {"perf", "record", "-q", "-B", "-N", "-F", "500", "-e", "cpu-clock", "--call-graph",
                    "dwarf,16384", "-o", data, "--", QString(KNOWN_PROGRAMS) + "/known-calls", "mixed", "3"});
        QProcess perf;
        perf.start("perf", {"script", "-i", data, "--no-inline"});
        QFile script(m_directory.filePath("perf.txt"));
        if (!perf.waitForFinished(kPatienceMs) || !script.open(QIODevice::WriteOnly) ||
            script.write(perf.readAllStandardOutput()) <= 0)
            return {};
        script.close();
        Store store;
        store.append(readProfile(script.fileName().toStdString()).value());
        const Stacks ours = knownPart(stacksOf(*snapshot));
        Stacks theirs;
        const auto published = store.publish();
        forEachSample(*published, "cpu-clock", [&](StackId stack, const Context &, std::int64_t) {
            ++theirs[stackText(*published, stack)]; // their values are nanoseconds
        });
        return {ours, knownPart(theirs)};
    }

    /// Stacks by what the program itself has: names of the C library's own functions depend on what is
    /// installed.
    static Stacks knownPart(const Stacks &stacks)
    {
        static const QRegularExpression known(
            "main;mixed;|deepen;|sortSome;|compareAndWork;|lightPart;|heavyPart;|spin;");
        Stacks part;
        for (const auto &[text, value] : stacks) {
            if (text.find("main;mixed;") == std::string::npos)
                continue;
            QString names;
            const QString whole = QString::fromStdString(text) + ";";
            for (auto found = known.globalMatch(whole); found.hasNext();)
                names += found.next().captured();
            part[names.toStdString()] += value;
        }
        return part;
    }

    /// Empty if no stack's share differs by more than chance.
    static std::string unlikeShares(const Stacks &ours, const Stacks &theirs)
    {
        const auto all = static_cast<double>(sum(ours, ""));
        const auto theirAll = static_cast<double>(sum(theirs, ""));
        for (const auto &[text, value] : ours) {
            const auto known = theirs.find(text);
            const auto theirValue = known == theirs.end() ? 0.0 : static_cast<double>(known->second);
            const double share = (static_cast<double>(value) + theirValue) / (all + theirAll);
            const double fiveSigma = 5 * std::sqrt(share * (1 - share) * (1 / all + 1 / theirAll));
            if (std::abs(static_cast<double>(value) / all - theirValue / theirAll) >= fiveSigma)
                return text + "\n\n" + describe(ours) + "\n" + describe(theirs);
        }
        return {};
    }

    void aSignalHandlersCallerIsWhatWasInterrupted()
    {
        const Stacks stacks = recordKnown("signal", 1);
        std::int64_t through = 0;
        for (const auto &[text, value] : stacks)
            if (text.find("main;interrupted;") < text.find("onSignal;spinUntilOver"))
                through += value;
        QVERIFY2(through > kEnoughSamples, describe(stacks).c_str());
    }

    void theVdsoIsUnwound()
    {
        const Stacks stacks = recordKnown("vdso", 1);
        std::int64_t through = 0;
        for (const auto &[text, value] : stacks)
            if (text.find("main;askTheTime;") < text.find("vdso"))
                through += value;
        QVERIFY2(through > 0, describe(stacks).c_str());
    }

    /// Files in /tmp with the numbers of the processes that were recorded.
    static void removeFilesOf(const Snapshot &snapshot, const QString &before, const QString &behind)
    {
        forEachSample(snapshot, "samples", [&](StackId, const Context &context, std::int64_t) {
            const std::string process = attributeOf(snapshot, context.resource, "process.pid");
            QFile::remove(before + QString::fromStdString(process) + behind);
        });
    }

    void codeMadeAtRunTimeHasTheNameThatItsProcessTells()
    {
        const auto snapshot =
            record({"-F", "500"}, {QString(KNOWN_PROGRAMS) + "/known-calls-fp", "jit", "1"});
        removeFilesOf(*snapshot, "/tmp/perf-", ".map");
        const Stacks stacks = stacksOf(*snapshot);
        QVERIFY2(sum(stacks, "main;jit;madeUp;spinUntilOver;") > kEnoughSamples, describe(stacks).c_str());
    }

    void aJitdumpTellsWhatWasAtAPlaceWhen()
    {
        const auto snapshot =
            record({"-F", "500"}, {QString(KNOWN_PROGRAMS) + "/known-calls-fp", "jitdump", "1"});
        removeFilesOf(*snapshot, "/tmp/jit-", ".dump");
        const Stacks stacks = stacksOf(*snapshot);
        const std::int64_t first = sum(stacks, "main;jitdump;madeFirst;spinUntilOver;");
        const std::int64_t second = sum(stacks, "main;jitdump;madeSecond;spinUntilOver;");
        QVERIFY2(first > kEnoughSamples && second > kEnoughSamples, describe(stacks).c_str());
        // Both ran for as long; which samples the kernel takes depends on what else the machine does.
        QVERIFY2(first < 2 * second && second < 2 * first, describe(stacks).c_str());
    }

    void pythonsFunctionsAreFramesAtTheirLines_data()
    {
        QTest::addColumn<QString>("python");
        for (int minor = 6; minor <= 14; ++minor)
            QTest::newRow(qPrintable(QString("3.%1").arg(minor))) << QString("python3.%1").arg(minor);
    }

    void pythonsFunctionsAreFramesAtTheirLines()
    {
        QFETCH(QString, python);
        QProcess trial;
        trial.start(python, {"-c", ""});
        if (!trial.waitForFinished(kPatienceMs) || trial.exitCode() != 0)
            QSKIP("it is not installed here");
        const auto snapshot =
            record({"-F", "500"}, {python, QString(KNOWN_SOURCES) + "/known_lines.py", "1"});
        std::int64_t inSpin = 0;
        std::int64_t withCallers = 0;
        forEachSample(*snapshot, "samples", [&](StackId stack, const Context &, std::int64_t value) {
            const std::string text = pythonText(*snapshot, stack);
            const bool isInSpin = text.find("spin:6") != std::string::npos ||
                                  text.find("spin:7") != std::string::npos ||
                                  text.find("spin:8") != std::string::npos;
            inSpin += isInSpin ? value : 0;
            withCallers += isInSpin && text.starts_with("<module>:16;<lambda>:16;outer:12;spin:") ? value : 0;
        });
        QVERIFY2(inSpin > kEnoughSamples, describe(stacksOf(*snapshot)).c_str());
        QCOMPARE(withCallers, inSpin);
    }

    void samplesAreLinkedToTheSpanThatTheirThreadIsIn()
    {
        const auto snapshot = record({"-F", "500"}, {QString(KNOWN_PROGRAMS) + "/known-calls", "span", "1"});
        int linked = 0;
        for (const SampleTable &table : snapshot->tables)
            for (const auto &chunk : table.chunks)
                for (std::size_t i = 0; i < chunk->rows(); ++i) {
                    const Link &link = snapshot->links[chunk->links()[i]];
                    if (link == Link())
                        continue; // before the kernel was told of the process
                    ++linked;
                    for (std::uint8_t byte = 0; byte < 16; ++byte)
                        QCOMPARE(link.trace.at(byte), std::uint8_t(byte + 1));
                    for (std::uint8_t byte = 0; byte < 8; ++byte)
                        QCOMPARE(link.span.at(byte), std::uint8_t(byte + 17));
                }
        QVERIFY(linked > 0);
    }

    void whatAProcessSaysOfItselfIsPartOfItsResource()
    {
        const auto snapshot = record({}, {QString(KNOWN_PROGRAMS) + "/known-calls", "published", "1"});
        int named = 0;
        forEachSample(*snapshot, "samples", [&](StackId, const Context &context, std::int64_t) {
            named += attributeOf(*snapshot, context.resource, "service.name") == "known" ? 1 : 0;
            QVERIFY(!attributeOf(*snapshot, context.resource, "process.pid").empty());
        });
        QVERIFY(named > 0);
    }

    void samplesSayWhereTheyAreFrom()
    {
        const QString program = QString(KNOWN_PROGRAMS) + "/known-calls";
        const auto snapshot = record({"-F", "500"}, {program, "thread", "1"});
        int workers = 0;
        forEachSample(*snapshot, "samples", [&](StackId, const Context &context, std::int64_t) {
            const auto resource = [&](std::string_view key) {
                return attributeOf(*snapshot, context.resource, key);
            };
            const auto own = [&](std::string_view key) {
                return attributeOf(*snapshot, context.sample, key);
            };
            if (own("thread.name") != "worker")
                return;
            ++workers;
            QCOMPARE(resource("process.executable.name"), std::string("known-calls"));
            QCOMPARE(resource("process.executable.path"), program.toStdString());
            QVERIFY(!resource("process.pid").empty());
            QVERIFY(own("thread.id") != resource("process.pid"));
            QVERIFY(!own("cpu.logical_number").empty());
        });
        QVERIFY(workers > kEnoughSamples);
    }

    void theShortestLivesAreSeen()
    {
        const auto snapshot =
            record({"-F", "500"}, {QString(KNOWN_PROGRAMS) + "/known-calls", "storm", "30"});
        std::int64_t all = 0;
        std::int64_t named = 0;
        std::int64_t inFull = 0;
        forEachSample(*snapshot, "samples", [&](StackId stack, const Context &context, std::int64_t value) {
            const std::string text = stackText(*snapshot, stack);
            if (text.find("spinUntilOver") == std::string::npos && text.find('?') == std::string::npos)
                return; // starting and ending, which is the kernel's and the loader's time
            all += value;
            named += attributeOf(*snapshot, context.resource, "process.executable.name") == "known-calls"
                         ? value
                         : 0;
            inFull +=
                text.find("main;recurse;recurse;recurse;spinUntilOver") != std::string::npos ? value : 0;
        });
        QVERIFY(all > 5 * kEnoughSamples); // of 300
        // How many exactly is for benchmarks to say: it depends on what else the machine does.
        QVERIFY2(named * 100 >= all * 80, qPrintable(QString("%1 of %2").arg(named).arg(all)));
        QVERIFY2(inFull * 100 >= all * 80, qPrintable(QString("%1 of %2").arg(inFull).arg(all)));
    }

    /// How long a thread is off the processor that sleeps for 100 ms depends on the machine's other affairs,
    /// which can only make it longer; or shorter, if they come between setting the alarm and going to sleep.
    void waitingIsMeasuredWhereItHappens()
    {
        const auto snapshot = record({"--off-cpu"}, {QString(KNOWN_PROGRAMS) + "/known-calls", "doze", "2"});
        const Stacks stacks = stacksOf(*snapshot, "off_cpu");
        QVERIFY2(sum(stacks, "main;doze;") > 100'000'000, describe(stacks).c_str());
        bool wasBlocked = false;
        forEachSample(*snapshot, "off_cpu", [&](StackId stack, const Context &context, std::int64_t) {
            const bool isSleep = stackText(*snapshot, stack).find("nanosleep") != std::string::npos;
            wasBlocked |= isSleep && attributeOf(*snapshot, context.sample, "thread.state") == "blocked";
        });
        QVERIFY2(wasBlocked, describe(stacks).c_str());
    }

    /// Wherever threads wait, and on whichever processor they go on.
    void allWaitingIsFound()
    {
        const auto snapshot =
            record({"--off-cpu"}, {QString(KNOWN_PROGRAMS) + "/known-calls", "sleepers", "1"});
        const Stacks stacks = stacksOf(*snapshot, "off_cpu");
        constexpr std::int64_t kShortestNs = 250'000'000; // of 300
        for (const char *place : {";waitsForTime;", ";waitsForLock;", ";waitsForBytes;"})
            QVERIFY2(sum(stacks, place) > kShortestNs, describe(stacks).c_str());
    }

    void aShareOfTheWaitingStandsForAllOfIt()
    {
        const auto snapshot =
            record({"--off-cpu=0.5"}, {QString(KNOWN_PROGRAMS) + "/known-calls", "doze", "400"});
        int count = 0;
        int odd = 0;
        forEachSample(*snapshot, "off_cpu", [&](StackId stack, const Context &, std::int64_t value) {
            if (stackText(*snapshot, stack).find("nanosleep") == std::string::npos)
                return;
            ++count;
            odd += value % 2 != 0 ? 1 : 0;
        });
        QVERIFY2(count >= 50 && count <= 300, qPrintable(QString::number(count))); // 200, and 5 sigma are 50
        QCOMPARE(odd, 0);                                                          // each was doubled
    }

    void withoutNamesThereAreAddresses()
    {
        const auto snapshot = record({"-F", "500", "--symbols", "none"},
                                     {QString(KNOWN_PROGRAMS) + "/known-calls", "recurse", "3"});
        const Stacks stacks = stacksOf(*snapshot);
        QVERIFY(sum(stacks, "?;?;?") > kEnoughSamples);
        QCOMPARE(sum(stacks, "recurse"), 0);
    }

    void inlinedCallsAreFramesWithTheirLines()
    {
        const auto snapshot = record({"-F", "500", "--symbols", "full"},
                                     {QString(KNOWN_PROGRAMS) + "/known-calls-lines", "inlining", "1"});
        std::int64_t inlined = 0;
        forEachSample(*snapshot, "samples", [&](StackId stack, const Context &, std::int64_t value) {
            const auto lines = snapshot->linesOf(snapshot->stacks[stack.value].frame);
            if (lines.size() != 2)
                return;
            const Function &inner = snapshot->functions[lines[0].function.value];
            const Function &outer = snapshot->functions[lines[1].function.value];
            if (snapshot->text(inner.name) == "inlinedSpin" && snapshot->text(outer.name) == "inlining" &&
                snapshot->text(inner.file).ends_with("known_calls.c") && lines[0].line > inner.startLine)
                inlined += value;
        });
        QVERIFY2(inlined > kEnoughSamples, describe(stacksOf(*snapshot)).c_str());
    }

    void pageFaultsAreCountedWhereTheyHappen()
    {
        constexpr int kPages = 1000;
        const auto known = [&](const QString &option) {
            const auto snapshot = record(
                {option}, {QString(KNOWN_PROGRAMS) + "/known-calls", "touch", QString::number(kPages)});
            return sum(stacksOf(*snapshot, "page_faults"), "main;touch");
        };
        const std::int64_t all = known("--page-faults");
        QVERIFY2(all >= kPages * 9 / 10 && all <= kPages + 10, qPrintable(QString::number(all)));
        const std::int64_t some = known("--page-faults=10");
        QVERIFY2(some % 10 == 0 && some >= kPages * 9 / 10 && some <= kPages + 10,
                 qPrintable(QString::number(some)));
    }

    void switchesAreCountedWhereThreadsLeave()
    {
        const auto snapshot =
            record({"--switches"}, {QString(KNOWN_PROGRAMS) + "/known-calls", "doze", "100"});
        const Stacks stacks = stacksOf(*snapshot, "context_switches");
        QVERIFY2(sum(stacks, "main;doze;") >= 100, describe(stacks).c_str());
    }

    void cyclesAreCountedOrItIsSaidWhyNot()
    {
        QProcess agent;
        agent.start(HEARTH_AGENT, {"--event", "cycles", "-o", m_directory.filePath("cycles.otlp"), "--",
                                   QString(KNOWN_PROGRAMS) + "/known-calls", "recurse", "2"});
        QVERIFY(agent.waitForFinished(kPatienceMs));
        if (agent.exitCode() != 0) {
            QVERIFY(agent.readAllStandardError().contains("this machine lets nobody count cycles"));
            QSKIP("this machine lets nobody count cycles");
        }
        Store store;
        store.append(readProfile(m_directory.filePath("cycles.otlp").toStdString()).value());
        const Stacks stacks = stacksOf(*store.publish(), "cycles");
        QVERIFY2(sum(stacks, "spinUntilOver") > 1'000'000, describe(stacks).c_str());
    }

    void aCgroupsProcessesAreSampledAndNoOthers()
    {
        QString root;
        for (const char *place : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"})
            if (QFile::exists(QString(place) + "/cgroup.procs") &&
                QFile::exists(QString(place) + "/cgroup.controllers"))
                root = place;
        const QString group = root + "/hearth-test-" + QString::number(QCoreApplication::applicationPid());
        if (root.isEmpty() || !QDir().mkdir(group))
            QSKIP("no cgroup of version 2 can be made here");
        QProcess member;
        member.start("sh", {"-c", "read line; echo $$ > " + group +
                                      "/cgroup.procs && echo in || echo out; read line; " +
                                      QString(KNOWN_PROGRAMS) + "/known-calls recurse 4"});
        QProcess stranger;
        stranger.start("sh", {"-c", "read line; " + QString(KNOWN_PROGRAMS) + "/known-calls recurse 2"});
        QVERIFY(member.waitForStarted(kPatienceMs) && stranger.waitForStarted(kPatienceMs));
        member.write("go\n");
        QVERIFY(member.waitForReadyRead(kPatienceMs));
        const QByteArray place = member.readAllStandardOutput();
        const QString output = m_directory.filePath("cgroup.otlp");
        QProcess agent;
        agent.start(HEARTH_AGENT, {"-F", "500", "--control", "-o", output, "--cgroup", group});
        QVERIFY(agent.waitForReadyRead(kPatienceMs));
        member.write("go\n");
        stranger.write("go\n");
        QVERIFY(member.waitForFinished(kPatienceMs));
        QVERIFY(stranger.waitForFinished(kPatienceMs));
        agent.closeWriteChannel();
        QVERIFY(agent.waitForFinished(kPatienceMs));
        QDir().rmdir(group);
        if (place != "in\n")
            QSKIP("no process may be moved to a cgroup here");
        Store store;
        store.append(readProfile(output.toStdString()).value());
        const Stacks stacks = stacksOf(*store.publish());
        QVERIFY2(sum(stacks, "main;recurse;recurse;recurse;recurse;spinUntilOver") > kEnoughSamples,
                 describe(stacks).c_str());
        QCOMPARE(sum(stacks, "main;recurse;recurse;spinUntilOver"), 0);
    }

    void theCommandsStatusIsTheAgents()
    {
        QProcess agent;
        agent.start(HEARTH_AGENT, {"-o", m_directory.filePath("status.otlp"), "--", "sh", "-c", "exit 7"});
        QVERIFY(agent.waitForFinished(kPatienceMs));
        QCOMPARE(agent.exitCode(), 7);
    }

    /// What it samples fills the rings while it waits for a processor.
    void itGoesBeforeOthersButItsCommandDoesNot()
    {
        const int own = getpriority(PRIO_PROCESS, 0);
        constexpr int kFirst = -10;
        if (setpriority(PRIO_PROCESS, 0, kFirst) != 0)
            QSKIP("nobody may go before others here");
        setpriority(PRIO_PROCESS, 0, own);
        QProcess agent;
        agent.start(HEARTH_AGENT, {"-o", m_directory.filePath("priority.otlp"), "--", "sh", "-c",
                                   "nice; cut -d ' ' -f 19 /proc/$PPID/stat"});
        QVERIFY(agent.waitForFinished(kPatienceMs));
        QCOMPARE(agent.readAllStandardOutput(),
                 QByteArray::number(own) + "\n" + QByteArray::number(kFirst) + "\n");
    }

    void aProcessThatIsNotThereIsSaidSo()
    {
        QProcess agent;
        agent.start(HEARTH_AGENT, {"-o", m_directory.filePath("none.otlp"), "-p", "4194303"});
        QVERIFY(agent.waitForFinished(kPatienceMs));
        QCOMPARE(agent.exitCode(), 125);
        QVERIFY(agent.readAllStandardError().contains("there is no process 4194303"));
    }

    void hearthRecordPrintsWhatWeighedMost()
    {
        const QString output = m_directory.filePath("record.otlp.zst");
        QProcess hearth;
        hearth.start(HEARTH_PROGRAM, {"record", "-F", "500", "-o", output, "--",
                                      QString(KNOWN_PROGRAMS) + "/known-calls", "recurse", "3"});
        QVERIFY(hearth.waitForFinished(kPatienceMs));
        QCOMPARE(hearth.exitCode(), 0);
        QVERIFY(hearth.readAllStandardError().contains("the recording is in " + output.toUtf8()));
        const QByteArray top = hearth.readAllStandardOutput();
        QVERIFY2(top.contains("spin") && top.contains("recurse"), top.constData());
    }

    void hearthRecordTellsOfCommandsThatFail()
    {
        QProcess hearth;
        hearth.start(HEARTH_PROGRAM,
                     {"record", "-o", m_directory.filePath("failed.otlp"), "--", "sh", "-c", "exit 3"});
        QVERIFY(hearth.waitForFinished(kPatienceMs));
        QCOMPARE(hearth.exitCode(), 0);
        QVERIFY(hearth.readAllStandardError().contains("the command ended with status 3"));
    }

    void aReceiverGetsTheSamplesOverAUnixSocket()
    {
        const QString socket = m_directory.filePath("receiver");
        const QString saved = m_directory.filePath("received.otlp");
        QProcess receiver;
        receiver.setProcessChannelMode(QProcess::MergedChannels);
        receiver.start(HEARTH_PROGRAM,
                       {"serve", "--no-journal", "--listen", "unix:" + socket, "--save", saved});
        for (QByteArray said; !said.contains("listening on"); said += receiver.readAll())
            QVERIFY(receiver.waitForReadyRead(kPatienceMs));
        QProcess agent;
        agent.start(HEARTH_AGENT, {"-F", "500", "--gzip", "--to", "unix:" + socket, "--",
                                   QString(KNOWN_PROGRAMS) + "/known-calls", "recurse", "2"});
        QVERIFY(agent.waitForFinished(kPatienceMs));
        QCOMPARE(agent.exitCode(), 0);
        QVERIFY(!agent.readAllStandardError().contains("did not arrive"));
        receiver.terminate();
        QVERIFY(receiver.waitForFinished(kPatienceMs));
        Store store;
        store.append(readProfile(saved.toStdString()).value());
        const Stacks stacks = stacksOf(*store.publish());
        QVERIFY2(sum(stacks, "main;recurse;recurse;spinUntilOver") > kEnoughSamples,
                 describe(stacks).c_str());
    }

    void aReceiverThatIsNotThereIsSaidSo()
    {
        QProcess agent;
        agent.start(HEARTH_AGENT, {"-F", "500", "--to", "unix:" + m_directory.filePath("nobody"), "--",
                                   QString(KNOWN_PROGRAMS) + "/known-calls", "recurse", "2"});
        QVERIFY(agent.waitForFinished(kPatienceMs));
        QCOMPARE(agent.exitCode(), 0);
        QVERIFY(agent.readAllStandardError().contains("did not arrive"));
    }

    void itEndsWhenItsInputDoes()
    {
        QProcess agent;
        agent.start(HEARTH_AGENT, {"-o", m_directory.filePath("controlled.otlp"), "--control", "-a"});
        QVERIFY(agent.waitForStarted(kPatienceMs));
        agent.closeWriteChannel();
        QVERIFY(agent.waitForFinished(kPatienceMs));
        QCOMPARE(agent.exitCode(), 0);
        const QByteArrayList lines = agent.readAllStandardOutput().trimmed().split('\n');
        QVERIFY(lines.contains("recording"));
        QVERIFY(lines.at(lines.size() - 2).startsWith("samples="));
        QCOMPARE(lines.last(), QByteArray("ended 0"));
    }

    void itEndsWhenItIsToldTo()
    {
        QProcess agent;
        agent.start(HEARTH_AGENT, {"-o", m_directory.filePath("stopped.otlp"), "--control", "-a"});
        QVERIFY(agent.waitForReadyRead(kPatienceMs));
        agent.write("nonsense\nstop\n");
        QVERIFY(agent.waitForFinished(kPatienceMs));
        QCOMPARE(agent.exitCode(), 0);
        QVERIFY(agent.readAllStandardOutput().endsWith("ended 0\n"));
    }

    void whatACommandPrintsIsNotTakenForTheAgentsWords()
    {
        QProcess agent;
        agent.start(HEARTH_AGENT, {"-o", m_directory.filePath("apart.otlp"), "--control", "--", "sh", "-c",
                                   "read line; echo ended 7; exit 3"});
        QVERIFY(agent.waitForFinished(kPatienceMs));
        QCOMPARE(agent.exitCode(), 3);
        const QByteArray said = agent.readAllStandardOutput();
        QVERIFY2(!said.contains("ended 7") && said.endsWith("ended 3\n"), said.constData());
        QVERIFY(agent.readAllStandardError().contains("ended 7"));
    }

    void whyItCannotRecordIsSaidInItsLastLine()
    {
        QProcess agent;
        agent.start(HEARTH_AGENT, {"-o", m_directory.filePath("failed.otlp"), "--control", "-p", "4194303"});
        QVERIFY(agent.waitForFinished(kPatienceMs));
        QCOMPARE(agent.exitCode(), 125);
        QCOMPARE(agent.readAllStandardOutput(), QByteArray("failed there is no process 4194303\n"));
    }

    void aProcessIsFollowedWithItsChildren()
    {
        QProcess target;
        target.start("sh",
                     {"-c", "read line; " + QString(KNOWN_PROGRAMS) + "/known-calls recurse 4; read line"});
        QVERIFY(target.waitForStarted(kPatienceMs));
        const QString output = m_directory.filePath("followed.otlp");
        QProcess agent;
        agent.start(HEARTH_AGENT,
                    {"-F", "500", "--control", "-o", output, "-p", QString::number(target.processId())});
        QVERIFY(agent.waitForReadyRead(kPatienceMs)); // it samples: it has something to report
        target.write("go\n");
        QVERIFY(target.waitForBytesWritten(kPatienceMs));
        while (!QRegularExpression("complete=[1-9]").match(agent.readAllStandardOutput()).hasMatch())
            QVERIFY(agent.waitForReadyRead(kPatienceMs));
        target.closeWriteChannel();
        QVERIFY(target.waitForFinished(kPatienceMs));
        agent.closeWriteChannel();
        QVERIFY(agent.waitForFinished(kPatienceMs));
        Store store;
        store.append(readProfile(output.toStdString()).value());
        const Stacks stacks = stacksOf(*store.publish());
        QVERIFY2(sum(stacks, "main;recurse;recurse;recurse;recurse;spinUntilOver") > 0,
                 describe(stacks).c_str());
    }
};

QTEST_GUILESS_MAIN(TestAgent)
#include "tst_agent.moc"
