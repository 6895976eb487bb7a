#include "ingest/bytes/byte_sink.h"
#include "ingest/bytes/wire_writer.h"
#include "ingest/formats/format.h"
#include "ingest/formats/pprof_wire.h"
#include "ingest/formats/pprof_writer.h"
#include "model/store/store.h"
#include "tests/support/profile_text.h"

#include <QTest>

#include <rapidcheck.h>

using namespace hearth;
using namespace hearth::pprof;
using test::dump;
using test::snapshotOf;
using test::top;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

Result<Batch> read(const std::string &bytes, std::size_t budget = ~std::size_t(0))
{
    return readProfile(memorySource({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()}),
                       {.name = "test", .memoryBudget = budget, .stop = {}, .progress = {}});
}

std::shared_ptr<const Snapshot> stored(Batch batch)
{
    Store store;
    store.append(std::move(batch));
    return store.publish();
}

/// One message, field by field.
struct Message {
    std::string bytes;

    template <class Field>
    Message &number(Field field, std::uint64_t value)
    {
        WireWriter(bytes).number(field, value);
        return *this;
    }
    template <class Field>
    Message &text(Field field, const std::string &payload)
    {
        WireWriter(bytes).bytes(field, payload);
        return *this;
    }
    template <class Field>
    Message &list(Field field, std::initializer_list<std::uint64_t> values)
    {
        std::string packed;
        for (const std::uint64_t value : values)
            WireWriter(packed).varint(value);
        return text(field, packed);
    }
};

std::string sampleType()
{
    return Message().number(ValueTypeField::Type, 1).number(ValueTypeField::Unit, 2).bytes;
}
std::string sampleAt(std::uint64_t location, std::uint64_t value)
{
    return Message().list(SampleField::LocationId, {location}).list(SampleField::Value, {value}).bytes;
}
std::string locationOf(std::uint64_t id, std::uint64_t function)
{
    return Message()
        .number(LocationField::Id, id)
        .text(LocationField::Line, Message().number(LineField::FunctionId, function).bytes)
        .bytes;
}
std::string functionNamed(std::uint64_t id, std::uint64_t name)
{
    return Message().number(FunctionField::Id, id).number(FunctionField::Name, name).bytes;
}
Message &strings(Message &message)
{
    for (const char *text : {"", "samples", "count", "f", "g"})
        message.text(ProfileField::StringTable, text);
    return message;
}

/// f 3, g 4
Message smallProfile()
{
    Message profile;
    profile.text(ProfileField::SampleType, sampleType());
    profile.text(ProfileField::Sample, sampleAt(1, 3)).text(ProfileField::Sample, sampleAt(2, 4));
    profile.text(ProfileField::Location, locationOf(1, 1)).text(ProfileField::Location, locationOf(2, 2));
    profile.text(ProfileField::Function, functionNamed(1, 3))
        .text(ProfileField::Function, functionNamed(2, 4));
    return strings(profile);
}

constexpr std::string_view kRich =
    "series: alloc/bytes inuse/count\n"
    "drop:malloc\nkeep:keep\ndefault:alloc\n"
    "main@main.c;outer>inner@x.c[/lib/libx.so];[/lib/liby.so] 3,100 | thread=a bytes:64kb\n"
    "main@main.c;-[/lib/libx.so] -1,0 | thread=b thread=c\n"
    "? 9223372036854775807,7\n"
    ". 5,5 | n:-3\n";

} // namespace

class TestPprof : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSmallProfileIsRead()
    {
        COMPARE_TEXT(top(stored(read(smallProfile().bytes).value())), "g 4 4\nf 3 3\n");
    }
    void everySampleLabelAndLineSurvivesARoundTrip()
    {
        const auto before = snapshotOf(kRich);
        const auto after = stored(read(gzipped(pprofMessage(*before).value())).value());
        COMPARE_TEXT(dump(*after), QByteArray::fromStdString(dump(*before)));
        QVERIFY(!after->losses.any());
        QCOMPARE(after->origins[0].dropFrames, std::string("malloc"));
        QCOMPARE(after->origins[0].keepFrames, std::string("keep"));
        QCOMPARE(after->origins[0].defaultSeries, std::string("alloc"));
    }
    void randomProfilesSurviveARoundTrip()
    {
        const bool holds = rc::check("write, read", [] {
            const auto frame = rc::gen::elementOf(std::vector<std::string>{
                "a", "b", "c@x.c", "a>b", "c@x.c>a[l]", "[l]", "[m]", "?", "-", "b[m]"});
            const auto stacks = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::vector<std::string>>>(
                rc::gen::container<std::vector<std::string>>(frame)));
            std::string text;
            for (const auto &stack : stacks) {
                std::string line;
                for (const std::string &name : stack)
                    line += (line.empty() ? "" : ";") + name;
                text += (line.empty() ? "." : line) + ' ' +
                        std::to_string(*rc::gen::arbitrary<std::int64_t>()) +
                        (*rc::gen::arbitrary<bool>() ? " | k=v n:5" : "") + '\n';
            }
            const auto before = snapshotOf(text);
            const auto after = stored(read(pprofMessage(*before).value()).value());
            RC_ASSERT(dump(*after) == dump(*before));
        });
        QVERIFY(holds);
    }
    void fieldsMayComeInAnyOrder()
    {
        Message profile;
        strings(profile);
        profile.text(ProfileField::Function, functionNamed(1, 3))
            .text(ProfileField::Location, locationOf(1, 1));
        profile.text(ProfileField::Sample, sampleAt(1, 3)).text(ProfileField::SampleType, sampleType());
        COMPARE_TEXT(top(stored(read(profile.bytes).value())), "f 3 3\n");
    }
    void listsMayBeUnpackedOrInPieces()
    {
        Message profile = smallProfile();
        Message sample;
        sample.number(SampleField::LocationId, 1)
            .list(SampleField::Value, {5})
            .number(SampleField::LocationId, 2);
        profile.text(ProfileField::Sample, sample.bytes);
        COMPARE_TEXT(top(stored(read(profile.bytes).value())), "f 8 8\ng 4 9\n");
    }
    void idsMayBeSparse()
    {
        constexpr std::uint64_t kId = 0xffffffff81000000ULL;
        Message profile = smallProfile();
        profile.text(ProfileField::Location, locationOf(kId, kId))
            .text(ProfileField::Function, functionNamed(kId, 3));
        profile.text(ProfileField::Sample, sampleAt(kId, 10));
        COMPARE_TEXT(top(stored(read(profile.bytes).value())), "f 13 13\ng 4 4\n");
    }
    void missingLocationsLeaveFramesWithoutAName()
    {
        Message profile = smallProfile();
        profile.text(ProfileField::Sample, sampleAt(77, 10));
        const auto snapshot = stored(read(profile.bytes).value());
        COMPARE_TEXT(top(snapshot), "<unknown> 10 10\ng 4 4\nf 3 3\n");
        QCOMPARE(snapshot->losses.count(Loss::FramesWithoutLocation), std::uint64_t(1));
    }
    void samplesWithTheWrongNumberOfValuesAreCounted()
    {
        Message profile = smallProfile();
        profile.text(ProfileField::Sample, Message().list(SampleField::Value, {1, 2}).bytes);
        profile.text(ProfileField::Sample, {});
        const auto snapshot = stored(read(profile.bytes).value());
        COMPARE_TEXT(top(snapshot), "g 4 4\nf 3 3\n");
        QCOMPARE(snapshot->losses.count(Loss::SamplesWithWrongValueCount), std::uint64_t(2));
    }
    void indicesOutOfRangeAreTakenAsAbsentAndCounted()
    {
        Message profile = smallProfile();
        profile.text(ProfileField::Function, functionNamed(9, 1000))
            .text(ProfileField::Location, locationOf(9, 9));
        profile.text(ProfileField::Sample, sampleAt(9, 10));
        const auto snapshot = stored(read(profile.bytes).value());
        COMPARE_TEXT(top(snapshot), "<unknown> 10 10\ng 4 4\nf 3 3\n");
        QVERIFY(snapshot->losses.count(Loss::UnknownReferences) > 0);
    }
    void aTruncatedProfileKeepsWhatCameBefore()
    {
        const std::string bytes = smallProfile().bytes;
        const std::size_t header = 2 + sampleType().size();
        for (std::size_t size = header; size < bytes.size(); ++size) {
            const auto batch = read(bytes.substr(0, size));
            if (!batch)
                continue;
            const auto snapshot = stored(Batch(std::move(const_cast<Batch &>(*batch))));
            QVERIFY(snapshot->sampleCount() <= 2);
        }
        const auto snapshot = stored(read(bytes.substr(0, bytes.size() - 1)).value());
        QCOMPARE(snapshot->losses.count(Loss::TruncatedInput), std::uint64_t(1));
        COMPARE_TEXT(top(snapshot), "<unknown> 4 4\nf 3 3\n");
    }
    void aFileOfTwoProfilesIsRefused()
    {
        Message profile = smallProfile();
        profile.number(ProfileField::TimeNanos, 1).number(ProfileField::TimeNanos, 2);
        const auto batch = read(profile.bytes);
        QVERIFY(!batch);
        QVERIFY(QString::fromStdString(batch.error().message).contains("two profiles"));
    }
    void aStringTableThatDoesNotBeginEmptyIsRefused()
    {
        Message profile;
        profile.text(ProfileField::SampleType, sampleType());
        while (profile.bytes.size() < 300'000) // beyond what recognise() looks at
            profile.text(ProfileField::Sample, sampleAt(1, 3));
        profile.text(ProfileField::StringTable, "x");
        const auto profileRead = read(profile.bytes);
        QVERIFY(!profileRead);
        QVERIFY(profileRead.error().message.find("string table") != std::string::npos);
    }
    void oversizedFieldsAreLeftOutAndLaterStringsKeepTheirPlace()
    {
        Message profile;
        profile.text(ProfileField::SampleType, sampleType()).text(ProfileField::Sample, sampleAt(1, 3));
        profile.text(ProfileField::Location, locationOf(1, 1))
            .text(ProfileField::Function, functionNamed(1, 4));
        profile.text(ProfileField::StringTable, "").text(ProfileField::StringTable, "samples");
        profile.text(ProfileField::StringTable, "count");
        profile.text(ProfileField::StringTable, std::string((std::size_t(64) << 20) + 1, 'x'));
        profile.text(ProfileField::StringTable, "g");
        const auto snapshot = stored(read(profile.bytes).value());
        COMPARE_TEXT(top(snapshot), "g 3 3\n");
        QCOMPARE(snapshot->losses.count(Loss::OversizedFields), std::uint64_t(1));
    }
    void tenMillionSamplesThatAreAlikeTakeNextToNoMemory()
    {
        Message profile = smallProfile();
        const std::string sample = Message().text(ProfileField::Sample, sampleAt(1, 1)).bytes;
        constexpr std::size_t kSamples = 1'000'000;
        for (std::size_t i = 0; i < kSamples; ++i)
            profile.bytes += sample;
        const auto snapshot = stored(read(gzipped(profile.bytes)).value());
        QCOMPARE(snapshot->sampleCount(), kSamples + 2);
        QVERIFY(snapshot->memory.samples < 4'000'000);
    }
    void theMemoryBudgetEndsReadingAndSaysSo()
    {
        Message profile = smallProfile();
        for (std::uint64_t i = 0; i < 200'000; ++i)
            profile.text(ProfileField::Sample, sampleAt(i + 10, i * 77777));
        const auto snapshot = stored(read(profile.bytes, 1'000'000).value());
        QVERIFY(snapshot->losses.count(Loss::SamplesOverBudget) > 0);
        QVERIFY(snapshot->sampleCount() < 200'000);
    }
    void manyDistinctSamplesKeepTheirSums()
    {
        std::string text;
        for (int i = 0; i < 150'000; ++i)
            text += "main;f" + std::to_string(i % 1000) + ";g" + std::to_string(i % 77) + " " +
                    std::to_string(i % 13) + " | n:" + std::to_string(i % 500) + "\n";
        const auto before = snapshotOf(text);
        const auto after = stored(read(gzipped(pprofMessage(*before).value())).value());
        QCOMPARE(after->sampleCount(), before->sampleCount());
        COMPARE_TEXT(top(after), QByteArray::fromStdString(top(before)));
        COMPARE_TEXT(top(after, "tagfocus:n=7:9"), QByteArray::fromStdString(top(before, "tagfocus:n=7:9")));
    }
};

QTEST_GUILESS_MAIN(TestPprof)
#include "tst_pprof.moc"
