#include "model/lens/lens_text.h"
#include "model/lens/matcher.h"
#include "model/lens/time_text.h"

#include <QTest>

#include <rapidcheck.h>

#include <limits>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

using namespace hearth;
using namespace std::string_literals;

namespace hearth {

// What rapidcheck and QCOMPARE show of a lens.
static std::ostream &operator<<(std::ostream &stream, const Lens &lens)
{
    return stream << printLens(lens);
}
static char *toString(const Lens &lens)
{
    return qstrdup(printLens(lens).c_str());
}

} // namespace hearth

namespace {

using PathKind = PathTermKind;

template <class Edit>
Lens edited(Edit edit)
{
    Lens lens;
    edit(lens);
    return lens;
}

Lens parsed(std::string_view text)
{
    auto lens = parseLens(text);
    if (!lens)
        qWarning("%s", pointAt(text, lens.error()).c_str());
    return lens ? *lens : edited([](Lens &wrong) { wrong.series = "(error)"; });
}

Lens withPath(PathTermKind kind, std::string text, bool isNegated = false)
{
    Lens lens;
    lens.paths.push_back({kind, std::move(text), isNegated});
    return lens;
}
Lens withFrame(FrameTermKind kind, std::string text)
{
    Lens lens;
    lens.frames.push_back({kind, std::move(text)});
    return lens;
}
Lens withTag(std::string text, bool isNegated = false)
{
    Lens lens;
    lens.tags.push_back({std::move(text), isNegated});
    return lens;
}
Lens withAttribute(AttributeTermKind kind, std::string key, std::string text, bool isNegated = false)
{
    Lens lens;
    lens.attributes.push_back({kind, std::move(key), std::move(text), isNegated});
    return lens;
}
Lens withSpan(SpanTermKind kind, std::string text, std::int64_t ns = 0, bool isNegated = false)
{
    Lens lens;
    lens.spans.push_back({kind, std::move(text), ns, isNegated});
    return lens;
}
Lens groupedBy(Granularity granularity, std::vector<std::string> keys)
{
    Lens lens;
    lens.granularity = granularity;
    lens.groupBy = std::move(keys);
    return lens;
}

std::string errorOf(std::string_view text)
{
    const auto lens = parseLens(text);
    return lens ? "(none)"s : std::to_string(lens.error().column) + ": " + lens.error().message;
}

std::string printedTime(std::string_view text)
{
    const auto time = parseTimeTerm(text);
    return time ? printTimeTerm(*time) : time.error().message;
}

/// Pieces that parsers stumble over, and arbitrary bytes.
rc::Gen<std::string> nastyText()
{
    const auto piece = rc::gen::elementOf(std::vector<std::string>{
        "\"",       "\\",     "\\\\",  "\\\"",      "\\u{",       "\\u{9}", "}",     " ",    "\t",
        "\n",       "\0"s,    "\x7f",  "/",         "/ ",         ":",      "::",    "=",    "==",
        "~",        ",",      "-",     "@",         "..",         "focus",  "error", "span", "noinlines",
        "inverted", "span~",  "span@", "duration>", "nochildren", "1",      "kb",    "a",    "Z",
        "\u00e4",   "\u20ac", "\xff",  "\xe2\x82",  "(",          "[",      "by:",   "line", "file"});
    const auto pieces = rc::gen::map(rc::gen::container<std::vector<std::string>>(piece),
                                     [](const std::vector<std::string> &parts) {
                                         std::string text;
                                         for (const std::string &part : parts)
                                             text += part;
                                         return text;
                                     });
    return rc::gen::oneOf(pieces, rc::gen::arbitrary<std::string>());
}

rc::Gen<std::string> someRegex()
{
    const auto anyText = rc::gen::suchThat(
        rc::gen::map(nastyText(), [](const std::string &text) { return escapeRegex(text); }),
        [](const std::string &text) { return Matcher::regex(text).has_value(); });
    const auto operators = rc::gen::element("a\\.b c"s, "^(x|y)+$"s, ".*/ .*"s, "\\d \\w"s, "\\\\"s, "\\/ a"s,
                                            "/"s, ""s, "\\x{9}"s, "[\"]"s);
    return rc::gen::oneOf(anyText, operators);
}

rc::Gen<std::string> someTags()
{
    return rc::gen::oneOf(rc::gen::element("4kb:"s, "key=a,b"s, "a b=\" c"s, ""s, "k=:7"s), someRegex());
}

rc::Gen<std::vector<std::string>> someKeys()
{
    return rc::gen::container<std::vector<std::string>>(nastyText());
}

TimeTerm someTime()
{
    const auto end = [](TimeBase base) -> std::optional<TimePoint> {
        if (*rc::gen::inRange(0, 4) == 0)
            return std::nullopt;
        auto ns = *rc::gen::oneOf(
            rc::gen::arbitrary<std::int64_t>(),
            rc::gen::map(rc::gen::inRange(0, 100'000), [](int s) { return std::int64_t(s) * 1'000'000'000; }),
            rc::gen::element(std::numeric_limits<std::int64_t>::min(),
                             std::numeric_limits<std::int64_t>::max()));
        if (base != TimeBase::Epoch)
            ns &= std::numeric_limits<std::int64_t>::max();
        if (base == TimeBase::Clock)
            ns %= 86'400'000'000'000;
        return TimePoint{.base = base, .ns = ns};
    };
    const auto base = [] {
        return *rc::gen::element(TimeBase::Start, TimeBase::End, TimeBase::Epoch, TimeBase::Clock);
    };
    TimeTerm term{.from = end(base()), .to = end(base())};
    if (term.from && term.to && term.from->base == term.to->base &&
        (term.from->ns > term.to->ns) != (term.from->base == TimeBase::End))
        std::swap(term.from, term.to);
    return term;
}

PathTerm somePath()
{
    PathTerm term;
    term.kind = *rc::gen::element(PathKind::Literal, PathKind::Regex, PathKind::Focus, PathKind::Library,
                                  PathKind::File, PathKind::FrameKind, PathKind::Self);
    const bool isText = term.kind == PathKind::Literal || term.kind == PathKind::FrameKind;
    term.text = isText ? *nastyText() : *someRegex();
    term.isNegated = *rc::gen::arbitrary<bool>();
    return term;
}

AttributeTerm someAttribute()
{
    AttributeTerm term;
    term.kind =
        *rc::gen::element(AttributeTermKind::Equals, AttributeTermKind::Matches, AttributeTermKind::Range);
    term.key = *nastyText();
    switch (term.kind) {
    case AttributeTermKind::Equals:
        term.text = *rc::gen::oneOf(nastyText(), rc::gen::element("1..2"s, "..3kb"s));
        break;
    case AttributeTermKind::Matches:
        term.text = *someRegex();
        break;
    case AttributeTermKind::Range:
        term.text = *rc::gen::element("1..2"s, "..3kb"s, "-1.5..+2\u00b5s"s, "0.."s);
        break;
    }
    term.isNegated = *rc::gen::arbitrary<bool>();
    return term;
}

SpanTerm someSpan()
{
    SpanTerm term;
    term.kind = *rc::gen::element(SpanTermKind::Name, SpanTermKind::Matches, SpanTermKind::Id,
                                  SpanTermKind::Longer, SpanTermKind::AtLeast, SpanTermKind::Shorter,
                                  SpanTermKind::AtMost, SpanTermKind::Failed);
    if (term.kind == SpanTermKind::Name)
        term.text = *nastyText();
    else if (term.kind == SpanTermKind::Matches)
        term.text = *someRegex();
    else if (term.kind == SpanTermKind::Id)
        term.text = *rc::gen::element("0"s, "00f067aa0ba902b7"s);
    else if (term.kind != SpanTermKind::Failed)
        term.ns = *rc::gen::oneOf(rc::gen::arbitrary<std::int64_t>(),
                                  rc::gen::element<std::int64_t>(0, 1, 999, 1000, 1'500'000, 100'000'000)) &
                  std::numeric_limits<std::int64_t>::max();
    term.isNegated = *rc::gen::arbitrary<bool>();
    return term;
}

/// Any lens whose terms are valid.
Lens someLens()
{
    const auto times = [](auto make) {
        for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
            make();
    };
    Lens lens;
    lens.series = *nastyText();
    lens.time = someTime();
    times([&] { lens.paths.push_back(somePath()); });
    times([&] {
        lens.frames.push_back({*rc::gen::element(FrameTermKind::Hide, FrameTermKind::Show,
                                                 FrameTermKind::From, FrameTermKind::To, FrameTermKind::Once,
                                                 FrameTermKind::Collapse, FrameTermKind::Pivot),
                               *someRegex()});
    });
    lens.under = *someKeys();
    times([&] { lens.tags.push_back({*someTags(), *rc::gen::arbitrary<bool>()}); });
    times([&] { lens.attributes.push_back(someAttribute()); });
    lens.trace = *rc::gen::element(""s, "4"s, "4bf92f3577b34da6a3ce929d0e0e4736"s);
    times([&] { lens.spans.push_back(someSpan()); });
    times([&] { lens.spanAttributes.push_back(someAttribute()); });
    lens.noChildren = *rc::gen::arbitrary<bool>();
    lens.estimatesLinks = *rc::gen::arbitrary<bool>();
    lens.tagRoot = *someKeys();
    lens.tagLeaf = *someKeys();
    lens.groupBy = *someKeys();
    lens.granularity = *rc::gen::element(Granularity::Function, Granularity::FileFunction, Granularity::File,
                                         Granularity::Line, Granularity::Binary, Granularity::Address);
    lens.noInlines = *rc::gen::arbitrary<bool>();
    lens.isInverted = *rc::gen::arbitrary<bool>();
    return lens;
}

} // namespace

class LensTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsTheLensThatShowsEverything()
    {
        QCOMPARE(parsed(""), Lens());
        QCOMPARE(parsed(" \t\n"), Lens());
        QCOMPARE(printLens(Lens()), ""s);
    }

    // Names of functions

    void wordIsLookedForInNames()
    {
        QCOMPARE(parsed("parse"), withPath(PathKind::Literal, "parse"));
        QCOMPARE(parsed("-parse"), withPath(PathKind::Literal, "parse", true));
        QCOMPARE(parsed("\"two words\""), withPath(PathKind::Literal, "two words"));
        QCOMPARE(parsed("-\"two words\""), withPath(PathKind::Literal, "two words", true));
    }

    void namesOfFunctionsAreNoKeys()
    {
        for (const char *name :
             {"json::parse", "operator==", "std::vector<int>::push_back", "net/http.(*conn).serve", "a\"b",
              "[libc.so.6]", "x,y", "::open", "=", "foo\\bar", "\u00e4nderung"})
            QCOMPARE(parsed(name), withPath(PathKind::Literal, name));
    }

    void slashesHoldAnExpression()
    {
        QCOMPARE(parsed("/^main\\./"), withPath(PathKind::Regex, "^main\\."));
        QCOMPARE(parsed("-/a b/"), withPath(PathKind::Regex, "a b", true));
        QCOMPARE(parsed("/net/http/"), withPath(PathKind::Regex, "net/http"));
        QCOMPARE(parsed("//"), withPath(PathKind::Regex, ""));
        QCOMPARE(parsed("regex:\"a/ b\""), withPath(PathKind::Regex, "a/ b"));
        QCOMPARE(printLens(withPath(PathKind::Regex, "a/ b")), "regex:\"a/ b\""s);
        QCOMPARE(printLens(withPath(PathKind::Regex, "a/b c")), "/a/b c/"s);
    }

    // pprof's words, and those of others

    void focusAndIgnoreAreOneTerm()
    {
        QCOMPARE(parsed("focus:RE"), withPath(PathKind::Focus, "RE"));
        QCOMPARE(parsed("ignore:RE"), withPath(PathKind::Focus, "RE", true));
        QCOMPARE(parsed("-focus:RE"), parsed("ignore:RE"));
        QCOMPARE(parsed("-ignore:RE"), parsed("focus:RE"));
        QCOMPARE(printLens(parsed("-focus:RE")), "ignore:RE"s);
    }

    void aliasesMeanTheSame()
    {
        const std::vector<std::pair<const char *, const char *>> same = {
            {"keep:x", "focus:x"},      {"drop:x", "ignore:x"}, {"show_from:x", "from:x"},
            {"show-from:x", "from:x"},  {"focus=x", "focus:x"}, {"time:1..2", "time=1s..2s"},
            {"SS:x", "focus:x"},        {"HS:x", "ignore:x"},   {"HF:x", "hide:x"},
            {"SFF:x", "from:x"},        {"P:x", "pivot:x"},     {"sample_index:1", "series:1"},
            {"trace:AB", "trace=ab"},   {"by=line", "by:line"}, {"granularity:lines", "by:line"},
            {"tagroot=a", "tagroot:a"}, {"by:function", ""},    {"granularity:addresses", "by:address"},
        };
        for (const auto &[alias, canonical] : same) {
            QCOMPARE(parsed(alias), parsed(canonical));
            QCOMPARE(printLens(parsed(alias)), std::string(canonical));
        }
    }

    void placesAreTermsOfTheirOwn()
    {
        QCOMPARE(parsed("lib:libc"), withPath(PathKind::Library, "libc"));
        QCOMPARE(parsed("-file:\"a b\""), withPath(PathKind::File, "a b", true));
        QCOMPARE(parsed("type:kernel"), withPath(PathKind::FrameKind, "kernel"));
    }

    void framesAreHiddenShownAndCut()
    {
        QCOMPARE(parsed("hide:x"), withFrame(FrameTermKind::Hide, "x"));
        QCOMPARE(parsed("show:x"), withFrame(FrameTermKind::Show, "x"));
        QCOMPARE(parsed("from:x"), withFrame(FrameTermKind::From, "x"));
        QCOMPARE(parsed("pivot:x"), withFrame(FrameTermKind::Pivot, "x"));
        QCOMPARE(parsed("to:x"), withFrame(FrameTermKind::To, "x"));
        QCOMPARE(parsed("once:x"), withFrame(FrameTermKind::Once, "x"));
        QCOMPARE(parsed("collapse:x"), withFrame(FrameTermKind::Collapse, "x"));
        QCOMPARE(parsed("self:x"), withPath(PathKind::Self, "x"));
        QCOMPARE(parsed("-self:x"), withPath(PathKind::Self, "x", true));
        Lens under;
        under.under = {"main", "a, b"};
        QCOMPARE(parsed("under:main,\"a, b\""), under);
        for (const char *text : {"-hide:x", "-show:x", "-from:x", "-pivot:x", "-time=1..2", "-series:a",
                                 "-by:line", "-trace=ab", "-inverted", "-noinlines", "-tagroot:a"})
            QVERIFY2(errorOf(text).ends_with("cannot be negated"), text);
    }

    void tagFiltersKeepTheirOwnLanguage()
    {
        QCOMPARE(parsed("tagfocus:user=ann,bob"), withTag("user=ann,bob"));
        QCOMPARE(parsed("tagfocus=user=ann"), withTag("user=ann"));
        QCOMPARE(parsed("tagignore:4kb:"), withTag("4kb:", true));
        QCOMPARE(parsed("-tagfocus:x"), withTag("x", true));
        QCOMPARE(printLens(withTag(":4kb")), "tagfocus:\":4kb\""s);
        QCOMPARE(parsed("tagfocus:\":4kb\""), withTag(":4kb"));
    }

    void valuesMayBeQuoted()
    {
        QCOMPARE(parsed("focus:\"a b\""), withPath(PathKind::Focus, "a b"));
        QCOMPARE(parsed("focus:a\"b c"), edited([](Lens &lens) {
                     lens.paths = {{PathKind::Focus, "a\"b", false}, {PathKind::Literal, "c", false}};
                 }));
        QCOMPARE(parsed("focus:\"a\\.b \\\"c\\\" \\\\d\""), withPath(PathKind::Focus, "a\\.b \"c\" \\d"));
        QCOMPARE(parsed("\"tab\\u{9}, \\u{20ac}, \\u{110000}, \\u{d800}, \\u{}, \\n\""),
                 withPath(PathKind::Literal, "tab\t, \u20ac, \\u{110000}, \\u{d800}, \\u{}, \\n"));
        QCOMPARE(parsed("focus:\"\""), withPath(PathKind::Focus, ""));
    }

    void printedLensIsOneLine()
    {
        QCOMPARE(printLens(withPath(PathKind::Literal, "a\nb\x7f\\\n")), "\"a\\u{a}b\\u{7f}\\\\\\u{a}\""s);
    }

    // Attributes

    void attributesHaveThreeConditions()
    {
        using Kind = AttributeTermKind;
        QCOMPARE(parsed("@service=cart"), withAttribute(Kind::Equals, "service", "cart"));
        QCOMPARE(parsed("-@thread~^GC"), withAttribute(Kind::Matches, "thread", "^GC", true));
        QCOMPARE(parsed("@cpu=0..3"), withAttribute(Kind::Range, "cpu", "0..3"));
        QCOMPARE(parsed("@size=4kb.."), withAttribute(Kind::Range, "size", "4kb.."));
        QCOMPARE(parsed("@version=\"1..2\""), withAttribute(Kind::Equals, "version", "1..2"));
        QCOMPARE(parsed("@path=../x"), withAttribute(Kind::Equals, "path", "../x"));
        QCOMPARE(parsed("@\"thread name\"=\"a b\""), withAttribute(Kind::Equals, "thread name", "a b"));
        QCOMPARE(parsed("@http.url=http://x?a=b"), withAttribute(Kind::Equals, "http.url", "http://x?a=b"));
        QCOMPARE(parsed("@k=\"\""), withAttribute(Kind::Equals, "k", ""));
    }

    // Single values

    void timesAreRanges_data()
    {
        QTest::addColumn<QByteArray>("printed");
        const auto row = [](const char *text, const char *printed) {
            QTest::newRow(text) << QByteArray(printed);
        };
        row("2s..4s", "2s..4s");
        row("2..4.5", "2s..4.5s");
        row("200ms..", "0.2s..");
        row("..30us", "..0.00003s");
        row("5ns..1.5min", "0.000000005s..90s");
        row("0..1h", "0s..3600s");
        row("-30..", "-30s..");
        row("-2min..-1.5s", "-120s..-1.5s");
        row("0.5\u00b5s..1\u03bcs", "0.0000005s..0.000001s");
        row("..", "");
        row("9223372036.854775807s..", "9223372036.854775807s..");
        row("14:05..14:05:30.25", "14:05:00..14:05:30.25");
        row("23:50..00:10", "23:50:00..00:10:00");
        row("2026-11-20T14:05:30Z..", "2026-11-20T14:05:30Z..");
        row("2026-11-20T14:05:30.5+01:30..", "2026-11-20T12:35:30.5Z..");
        row("2026-11-20t23:00:00-02:00..", "2026-11-21T01:00:00Z..");
        row("1969-12-31T23:59:59.25Z..2s", "1969-12-31T23:59:59.25Z..2s");
        row("1677-09-21T00:12:43.145224192Z..2262-04-11T23:47:16.854775807Z",
            "1677-09-21T00:12:43.145224192Z..2262-04-11T23:47:16.854775807Z");
    }
    void timesAreRanges()
    {
        QFETCH(QByteArray, printed);
        QCOMPARE(printedTime(QTest::currentDataTag()), printed.toStdString());
        QCOMPARE(printedTime(printed.isEmpty() ? ".." : printed.toStdString()), printed.toStdString());
    }

    void whatIsNoTimeIsAnError()
    {
        for (const char *text : {"",
                                 "2s",
                                 "a..b",
                                 "1..2..3",
                                 "--1s..",
                                 "1.5ns..",
                                 "1.0000000001s..",
                                 "9223372036.854775808s..",
                                 ".5s..",
                                 "5.s..",
                                 "1e3s..",
                                 "24:00..",
                                 "12:60..",
                                 "1:00..",
                                 "12:00:61..",
                                 "12:00:00.0000000001..",
                                 "2026-02-30T00:00:00Z..",
                                 "2026-11-20..",
                                 "2026-11-20T14:05Z..",
                                 "2026-11-20T14:05:30..",
                                 "2026-11-20T14:05:30+1:00..",
                                 "2300-01-01T00:00:00Z..",
                                 "1677-09-21T00:12:43.145224191Z..",
                                 "4s..2s",
                                 "s.."})
            QVERIFY2(!parseTimeTerm(text), text);
    }

    void timeIsPartOfTheLens()
    {
        Lens lens;
        lens.time.from = TimePoint{.base = TimeBase::Start, .ns = 1'500'000'000};
        QCOMPARE(parsed("time=1.5s.."), lens);
        QCOMPARE(printLens(lens), "time=1.5s.."s);
    }

    void seriesAndTraceAreGivenOnce()
    {
        QCOMPARE(parsed("series:cpu/nanoseconds"),
                 edited([](Lens &lens) { lens.series = "cpu/nanoseconds"; }));
        QCOMPARE(parsed("trace=4BF92f"), edited([](Lens &lens) { lens.trace = "4bf92f"; }));
        QCOMPARE(errorOf("series:a series:b"), "9: there is another series before; a lens shows one"s);
        QCOMPARE(errorOf("time=1.. time=1.."), "9: there is another time before; a lens shows one range"s);
        QCOMPARE(errorOf("trace=a trace=b"), "8: there is another trace before; a lens shows one"s);
        QCOMPARE(errorOf("trace=xyz"), "6: a trace is 32 hex digits, or the first of them"s);
        QVERIFY(!parseLens("trace=" + std::string(33, 'a')));
    }

    void groupingIsByWordsAndAttributes()
    {
        QCOMPARE(parsed("by:thread,line"), groupedBy(Granularity::Line, {"thread"}));
        QCOMPARE(parsed("by:service by:thread"), groupedBy(Granularity::Function, {"service", "thread"}));
        QCOMPARE(parsed("by:\"line\",\"a,b\""), groupedBy(Granularity::Function, {"line", "a,b"}));
        QCOMPARE(printLens(groupedBy(Granularity::Line, {"line", "a,b", "lines"})),
                 "by:line,\"line\",\"a,b\",lines"s);
        QCOMPARE(parsed("by:a,,b,"), groupedBy(Granularity::Function, {"a", "b"}));
        QCOMPARE(errorOf("by:line,file"), "8: rows are by line already"s);
        QCOMPARE(errorOf("by:,"), "3: a value is missing behind 'by'"s);
        QVERIFY(
            errorOf("granularity:pages").starts_with("12: unknown granularity 'pages'; there are functions"));
    }

    void labelsBecomeFrames()
    {
        QCOMPARE(parsed("tagroot:a,b tagleaf:\"c d\""), edited([](Lens &lens) {
                     lens.tagRoot = {"a", "b"};
                     lens.tagLeaf = {"c d"};
                 }));
    }

    void flagsAreWords()
    {
        QCOMPARE(parsed("inverted noinlines"),
                 edited([](Lens &lens) { lens.noInlines = lens.isInverted = true; }));
        QCOMPARE(parsed("\"inverted\""), withPath(PathKind::Literal, "inverted"));
        QCOMPARE(printLens(withPath(PathKind::Literal, "inverted")), "\"inverted\""s);
    }

    void termsAreKeptInOrder()
    {
        const std::string text =
            "series:cpu time=1s..2s b -a /c/ focus:d hide:e show:f hide:g tagfocus:h=i @j=k trace=ab "
            "tagroot:l tagleaf:m by:line,n noinlines inverted";
        QCOMPARE(printLens(parsed(text)), text);
    }

    // Errors

    void errorsPointAtTheirPlace_data()
    {
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *text, const char *expected) {
            QTest::newRow(text) << QByteArray(expected);
        };
        row("a focs:x", "2: unknown key 'focs'; did you mean 'focus'?");
        row("tagfocsu:x", "0: unknown key 'tagfocsu'; did you mean 'tagfocus'?");
        row("tiem=1..2", "0: unknown key 'tiem'; did you mean 'time'?");
        row("qwertz:x", "0: unknown key 'qwertz'; a name with ':' or '=' in it has to be in quotes");
        row("-qwertz:x", "1: unknown key 'qwertz'; a name with ':' or '=' in it has to be in quotes");
        row("focus:a(b", "6: missing ): a(b");
        row("\u00e4\u20ac focus:a(b", "9: missing ): a(b"); // characters, not bytes
        row("/a(b/", "1: missing ): a(b");
        row("@k~a(b", "3: missing ): a(b");
        row("tagfocus:k=a(b", "9: missing ): a(b");
        row("hide:\"a (\"", "5: missing ): a (");
        row("focus:", "6: a value is missing behind 'focus:'");
        row("focus: x", "6: a value is missing behind 'focus:'");
        row("@k=", "3: a value is missing behind '@k='");
        row("@=x", "1: the name of an attribute is missing behind '@'");
        row("@thread", "7: a value is missing; write @thread=VALUE, @thread~RE or @thread=A..B");
        row("@thread name=x", "7: a value is missing; write @thread=VALUE, @thread~RE or @thread=A..B");
        row("a \"b", "2: the quote is not closed");
        row("focus:\"b", "6: the quote is not closed");
        row("by:a,\"b", "5: the quote is not closed");
        row("@\"k", "1: the quote is not closed");
        row("\"a\"b", "3: a blank is missing behind the closing quote");
        row("by:\"a\"b", "6: a blank is missing behind the closing quote");
        row("/usr/lib", "0: no '/' at the end of the expression; a path has to be in quotes");
        row("/", "0: no '/' at the end of the expression; a path has to be in quotes");
        row("a -", "2: nothing behind '-' to negate");
        row("--focus=x", "1: one '-' negates; a name that begins with '-' has to be in quotes");
        row("time=4s..2s", "5: the range ends before it begins");
        row("time=-2s..-4s", "5: the range ends before it begins");
        row("time=2s", "5: a time is a range; write A..B, A.. or ..B");
        row("time=x..", "5: 'x' is no time; write 1.5s, -30s, 14:05:30 or 2026-11-20T14:05:30Z");
        row("span~a(b", "5: missing ): a(b");
        row("span=", "5: a value is missing behind 'span='");
        row("-span~ x", "6: a value is missing behind 'span~'");
        row("span@k", "6: a value is missing; write @k=VALUE, @k~RE or @k=A..B");
        row("spanid=12x", "7: the id of a span is 16 hex digits, or the first of them");
        row("spanid=00112233445566778", "7: the id of a span is 16 hex digits, or the first of them");
        row("duration>", "9: a value is missing behind 'duration>'");
        row("duration>=", "10: a value is missing behind 'duration>='");
        row("duration>=10parsecs", "10: '10parsecs' is no duration; write 1.5s, 100ms or 20us");
        row("duration>-1s", "9: '-1s' is no duration; write 1.5s, 100ms or 20us");
        row("duration=1s", "0: a duration is compared; write duration>100ms or duration<=2s");
        row("-estimated", "0: 'estimated' cannot be negated");
        row("-nochildren", "0: 'nochildren' cannot be negated");
    }
    void errorsPointAtTheirPlace()
    {
        QFETCH(QByteArray, expected);
        QCOMPARE(errorOf(QTest::currentDataTag()), expected.toStdString());
    }

    void functionsThatSoundLikeSpansAreFound()
    {
        for (const char *name : {"span", "span::x", "duration", "errors", "my.error", "spans:"})
            if (std::string_view(name) != "spans:")
                QCOMPARE(parsed(name), withPath(PathKind::Literal, name));
        QCOMPARE(parsed("\"error\""), withPath(PathKind::Literal, "error"));
    }

    void spansAreNamedByWhatIsKnownOfThem()
    {
        using Kind = SpanTermKind;
        QCOMPARE(parsed("span=GET"), withSpan(Kind::Name, "GET"));
        QCOMPARE(parsed("-span:\"GET /cart\""), withSpan(Kind::Name, "GET /cart", 0, true));
        QCOMPARE(parsed("span~\"GET /cart\""), withSpan(Kind::Matches, "GET /cart"));
        QCOMPARE(parsed("span~^GET"), withSpan(Kind::Matches, "^GET"));
        QCOMPARE(parsed("spanid=00F0"), withSpan(Kind::Id, "00f0"));
        QCOMPARE(parsed("error"), withSpan(Kind::Failed, ""));
        QCOMPARE(parsed("-error"), withSpan(Kind::Failed, "", 0, true));
        QCOMPARE(parsed("estimated"), edited([](Lens &lens) { lens.estimatesLinks = true; }));
        QCOMPARE(parsed("nochildren"), edited([](Lens &lens) { lens.noChildren = true; }));
        QCOMPARE(parsed("-span@http.route~cart"), edited([](Lens &lens) {
                     lens.spanAttributes = {{AttributeTermKind::Matches, "http.route", "cart", true}};
                 }));
        const std::string text =
            "trace=ab span~\"GET /c\" duration>=100ms -error span@service=shop nochildren";
        QCOMPARE(printLens(parsed(text)), text);
    }

    void durationsAreCompared()
    {
        using Kind = SpanTermKind;
        QCOMPARE(parsed("duration>100ms"), withSpan(Kind::Longer, "", 100'000'000));
        QCOMPARE(parsed("duration>=1.5s"), withSpan(Kind::AtLeast, "", 1'500'000'000));
        QCOMPARE(parsed("duration<20us"), withSpan(Kind::Shorter, "", 20'000));
        QCOMPARE(parsed("-duration<=7ns"), withSpan(Kind::AtMost, "", 7, true));
        QCOMPARE(parsed("duration>2"), withSpan(Kind::Longer, "", 2'000'000'000));
        for (const char *text : {"duration>0ns", "duration>1.001us", "duration>=1.000001ms", "duration<1s",
                                 "duration>9223372036.854775807s", "duration<90.5s"})
            QCOMPARE(printLens(parsed(text)), std::string(text));
    }

    void thereAreLimits()
    {
        QVERIFY(parseLens(std::string(65536, 'a')));
        QCOMPARE(errorOf(std::string(64 * 1024 + 1, 'a')), "0: a lens is at most 64 KiB of text"s);
        std::string many;
        for (int i = 0; i < 1000; ++i)
            many += "a ";
        QVERIFY(parseLens(many));
        QCOMPARE(errorOf(many + "a"), "2000: a lens has at most 1000 terms"s);
    }

    void caretStandsUnderTheColumn()
    {
        QCOMPARE(pointAt("\u00e4 focs:x", parseLens("\u00e4 focs:x").error()),
                 "\u00e4 focs:x\n  ^ unknown key 'focs'; did you mean 'focus'?"s);
        QCOMPARE(pointAt("a\tb\x01\xff", {.message = "m", .column = 4}), "a b \ufffd\n    ^ m"s);
        QCOMPARE(pointAt("", {.message = "m", .column = 7}), "\n^ m"s);
    }

    void longTextIsShownInPart()
    {
        const std::string text = std::string(300, 'a') + "X" + std::string(300, 'b');
        const std::string shown = pointAt(text, {.message = "m", .column = 300});
        QCOMPARE(shown, "\u2026" + std::string(50, 'a') + "X" + std::string(49, 'b') + "\u2026\n" +
                            std::string(51, ' ') + "^ m");
        const std::string end = pointAt(text, {.message = "m", .column = 601});
        QCOMPARE(end, "\u2026" + std::string(100, 'b') + '\n' + std::string(101, ' ') + "^ m");
    }

    // Properties

    void parsingWhatWasPrintedGivesTheLens()
    {
        QVERIFY(rc::check("parse ∘ print is the identity", [] {
            const Lens lens = someLens();
            const std::string text = printLens(lens);
            RC_LOG() << text << '\n';
            const auto again = parseLens(text);
            if (!again)
                RC_LOG() << pointAt(text, again.error()) << '\n';
            RC_ASSERT(again.has_value());
            RC_ASSERT(*again == lens);
            RC_ASSERT(printLens(*again) == text);
            RC_ASSERT(text.find_first_of("\n\r\t") == std::string::npos);
        }));
    }

    void printingWhatWasParsedIsAFixedPoint()
    {
        QVERIFY(rc::check("print ∘ parse is a fixed point, whatever the text", [] {
            const std::string text = *nastyText();
            const auto lens = parseLens(text);
            RC_PRE(lens.has_value());
            const std::string printed = printLens(*lens);
            const auto again = parseLens(printed);
            RC_ASSERT(again.has_value());
            RC_ASSERT(*again == *lens);
            RC_ASSERT(printLens(parsed(printed)) == printed);
        }));
    }

    void errorsStayInsideTheText()
    {
        QVERIFY(rc::check("columns are in the text", [] {
            const std::string text = *nastyText();
            const auto lens = parseLens(text);
            RC_PRE(!lens.has_value());
            RC_ASSERT(lens.error().column <= text.size());
            RC_ASSERT(!lens.error().message.empty());
            RC_ASSERT(!pointAt(text, lens.error()).empty());
        }));
    }
};

QTEST_GUILESS_MAIN(LensTextTest)
#include "tst_lens_text.moc"
