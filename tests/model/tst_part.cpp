#include "model/lens/lens_text.h"
#include "model/views/evaluator.h"
#include "model/views/part.h"
#include "tests/support/profile_text.h"
#include "tests/support/spans_text.h"

#include <QTest>

#include <rapidcheck.h>

#include <string>

using namespace hearth;
using namespace hearth::test;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

std::shared_ptr<const Snapshot> partOf(const std::shared_ptr<const Snapshot> &whole, std::string_view lens)
{
    return hearth::partOf(whole, *parseLens(lens), {}).value();
}

std::string part(std::string_view profile, std::string_view lens)
{
    return dump(*partOf(snapshotOf(profile), lens));
}

std::string spanNames(const Snapshot &snapshot)
{
    std::string names;
    snapshot.spans.forEach(
        [&](const SpanChunk &, const Span &span) { names += std::string(snapshot.text(span.name)) + '\n'; });
    return names;
}

constexpr const char *kProfile = "series: samples/count cpu/nanoseconds\n"
                                 "main[app];parse@parse.c[app] 5,50 | thread=worker @100\n"
                                 "main[app];parse@parse.c[app];alloc[libc.so] 3,30 | thread=worker @200\n"
                                 "main[app];draw[app] 2,20 | thread=ui @300\n";

constexpr const char *kSpans = "1.1 100..300 shop GET /cart\n"
                               "1.2<1.1 150..250 shop SELECT\n"
                               "2.1 400..500 shop GET /pay\n";

} // namespace

class TestPart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutTermsItIsTheWhole() { COMPARE_TEXT(part(kProfile, ""), dump(*snapshotOf(kProfile)).c_str()); }
    void samplesAreChosenByAttribute()
    {
        COMPARE_TEXT(part(kProfile, "@thread=ui"),
                     "main:0:0/0[app  0-0+0 0]+4096;draw:0:0/0[app  0-0+0 0]+4099 samples/count=2 "
                     "cpu/nanoseconds=20 |thread=ui @300\n");
    }
    void samplesAreChosenByTimeAndStack()
    {
        COMPARE_TEXT(
            part(kProfile, "time=0ns..150ns parse"),
            dump(*snapshotOf("series: samples/count cpu/nanoseconds\n"
                             "main[app];parse@parse.c[app] 5,50 | thread=worker @100\n"
                             "main[app];parse@parse.c[app];alloc[libc.so] 3,30 | thread=worker @200\n"))
                .c_str());
    }
    void stacksStayWholeWhateverTheLensDoesToFrames()
    {
        const std::string whole = dump(*snapshotOf(kProfile));
        COMPARE_TEXT(part(kProfile, "hide:alloc"), whole.c_str());
    }
    void whatNothingRefersToIsLeftOut()
    {
        const auto whole = snapshotOf(kProfile);
        const auto ui = partOf(whole, "@thread=ui");
        QCOMPARE(ui->functions.size(), std::size_t(2));
        QVERIFY(ui->strings.size() < whole->strings.size());
        QVERIFY(ui->binaries.size() == 1);
    }
    void itOutlivesTheWhole()
    {
        auto whole = snapshotOf(kProfile);
        const auto ui = partOf(whole, "draw");
        whole.reset();
        COMPARE_TEXT(top(ui, "series:samples"), "draw 2 2\nmain 0 2\n");
    }
    void itSaysThatItIsAPart()
    {
        const auto ui = partOf(snapshotOf(kProfile), "@thread=ui");
        COMPARE_TEXT(ui->origins.front().comments.back(), "a part of what was recorded: @thread=ui");
    }
    void whatWasLostIsStillMissing()
    {
        Store store;
        Batch batch = batchOf(kProfile);
        batch.losses.add(Loss::MalformedRecords, 7);
        store.append(std::move(batch));
        QCOMPARE(partOf(store.publish(), "draw")->losses.count(Loss::MalformedRecords), std::uint64_t(7));
    }
    void namesThatCameLaterGoWithIt()
    {
        Store store;
        store.append(batchOf("[libfoo.so] 5\n[libfoo.so];main 3\n"));
        const auto nameless = store.publish();
        SymbolUpdate update;
        for (std::size_t frame = 0; frame < nameless->frames.size(); ++frame)
            if (nameless->linesOf(FrameId(frame)).empty())
                update.frames.push_back({FrameId(frame), {{.name = "found", .systemName = {}, .file = {}}}});
        QVERIFY(!update.frames.empty());
        store.apply(update);
        COMPARE_TEXT(top(partOf(store.publish(), "found")), "found 5 8\nmain 3 3\n");
    }
    void spansAreThoseOfItsTime()
    {
        COMPARE_TEXT(
            spanNames(*partOf(dataSetOf("f 1 | @120 ~1.1\nf 2 | @450 ~2.1\n", kSpans), "time=0ns..100ns")),
            "GET /cart\nSELECT\n");
    }
    void spansThatAreNamedGoWithTheirChildrenAndSamples()
    {
        const auto part = partOf(dataSetOf("f 1 | ~1.2\ng 2 | ~2.1\n", kSpans), "span=\"GET /cart\"");
        COMPARE_TEXT(spanNames(*part), "GET /cart\nSELECT\n");
        COMPARE_TEXT(top(part), "f 1 1\n");
    }
    void howSamplesAreShownChoosesNone()
    {
        const auto whole = snapshotOf(kProfile);
        QCOMPARE(partOf(whole, "series:cpu by:thread,line inverted noinlines"), whole);
    }
    void aLensThatDoesNotFitIsAnError()
    {
        Lens lens;
        lens.paths.push_back({PathTermKind::Regex, "(", false});
        QVERIFY(!hearth::partOf(snapshotOf(kProfile), lens, {}));
    }
    void whatIsStoppedIsNothing()
    {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(hearth::partOf(snapshotOf(kProfile), *parseLens("draw"), stop.get_token()).value() ==
                nullptr);
    }
    void moreThanAChunkOfSamplesIsAllThere()
    {
        SampleRows rows(1);
        Batch batch = batchOf("series: samples/count\nmain 1\n");
        const SampleChunk one = std::move(batch.blocks.front().chunks.front());
        batch.blocks.front().chunks.clear();
        for (std::size_t i = 0; i < SampleChunk::kRows; ++i)
            rows.add(StackId(one.stacks()[0]), ContextId(one.contexts()[0]), LinkId(), std::int64_t(i) + 1,
                     std::vector<std::int64_t>{1});
        for (int i = 0; i < 3; ++i)
            batch.blocks.front().chunks.emplace_back(rows);
        Store store;
        store.append(std::move(batch));
        QCOMPARE(partOf(store.publish(), "main")->sampleCount(), std::uint64_t(3) * SampleChunk::kRows);
    }
    void aPartAndTheRestAreTheWhole()
    {
        const bool holds = rc::check("weights of a part and of what it leaves out add up", [] {
            std::string profile;
            const int count = *rc::gen::inRange(1, 30);
            for (int i = 0; i < count; ++i)
                profile += "main;f" + std::to_string(*rc::gen::inRange(0, 5)) + ' ' +
                           std::to_string(*rc::gen::inRange(1, 100)) + " | thread=t" +
                           std::to_string(*rc::gen::inRange(0, 3)) + '\n';
            const auto whole = snapshotOf(profile);
            const auto sum = [](const std::shared_ptr<const Snapshot> &snapshot) {
                return Evaluator().evaluate(snapshot, {}).value()->total;
            };
            RC_ASSERT(sum(partOf(whole, "@thread=t1")) + sum(partOf(whole, "-@thread=t1")) == sum(whole));
            RC_ASSERT(sum(partOf(whole, "f3")) + sum(partOf(whole, "-f3")) == sum(whole));
        });
        QVERIFY(holds);
    }
};

QTEST_APPLESS_MAIN(TestPart)
#include "tst_part.moc"
