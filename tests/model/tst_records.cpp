#include "model/lens/attribute_keys.h"
#include "model/store/store.h"

#include <QTest>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

Link linkOf(std::uint8_t trace, std::uint8_t span)
{
    Link link;
    link.trace[0] = trace;
    link.span[0] = span;
    return link;
}

/// A span with an event, a link to another and an attribute. What is in front of it in the batch is of no
/// use, so that ids of batch and store differ.
Batch batchWithSpan(const std::string &name, std::uint8_t span)
{
    Batch batch;
    batch.addString("unused");
    Attribute attribute;
    attribute.type = AttributeType::Int;
    attribute.bits = 7;
    attribute.key = batch.addString("n");
    batch.attributes.push_back(attribute);
    batch.attributeLists.emplace_back(std::size_t(0));
    batch.attributeSets.push_back({0, 1});
    batch.contexts.push_back({.resource = {}, .scope = {}, .sample = AttributeSetId(1)});
    batch.links.push_back(linkOf(1, span));
    batch.links.push_back(linkOf(2, 9));
    batch.spans.events.push_back({});
    batch.spans.events.push_back(
        {.timeNs = 15, .name = batch.addString("retry"), .attributes = AttributeSetId(1)});
    SpanLink link;
    link.target = LinkId(2);
    link.traceState = batch.addString("a=b");
    batch.spans.links.push_back(link);
    Span row;
    row.startNs = 10;
    row.endNs = 20;
    row.id = LinkId(1);
    row.context = ContextId(1);
    row.name = batch.addString(name);
    row.eventBegin = 1;
    row.eventCount = 1;
    row.linkCount = 1;
    batch.spans.rows.push_back(row);
    return batch;
}

Batch batchWithLogs(std::size_t count)
{
    Batch batch;
    for (std::size_t i = 0; i < count; ++i) {
        LogRecord record;
        record.timeNs = i;
        record.body.bits = batch.addString("line " + std::to_string(i)).value;
        batch.logs.rows.push_back(record);
    }
    return batch;
}

std::string dumpSpans(const Snapshot &snapshot)
{
    std::string text;
    snapshot.spans.forEach([&](const SpanChunk &chunk, const Span &span) {
        text += std::string(snapshot.text(span.name)) + ' ' + std::to_string(span.startNs) + ".." +
                std::to_string(span.endNs) + " trace " +
                std::to_string(snapshot.links[span.id.value].trace[0]) + " span " +
                std::to_string(snapshot.links[span.id.value].span[0]);
        for (const AttributeId id : snapshot.attributesOf(snapshot.contexts[span.context.value].sample))
            text += ' ' + std::string(snapshot.text(snapshot.attributes[id.value].key)) + '=' +
                    printAttribute(snapshot, snapshot.attributes[id.value]);
        for (std::uint32_t i = 0; i < span.eventCount; ++i) {
            const SpanEvent &event = chunk.events[span.eventBegin + i];
            text += " event " + std::string(snapshot.text(event.name)) + " with " +
                    std::to_string(snapshot.attributesOf(event.attributes).size());
        }
        for (std::uint32_t i = 0; i < span.linkCount; ++i) {
            const SpanLink &link = chunk.links[span.linkBegin + i];
            text += " to " + std::to_string(snapshot.links[link.target.value].span[0]) + ' ' +
                    std::string(snapshot.text(link.traceState));
        }
        text += '\n';
    });
    return text;
}

} // namespace

class TestRecords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void spansKeepTheirEventsLinksAndAttributes()
    {
        Store store;
        store.append(batchWithSpan("GET", 3));
        store.append(batchWithSpan("PUT", 4));
        COMPARE_TEXT(dumpSpans(*store.publish()),
                     "GET 10..20 trace 1 span 3 n=7 event retry with 1 to 9 a=b\n"
                     "PUT 10..20 trace 1 span 4 n=7 event retry with 1 to 9 a=b\n");
    }
    void aSpanAndTheSamplesThatRanInItHaveTheSameLink()
    {
        Batch samples;
        samples.links.push_back(linkOf(8, 8));
        samples.links.push_back(linkOf(1, 3));
        SampleBlock block;
        block.series.push_back({});
        SampleRows rows(1);
        rows.times.push_back(0);
        rows.stacks.push_back(0);
        rows.contexts.push_back(0);
        rows.links.push_back(2);
        rows.values[0].push_back(1);
        block.chunks.emplace_back(rows);
        samples.blocks.push_back(std::move(block));
        Store store;
        store.append(std::move(samples));
        store.append(batchWithSpan("GET", 3));
        const auto snapshot = store.publish();
        QCOMPARE(snapshot->tables[0].chunks[0]->links()[0],
                 std::uint64_t(snapshot->spans.chunks[0]->rows[0].id.value));
    }
    void aMetricIsKeptOnceAndItsPointsKeepTheirBuckets()
    {
        Store store;
        for (int i = 0; i < 2; ++i) {
            Batch batch;
            batch.metrics.push_back({.name = batch.addString("latency"),
                                     .description = {},
                                     .unit = batch.addString("ms"),
                                     .metadata = {},
                                     .kind = MetricKind::Histogram});
            batch.points.counts = {1, 2, 3};
            batch.points.bounds = {0.5, 1.5};
            batch.points.distributions.push_back(
                {.count = 6, .buckets = {0, 3}, .negativeBuckets = {}, .bounds = {0, 2}});
            MetricPoint point;
            point.timeNs = static_cast<std::uint64_t>(i);
            point.distribution = 0;
            batch.points.rows.push_back(point);
            store.append(std::move(batch));
        }
        const auto snapshot = store.publish();
        QCOMPARE(snapshot->metrics.size(), std::size_t(1));
        COMPARE_TEXT(std::string(snapshot->text(snapshot->metrics[0].unit)), "ms");
        QCOMPARE(snapshot->points.rows, std::uint64_t(2));
        const MetricChunk &chunk = *snapshot->points.chunks[0];
        const Distribution &second = chunk.distributions[chunk.rows[1].distribution];
        QCOMPARE(second.buckets, (Run{3, 3}));
        QCOMPARE(second.bounds, (Run{2, 2}));
        QCOMPARE(chunk.counts.size(), std::size_t(6));
        QCOMPARE(chunk.bounds[3], 1.5);
    }
    void publishedRecordsStayAsTheyWere()
    {
        Store store;
        store.append(batchWithLogs(3));
        const auto before = store.publish();
        store.append(batchWithLogs(5000));
        const auto after = store.publish();
        QCOMPARE(before->logs.rows, std::uint64_t(3));
        QCOMPARE(before->logs.chunks[0]->rows.size(), std::size_t(3));
        QCOMPARE(after->logs.rows, std::uint64_t(5003));
        QCOMPARE(after->logs.chunks.size(), std::size_t(2));
        COMPARE_TEXT(printAttribute(*after, after->logs.chunks[1]->rows.back().body), "line 4999");
    }
    void theOldestRecordsGoWhenTheBudgetIsReachedAndAreCounted()
    {
        Store unlimited;
        unlimited.append(batchWithLogs(20'000));
        const std::size_t budget = unlimited.memoryUse().total() - unlimited.memoryUse().records / 2;
        Store store(budget);
        store.append(batchWithLogs(20'000));
        const auto snapshot = store.publish();
        QVERIFY(snapshot->memory.total() <= budget);
        QVERIFY(snapshot->logs.rows > 0);
        QCOMPARE(snapshot->logs.rows + snapshot->losses.count(Loss::EvictedRecords), std::uint64_t(20'000));
        QCOMPARE(snapshot->logs.chunks.back()->rows.back().timeNs, std::uint64_t(19'999));
    }
};

QTEST_GUILESS_MAIN(TestRecords)
#include "tst_records.moc"
