#include "ingest/formats/format.h"
#include "model/store/store.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace hearth;

namespace {

constexpr int kPatienceMs = 240'000;
constexpr int kEnoughSamples = 5;

QString source(const char *name)
{
    return QString(KNOWN_SOURCES) + "/" + name;
}

bool isInstalled(const QString &program)
{
    return !QStandardPaths::findExecutable(program).isEmpty();
}

bool runs(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.start(program, arguments);
    return process.waitForFinished(kPatienceMs) && process.exitCode() == 0;
}

/// What a recording has of one process.
struct Seen {
    int samples = 0;  ///< in fib
    int named = 0;    ///< of these, called by fib, and that by work
    int complete = 0; ///< of these, not cut either
};

/// "_start;main;work;fib;fib"
std::string stackText(const Snapshot &snapshot, StackId stack)
{
    std::string text;
    for (StackId at = stack; at != StackId(); at = snapshot.stacks[at.value].parent) {
        const auto lines = snapshot.linesOf(snapshot.stacks[at.value].frame);
        for (const Line &line : lines)
            text = std::string(snapshot.text(snapshot.functions[line.function.value].name)) + ";" + text;
        if (lines.empty())
            text = "?;" + text;
    }
    return text;
}

std::int64_t processOf(const Snapshot &snapshot, const Context &context)
{
    for (const AttributeId id : snapshot.attributesOf(context.resource))
        if (snapshot.text(snapshot.attributes[id.value].key) == "process.pid")
            return snapshot.attributes[id.value].integer();
    return 0;
}

std::map<std::int64_t, Seen> seenIn(const Snapshot &snapshot)
{
    static const QRegularExpression inOrder("work\\b.*;.*\\bfib\\b.*;.*\\bfib\\b");
    std::map<std::int64_t, Seen> seen;
    for (const SampleTable &table : snapshot.tables)
        for (const auto &chunk : table.chunks)
            for (std::size_t i = 0; i < chunk->rows(); ++i) {
                const std::string text = stackText(snapshot, StackId(chunk->stacks()[i]));
                Seen &process = seen[processOf(snapshot, snapshot.contexts[chunk->contexts()[i]])];
                if (text.find("fib") == std::string::npos)
                    continue;
                ++process.samples;
                const bool isNamed = inOrder.match(QString::fromStdString(text)).hasMatch();
                process.named += isNamed ? 1 : 0;
                process.complete += isNamed && text.find("[stack") == std::string::npos ? 1 : 0;
            }
    return seen;
}

} // namespace

/// A whole machine that runs programs of many kinds at once: the functions of each have names, and its stacks
/// are complete. What is not installed is left out, and said.
class TestRuntimes : public QObject {
    Q_OBJECT

    QTemporaryDir m_directory;
    std::map<std::string, std::unique_ptr<QProcess>> m_running;
    std::map<std::int64_t, Seen> m_seen;

    void start(const std::string &name, const QString &program, const QStringList &arguments)
    {
        auto process = std::make_unique<QProcess>();
        process->setWorkingDirectory(m_directory.path()); // Node leaves files there
        process->start(program, arguments);
        QVERIFY(process->waitForStarted(kPatienceMs));
        m_running.emplace(name, std::move(process));
    }

    /// Java's compiler tells what it made only when it is asked to; so it is to make it once and for all.
    void askForJavasNames()
    {
        const QString process = QString::number(m_running.at("Java")->processId());
        const QString map = "/tmp/perf-" + process + ".map";
        while (m_running.at("Java")->state() == QProcess::Running) {
            QFile file(map);
            if (!runs("jcmd", {process, "Compiler.perfmap"}) || !file.open(QIODevice::ReadOnly))
                continue;
            const QByteArray names = file.readAll();
            if (names.contains("Fib.fib") && names.contains("Fib.work"))
                return;
        }
    }

    void startAll()
    {
        start("C++", QString(KNOWN_PROGRAMS) + "/fib-cpp", {});
        const QString rust = m_directory.filePath("fib-rust");
        if (isInstalled("rustc") && runs("rustc", {"-O", "-o", rust, source("fib.rs")}))
            start("Rust", rust, {});
        const QString go = m_directory.filePath("fib-go");
        if (isInstalled("go") && runs("go", {"build", "-ldflags=-s -w", "-o", go, source("fib.go")}))
            start("Go", go, {});
        if (runs("python3", {"-c", "import sys; sys.exit(not (3, 6) <= sys.version_info[:2] <= (3, 14))"}))
            start("Python", "python3", {source("fib.py")});
        if (isInstalled("node"))
            start("Node", "node",
                  {"--perf-basic-prof", "--interpreted-frames-native-stack", source("fib.js")});
        if (isInstalled("javac") && isInstalled("jcmd") &&
            runs("javac", {"-d", m_directory.path(), source("Fib.java")})) {
            start("Java", "java",
                  {"-XX:+PreserveFramePointer", "-XX:TieredStopAtLevel=1", "-cp", m_directory.path(), "Fib"});
            askForJavasNames();
        }
    }

    bool hasSeenAll()
    {
        return std::ranges::all_of(m_running, [this](const auto &running) {
            return m_seen[running.second->processId()].complete >= kEnoughSamples;
        });
    }

    void recordMachine(int seconds)
    {
        const QString output = m_directory.filePath("machine.otlp");
        QProcess hearth;
        hearth.start(HEARTH_PROGRAM,
                     {"record", "-a", "-F", "500", "--for", QString("%1s").arg(seconds), "-o", output});
        QVERIFY(hearth.waitForFinished(kPatienceMs));
        QVERIFY2(hearth.exitCode() == 0, hearth.readAllStandardError().constData());
        QVERIFY(hearth.readAllStandardOutput().contains("fib"));
        Store store;
        store.append(readProfile(output.toStdString()).value());
        m_seen = seenIn(*store.publish());
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
        startAll();
        // An agent that shares its machine with much else needs longer until it knows all these programs.
        for (int seconds = 10; seconds <= 80 && !hasSeenAll(); seconds *= 2)
            recordMachine(seconds);
    }

    void itsFunctionsHaveNamesAndItsStacksAreComplete_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"C++", "Rust", "Go", "Python", "Node", "Java"})
            QTest::newRow(name) << name;
    }

    void itsFunctionsHaveNamesAndItsStacksAreComplete()
    {
        QFETCH(QString, name);
        const auto running = m_running.find(name.toStdString());
        if (running == m_running.end())
            QSKIP("it is not installed here");
        QVERIFY(running->second->state() == QProcess::Running);
        const Seen seen = m_seen[running->second->processId()];
        const QString counts =
            QString("%1 samples, %2 named, %3 complete").arg(seen.samples).arg(seen.named).arg(seen.complete);
        qInfo("%s", qPrintable(counts));
        // Which share of all they are is for benchmarks to say: it depends on what else the machine does.
        QVERIFY2(seen.complete >= kEnoughSamples, qPrintable(counts));
    }

    void cleanupTestCase()
    {
        for (auto &[name, process] : m_running) {
            const QString map = "/tmp/perf-" + QString::number(process->processId()) + ".map";
            process->kill();
            process->waitForFinished(kPatienceMs);
            QFile::remove(map);
        }
    }
};

QTEST_GUILESS_MAIN(TestRuntimes)
#include "tst_runtimes.moc"
