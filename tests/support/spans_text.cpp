#include "tests/support/spans_text.h"

#include "model/store/store.h"
#include "tests/support/profile_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <stdexcept>
#include <vector>

namespace hearth::test {

namespace {

/// Takes what stands before `stop`, and `stop`; all there is if there is no such thing.
std::string_view takeUntil(std::string_view &text, std::string_view stop)
{
    const std::size_t at = text.find(stop);
    const std::string_view taken = text.substr(0, at);
    text = at == std::string_view::npos ? std::string_view() : text.substr(at + stop.size());
    return taken;
}

std::uint64_t numberOf(std::string_view text)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        throw std::invalid_argument("no number: " + std::string(text));
    return number;
}

template <std::size_t Size>
void writeNumber(std::uint64_t number, std::array<std::uint8_t, Size> &id)
{
    for (std::size_t byte = 0; byte < sizeof number; ++byte)
        id[Size - 1 - byte] = static_cast<std::uint8_t>(number >> (8 * byte));
}

class SpanReader {
public:
    Batch readLogs(std::string_view text)
    {
        while (!text.empty())
            if (const std::string_view line = takeUntil(text, "\n"); !line.empty())
                readLog(line);
        return std::move(m_batch);
    }

    Batch read(std::string_view text)
    {
        while (!text.empty())
            if (const std::string_view line = takeUntil(text, "\n"); !line.empty())
                readSpan(line);
        return std::move(m_batch);
    }

private:
    void readSpan(std::string_view line)
    {
        std::string_view ids = takeUntil(line, " ");
        std::string_view times = takeUntil(line, " ");
        std::string_view service = takeUntil(line, " ");
        std::string_view attributes = line;
        const std::string_view name = takeUntil(attributes, " | ");
        Span span;
        span.id = link(takeUntil(ids, "<"));
        span.parent = ids.empty() ? LinkId() : link(ids);
        span.startNs = numberOf(takeUntil(times, ".."));
        span.endNs = numberOf(times);
        if (service.ends_with('!')) {
            service.remove_suffix(1);
            span.status = SpanStatus::Error;
        }
        span.name = m_batch.addString(name);
        span.context = context(service, attributes);
        m_batch.spans.rows.push_back(span);
    }

    void readLog(std::string_view line)
    {
        const std::string_view span = takeUntil(line, " ");
        LogRecord record;
        record.link = span == "-" ? LinkId() : link(span);
        record.timeNs = numberOf(takeUntil(line, " "));
        const std::string_view severity = takeUntil(line, " ");
        constexpr std::array<std::string_view, 6> kNames{"trace", "debug", "info", "warn", "error", "fatal"};
        const auto name = std::ranges::find(kNames, severity);
        record.severity =
            name == kNames.end() ? 0 : 1 + 4 * static_cast<std::uint32_t>(name - kNames.begin());
        record.context = context(takeUntil(line, " "), {});
        record.body.bits = m_batch.addString(line).value;
        m_batch.logs.rows.push_back(record);
    }

    LinkId link(std::string_view text)
    {
        if (text.ends_with(".0"))
            return {};
        m_batch.links.push_back(linkNamed(text));
        return LinkId(m_batch.links.size() - 1);
    }

    ContextId context(std::string_view service, std::string_view attributes)
    {
        const AttributeSetId resource = set("service.name=" + std::string(service));
        m_batch.contexts.push_back({resource, {}, attributes.empty() ? AttributeSetId() : set(attributes)});
        return ContextId(m_batch.contexts.size() - 1);
    }

    AttributeSetId set(std::string_view text)
    {
        const auto begin = static_cast<std::uint32_t>(m_batch.attributeLists.size());
        while (!text.empty()) {
            const std::string_view label = takeUntil(text, " ");
            const std::size_t separator = label.find_first_of("=:");
            Attribute attribute;
            attribute.key = m_batch.addString(label.substr(0, separator));
            const std::string_view value = label.substr(separator + 1);
            const bool isText = label[separator] == '=';
            attribute.type = isText ? AttributeType::String : AttributeType::Int;
            attribute.bits = isText ? m_batch.addString(value).value : numberOf(value);
            m_batch.attributeLists.emplace_back(m_batch.attributes.size());
            m_batch.attributes.push_back(attribute);
        }
        const auto count = static_cast<std::uint32_t>(m_batch.attributeLists.size()) - begin;
        m_batch.attributeSets.push_back({begin, count});
        return AttributeSetId(m_batch.attributeSets.size() - 1);
    }

    Batch m_batch;
};

} // namespace

Link linkNamed(std::string_view text)
{
    Link link;
    writeNumber(numberOf(takeUntil(text, ".")), link.trace);
    writeNumber(numberOf(text), link.span);
    return link;
}

Batch spansOf(std::string_view text)
{
    return SpanReader().read(text);
}

Batch logsOf(std::string_view text)
{
    return SpanReader().readLogs(text);
}

std::shared_ptr<const Snapshot> dataSetOf(std::string_view profile, std::string_view spans)
{
    Store store;
    store.append(batchOf(profile));
    store.append(spansOf(spans));
    return store.publish();
}

} // namespace hearth::test
