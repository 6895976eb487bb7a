#include "tests/support/records_text.h"

#include "model/lens/attribute_keys.h"

#include <sstream>

namespace hearth::test {

namespace {

class RecordPrinter {
public:
    explicit RecordPrinter(const Snapshot &snapshot) : m_snapshot(snapshot) {}

    std::string print()
    {
        m_snapshot.spans.forEach([this](const SpanChunk &chunk, const Span &span) { print(chunk, span); });
        m_snapshot.logs.forEach([this](const LogChunk &, const LogRecord &record) { print(record); });
        m_snapshot.points.forEach(
            [this](const MetricChunk &chunk, const MetricPoint &point) { print(chunk, point); });
        return m_out.str();
    }

private:
    void print(const SpanChunk &chunk, const Span &span)
    {
        m_out << "span " << text(span.name) << ' ' << linkText(span.id) << " in " << linkText(span.parent)
              << ' ' << span.startNs << ".." << span.endNs << " kind " << int(span.kind) << " status "
              << int(span.status) << " '" << text(span.statusMessage) << "' state '" << text(span.traceState)
              << "' flags " << span.flags << " dropped " << span.droppedAttributes << '/'
              << span.droppedEvents << '/' << span.droppedLinks << contextText(span.context);
        for (std::uint32_t i = 0; i < span.eventCount; ++i) {
            const SpanEvent &event = chunk.events[span.eventBegin + i];
            m_out << " event(" << text(event.name) << ' ' << event.timeNs << " dropped "
                  << event.droppedAttributes << setText(event.attributes) << ')';
        }
        for (std::uint32_t i = 0; i < span.linkCount; ++i) {
            const SpanLink &link = chunk.links[span.linkBegin + i];
            m_out << " link(" << linkText(link.target) << ' ' << text(link.traceState) << " flags "
                  << link.flags << " dropped " << link.droppedAttributes << setText(link.attributes) << ')';
        }
        m_out << '\n';
    }

    void print(const LogRecord &record)
    {
        m_out << "log '" << attributeText(record.body) << "' " << record.timeNs << '/'
              << record.observedTimeNs << " severity " << record.severity << ' ' << text(record.severityText)
              << " event '" << text(record.eventName) << "' flags " << record.flags << " dropped "
              << record.droppedAttributes << ' ' << linkText(record.link) << contextText(record.context)
              << '\n';
    }

    void print(const MetricChunk &chunk, const MetricPoint &point)
    {
        const Metric &metric = m_snapshot.metrics[point.metric.value];
        m_out << "point " << text(metric.name) << " '" << text(metric.description) << "' "
              << text(metric.unit) << " kind " << int(metric.kind) << " temporality "
              << int(metric.temporality) << (metric.isMonotonic != 0 ? " monotonic" : "")
              << setText(metric.metadata) << ' ' << point.startNs << ".." << point.timeNs << ' '
              << numberText(point.value) << " flags " << point.flags << contextText(point.context);
        if (point.distribution != MetricPoint::kNone)
            print(chunk, chunk.distributions[point.distribution]);
        for (std::uint32_t i = 0; i < point.exemplarCount; ++i) {
            const Exemplar &exemplar = chunk.exemplars[point.exemplarBegin + i];
            m_out << " exemplar(" << numberText(exemplar.value) << ' ' << exemplar.timeNs << ' '
                  << linkText(exemplar.link) << setText(exemplar.attributes) << ')';
        }
        m_out << '\n';
    }

    void print(const MetricChunk &chunk, const Distribution &distribution)
    {
        const auto runText = [this](const auto &values, Run run) {
            for (std::uint32_t i = 0; i < run.count; ++i)
                m_out << (i > 0 ? "," : "") << values[run.begin + i];
        };
        m_out << " count " << distribution.count;
        if ((distribution.flags & kHasSum) != 0)
            m_out << " sum " << distribution.sum;
        if ((distribution.flags & kHasMin) != 0)
            m_out << " min " << distribution.min;
        if ((distribution.flags & kHasMax) != 0)
            m_out << " max " << distribution.max;
        m_out << " scale " << distribution.scale << " zero " << distribution.zeroCount << "<"
              << distribution.zeroThreshold << " buckets " << distribution.offset << ':';
        runText(chunk.counts, distribution.buckets);
        m_out << " negative " << distribution.negativeOffset << ':';
        runText(chunk.counts, distribution.negativeBuckets);
        m_out << " bounds ";
        runText(chunk.bounds, distribution.bounds);
    }

    std::string_view text(StringId id) const { return m_snapshot.text(id); }
    std::string attributeText(const Attribute &attribute) const
    {
        return printAttribute(m_snapshot, attribute);
    }

    /// First and last byte of each id are enough to tell.
    std::string linkText(LinkId id) const
    {
        if (id == LinkId())
            return "-";
        const Link &link = m_snapshot.links[id.value];
        return std::to_string(link.trace.front()) + '.' + std::to_string(link.trace.back()) + ':' +
               std::to_string(link.span.front()) + '.' + std::to_string(link.span.back());
    }

    std::string setText(AttributeSetId set) const
    {
        std::string out;
        for (const AttributeId id : m_snapshot.attributesOf(set)) {
            const Attribute &attribute = m_snapshot.attributes[id.value];
            out += ' ' + std::string(text(attribute.key)) + '=' + attributeText(attribute) + '/' +
                   std::to_string(static_cast<int>(attribute.type));
        }
        return out;
    }

    std::string contextText(ContextId id) const
    {
        const Context &context = m_snapshot.contexts[id.value];
        return " resource{" + setText(context.resource) + " } scope{" + setText(context.scope) + " } own{" +
               setText(context.sample) + " }";
    }

    static std::string numberText(const Number &number)
    {
        if (number.type == NumberType::None)
            return "nothing";
        if (number.type == NumberType::Int)
            return std::to_string(number.integer()) + 'i';
        std::ostringstream out;
        out << number.real();
        return out.str() + 'd';
    }

    const Snapshot &m_snapshot;
    std::ostringstream m_out;
};

} // namespace

std::string dumpRecords(const Snapshot &snapshot)
{
    return RecordPrinter(snapshot).print();
}

} // namespace hearth::test
