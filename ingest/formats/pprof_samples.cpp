#include "ingest/formats/pprof_samples.h"

#include "ingest/formats/pprof_wire.h"

#include <limits>

namespace hearth::pprof {

namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t kMostFrames = std::size_t(1) << 20;

void appendVarint(std::vector<std::uint8_t> &to, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        to.push_back(static_cast<std::uint8_t>(value | 0x80));
    to.push_back(static_cast<std::uint8_t>(value));
}

void append(std::vector<std::uint8_t> &to, Bytes more)
{
    to.insert(to.end(), more.begin(), more.end());
}

} // namespace

/// Where a Sample message keeps what it holds.
struct SampleDecoder::Parts {
    Bytes locationIds;     ///< packed
    Bytes labels;          ///< Label fields with their heads, one behind the other
    bool isCopied = false; ///< into buffers that the next sample uses again
};

StringId SampleDecoder::stringIndex(std::uint64_t index)
{
    return index < std::numeric_limits<std::uint32_t>::max() ? StringId(index) : StringId::none();
}

void SampleDecoder::decode(Bytes message)
{
    Parts parts;
    if (!split(message, parts)) {
        m_batch.losses.add(Loss::MalformedRecords);
        return;
    }
    if (!m_rows)
        m_rows.emplace(m_values.size());
    if (m_values.size() != m_rows->values.size() || m_values.empty()) {
        m_batch.losses.add(Loss::SamplesWithWrongValueCount);
        return;
    }
    const Pending pending{parts.locationIds, parts.labels, digestOf(parts.locationIds),
                          digestOf(parts.labels)};
    m_stackOfList.prefetch(pending.stack);
    m_contextOfLabels.prefetch(pending.context);
    m_pending.push_back(pending);
    m_pendingValues.insert(m_pendingValues.end(), m_values.begin(), m_values.end());
    if (m_pending.size() == kPending || parts.isCopied)
        flush();
}

void SampleDecoder::flush()
{
    std::span<const std::int64_t> values = m_pendingValues;
    for (const Pending &pending : m_pending) {
        const std::size_t columns = m_rows->values.size();
        m_rows->add(stackOf(pending.stack, pending.locationIds), contextOf(pending.context, pending.labels),
                    LinkId(), 0, values.first(columns));
        values = values.subspan(columns);
        if (m_rows->size() == SampleChunk::kRows) {
            m_chunkBytes += m_chunks.emplace_back(*m_rows).bytes();
            m_rows->clear();
        }
    }
    m_pending.clear();
    m_pendingValues.clear();
}

/// Finds the parts of a sample, and decodes its values. Nearly always location ids are one packed field and
/// labels follow each other; where they do not, they are brought into that form.
bool SampleDecoder::split(Bytes message, Parts &parts)
{
    m_values.clear();
    bool idsAreScattered = false;
    bool labelsAreScattered = false;
    WireReader reader(message);
    WireField field;
    const std::uint8_t *fieldBegin = reader.position();
    while (reader.next(field)) {
        const Bytes whole(fieldBegin, reader.position());
        fieldBegin = reader.position();
        switch (static_cast<SampleField>(field.number)) {
        case SampleField::LocationId:
            if (field.isBytes() && parts.locationIds.empty() && !idsAreScattered) {
                parts.locationIds = field.bytes;
                break;
            }
            if (!idsAreScattered)
                m_scattered.assign(parts.locationIds.begin(), parts.locationIds.end());
            idsAreScattered = true;
            if (!forEachVarint(field, [this](std::uint64_t id) { appendVarint(m_scattered, id); }))
                return false;
            break;
        case SampleField::Value:
            if (!forEachVarint(field, [this](std::uint64_t value) {
                    m_values.push_back(static_cast<std::int64_t>(value));
                }))
                return false;
            break;
        case SampleField::Label:
            if (!field.isBytes())
                return false;
            if (!labelsAreScattered &&
                (parts.labels.empty() || parts.labels.data() + parts.labels.size() == whole.data())) {
                const std::uint8_t *begin = parts.labels.empty() ? whole.data() : parts.labels.data();
                parts.labels = Bytes(begin, whole.data() + whole.size());
                break;
            }
            if (!labelsAreScattered)
                m_labels.assign(parts.labels.begin(), parts.labels.end());
            labelsAreScattered = true;
            append(m_labels, whole);
            break;
        default:
            m_batch.losses.add(Loss::UnknownFields);
        }
    }
    if (idsAreScattered)
        parts.locationIds = m_scattered;
    parts.isCopied = idsAreScattered || labelsAreScattered;
    if (labelsAreScattered)
        parts.labels = m_labels;
    return reader.isOk();
}

StackId SampleDecoder::stackOf(const Digest &digest, Bytes locationIds)
{
    if (locationIds.empty())
        return {};
    std::uint32_t &stack = m_stackOfList[digest];
    if (stack == DigestMap::kNew) {
        m_path.clear();
        const std::uint8_t *at = locationIds.data();
        const std::uint8_t *const end = at + locationIds.size();
        std::uint64_t id = 0;
        while (m_path.size() < kMostFrames && at != end && readVarint(at, end, id) == WireOutcome::Ok)
            m_path.emplace_back(m_locations.numberOf(id));
        if (m_path.size() == kMostFrames)
            m_batch.losses.add(Loss::OversizedFields, "a stack was cut to its innermost million frames");
        else if (at != end)
            m_batch.losses.add(Loss::MalformedRecords, "a sample's location list ends within a number");
        stack = m_stacks.path(m_path).value;
    }
    return StackId(stack);
}

ContextId SampleDecoder::contextOf(const Digest &digest, Bytes labels)
{
    if (labels.empty())
        return ContextId();
    if (!m_remembersLabels)
        return addContext(labels);
    ++m_labelledSamples;
    std::uint32_t &context = m_contextOfLabels[digest];
    if (context == DigestMap::kNew)
        context = addContext(labels).value;
    const ContextId found(context);
    if (!areLabelsRepeated()) {
        m_remembersLabels = false;
        m_contextOfLabels = {};
    }
    return found;
}

/// Where nearly every sample has labels of its own, such as a time, it is cheaper to decode them all than to
/// remember them.
bool SampleDecoder::areLabelsRepeated() const
{
    constexpr std::size_t kEnoughToTell = 100'000;
    return m_contextOfLabels.size() < kEnoughToTell || m_contextOfLabels.size() < m_labelledSamples / 8 * 7;
}

ContextId SampleDecoder::addContext(Bytes labels)
{
    std::uint32_t context = 0;
    const auto begin = static_cast<std::uint32_t>(m_batch.attributeLists.size());
    WireReader reader(labels);
    WireField field;
    while (reader.next(field))
        if (!decodeLabel(field.bytes))
            m_batch.losses.add(Loss::MalformedRecords, "a sample's label is malformed");
    const auto count = static_cast<std::uint32_t>(m_batch.attributeLists.size()) - begin;
    if (count > 0) {
        context = static_cast<std::uint32_t>(m_batch.contexts.size());
        m_batch.contexts.push_back(
            {.resource = {}, .scope = {}, .sample = AttributeSetId(m_batch.attributeSets.size())});
        m_batch.attributeSets.push_back({begin, count});
    }
    return ContextId(context);
}

/// A label without text, number and unit says nothing; pprof leaves it out, and so does this.
bool SampleDecoder::decodeLabel(Bytes message)
{
    std::uint64_t key = 0;
    std::uint64_t text = 0;
    std::uint64_t number = 0;
    std::uint64_t unit = 0;
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        if (!field.isVarint())
            return false;
        switch (static_cast<LabelField>(field.number)) {
        case LabelField::Key:
            key = field.number64;
            break;
        case LabelField::Text:
            text = field.number64;
            break;
        case LabelField::Number:
            number = field.number64;
            break;
        case LabelField::NumberUnit:
            unit = field.number64;
            break;
        default:
            m_batch.losses.add(Loss::UnknownFields);
        }
    }
    if (!reader.isOk())
        return false;
    if (text == 0 && number == 0 && unit == 0)
        return true;
    Attribute attribute;
    attribute.key = stringIndex(key);
    if (text != 0) {
        attribute.bits = stringIndex(text).value;
    } else {
        attribute.type = AttributeType::Int;
        attribute.bits = number;
        attribute.unit = stringIndex(unit);
    }
    m_batch.attributeLists.emplace_back(m_batch.attributes.size());
    m_batch.attributes.push_back(attribute);
    return true;
}

std::vector<SampleChunk> SampleDecoder::finish()
{
    flush();
    if (m_rows && m_rows->size() > 0)
        m_chunks.emplace_back(*m_rows);
    m_rows.reset();
    const ColumnView<StackNode> stacks = m_stacks.view();
    m_batch.stacks.assign(stacks.begin(), stacks.end());
    return std::move(m_chunks);
}

std::size_t SampleDecoder::bytes() const
{
    return m_chunkBytes + m_stacks.bytes() + m_stackOfList.bytes() + m_contextOfLabels.bytes() +
           m_locations.bytes() + m_batch.attributes.capacity() * sizeof(Attribute) +
           m_batch.contexts.capacity() * 24;
}

} // namespace hearth::pprof
