#include "model/lens/matcher.h"
#include "model/lens/utf8.h"

#include <QTest>

#include <rapidcheck.h>

#include <string>
#include <thread>
#include <vector>

using namespace hearth;
using namespace std::string_literals;

class MatcherTest : public QObject {
    Q_OBJECT

    static bool finds(std::string_view expression, std::string_view text)
    {
        const auto matcher = Matcher::regex(expression);
        return matcher && matcher->matches(text);
    }

private Q_SLOTS:
    void emptyMatcherMatchesEverything()
    {
        QVERIFY(Matcher().matches(""));
        QVERIFY(Matcher().matches("anything"));
    }

    void expressionIsFoundAnywhere()
    {
        QVERIFY(finds("alloc", "runtime.mallocgc"));
        QVERIFY(!finds("^alloc", "runtime.mallocgc"));
        QVERIFY(!finds("ALLOC", "runtime.mallocgc"));
        QVERIFY(finds("(?i)ALLOC", "runtime.mallocgc"));
        QVERIFY(finds("", ""));
    }

    void syntaxIsThatOfGo()
    {
        QVERIFY(finds(R"(\bmain\.\(\*T\)\.run$)", "main.(*T).run"));
        QVERIFY(finds(R"(\Qa.b\E)", "a.b"));
        QVERIFY(finds(R"(^\pL+$)", "\u00e4\u03c9"));
        QVERIFY(finds(R"((?P<name>x)y)", "xy"));
        QVERIFY(finds(R"((?s)a.b)", "a\nb"));
        QVERIFY(!finds("a.b", "a\nb"));
        QVERIFY(!finds("a$", "a\n"));
        QVERIFY(finds("(?m)a$", "a\nb"));
        QVERIFY(finds("[[:alpha:]]{3}", "abc"));
    }

    void badExpressionsSayWhatIsWrong()
    {
        QCOMPARE(Matcher::regex("a(b").error().message, "missing ): a(b"s);
        QVERIFY(Matcher::regex("a(?=b)").error().message.starts_with("invalid perl operator"));
        QVERIFY(!Matcher::regex(R"((a)\1)"));
        QVERIFY(!Matcher::regex("a{1001}"));
        QVERIFY(!Matcher::regex("\xff"));
        QVERIFY(!Matcher::regex("*"));
    }

    void byteThatIsNoUtf8CountsAsOneCharacter()
    {
        QVERIFY(finds("^a.b$", "a\xff"s + "b"));
        QVERIFY(finds("^a..b$", "a\xe2\x82"s + "b")); // a sequence cut short is two of them
        QVERIFY(finds("^a[^x]b$", "a\xff"s + "b"));
        QVERIFY(finds(R"(a\x{FFFD}b)", "a\xff"s + "b"));
        QVERIFY(!finds("^ab$", "a\xff"s + "b"));
        QVERIFY(finds("b$", "\xff\xff b"s));
    }

    void zeroBytesAreCharacters()
    {
        QVERIFY(finds("^a.b$", "a\0b"s));
        QVERIFY(Matcher::literal("\0b"s).matches("a\0b"s));
    }

    void evilExpressionsTakeLinearTime()
    {
        QVERIFY(!finds("^(a+)+$", std::string(100'000, 'a') + 'b'));
        QVERIFY(!finds("(x+x+)+y", std::string(100'000, 'x')));
    }

    void literalIgnoresCaseWhereverItIs()
    {
        const Matcher matcher = Matcher::literal("Json::Parse");
        QVERIFY(matcher.matches("nlohmann::json::parse<char>"));
        QVERIFY(matcher.matches("JSON::PARSE"));
        QVERIFY(!matcher.matches("json:parse"));
        QVERIFY(!matcher.matches(""));
        QVERIFY(!matcher.matches("json::pars"));
    }

    void literalTakesNoCharacterForAnOperator()
    {
        QVERIFY(Matcher::literal("operator+").matches("a::operator++"));
        QVERIFY(!Matcher::literal("a.b").matches("axb"));
        QVERIFY(Matcher::literal("(*T)").matches("main.(*t).run"));
    }

    void emptyLiteralIsInEverything()
    {
        QVERIFY(Matcher::literal("").matches(""));
        QVERIFY(Matcher::literal("").matches("x"));
    }

    void literalKnowsTheCaseOfOtherScripts()
    {
        QVERIFY(Matcher::literal("\u00c4nderung").matches("die_\u00e4nderung"));
        QVERIFY(Matcher::literal("\u03c9").matches("\u03a9"));
        QVERIFY(!Matcher::literal("\u00e4").matches("a"));
    }

    void literalThatIsNoUtf8IsFoundAsBytes()
    {
        QVERIFY(Matcher::literal("A\xff"s).matches("xa\xffy"s));
        QVERIFY(!Matcher::literal("A\xff"s).matches("xa\xfey"s));
    }

    void wordIsTheWholeText()
    {
        QVERIFY(Matcher::word("Kernel").matches("kernel"));
        QVERIFY(!Matcher::word("kern").matches("kernel"));
        QVERIFY(!Matcher::word("kernel").matches("kern"));
        QVERIFY(Matcher::word("").matches(""));
    }

    void escapedTextFindsItselfAndOnlyThat()
    {
        QCOMPARE(escapeRegex("main.(*T).run"), R"(main\.\(\*T\)\.run)"s);
        QVERIFY(rc::check("escaped text matches the whole of itself", [](const std::string &bytes) {
            const std::string text = repairUtf8(bytes);
            RC_ASSERT(finds("^(?s:" + escapeRegex(text) + ")$", text));
            RC_ASSERT(!finds("^(?s:" + escapeRegex(text) + ")$", text + "x"));
        }));
    }

    void literalFindsWhatIsThere()
    {
        QVERIFY(rc::check("a part of a text is found in it",
                          [](const std::string &a, const std::string &b, const std::string &c) {
                              RC_ASSERT(Matcher::literal(b).matches(a + b + c));
                          }));
    }

    void literalAgreesWithTheExpression()
    {
        QVERIFY(rc::check("literal(t) is (?i) of t for ASCII", [] {
            const auto letters = rc::gen::container<std::string>(rc::gen::elementOf("abAB.("s));
            const std::string words = *letters;
            const std::string text = *letters;
            RC_ASSERT(Matcher::literal(words).matches(text) == finds("(?i)" + escapeRegex(words), text));
        }));
    }

    void manyThreadsMayAskOneMatcher()
    {
        const Matcher matcher = *Matcher::regex("(a|b)*c[0-9]+$");
        std::vector<int> found(4);
        {
            std::vector<std::jthread> threads;
            for (int &count : found)
                threads.emplace_back([&count, copy = matcher] {
                    for (int i = 0; i < 2000; ++i)
                        count += copy.matches("xxababc" + std::to_string(i)) ? 1 : 0;
                });
        }
        QCOMPARE(found, std::vector<int>(4, 2000));
    }

    void repairedTextIsUtf8AndKeepsWhatWas()
    {
        QVERIFY(rc::check("repairUtf8", [](const std::string &bytes) {
            const std::string repaired = repairUtf8(bytes);
            RC_ASSERT(isUtf8(repaired));
            RC_ASSERT(countCodePoints(repaired) == countCodePoints(bytes));
            RC_ASSERT(!isUtf8(bytes) || repaired == bytes);
        }));
    }

    void utf8HasNoOverlongFormsAndNoSurrogates()
    {
        QVERIFY(!isUtf8("\xc0\x80"s));
        QVERIFY(!isUtf8("\xe0\x80\x80"s));
        QVERIFY(!isUtf8("\xed\xa0\x80"s));
        QVERIFY(!isUtf8("\xf4\x90\x80\x80"s));
        QVERIFY(isUtf8("\xf4\x8f\xbf\xbf"s));
        QVERIFY(isUtf8("ASCII of more than eight bytes, then \u20ac"));
    }
};

QTEST_GUILESS_MAIN(MatcherTest)
#include "tst_matcher.moc"
