#include "ingest/formats/format.h"
#include "ingest/symbols/symbolizer.h"
#include "model/store/store.h"
#include "tests/support/profile_text.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

// Profilers that are installed profile a program here and now; what Hearth reads of their files is compared
// with what their own tools say of the same files, function by function.

using namespace hearth;

namespace {

/// What functions weigh themselves.
using Weights = std::map<std::string, std::int64_t>;

/// Where they differ: "main: 3 instead of 4".
QString differences(const Weights &actual, const Weights &expected)
{
    Weights names = actual;
    names.insert(expected.begin(), expected.end());
    const auto in = [](const Weights &weights, const std::string &name) {
        const auto found = weights.find(name);
        return found == weights.end() ? 0 : found->second;
    };
    QStringList lines;
    for (const auto &[name, weight] : names)
        if (in(actual, name) != in(expected, name))
            lines += QStringLiteral("%1: %2 instead of %3")
                         .arg(QString::fromStdString(name))
                         .arg(in(actual, name))
                         .arg(in(expected, name));
    return lines.join('\n');
}

#define COMPARE_WEIGHTS(actual, expected)                                                                    \
    QCOMPARE(differences(actual, expected), QString());                                                      \
    QVERIFY(!(expected).empty())

struct Finished {
    bool isGood = false;
    QByteArray out;
    QByteArray err;
};

class Folder {
public:
    QString path(const QString &name) const { return m_folder.filePath(name); }

    Finished run(const QString &program, const QStringList &arguments,
                 const QStringList &environment = {}) const
    {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.setEnvironment(QProcess::systemEnvironment() + environment);
        process.start(program, arguments);
        const bool isEnded = process.waitForFinished(120'000);
        return {isEnded && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
                process.readAllStandardOutput(), process.readAllStandardError()};
    }

private:
    QTemporaryDir m_folder;
};

bool isInstalled(const char *program)
{
    return !QStandardPaths::findExecutable(QString::fromLatin1(program)).isEmpty();
}

#define NEEDS(program)                                                                                       \
    if (!isInstalled(program))                                                                               \
    QSKIP(program " is not installed")

std::shared_ptr<const Snapshot> opened(const QString &path)
{
    Result<Batch> batch = readProfile(path.toStdString());
    if (!batch)
        throw std::runtime_error(batch.error().message);
    Store store;
    store.append(std::move(*batch));
    const auto snapshot = store.publish();
    Symbolizer(SearchPlaces{})
        .resolve(*snapshot, {.take = [&](const SymbolUpdate &update) { store.apply(update); }}, {});
    return store.publish();
}

/// By name; those that weigh nothing themselves are left out.
Weights selfWeights(const std::shared_ptr<const Snapshot> &snapshot, const std::string &lens = {})
{
    Weights weights;
    for (const QString &line :
         QString::fromStdString(test::top(snapshot, lens)).split('\n', Qt::SkipEmptyParts)) {
        const qsizetype total = line.lastIndexOf(' ');
        const qsizetype self = line.lastIndexOf(' ', total - 1);
        if (const std::int64_t weight = line.mid(self + 1, total - self - 1).toLongLong(); weight != 0)
            weights[line.left(self).toStdString()] += weight;
    }
    return weights;
}

/// Of these functions alone: libraries have several names for a place.
Weights only(const Weights &weights, const std::vector<std::string> &names)
{
    Weights some;
    for (const std::string &name : names)
        if (const auto found = weights.find(name); found != weights.end())
            some.insert(*found);
    return some;
}

const std::vector<std::string> kNative{"spin", "light", "heavy", "allocates", "forgets", "main"};

QString workload()
{
    return QStringLiteral(WORKLOAD);
}

QString source(const char *name)
{
    return QStringLiteral(WORKLOAD_SOURCES "/") + QString::fromLatin1(name);
}

QJsonObject jsonOf(const QByteArray &text)
{
    return QJsonDocument::fromJson(text).object();
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// ---- what their own tools say

/// Samples by their stacks of the workload's own functions, "main;heavy;spin", as `perf script` prints them:
/// a frame a line and a blank one behind each stack, or without stacks a sample a line.
Weights perfScriptStacks(const QByteArray &text)
{
    Weights stacks;
    const QString end = text.contains("\n\n") ? QStringLiteral("\n\n") : QStringLiteral("\n");
    for (const QString &sample : QString::fromUtf8(text).split(end, Qt::SkipEmptyParts)) {
        QStringList names;
        for (const QString &line : sample.split('\n', Qt::SkipEmptyParts))
            if (const QStringList words = line.simplified().split(' ');
                words.size() >= 3 && words.last().contains(QStringLiteral("workload")))
                names.prepend(words[1]);
        names.removeAll(QStringLiteral("_start"));
        if (!names.isEmpty())
            ++stacks[names.join(';').toStdString()];
    }
    return stacks;
}

/// The same of a call tree's text, "name total self" a line, indented by depth.
Weights treeStacks(const std::string &tree)
{
    Weights stacks;
    QStringList path;
    for (const QString &line : QString::fromStdString(tree).split('\n', Qt::SkipEmptyParts)) {
        const qsizetype depth = (line.size() - QStringView(line).trimmed().size()) / 2;
        const QStringList words = line.simplified().split(' ');
        path.resize(depth);
        path += words[0];
        if (const std::int64_t self = words.last().toLongLong(); self != 0)
            stacks[path.join(';').toStdString()] += self;
    }
    return stacks;
}

/// "  1,234 (5.6%)  file.c:function [object]"
Weights annotatedFunctions(const QByteArray &text)
{
    static const QRegularExpression kLine(
        QStringLiteral("^\\s*([\\d,]+) \\(\\s*[\\d.]+%\\)\\s+.*:([A-Za-z_]\\w*)(?: \\[|$)"),
        QRegularExpression::MultilineOption);
    Weights weights;
    for (auto each = kLine.globalMatch(QString::fromUtf8(text)); each.hasNext();) {
        const auto match = each.next();
        weights[match.captured(2).toStdString()] += match.captured(1).remove(',').toLongLong();
    }
    return weights;
}

/// "main (workload.c);allocates (workload.c); 12": the innermost function has the weight.
Weights foldedFunctions(const QByteArray &text)
{
    Weights weights;
    for (const QString &line : QString::fromUtf8(text).split('\n', Qt::SkipEmptyParts)) {
        const qsizetype end = line.lastIndexOf(QStringLiteral("; "));
        const QString name = line.left(end).section(';', -1).section(' ', 0, 0);
        if (const std::int64_t weight = line.mid(end + 2).toLongLong(); weight != 0)
            weights[name.toStdString()] += weight;
    }
    return weights;
}

/// "  flat flat% sum% cum cum% name", in units of one.
Weights pprofFunctions(const QByteArray &text)
{
    static const QRegularExpression kLine(
        QStringLiteral("^\\s*(\\d+)\\S*\\s+[\\d.]+%\\s+[\\d.]+%\\s+\\S+\\s+[\\d.]+%\\s+(.+)$"),
        QRegularExpression::MultilineOption);
    Weights weights;
    for (auto each = kLine.globalMatch(QString::fromUtf8(text)); each.hasNext();)
        if (const auto match = each.next(); match.captured(1) != QStringLiteral("0"))
            weights[match.captured(2).toStdString()] += match.captured(1).toLongLong();
    return weights;
}

/// Samples of a .cpuprofile by the function that ran.
Weights cpuProfileFunctions(const QJsonObject &profile)
{
    std::map<int, std::string> names;
    for (const QJsonValue &node : profile[u"nodes"].toArray()) {
        const QString name = node[u"callFrame"][u"functionName"].toString();
        names[node[u"id"].toInt()] = name.isEmpty() ? "(anonymous)" : name.toStdString();
    }
    Weights weights;
    for (const QJsonValue &sample : profile[u"samples"].toArray())
        ++weights[names[sample.toInt()]];
    return weights;
}

void addHeapNodes(const QJsonValue &node, Weights &weights)
{
    const QString name = node[u"callFrame"][u"functionName"].toString();
    if (const std::int64_t size = std::llround(node[u"selfSize"].toDouble()); size != 0)
        weights[name.isEmpty() ? "(anonymous)" : name.toStdString()] += size;
    for (const QJsonValue &child : node[u"children"].toArray())
        addHeapNodes(child, weights);
}

/// Events of `jfr print --json` by the method on top of their stacks.
Weights flightRecorderMethods(const QJsonObject &printed, const QStringList &types)
{
    Weights weights;
    for (const QJsonValue &event : printed[u"recording"][u"events"].toArray()) {
        if (!types.contains(event[u"type"].toString()))
            continue;
        const QJsonValue method = event[u"values"][u"stackTrace"][u"frames"][0][u"method"];
        ++weights[(method[u"type"][u"name"].toString().replace('/', '.') + '.' + method[u"name"].toString())
                      .toStdString()];
    }
    return weights;
}

} // namespace

class TestProfilers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void perf_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addRow("functions alone") << QStringList();
        QTest::addRow("copies of stacks")
            << QStringList{QStringLiteral("--call-graph"), QStringLiteral("dwarf")};
        QTest::addRow("copies of stacks, compressed")
            << QStringList{QStringLiteral("--call-graph"), QStringLiteral("dwarf"), QStringLiteral("-z")};
    }
    void perf()
    {
        NEEDS("perf");
        QFETCH(QStringList, options);
        const Folder folder;
        // Of another kernel's perf, what writes build ids may break down.
        const QStringList record =
            QStringList{QStringLiteral("record"), QStringLiteral("-B"),          QStringLiteral("-N"),
                        QStringLiteral("-e"),     QStringLiteral("cpu-clock:u"), QStringLiteral("-F"),
                        QStringLiteral("499")} +
            options +
            QStringList{QStringLiteral("-o"), folder.path(QStringLiteral("perf.data")), workload(),
                        QStringLiteral("40")};
        if (const Finished made = folder.run(QStringLiteral("perf"), record); !made.isGood)
            QSKIP(qPrintable(QStringLiteral("perf cannot record here: ") + QString::fromUtf8(made.err)));
        const Finished script = folder.run(QStringLiteral("perf"),
                                           {QStringLiteral("script"), QStringLiteral("--no-inline"),
                                            QStringLiteral("-F"), QStringLiteral("ip,sym,dso"),
                                            QStringLiteral("-i"), folder.path(QStringLiteral("perf.data"))});
        QVERIFY2(script.isGood, script.err.constData());
        const auto snapshot = opened(folder.path(QStringLiteral("perf.data")));
        COMPARE_WEIGHTS(
            treeStacks(test::tree(
                snapshot, "series:rows:cpu-clock:u show:^(main|spin|light|heavy|allocates|forgets)$")),
            perfScriptStacks(script.out));
    }

    void perfScript()
    {
        NEEDS("perf");
        const Folder folder;
        const QString data = folder.path(QStringLiteral("perf.data"));
        if (const Finished made =
                folder.run(QStringLiteral("perf"),
                           {QStringLiteral("record"), QStringLiteral("-B"), QStringLiteral("-N"),
                            QStringLiteral("-e"), QStringLiteral("cpu-clock:u"), QStringLiteral("-g"),
                            QStringLiteral("-o"), data, workload(), QStringLiteral("40")});
            !made.isGood)
            QSKIP(qPrintable(QStringLiteral("perf cannot record here: ") + QString::fromUtf8(made.err)));
        const Finished script =
            folder.run(QStringLiteral("perf"), {QStringLiteral("script"), QStringLiteral("-i"), data});
        QFile text(folder.path(QStringLiteral("perf.txt")));
        QVERIFY(text.open(QIODevice::WriteOnly) && text.write(script.out) == script.out.size());
        text.close();
        const Weights fromText =
            only(selfWeights(opened(text.fileName()), "series:rows:cpu-clock:u"), kNative);
        COMPARE_WEIGHTS(fromText, only(selfWeights(opened(data), "series:rows:cpu-clock:u"), kNative));
    }

    void callgrind()
    {
        NEEDS("valgrind");
        const Folder folder;
        const QString out = folder.path(QStringLiteral("callgrind.out"));
        const Finished made =
            folder.run(QStringLiteral("valgrind"),
                       {QStringLiteral("--tool=callgrind"), QStringLiteral("--callgrind-out-file=") + out,
                        workload(), QStringLiteral("2")});
        QVERIFY2(made.isGood, made.err.constData());
        const Finished annotated =
            folder.run(QStringLiteral("callgrind_annotate"), {QStringLiteral("--threshold=100"), out});
        QVERIFY2(annotated.isGood, annotated.err.constData());
        COMPARE_WEIGHTS(only(selfWeights(opened(out), "series:Ir"), kNative),
                        only(annotatedFunctions(annotated.out), kNative));
    }

    void heaptrack_data()
    {
        QTest::addColumn<QString>("cost");
        for (const char *cost : {"allocations", "temporary", "leaked", "peak"})
            QTest::addRow("%s", cost) << QString::fromLatin1(cost);
    }
    void heaptrack()
    {
        NEEDS("heaptrack");
        QFETCH(QString, cost);
        const Folder folder;
        const Finished made = folder.run(
            QStringLiteral("heaptrack"),
            {QStringLiteral("-o"), folder.path(QStringLiteral("heap")), workload(), QStringLiteral("3")});
        QVERIFY2(made.isGood, made.err.constData());
        const QStringList files = QDir(folder.path({})).entryList({QStringLiteral("heap*")});
        QCOMPARE(files.size(), 1);
        const QString folded = folder.path(QStringLiteral("folded.txt"));
        const Finished printed =
            folder.run(QStringLiteral("heaptrack_print"), {files[0], QStringLiteral("-F"), folded,
                                                           QStringLiteral("--flamegraph-cost-type"), cost});
        QVERIFY2(printed.isGood, printed.err.constData());
        const Weights expected = only(foldedFunctions(contentOf(folded)), kNative);
        const Weights actual =
            only(selfWeights(opened(folder.path(files[0])), "series:" + cost.toStdString()), kNative);
        QCOMPARE(differences(actual, expected), QString());
    }

    void gperftools()
    {
        NEEDS("google-pprof");
        const Folder folder;
        const QString preload = QStringLiteral("LD_PRELOAD=libprofiler.so.0");
        const QString file = folder.path(QStringLiteral("cpu.prof"));
        const Finished made =
            folder.run(workload(), {QStringLiteral("60")}, {preload, QStringLiteral("CPUPROFILE=") + file});
        if (!made.isGood || !QFile::exists(file))
            QSKIP("gperftools' libprofiler is not installed");
        const Finished listed =
            folder.run(QStringLiteral("google-pprof"), {QStringLiteral("--text"), workload(), file});
        QVERIFY2(listed.isGood, listed.err.constData());
        COMPARE_WEIGHTS(only(selfWeights(opened(file), "series:samples"), kNative),
                        only(pprofFunctions(listed.out), kNative));
    }

    void nodeCpuProfile()
    {
        NEEDS("node");
        const Folder folder;
        const Finished made = folder.run(
            QStringLiteral("node"), {QStringLiteral("--cpu-prof"),
                                     QStringLiteral("--cpu-prof-name=n.cpuprofile"), source("workload.js")});
        if (!made.isGood)
            QSKIP("this node has no --cpu-prof");
        const QString file = folder.path(QStringLiteral("n.cpuprofile"));
        COMPARE_WEIGHTS(selfWeights(opened(file), "series:samples"),
                        cpuProfileFunctions(jsonOf(contentOf(file))));
    }

    void nodeHeapProfile()
    {
        NEEDS("node");
        const Folder folder;
        const Finished made =
            folder.run(QStringLiteral("node"),
                       {QStringLiteral("--heap-prof"), QStringLiteral("--heap-prof-interval=4096"),
                        QStringLiteral("--heap-prof-name=n.heapprofile"), source("workload.js")});
        if (!made.isGood)
            QSKIP("this node has no --heap-prof");
        const QString file = folder.path(QStringLiteral("n.heapprofile"));
        Weights expected;
        addHeapNodes(jsonOf(contentOf(file))[u"head"], expected);
        COMPARE_WEIGHTS(selfWeights(opened(file)), expected);
    }

    void flightRecorder()
    {
        NEEDS("javac");
        NEEDS("jfr");
        const Folder folder;
        QVERIFY(folder
                    .run(QStringLiteral("javac"),
                         {QStringLiteral("-d"), QStringLiteral("."), source("Workload.java")})
                    .isGood);
        const QString file = folder.path(QStringLiteral("w.jfr"));
        const Finished made =
            folder.run(QStringLiteral("java"),
                       {QStringLiteral("-XX:StartFlightRecording=settings=profile,filename=") + file,
                        QStringLiteral("Workload")});
        if (!made.isGood || !QFile::exists(file))
            QSKIP("this java cannot record");
        const QStringList types{QStringLiteral("jdk.ExecutionSample"),
                                QStringLiteral("jdk.NativeMethodSample")};
        const Finished printed =
            folder.run(QStringLiteral("jfr"), {QStringLiteral("print"), QStringLiteral("--json"),
                                               QStringLiteral("--events"), types.join(','), file});
        QVERIFY2(printed.isGood, printed.err.constData());
        COMPARE_WEIGHTS(selfWeights(opened(file), "series:samples"),
                        flightRecorderMethods(jsonOf(printed.out), types));
    }

    void goHeap()
    {
        NEEDS("go");
        const Folder folder;
        const QStringList environment{QStringLiteral("GOCACHE=" WORKLOAD "-go-cache")};
        const Finished built = folder.run(QStringLiteral("go"),
                                          {QStringLiteral("build"), QStringLiteral("-o"),
                                           folder.path(QStringLiteral("workload")), source("workload.go")},
                                          environment);
        if (!built.isGood)
            QSKIP("go cannot build here");
        QVERIFY(folder.run(folder.path(QStringLiteral("workload")), {folder.path({})}).isGood);
        const QString file = folder.path(QStringLiteral("heap.txt"));
        const Finished listed =
            folder.run(QStringLiteral("go"),
                       {QStringLiteral("tool"), QStringLiteral("pprof"), QStringLiteral("-top"),
                        QStringLiteral("-nodefraction=0"), QStringLiteral("-sample_index=inuse_objects"),
                        folder.path(QStringLiteral("workload")), file},
                       environment);
        QVERIFY2(listed.isGood, listed.err.constData());
        COMPARE_WEIGHTS(selfWeights(opened(file), "series:inuse_objects"), pprofFunctions(listed.out));
    }
};

QTEST_GUILESS_MAIN(TestProfilers)
#include "tst_profilers.moc"
