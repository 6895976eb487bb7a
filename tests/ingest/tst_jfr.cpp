#include "tests/support/files.h"
#include "tests/support/profile_text.h"

#include <QTest>

#include <map>
#include <string>
#include <vector>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

std::string number(std::uint64_t value)
{
    std::string bytes;
    for (int byte = 0; byte < 8 && value >= 0x80; ++byte, value >>= 7)
        bytes += static_cast<char>(value | 0x80);
    return bytes + static_cast<char>(value);
}

std::string bigEndian(std::uint64_t value, std::size_t size)
{
    std::string bytes;
    for (std::size_t byte = size; byte-- > 0;)
        bytes += static_cast<char>(value >> (8 * byte));
    return bytes;
}

std::string utf8(const std::string &text)
{
    return '\3' + number(text.size()) + text;
}

std::string eventOf(std::uint64_t type, const std::string &body)
{
    const std::string rest = number(type) + body;
    return number(rest.size() + 1) + rest; // sizes below 128 here, but for metadata and pools
}

std::string largeEventOf(std::uint64_t type, const std::string &body)
{
    const std::string rest = number(type) + body;
    return number(rest.size() + 2) + rest; // of two bytes
}

/// Types that a chunk describes, by number.
enum Type : std::uint64_t {
    Long = 20,
    Int,
    Boolean,
    Text,
    Thread,
    Class,
    Symbol,
    Method,
    FrameType,
    StackFrame,
    StackTrace,
    Execution,
    Allocation,
    Enter,
    Load,
    Real,
    Collection,
    Other
};

class MetadataText {
public:
    MetadataText &type(Type id, const std::string &name,
                       const std::vector<std::vector<std::string>> &fields = {})
    {
        std::string children;
        for (const std::vector<std::string> &field : fields) {
            std::string attributes = pair("name", field[0]) + pair("class", field[1]);
            for (std::size_t more = 2; more < field.size(); ++more)
                attributes += field[more] == "array" ? pair("dimension", "1") : pair("constantPool", "true");
            children += number(string("field")) + number(field.size()) + attributes + number(0);
        }
        m_classes += number(string("class")) + number(2) + pair("id", std::to_string(id)) +
                     pair("name", name) + number(fields.size()) + children;
        ++m_count;
        return *this;
    }
    std::string event() const
    {
        std::map<std::uint64_t, std::string> texts;
        for (const auto &[text, index] : m_strings)
            texts[index] = text;
        std::string body = number(0) + number(0) + number(1) + number(texts.size() + 2);
        for (const auto &[index, text] : texts)
            body += utf8(text);
        body += utf8("root") + utf8("metadata");
        const std::uint64_t root = texts.size();
        body +=
            number(root) + number(0) + number(1) + number(root + 1) + number(0) + number(m_count) + m_classes;
        return largeEventOf(0, body);
    }

private:
    std::uint64_t string(const std::string &text)
    {
        return m_strings.try_emplace(text, m_strings.size()).first->second;
    }
    std::string pair(const std::string &key, const std::string &value)
    {
        return number(string(key)) + number(string(value));
    }

    std::map<std::string, std::uint64_t> m_strings;
    std::string m_classes;
    std::uint64_t m_count = 0;
};

std::string metadata()
{
    const auto of = [](Type type) { return std::to_string(type); };
    MetadataText text;
    text.type(Long, "long")
        .type(Int, "int")
        .type(Boolean, "boolean")
        .type(Text, "java.lang.String")
        .type(Real, "float");
    text.type(Thread, "java.lang.Thread",
              {{"osName", of(Text)}, {"osThreadId", of(Long)}, {"javaName", of(Text)}});
    text.type(Symbol, "jdk.types.Symbol", {{"string", of(Text)}});
    text.type(Class, "java.lang.Class", {{"name", of(Symbol), "pool"}});
    text.type(Method, "jdk.types.Method", {{"type", of(Class), "pool"}, {"name", of(Symbol), "pool"}});
    text.type(FrameType, "jdk.types.FrameType", {{"description", of(Text)}});
    text.type(StackFrame, "jdk.types.StackFrame",
              {{"method", of(Method), "pool"}, {"lineNumber", of(Int)}, {"type", of(FrameType), "pool"}});
    text.type(StackTrace, "jdk.types.StackTrace",
              {{"truncated", of(Boolean)}, {"frames", of(StackFrame), "array"}});
    text.type(Execution, "jdk.ExecutionSample",
              {{"startTime", of(Long)},
               {"sampledThread", of(Thread), "pool"},
               {"stackTrace", of(StackTrace), "pool"}});
    text.type(Allocation, "jdk.ObjectAllocationSample",
              {{"startTime", of(Long)},
               {"eventThread", of(Thread), "pool"},
               {"stackTrace", of(StackTrace), "pool"},
               {"objectClass", of(Class), "pool"},
               {"weight", of(Long)}});
    text.type(Enter, "jdk.JavaMonitorEnter",
              {{"startTime", of(Long)},
               {"duration", of(Long)},
               {"eventThread", of(Thread), "pool"},
               {"stackTrace", of(StackTrace), "pool"}});
    text.type(Load, "jdk.CPULoad",
              {{"startTime", of(Long)}, {"jvmUser", of(Real)}, {"machineTotal", of(Real)}});
    text.type(Collection, "jdk.GarbageCollection",
              {{"startTime", of(Long)}, {"duration", of(Long)}, {"name", of(Text)}});
    text.type(Other, "my.Event", {{"startTime", of(Long)}});
    return text.event();
}

/// Thread 1 "worker"; classes 1 a/B; methods 1 run, 2 work, 3 inl; stack 1: inl in work, called by run.
std::string checkpoint()
{
    std::string pools;
    const auto pool = [&](Type type, const std::vector<std::string> &entries) {
        pools += number(type) + number(entries.size());
        for (const std::string &entry : entries)
            pools += entry;
    };
    pool(Text, {number(5) + utf8("from a pool")});
    pool(Thread, {number(1) + utf8("os-worker") + number(77) + utf8("worker")});
    pool(Symbol, {number(1) + utf8("a/B"), number(2) + utf8("run"), number(3) + utf8("work"),
                  number(4) + utf8("inl")});
    pool(Class, {number(1) + number(1)});
    pool(Method, {number(1) + number(1) + number(2), number(2) + number(1) + number(3),
                  number(3) + number(1) + number(4)});
    pool(FrameType,
         {number(0) + utf8("Interpreted"), number(1) + utf8("JIT compiled"), number(2) + utf8("Inlined")});
    pool(StackTrace, {number(1) + '\0' + number(3) + number(3) + number(30) + number(2) + number(2) +
                      number(20) + number(1) + number(1) + number(10) + number(0)});
    return largeEventOf(1, number(0) + number(0) + number(0) + '\1' + number(7) + pools);
}

/// 2 ticks a nanosecond, from tick 1000 on, which is second 5.
std::string chunk(const std::string &events)
{
    const std::string body = checkpoint() + events;
    const std::string types = metadata();
    const std::uint64_t size = 68 + body.size() + types.size();
    return "FLR" + std::string(1, '\0') + bigEndian(2, 2) + bigEndian(1, 2) + bigEndian(size, 8) +
           bigEndian(68, 8) + bigEndian(68 + body.size(), 8) + bigEndian(5'000'000'000, 8) + bigEndian(0, 8) +
           bigEndian(1000, 8) + bigEndian(2'000'000'000, 8) + bigEndian(3, 4) + body + types;
}

std::string someEvents()
{
    return eventOf(Execution, number(1200) + number(1) + number(1)) +
           eventOf(Execution, number(1400) + number(1) + number(1)) +
           eventOf(Allocation, number(1500) + number(1) + number(1) + number(1) + number(4096)) +
           eventOf(Enter, number(1600) + number(200) + number(1) + number(1)) +
           eventOf(Load, number(1700) + bigEndian(0x3f000000, 4) + bigEndian(0x3e800000, 4)) +
           eventOf(Collection, number(1800) + number(100) + '\2' + number(5)) + eventOf(Other, number(1900));
}

} // namespace

class TestJfr : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void samplesHaveStacksOfMethods()
    {
        const auto snapshot = test::openFile(chunk(someEvents()));
        COMPARE_TEXT(test::tree(snapshot, "series:samples"),
                     "a.B.run 2 0\n  a.B.work 2 0\n    a.B.inl 2 2\n");
        COMPARE_TEXT(test::tree(snapshot, "series:samples noinlines"), "a.B.run 2 0\n  a.B.work 2 2\n");
        COMPARE_TEXT(test::top(snapshot, "series:samples type:jit"),
                     "a.B.inl 2 2\na.B.run 0 2\na.B.work 0 2\n");
    }
    void aRecordingOpensWithItsSamplesWhateverComesFirst()
    {
        const std::string wait = eventOf(Enter, number(1100) + number(200) + number(1) + number(1));
        const auto snapshot = test::openFile(chunk(wait + someEvents()));
        COMPARE_TEXT(test::top(snapshot), test::top(snapshot, "series:samples").c_str());
    }
    void allocationsWeighBytesAndHaveAClass()
    {
        const auto snapshot = test::openFile(chunk(someEvents()));
        COMPARE_TEXT(test::top(snapshot, "series:allocated @class=a.B a.B.inl noinlines"),
                     "a.B.work 4096 4096\na.B.run 0 4096\n");
    }
    void locksWeighTheTimeTheyTook()
    {
        COMPARE_TEXT(test::top(test::openFile(chunk(someEvents())), "series:\"monitor enter\" noinlines"),
                     "a.B.work 100 100\na.B.run 0 100\n");
    }
    void threadsAndTimesAreThoseOfTheEvents()
    {
        const auto snapshot = test::openFile(chunk(someEvents()));
        COMPARE_TEXT(test::top(snapshot, "series:samples @thread=worker @thread.id=77 noinlines"),
                     "a.B.work 2 2\na.B.run 0 2\n");
        QCOMPARE(snapshot->tables[0].chunks[0]->earliest(), std::int64_t(5'000'000'100));
        QCOMPARE(snapshot->tables[0].chunks[0]->latest(), std::int64_t(5'000'000'200));
    }
    void collectionsAreSpansAndLoadsAreMetrics()
    {
        const auto snapshot = test::openFile(chunk(someEvents()));
        const Span &span = snapshot->spans.chunks[0]->rows[0];
        QCOMPARE(snapshot->text(span.name), std::string_view("GC from a pool"));
        QCOMPARE(span.endNs - span.startNs, std::uint64_t(50));
        QCOMPARE(snapshot->points.rows, std::uint64_t(2));
        QCOMPARE(snapshot->points.chunks[0]->rows[0].value.real(), 0.5);
    }
    void otherEventsAreCounted()
    {
        const auto batch = test::readFile(chunk(someEvents()));
        QCOMPARE(batch->losses.count(Loss::UnknownFields), std::uint64_t(1));
        COMPARE_TEXT(batch->losses.details().front(), "1 events are of kinds that Hearth does not show");
    }
    void chunksFollowOneAnother()
    {
        const auto snapshot = test::openFile(chunk(someEvents()) + chunk(someEvents()));
        COMPARE_TEXT(test::top(snapshot, "series:samples noinlines"), "a.B.work 4 4\na.B.run 0 4\n");
    }
    void aChunkCutOffLeavesThoseBeforeIt()
    {
        const std::string one = chunk(someEvents());
        const auto batch = test::readFile(one + one.substr(0, one.size() / 2));
        QCOMPARE(batch->losses.count(Loss::TruncatedInput), std::uint64_t(1));
        QVERIFY(batch->losses.details().back().find("is cut off; nothing of it was read") !=
                std::string::npos);
    }
    void whatIsCutOffOrDamagedLeavesTheRest()
    {
        const std::string one = chunk(someEvents());
        QVERIFY(test::readDamaged(kJfr, one + one) > one.size() / 2);
    }
};

QTEST_GUILESS_MAIN(TestJfr)
#include "tst_jfr.moc"
