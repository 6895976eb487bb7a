#include "model/lens/attribute_filter.h"
#include "model/lens/attribute_keys.h"
#include "model/lens/compiled_lens.h"
#include "model/lens/tag_filter.h"
#include "model/store/store.h"

#include <QTest>

#include <rapidcheck.h>

#include <array>
#include <bit>
#include <memory>
#include <string>
#include <vector>

using namespace hearth;
using namespace std::string_literals;

namespace {

struct Label {
    std::string key;
    std::string text = {};
    std::int64_t number = 0;
    std::string unit = {};
    AttributeType type = AttributeType::String;
};

Label text(std::string key, std::string value)
{
    return {.key = std::move(key), .text = std::move(value)};
}

Label number(std::string key, std::int64_t value, std::string unit = {})
{
    return {.key = std::move(key),
            .text = {},
            .number = value,
            .unit = std::move(unit),
            .type = AttributeType::Int};
}

using Labels = std::vector<Label>;

/// A data set that consists of contexts alone. Context i + 1 is the i-th that was added.
class Contexts {
public:
    Contexts &add(Labels sample, Labels resource = {}, Labels scope = {})
    {
        m_contexts.push_back({std::move(resource), std::move(scope), std::move(sample)});
        return *this;
    }

    std::shared_ptr<const Snapshot> publish() const
    {
        Batch batch;
        for (const auto &[resource, scope, sample] : m_contexts)
            batch.contexts.push_back({.resource = addSet(batch, resource),
                                      .scope = addSet(batch, scope),
                                      .sample = addSet(batch, sample)});
        Store store;
        store.append(std::move(batch));
        return store.publish();
    }

private:
    static AttributeSetId addSet(Batch &batch, const Labels &labels)
    {
        const auto begin = static_cast<std::uint32_t>(batch.attributeLists.size());
        for (const Label &label : labels) {
            Attribute attribute;
            attribute.key = batch.addString(label.key);
            attribute.type = label.type;
            attribute.unit = batch.addString(label.unit);
            attribute.bits = attribute.hasText() ? batch.addString(label.text).value
                                                 : static_cast<std::uint64_t>(label.number);
            batch.attributeLists.emplace_back(batch.attributes.size());
            batch.attributes.push_back(attribute);
        }
        batch.attributeSets.push_back({begin, static_cast<std::uint32_t>(labels.size())});
        return AttributeSetId(batch.attributeSets.size() - 1);
    }

    std::vector<std::array<Labels, 3>> m_contexts;
};

std::string digits(const std::vector<std::uint8_t> &matched)
{
    std::string result;
    for (const std::uint8_t bit : matched)
        result += bit != 0 ? '1' : '0';
    return result;
}

/// Which of the contexts match, the one without attributes left out: "0110".
std::string matched(const Contexts &contexts, std::string_view option)
{
    const auto filter = TagFilter::parse(option);
    return filter ? digits(matchContexts(*filter, *contexts.publish(), 1)) : filter.error().message;
}

std::string matched(const Contexts &contexts, const AttributeTerm &term)
{
    const auto filter = AttributeFilter::compile(term);
    return filter ? digits(matchContexts(*filter, *contexts.publish(), 1)) : filter.error().message;
}

AttributeTerm equals(std::string key, std::string value)
{
    return {.kind = AttributeTermKind::Equals, .key = std::move(key), .text = std::move(value)};
}
AttributeTerm matches(std::string key, std::string value)
{
    return {.kind = AttributeTermKind::Matches, .key = std::move(key), .text = std::move(value)};
}
AttributeTerm inside(std::string key, std::string value)
{
    return {.kind = AttributeTermKind::Range, .key = std::move(key), .text = std::move(value)};
}

Contexts shards()
{
    return Contexts().add({text("shard", "7")}).add({number("shard", 7)}).add({text("shard", "17")});
}

Contexts sizes()
{
    return Contexts()
        .add({number("bytes", 512, "bytes")})
        .add({number("bytes", 1024, "bytes")})
        .add({number("bytes", 4096, "bytes")})
        .add({number("bytes", 65536, "bytes")})
        .add({text("bytes", "4096")});
}

} // namespace

class TagFilterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // tagfocus and tagignore, expressions

    void expressionWithoutKeySeesKeyAndValue()
    {
        const Contexts contexts = Contexts().add({text("user", "ann")}).add({text("ann", "user")}).add({});
        QCOMPARE(matched(contexts, "ann"), "11"s); // the last context is the empty one, which is row 0
        QCOMPARE(matched(contexts, "^user:ann$"), "10"s);
        QCOMPARE(matched(contexts, "r:a"), "10"s);
    }

    void expressionWithKeySeesTheValueAlone()
    {
        const Contexts contexts = Contexts().add({text("user", "ann")}).add({text("role", "ann")});
        QCOMPARE(matched(contexts, "user=^ann$"), "10"s);
        QCOMPARE(matched(contexts, "user=user"), "00"s);
        QCOMPARE(matched(contexts, "use=ann"), "00"s); // the key is no expression
    }

    void commaWithoutKeyMeansAnd()
    {
        const Contexts contexts = Contexts()
                                      .add({text("user", "ann")})
                                      .add({text("user", "ann"), text("role", "admin")})
                                      .add({text("role", "admin")});
        QCOMPARE(matched(contexts, "ann,admin"), "010"s);
    }

    void commaWithKeyMeansOr()
    {
        const Contexts contexts =
            Contexts().add({text("user", "ann")}).add({text("user", "bob")}).add({text("user", "eve")});
        QCOMPARE(matched(contexts, "user=ann,bob"), "110"s);
    }

    void onlyTheFirstEqualsSignSplits()
    {
        const Contexts contexts = Contexts().add({text("query", "a=b")}).add({text("query", "a")});
        QCOMPARE(matched(contexts, "query=a=b"), "10"s);
    }

    void emptyKeyIsNoKey() { QCOMPARE(matched(Contexts().add({text("user", "ann")}), "=ser:a"), "1"s); }

    void numbersAreNoText()
    {
        QCOMPARE(matched(shards(), "shard=^7$"), "100"s);
        QCOMPARE(matched(shards(), "shard:7"), "100"s);
    }

    void everyValueOfAKeyCounts()
    {
        const Contexts contexts =
            Contexts().add({text("user", "ann"), text("user", "bob")}).add({text("user", "eve")});
        QCOMPARE(matched(contexts, "user=bob"), "10"s);
    }

    void badExpressionIsAnError()
    {
        QCOMPARE(TagFilter::parse("user=a(b").error().message, "missing ): a(b"s);
        QVERIFY(!TagFilter::parse("(a,b)")); // split at the comma, as pprof does
    }

    void emptyExpressionMatchesWhateverHasText()
    {
        QCOMPARE(matched(Contexts().add({text("a", "b")}).add({number("a", 1)}), ""), "10"s);
    }

    // Ranges

    void whatLooksLikeARangeSeesNumbersAlone()
    {
        QVERIFY(TagFilter::parse("shard=7")->isRange());
        QCOMPARE(matched(shards(), "shard=7shard"), "010"s);
        QCOMPARE(matched(shards(), "7shard"), "010"s);
    }

    void rangeForms()
    {
        QCOMPARE(matched(sizes(), "4kb"), "00100"s);
        QCOMPARE(matched(sizes(), "4kb:"), "00110"s);
        QCOMPARE(matched(sizes(), ":4kb"), "11100"s);
        QCOMPARE(matched(sizes(), "1kb:4kb"), "01100"s);
        QCOMPARE(matched(sizes(), "bytes=1kb:4096b"), "01100"s);
        QCOMPARE(matched(sizes(), "1024b"), "01000"s);
        QCOMPARE(matched(sizes(), "other=4kb"), "00000"s);
    }

    void rangeWithoutUnitMissesNumbersThatHaveOne()
    {
        QCOMPARE(matched(sizes(), "bytes=1024:"), "00000"s);
        // Without a unit, the key is the unit, and that is no unit of bytes or times.
        QCOMPARE(matched(Contexts().add({number("requests", 7)}), "requests=7"), "1"s);
        // But where it is, it counts: this is pprof's way to see things.
        QCOMPARE(matched(Contexts().add({number("bytes", 7)}), "bytes=7"), "0"s);
        QCOMPARE(matched(Contexts().add({number("bytes", 7)}), "bytes=7b"), "1"s);
    }

    void numbersOfAnotherFamilyAreOutside()
    {
        const Contexts contexts =
            Contexts().add({number("latency", 4096, "ns")}).add({number("size", 4096, "b")});
        QCOMPARE(matched(contexts, "4kb"), "01"s);
        QCOMPARE(matched(contexts, "4096ns"), "10"s);
    }

    void unknownUnitsCompareOneToOne()
    {
        QCOMPARE(matched(Contexts().add({number("depth", 5, "levels")}), "5apples"), "1"s);
        QCOMPARE(matched(Contexts().add({number("depth", 5, "levels")}), "5"), "1"s);
        QCOMPARE(matched(Contexts().add({number("depth", 5, "levels")}), "4:6"), "1"s);
    }

    void unitOfAKeyIsTheFirstSeen()
    {
        const Contexts contexts = Contexts()
                                      .add({number("size", 1)})
                                      .add({number("size", 4, "kb")})
                                      .add({number("size", 4096, "bytes")});
        QCOMPARE(matched(contexts, "size=4kb"), "010"s); // 4096 bytes are taken for 4096 kb
        QCOMPARE(matched(contexts, "size=4096kb"), "001"s);
        QCOMPARE(matched(contexts, "size=1kb"), "100"s);
    }

    void unitIsInferredFromTheKey()
    {
        QCOMPARE(matched(Contexts().add({number("request", 4096)}), "4kb"), "1"s);
        QCOMPARE(matched(Contexts().add({number("alignment", 4096)}), "4kb"), "1"s);
        QCOMPARE(matched(Contexts().add({number("kb", 4)}), "4kb"), "1"s);
        QCOMPARE(matched(Contexts().add({number("ms", 1500)}), "1s:2s"), "1"s);
    }

    void signsBelongToNumbers()
    {
        const Contexts contexts = Contexts()
                                      .add({number("delta", -5, "x")})
                                      .add({number("delta", 5, "x")})
                                      .add({number("delta", 0, "x")});
        QCOMPARE(matched(contexts, "-5"), "100"s);
        QCOMPARE(matched(contexts, "+5"), "010"s);
        QCOMPARE(matched(contexts, "-5:0"), "101"s);
        QCOMPARE(matched(contexts, "-1:"), "011"s);
    }

    void rangeOverTwoFamiliesIsAnExpression()
    {
        QVERIFY(!TagFilter::parse("1kb:4ms")->isRange());
        QVERIFY(!TagFilter::parse("1:2:3")->isRange());
        QVERIFY(!TagFilter::parse("x7")->isRange());
        QVERIFY(!TagFilter::parse("7kb ")->isRange());
        QVERIFY(!TagFilter::parse(":")->isRange());
        QVERIFY(!TagFilter::parse("7,8")->isRange());
        QVERIFY(TagFilter::parse("7kb")->isRange());
        QVERIFY(TagFilter::parse("k=:7kb")->isRange());
    }

    void numberTooLargeForARangeIsAnError()
    {
        QVERIFY(TagFilter::parse("99999999999999999999").error().message.find("too large") !=
                std::string::npos);
        QVERIFY(!TagFilter::parse("1:99999999999999999999"));
        QVERIFY(TagFilter::parse("x99999999999999999999")); // no range at all
    }

    // What pprof does not have

    void attributesOfResourceAndScopeCount()
    {
        const Contexts contexts =
            Contexts().add({}, {text("service.name", "cart")}).add({}, {}, {text("library", "otel")});
        QCOMPARE(matched(contexts, "service.name=cart"), "10"s);
        QCOMPARE(matched(contexts, "otel"), "01"s);
    }

    void otherTypesAreMatchedAsPrinted()
    {
        const Label flag{.key = "sampled", .text = {}, .number = 1, .unit = {}, .type = AttributeType::Bool};
        QCOMPARE(matched(Contexts().add({flag}), "sampled=^true$"), "1"s);
    }

    void laterContextsAnswerTheSameOnTheirOwn()
    {
        const auto snapshot = sizes().publish();
        const TagFilter filter = *TagFilter::parse("1kb:");
        const auto all = matchContexts(filter, *snapshot);
        QCOMPARE(digits(all), "001110"s);
        QCOMPARE(digits(matchContexts(filter, *snapshot, 3)), "110"s);
        QCOMPARE(digits(matchContexts(filter, *snapshot, 100)), ""s);
    }

    // @KEY=VALUE and its like

    void attributeEqualsWhatIsPrinted()
    {
        QCOMPARE(matched(shards(), equals("shard", "7")), "110"s);
        QCOMPARE(matched(shards(), equals("shard", "")), "000"s);
        QCOMPARE(matched(shards(), equals("other", "7")), "000"s);
        QCOMPARE(matched(Contexts().add({text("k", "")}).add({text("x", "")}), equals("k", "")), "10"s);
    }

    void attributeMatchesAnExpression()
    {
        QCOMPARE(matched(shards(), matches("shard", "^1")), "001"s);
        QCOMPARE(matched(shards(), matches("shard", "7")), "111"s);
        QCOMPARE(matched(shards(), matches("shard", "(")), "missing ): ("s);
    }

    void negationKeepsWhatHasNoSuchAttribute()
    {
        AttributeTerm term = equals("shard", "7");
        term.isNegated = true;
        QCOMPARE(matched(shards().add({text("other", "7")}), term), "0011"s);
    }

    void attributeRangeConvertsUnits()
    {
        QCOMPARE(matched(sizes(), inside("bytes", "1kb..4kb")), "01100"s);
        QCOMPARE(matched(sizes(), inside("bytes", "..1kb")), "11000"s);
        QCOMPARE(matched(sizes(), inside("bytes", "0.5kb..1.5kb")), "11000"s);
    }

    void attributeRangeWithoutUnitTakesNumbersAsTheyAre()
    {
        QCOMPARE(matched(sizes(), inside("bytes", "1024..5000")), "01101"s);
        QCOMPARE(matched(Contexts().add({number("cpu", 3)}).add({text("cpu", "4")}), inside("cpu", "0..3")),
                 "10"s);
    }

    void attributeRangeReadsTextThatIsANumber()
    {
        const Contexts contexts = Contexts()
                                      .add({text("status", "404")})
                                      .add({text("status", "404 not found")})
                                      .add({text("status", "")});
        QCOMPARE(matched(contexts, inside("status", "400..499")), "100"s);
    }

    void attributeRangeReadsReals()
    {
        const Label load{.key = "load",
                         .text = {},
                         .number = std::bit_cast<std::int64_t>(0.75),
                         .unit = {},
                         .type = AttributeType::Double};
        QCOMPARE(matched(Contexts().add({load}), inside("load", "0.5..0.8")), "1"s);
        QCOMPARE(matched(Contexts().add({load}), inside("load", "0.8..")), "0"s);
    }

    void quantityRanges()
    {
        QVERIFY(QuantityRange::parse("1..2"));
        QVERIFY(QuantityRange::parse("-1.5..+2kb"));
        QVERIFY(QuantityRange::parse("4kb.."));
        QVERIFY(QuantityRange::parse("..3"));
        for (const char *text :
             {"", "..", "1", "1.2", "a..b", "1...2", "1..2..3", "1 ..2", "+-1..", "-..", ".5..1"})
            QVERIFY2(!QuantityRange::parse(text), text);
    }

    // Names that stand for several keys

    void threadIsWhateverASenderCallsIt()
    {
        const Contexts contexts = Contexts()
                                      .add({text("thread.name", "worker")})
                                      .add({text("thread", "worker")})
                                      .add({text("thread", "other"), text("thread.name", "worker")})
                                      .add({number("tid", 7)});
        QCOMPARE(matched(contexts, equals("thread", "worker")), "1100"s); // the preferred key decides
        QCOMPARE(matched(contexts, equals("thread.name", "worker")), "1010"s);
        QCOMPARE(matched(contexts, equals("thread", "7")), "0001"s);
    }

    void keysOfAnAliasComeInOrder()
    {
        const auto snapshot =
            Contexts().add({number("pid", 1), text("comm", "sh")}).add({number("pid", 2)}).publish();
        const ResolvedKey process = resolveKey(*snapshot, "process");
        QCOMPARE(process.keys.size(), std::size_t(2));
        QCOMPARE(attributeText(*snapshot, ContextId(std::size_t(1)), process), "sh"s);
        QCOMPARE(attributeText(*snapshot, ContextId(std::size_t(2)), process), "2"s);
        QCOMPARE(attributeText(*snapshot, ContextId(), process), ""s);
        QVERIFY(resolveKey(*snapshot, "cpu").isUnknown());
    }

    void attributeOfTheSampleGoesBeforeThatOfTheResource()
    {
        const auto snapshot = Contexts().add({text("k", "own")}, {text("k", "inherited")}).publish();
        QCOMPARE(attributeText(*snapshot, ContextId(std::size_t(1)), resolveKey(*snapshot, "k")), "own"s);
        const Attribute *found =
            findAttribute(*snapshot, ContextId(std::size_t(1)), resolveKey(*snapshot, "k"));
        QVERIFY(found != nullptr);
        QCOMPARE(std::string(snapshot->text(found->text())), "own"s);
        QVERIFY(findAttribute(*snapshot, ContextId(), resolveKey(*snapshot, "k")) == nullptr);
    }

    void attributesArePrintedPlainly()
    {
        const auto real = [](double value) {
            return Label{.key = "k",
                         .text = {},
                         .number = std::bit_cast<std::int64_t>(value),
                         .unit = {},
                         .type = AttributeType::Double};
        };
        const auto snapshot =
            Contexts()
                .add({text("k", "text"),
                      number("k", -64, "bytes"),
                      real(0.1),
                      {.key = "k", .text = {}, .number = 0, .unit = {}, .type = AttributeType::Bool},
                      {.key = "k", .text = "\x01\xff", .number = 0, .unit = {}, .type = AttributeType::Bytes},
                      {.key = "k", .text = "[1]", .number = 0, .unit = {}, .type = AttributeType::Json}})
                .publish();
        QCOMPARE(attributeText(*snapshot, ContextId(std::size_t(1)), resolveKey(*snapshot, "k")),
                 "text,-64,0.1,false,01ff,[1]"s);
    }

    // tagroot and tagleaf

    void tagFrameHasTextsFirstAndNumbersWithTheirUnit()
    {
        const auto snapshot = Contexts()
                                  .add({number("size", 65536, "bytes"), text("size", "large"),
                                        text("size", "odd"), number("size", 3)})
                                  .add({number("n", 64, "requests")})
                                  .publish();
        QCOMPARE(tagFrameName(*snapshot, ContextId(std::size_t(1)), "size"), "large,odd,64kB,3"s);
        QCOMPARE(tagFrameName(*snapshot, ContextId(std::size_t(2)), "n"), "64"s);
        QCOMPARE(tagFrameName(*snapshot, ContextId(std::size_t(2)), "size"), ""s);
        QCOMPARE(tagFrameName(*snapshot, ContextId(), "size"), ""s);
    }

    // The whole lens

    void allTermsHoldAtOnce()
    {
        Lens lens;
        lens.tags.push_back({"1kb:", false});
        lens.tags.push_back({"64kb", true});
        lens.attributes.push_back(inside("bytes", "2000.."));
        const auto compiled = compile(lens);
        QVERIFY(compiled && compiled->restrictsContexts());
        QCOMPARE(digits(matchContexts(*compiled, *sizes().publish(), 1)), "00100"s);
        QCOMPARE(digits(matchContexts(*compile(Lens()), *sizes().publish(), 1)), "11111"s);
    }

    void termsThatDoNotCompileAreNamed()
    {
        const auto message = [](const Lens &lens) { return compile(lens).error().message; };
        Lens lens;
        lens.paths.push_back({PathTermKind::Focus, "(", true});
        QCOMPARE(message(lens), "ignore: missing ): ("s);
        lens = {};
        lens.frames.push_back({FrameTermKind::Hide, "("});
        QCOMPARE(message(lens), "hide: missing ): ("s);
        lens = {};
        lens.tags.push_back({"k=(", false});
        QCOMPARE(message(lens), "tagfocus: missing ): ("s);
        lens = {};
        lens.attributes.push_back(inside("k", "x"));
        QCOMPARE(message(lens), "@k: 'x' is no range; write A..B, with or without units"s);
    }

    void tracePrefixIsCountedInDigits()
    {
        const std::array<std::uint8_t, 16> trace{0x4b, 0xf9, 0x2f};
        QVERIFY(TracePrefix("").matches(trace));
        QVERIFY(TracePrefix("4").matches(trace));
        QVERIFY(TracePrefix("4BF").matches(trace));
        QVERIFY(!TracePrefix("4bf8").matches(trace));
        QVERIFY(TracePrefix("4bf92f00000000000000000000000000").matches(trace));
        QVERIFY(!TracePrefix("4bf92f00000000000000000000000001").matches(trace));
        QVERIFY(!TracePrefix("").matches({}));
        QVERIFY(!TracePrefix("0").matches({}));
    }

    void scanAgreesWithLookingAtEachContextAlone()
    {
        QVERIFY(rc::check("answers do not depend on the other contexts", [] {
            const auto someLabel =
                rc::gen::map(rc::gen::tuple(rc::gen::element("a"s, "b"s), rc::gen::element("x"s, "y"s)),
                             [](const std::tuple<std::string, std::string> &pair) {
                                 return text(std::get<0>(pair), std::get<1>(pair));
                             });
            const auto someLabels = rc::gen::container<Labels>(someLabel);
            const std::string option = *rc::gen::element("a=x"s, "x"s, "a:x,b:y"s, "b=x,y"s);
            Contexts all;
            std::string expected;
            std::vector<std::string> seen;
            const int count = *rc::gen::inRange(1, 6);
            for (int i = 0; i < count; ++i) {
                Labels labels = *someLabels;
                labels.push_back(number("unique", i)); // contexts are distinct
                all.add(labels);
                expected += matched(Contexts().add(labels), option);
            }
            RC_ASSERT(matched(all, option) == expected);
        }));
    }
};

QTEST_GUILESS_MAIN(TagFilterTest)
#include "tst_tag_filter.moc"
