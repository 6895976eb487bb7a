#include "ingest/formats/format.h"
#include "ingest/formats/otlp_writer.h"
#include "ingest/formats/pprof_writer.h"
#include "model/lens/attribute_keys.h"
#include "model/store/store.h"
#include "model/views/entry_notes.h"
#include "tests/support/profile_text.h"
#include "tests/support/records_text.h"

#include <QDir>
#include <QTest>

#include <rapidcheck.h>

#include <set>

using namespace hearth;
using test::dump;
using test::snapshotOf;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

constexpr std::array kForms{OtlpForm::Message, OtlpForm::Framed, OtlpForm::Json, OtlpForm::JsonLines};

std::shared_ptr<const Snapshot> stored(Batch batch)
{
    Store store;
    store.append(std::move(batch));
    return store.publish();
}

std::shared_ptr<const Snapshot> readBack(const std::string &bytes)
{
    auto batch =
        readProfile(memorySource({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()}), {});
    if (!batch)
        qFatal("%s", batch.error().message.c_str());
    return stored(std::move(*batch));
}

std::shared_ptr<const Snapshot> throughOtlp(const Snapshot &snapshot, OtlpForm form)
{
    const Result<std::string> file = otlpFile(snapshot, form);
    if (!file)
        qFatal("%s", file.error().message.c_str());
    return readBack(*file);
}

/// Everything that a profile says, apart from its numbers of rows.
std::string described(const Snapshot &snapshot)
{
    const Origin origin = mergedOrigin(snapshot);
    std::string text = dump(snapshot) + "drop " + origin.dropFrames + " keep " + origin.keepFrames +
                       " default " + origin.defaultSeries + " doc " + origin.docUrl + " comments";
    for (const std::string &comment : origin.comments)
        text += " '" + comment + '\'';
    std::multiset<std::string> rows;
    for (const SampleTable &table : snapshot.tables)
        rows.insert("period " + std::to_string(table.period) + ' ' +
                    std::string(snapshot.text(table.periodType)));
    for (const Mapping &mapping : snapshot.mappings) {
        const Binary &binary = snapshot.binaries[mapping.binary.value];
        rows.insert(
            "mapping " + std::to_string(mapping.start) + ' ' + std::to_string(mapping.limit) + ' ' +
            std::to_string(mapping.offset) + ' ' + std::to_string(mapping.flags) + ' ' +
            std::string(snapshot.text(binary.path)) + ' ' + std::string(snapshot.text(binary.buildId)) + ' ' +
            std::string(snapshot.text(binary.goBuildId)) + ' ' + std::string(snapshot.text(binary.fileHash)));
    }
    for (const Frame &frame : snapshot.frames)
        rows.insert("frame " + std::to_string(frame.address) + ' ' + std::string(snapshot.text(frame.kind)) +
                    (frame.isFolded ? " folded" : "") + ' ' + std::to_string(frame.lineCount));
    for (std::size_t i = 0; i < snapshot.links.size(); ++i)
        rows.insert("link " + std::to_string(snapshot.links[i].trace[0]) + ' ' +
                    std::to_string(snapshot.links[i].span[0]));
    for (const std::string &row : rows)
        text += '\n' + row;
    return text;
}

} // namespace

class TestOtlpWriter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsReadTheSame_data()
    {
        QTest::addColumn<QString>("file");
        const QDir folder(QStringLiteral(HEARTH_TEST_DATA "/otlp"));
        for (const QString &file : folder.entryList(QDir::Files))
            QTest::addRow("%s", qPrintable(file)) << folder.filePath(file);
    }
    void whatIsWrittenIsReadTheSame()
    {
        QFETCH(QString, file);
        const auto before = stored(readProfile(file.toStdString()).value());
        for (const OtlpForm form : kForms) {
            const auto after = throughOtlp(*before, form);
            COMPARE_TEXT(described(*after), QByteArray::fromStdString(described(*before)));
            COMPARE_TEXT(test::dumpRecords(*after), QByteArray::fromStdString(test::dumpRecords(*before)));
            QCOMPARE(after->losses.count(Loss::MalformedRecords), std::uint64_t(0));
            QCOMPARE(after->losses.count(Loss::UnknownFields), std::uint64_t(0));
            QCOMPARE(after->losses.count(Loss::UnknownReferences), std::uint64_t(0));
        }
    }
    void unknownAttributesOfFramesAndMappingsAreKept()
    {
        const QByteArray json = R"({"resourceProfiles":[{"scopeProfiles":[{"profiles":[{
            "sampleType":{"typeStrindex":1,"unitStrindex":2},
            "samples":[{"stackIndex":1,"values":["1"]}]}]}]}],
          "dictionary":{"mappingTable":[{},{"attributeIndices":[1]}],
            "locationTable":[{},{"mappingIndex":1,"lines":[{"functionIndex":1}],"attributeIndices":[2]}],
            "functionTable":[{},{"nameStrindex":3}],"linkTable":[{}],
            "stringTable":["","samples","count","main","package","tier"],
            "attributeTable":[{},{"keyStrindex":4,"value":{"stringValue":"libc6"}},
                                 {"keyStrindex":5,"value":{"intValue":"2"}}],
            "stackTable":[{},{"locationIndices":[1]}]}})";
        const auto before =
            stored(readProfile(memorySource({reinterpret_cast<const std::uint8_t *>(json.data()),
                                             static_cast<std::size_t>(json.size())}),
                               {})
                       .value());
        QVERIFY(!before->losses.any());
        const std::vector<std::string> expected{"package = libc6", "tier = 2"};
        QCOMPARE(entryNotesOf(*before, "main"), expected);
        QCOMPARE(entryNotesOf(*before, "other"), std::vector<std::string>());
        for (const OtlpForm form : kForms)
            QCOMPARE(entryNotesOf(*throughOtlp(*before, form), "main"), expected);
    }
    void anyProfileIsReadAsItWasWritten()
    {
        const bool holds = rc::check("write, read", [] {
            const auto frame = rc::gen::elementOf(std::vector<std::string>{
                "a", "b", "c@x.c", "a>b", "c@x.c>a[l]", "[l]", "[m]", "?", "-", "b[m]"});
            const auto stacks = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::vector<std::string>>>(
                rc::gen::container<std::vector<std::string>>(frame)));
            const bool hasTimes = *rc::gen::arbitrary<bool>();
            std::string text = "series: cpu/ns heap/bytes\n";
            for (const auto &stack : stacks) {
                std::string line;
                for (const std::string &name : stack)
                    line += (line.empty() ? "" : ";") + name;
                text += (line.empty() ? "." : line) + ' ' +
                        std::to_string(*rc::gen::arbitrary<std::int64_t>()) + ',' +
                        std::to_string(*rc::gen::inRange(0, 3)) +
                        (*rc::gen::arbitrary<bool>() ? " | k=v n:5" : " |");
                if (hasTimes)
                    text += " @" + std::to_string(*rc::gen::inRange(1, 1000));
                text += '\n';
            }
            const auto before = snapshotOf(text);
            const OtlpForm form = *rc::gen::elementOf(kForms);
            RC_ASSERT(described(*throughOtlp(*before, form)) == described(*before));
        });
        QVERIFY(holds);
    }
    void seriesThatWereMeasuredTogetherStayTogether()
    {
        const auto before = snapshotOf("series: alloc/bytes alloc/count\nmain;f 64,1 | k=v\nmain;g 32,2\n");
        const auto after = throughOtlp(*before, OtlpForm::Message);
        QCOMPARE(after->tables.size(), std::size_t(1));
        QCOMPARE(after->tables[0].series.size(), std::size_t(2));
        QCOMPARE(after->sampleCount(), std::uint64_t(2));
        COMPARE_TEXT(dump(*after), QByteArray::fromStdString(dump(*before)));
    }
    void pprofComesBackFromOtlpAsItWas()
    {
        const auto before = snapshotOf("series: samples/count cpu/nanoseconds\n"
                                       "drop: malloc.*\nkeep: mallopt\ndefault: samples\n"
                                       "main;parse@p.c;alloc>inlined[libc] 3,100 | thread=w bytes:64kb\n"
                                       "main;[libc] 1,7\n? 2,2\n. 1,1\n");
        const auto pprof = readBack(pprofMessage(*before).value());
        const auto again = readBack(pprofMessage(*throughOtlp(*pprof, OtlpForm::Framed)).value());
        COMPARE_TEXT(described(*again), QByteArray::fromStdString(described(*pprof)));
    }
    void kindsOfFoldedFramesAreKept()
    {
        const auto folded = readBack("main;jitted_[j];sys_read_[k] 3\nmain;f 2\n");
        COMPARE_TEXT(described(*throughOtlp(*folded, OtlpForm::Message)),
                     QByteArray::fromStdString(described(*folded)));
        std::set<std::string_view> kinds;
        for (const Frame &frame : folded->frames)
            kinds.insert(folded->text(frame.kind));
        QVERIFY(kinds.contains("kernel"));
    }
    void commentsAndLinksOfProfilesAreKept()
    {
        Batch batch = test::batchOf("main 1\n");
        batch.origin.comments = {"first", "second"};
        batch.origin.docUrl = "https://example.org";
        const auto before = stored(std::move(batch));
        COMPARE_TEXT(described(*throughOtlp(*before, OtlpForm::Json)),
                     QByteArray::fromStdString(described(*before)));
    }
    void valuesOfEveryTypeAreKept()
    {
        Batch batch = test::batchOf("main 1 | k=v\n");
        const auto add = [&](AttributeType type, std::uint64_t bits) {
            Attribute attribute;
            attribute.type = type;
            attribute.bits = bits;
            attribute.key = batch.addString("key" + std::to_string(batch.attributes.size()));
            batch.attributeLists.emplace_back(batch.attributes.size());
            batch.attributes.push_back(attribute);
        };
        const auto begin = static_cast<std::uint32_t>(batch.attributeLists.size());
        const auto text = [&](std::string_view value) { return std::uint64_t(batch.addString(value).value); };
        add(AttributeType::Int, static_cast<std::uint64_t>(-5));
        add(AttributeType::Double, std::bit_cast<std::uint64_t>(3.0));
        add(AttributeType::Bool, 0);
        add(AttributeType::Bytes, text(std::string_view("\0\xff", 2)));
        add(AttributeType::Json, text("[1,2.0,\"x\\\"\",{\"a\":null,\"b\":[true]}]"));
        add(AttributeType::String, text(""));
        batch.attributeSets.push_back({begin, 6});
        batch.contexts[1].resource = AttributeSetId(batch.attributeSets.size() - 1);
        const auto before = stored(std::move(batch));
        for (const OtlpForm form : kForms) {
            const auto after = throughOtlp(*before, form);
            QCOMPARE(after->attributes.size(), before->attributes.size());
            const auto attributeText = [](const Snapshot &snapshot, const Attribute &attribute) {
                return std::string(snapshot.text(attribute.key)) + ' ' +
                       std::to_string(static_cast<int>(attribute.type)) + ' ' +
                       printAttribute(snapshot, attribute);
            };
            std::set<std::string> expected;
            std::set<std::string> found;
            for (const Attribute &attribute : before->attributes)
                expected.insert(attributeText(*before, attribute));
            for (const Attribute &attribute : after->attributes)
                found.insert(attributeText(*after, attribute));
            QVERIFY(found == expected);
        }
    }
    void findingsNameWhatIsAgainstTheStandard()
    {
        const auto findingsOf = [](const std::string &file) {
            ReadOptions options;
            options.wantsFindings = true;
            const auto batch = readProfile(
                memorySource({reinterpret_cast<const std::uint8_t *>(file.data()), file.size()}), options);
            if (!batch)
                return batch.error().message;
            std::string text;
            for (const std::string &finding : batch->origin.findings)
                text += finding + '\n';
            return text;
        };
        // Stack 1 is never used, string 3 is string 2, a time is not in the profile, and nothing is in row 0
        // of the locations' table, which has no row 7 either.
        std::string json =
            "{'resourceProfiles':[{'scopeProfiles':[{'profiles':[{'sampleType':{'typeStrindex':1,"
            "'unitStrindex':2},'timeUnixNano':'100','durationNano':'10','samples':["
            "{'stackIndex':2,'timestampsUnixNano':['105']},{'stackIndex':2,'timestampsUnixNano':['111']},"
            "{'stackIndex':2,'values':['1','2']}]}]}]}],"
            "'dictionary':{'stringTable':['','a','b','b'],'mappingTable':[{}],'functionTable':[{}],"
            "'linkTable':[{}],'attributeTable':[{}],'locationTable':[{'address':'5'}],"
            "'stackTable':[{},{'locationIndices':[0]},{'locationIndices':[0,7]}]}}";
        std::ranges::replace(json, '\'', '"');
        COMPARE_TEXT(findingsOf(json),
                     "1 × no zero entry at the front of the location table\n"
                     "1 × entries of the string table that are there twice\n"
                     "1 × entries of the string table that nothing refers to\n"
                     "1 × entries of the stack table that nothing refers to\n"
                     "1 × references to entries that the location table does not have\n"
                     "1 × times of samples outside their profile's\n"
                     "1 × samples with a number of values that does not go with their times\n"
                     "1 × profiles whose samples do not have the same shape\n"
                     "2 × samples of the same stack, attributes and link in one profile\n");
        // What Hearth writes itself is as it should be.
        const auto timed =
            snapshotOf("main;f[lib] 1 | k=v @5\nmain;f[lib] 1 | k=v @6\nmain;g 2 | n:5kb @7\n");
        for (const OtlpForm form : kForms)
            COMPARE_TEXT(findingsOf(otlpFile(*timed, form).value()), "");
        const auto agent = stored(readProfile(HEARTH_TEST_DATA "/otlp/agent-20hz.otlp.gz").value());
        COMPARE_TEXT(findingsOf(otlpFile(*agent, OtlpForm::Framed).value()), "");
    }
    void nothingToWriteIsAnError() { QVERIFY(!otlpFile(*stored(Batch()), OtlpForm::Message)); }
    void largeProfilesComeBackInChunksOfTheUsualSize()
    {
        std::string text;
        for (std::size_t i = 0; i < SampleChunk::kRows + 10; ++i)
            text += "f" + std::to_string(i % 50) + " 1\n";
        const auto after = throughOtlp(*snapshotOf(text), OtlpForm::Message);
        QCOMPARE(after->sampleCount(), std::uint64_t(SampleChunk::kRows + 10));
        for (const auto &chunk : after->tables[0].chunks)
            QVERIFY(chunk->rows() <= SampleChunk::kRows);
    }
};

QTEST_GUILESS_MAIN(TestOtlpWriter)
#include "tst_otlp_writer.moc"
