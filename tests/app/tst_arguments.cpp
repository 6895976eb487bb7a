#include "app/cli/arguments.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "model/views/short_name.h"

#include <QTest>

#include <array>

using namespace hearth;
using namespace hearth::cli;

namespace {

constexpr std::array kOptions{Option{.name = "show-from", .value = "RE", .sameAs = "from"},
                              Option{.name = "from", .value = "RE"}, Option{.name = "json"},
                              Option{.name = "output", .value = "OUT", .letter = 'o'}};

Result<Arguments> parse(const std::vector<std::string> &words)
{
    return Arguments::parse(words, kOptions);
}

} // namespace

class TestArguments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void optionsAndFilesMayBeMixed()
    {
        const auto arguments = parse({"a", "--json", "b", "--from=x=y", "-o", "out", "--", "--json"}).value();
        QCOMPARE(arguments.files(), (std::vector<std::string>{"a", "b", "--json"}));
        QVERIFY(arguments.has("json"));
        QCOMPARE(*arguments.value("from"), std::string("x=y"));
        QCOMPARE(*arguments.value("output"), std::string("out"));
    }
    void otherSpellingsMeanTheSame()
    {
        for (const std::string word : {"--show-from=x", "--show_from=x", "-show_from=x", "--from=x"})
            QCOMPARE(*parse({word}).value().value("from"), std::string("x"));
    }
    void wrongUseIsNamed()
    {
        QCOMPARE(parse({"--nonsense"}).error().message, std::string("unknown option --nonsense"));
        QVERIFY(!parse({"--from"}));
        QVERIFY(!parse({"--json=yes"}));
    }
    void aDashAloneIsAFile() { QCOMPARE(parse({"-"}).value().files(), std::vector<std::string>{"-"}); }
    void jsonEscapesWhatItMust()
    {
        Json json;
        json.beginObject()
            .key("a\"b")
            .text("x\n\xff\xc3\xa9")
            .key("n")
            .number(-1)
            .key("l")
            .beginArray()
            .count(1)
            .count(2);
        json.endArray().endObject();
        QCOMPARE(QByteArray::fromStdString(json.str()),
                 QByteArray("{\"a\\\"b\":\"x\\u000a\\u00ff\xc3\xa9\",\"n\":-1,\"l\":[1,2]}"));
    }
    void namesAreShortenedFromTheLeastTelling()
    {
        const std::string name = "ns::Map<std::string, int>::find(std::string const&) const";
        const auto within = [&](std::size_t width) {
            return shortName(name, [width](std::string_view text) { return text.size() <= width; });
        };
        QCOMPARE(within(100), name);
        QCOMPARE(within(40), std::string("ns::Map<std::string, int>::find"));
        QCOMPARE(within(15), std::string("ns::Map::find"));
        QCOMPARE(within(9), std::string("Map::find"));
        QCOMPARE(within(4), std::string("find"));
    }
    void goNamesKeepTheirReceivers()
    {
        QCOMPARE(shortName("github.com/a/b.(*T).M", [](std::string_view t) { return t.size() < 16; }),
                 std::string("a/b.(*T).M"));
    }
    void longTextsAreCutInTheMiddleByColumns()
    {
        QCOMPARE(QByteArray::fromStdString(elided("abcdefghij", 7)), QByteArray("ab…ghij"));
        QCOMPARE(columnsOf("a\u00e9\u65e5"), std::size_t(4));
        QCOMPARE(QByteArray::fromStdString(printable("a\x1b[31mb")), QByteArray("a\ufffd[31mb"));
    }
};

QTEST_GUILESS_MAIN(TestArguments)
#include "tst_arguments.moc"
