#include "ingest/formats/profile_builder.h"

#include <bit>
#include <cmath>
#include <type_traits>
#include <utility>

namespace hearth {

namespace {

constexpr std::size_t kMostFrames = std::size_t(1) << 20;
/// A preview takes about as much memory again as what it is of, and the data set made of it, too.
constexpr std::size_t kPreviewShare = 4;

template <class T>
std::span<const std::uint8_t> bytesOf(std::span<const T> rows)
{
    static_assert(std::is_trivially_copyable_v<T>);
    return {reinterpret_cast<const std::uint8_t *>(rows.data()), rows.size_bytes()};
}

template <class T>
std::span<const std::uint8_t> bytesOf(const T &row)
{
    return bytesOf(std::span<const T>(&row, 1));
}

template <class... Rows>
std::size_t capacityOf(const std::vector<Rows> &...rows)
{
    return (0 + ... + (rows.capacity() * sizeof(Rows)));
}

template <class... Maps>
std::size_t bytesOfMaps(const Maps &...maps)
{
    return (0 + ... + maps.bytes());
}

} // namespace

ProfileBuilder::ProfileBuilder(const ReadOptions &options, std::string_view format, Delivery delivery)
    : m_options(options), m_delivery(delivery), m_watch(options, m_batch.losses)
{
    m_batch.origin.name = options.name;
    m_batch.origin.format = format;
}

ProfileBuilder::ProfileBuilder(const ProfileBuilder &other)
    : m_options(other.m_options), m_delivery(Delivery::Whole), m_batch(other.m_batch.copy()),
      m_watch(m_options, m_batch.losses), m_blocks(other.m_blocks), m_blockOfText(other.m_blockOfText),
      m_chunkBytes(other.m_chunkBytes), m_hasData(other.m_hasData), m_stacks(other.m_stacks),
      m_texts(other.m_texts), m_functions(other.m_functions), m_binaries(other.m_binaries),
      m_mappings(other.m_mappings), m_frames(other.m_frames), m_attributes(other.m_attributes),
      m_attributeSets(other.m_attributeSets), m_contexts(other.m_contexts), m_links(other.m_links)
{}

template <class Row>
std::uint32_t ProfileBuilder::intern(DigestMap &known, std::vector<Row> &rows, const Row &row)
{
    std::uint32_t &number = known[digestOf(bytesOf(row))];
    if (number == DigestMap::kNew) {
        number = static_cast<std::uint32_t>(rows.size());
        rows.push_back(row);
    }
    return number;
}

StringId ProfileBuilder::text(std::string_view text)
{
    if (text.empty())
        return {};
    // Most are what others were a moment ago: comparing takes less time than a digest.
    const auto letter = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const std::size_t place =
        text.size() * 5 + letter(0) + letter(text.size() / 2) * 3U + letter(text.size() - 1) * 7U;
    RecentText &recent = m_recentTexts[place % m_recentTexts.size()];
    if (recent.text == text)
        return recent.id;
    std::uint32_t &known = m_texts[digestOf(bytesOf(std::span<const char>(text)))];
    if (known == DigestMap::kNew)
        known = m_batch.addString(text).value;
    recent = {m_batch.strings[known], StringId(known)};
    return StringId(known);
}

FunctionId ProfileBuilder::function(const FunctionText &function)
{
    Function row;
    row.startLine = function.startLine;
    row.name = text(function.name);
    row.systemName = text(function.systemName);
    row.file = text(function.file);
    return FunctionId(intern(m_functions, m_batch.functions, row));
}

MappingId ProfileBuilder::mapping(const BinaryText &binary, std::uint64_t start, std::uint64_t limit,
                                  std::uint64_t offset)
{
    Binary file;
    file.path = text(binary.path);
    file.buildId = text(binary.buildId);
    Mapping row;
    row.start = start;
    row.limit = limit;
    row.offset = offset;
    row.binary = BinaryId(intern(m_binaries, m_batch.binaries, file));
    return MappingId(intern(m_mappings, m_batch.mappings, row));
}

FrameId ProfileBuilder::frame(Frame row, std::span<const Line> lines)
{
    row.lineBegin = 0;
    row.lineCount = static_cast<std::uint32_t>(lines.size()) & 0x7fffffffU;
    const auto head = bytesOf(row);
    const auto chain = bytesOf(lines);
    m_key.assign(head.begin(), head.end());
    m_key.insert(m_key.end(), chain.begin(), chain.end());
    std::uint32_t &known = m_frames[digestOf(m_key)];
    if (known == DigestMap::kNew) {
        known = static_cast<std::uint32_t>(m_batch.frames.size());
        row.lineBegin = static_cast<std::uint32_t>(m_batch.lines.size());
        m_batch.lines.insert(m_batch.lines.end(), lines.begin(), lines.end());
        m_batch.frames.push_back(row);
    }
    return FrameId(known);
}

FrameId ProfileBuilder::frame(const FunctionText &function, std::int64_t line, std::string_view kind)
{
    const Line place{.line = line, .function = this->function(function), .column = 0};
    Frame row;
    row.kind = text(kind);
    return frame(row, {&place, 1});
}

StackId ProfileBuilder::path(std::span<const FrameId> leafFirst)
{
    if (leafFirst.size() > kMostFrames) {
        losses().add(Loss::OversizedFields, "a stack was cut to its innermost million frames");
        leafFirst = leafFirst.first(kMostFrames);
    }
    return m_stacks.path(leafFirst);
}

Attribute ProfileBuilder::attribute(std::string_view key, std::string_view value)
{
    Attribute attribute;
    attribute.key = text(key);
    attribute.bits = text(value).value;
    return attribute;
}

Attribute ProfileBuilder::attribute(std::string_view key, std::int64_t value, std::string_view unit)
{
    Attribute attribute;
    attribute.key = text(key);
    attribute.unit = text(unit);
    attribute.type = AttributeType::Int;
    attribute.bits = static_cast<std::uint64_t>(value);
    return attribute;
}

Attribute ProfileBuilder::numberAttribute(std::string_view key, double value)
{
    constexpr double kExact = 9007199254740992.0;
    if (std::abs(value) < kExact && std::trunc(value) == value)
        return attribute(key, static_cast<std::int64_t>(value));
    Attribute attribute;
    attribute.key = text(key);
    attribute.type = AttributeType::Double;
    attribute.bits = std::bit_cast<std::uint64_t>(value);
    return attribute;
}

AttributeSetId ProfileBuilder::attributes(std::span<const Attribute> attributes)
{
    if (attributes.empty())
        return {};
    std::uint32_t &known = m_attributeSets[internAll(attributes)];
    if (known == DigestMap::kNew)
        known = addAttributeSet();
    return AttributeSetId(known);
}

/// What is remembered fits the processor's cache; looking for a set that is new would wait for memory.
AttributeSetId ProfileBuilder::rareAttributes(std::span<const Attribute> attributes)
{
    constexpr std::size_t kRemembered = std::size_t(1) << 12;
    if (attributes.empty())
        return {};
    m_recentSets.resize(kRemembered);
    const Digest digest = internAll(attributes);
    RecentSet &recent = m_recentSets[digest.low % kRemembered];
    if (recent.number == 0 || recent.digest != digest)
        recent = {digest, addAttributeSet()};
    return AttributeSetId(recent.number);
}

/// Numbers attributes in m_ids. @return the digest of the set
Digest ProfileBuilder::internAll(std::span<const Attribute> attributes)
{
    m_ids.clear();
    for (const Attribute &attribute : attributes)
        m_ids.emplace_back(intern(m_attributes, m_batch.attributes, attribute));
    return digestOf(bytesOf(std::span<const AttributeId>(m_ids)));
}

/// Adds that of m_ids.
std::uint32_t ProfileBuilder::addAttributeSet()
{
    const auto number = static_cast<std::uint32_t>(m_batch.attributeSets.size());
    m_batch.attributeSets.push_back({static_cast<std::uint32_t>(m_batch.attributeLists.size()),
                                     static_cast<std::uint32_t>(m_ids.size())});
    m_batch.attributeLists.insert(m_batch.attributeLists.end(), m_ids.begin(), m_ids.end());
    return number;
}

ContextId ProfileBuilder::context(AttributeSetId resource, AttributeSetId sample)
{
    const Context row{resource, AttributeSetId(), sample};
    return row == Context() ? ContextId() : ContextId(intern(m_contexts, m_batch.contexts, row));
}

LinkId ProfileBuilder::link(const Link &link)
{
    return link == Link() ? LinkId() : LinkId(intern(m_links, m_batch.links, link));
}

std::size_t ProfileBuilder::block(const BlockText &text)
{
    std::string key;
    for (const BlockText::SeriesText &series : text.series)
        key.append(series.type).append(1, '\0').append(series.unit).append(1, '\0');
    key.append(text.periodType).append(1, '\0').append(text.periodUnit).append(1, '\0');
    key.append(std::to_string(text.period)).append(text.hasTimes ? "t" : "");
    std::uint32_t &known = m_blockOfText[digestOf(bytesOf(std::span<const char>(key)))];
    if (known == DigestMap::kNew) {
        known = static_cast<std::uint32_t>(m_blocks.size());
        m_blocks.push_back({text, SampleRows(text.series.size()), {}});
    }
    return known;
}

void ProfileBuilder::add(std::size_t block, StackId stack, ContextId context, std::int64_t time,
                         std::span<const std::int64_t> values, LinkId link)
{
    Block &to = m_blocks[block];
    to.rows.add(stack, context, link, to.text.hasTimes ? time : 0, values);
    m_hasData = true;
    if (to.rows.size() == SampleChunk::kRows) {
        m_chunkBytes += to.chunks.emplace_back(to.rows).bytes();
        to.rows.clear();
    }
}

bool ProfileBuilder::check(std::uint64_t position, const std::string &place)
{
    if (!m_watch.goesOn(position, bytes(), place))
        return false;
    const auto isLookDue = [this] { return m_options.isLookDue && m_options.isLookDue(); };
    if (m_delivery == Delivery::Previewed && m_options.preview && isLookDue())
        showSoFar();
    const bool isPart = m_delivery == Delivery::InParts && m_options.takePart &&
                        (bytes() >= m_options.partBytes || isLookDue());
    return !isPart || handOver(place);
}

void ProfileBuilder::showSoFar() const
{
    if (bytes() > m_options.memoryBudget / kPreviewShare)
        return;
    ProfileBuilder copy(*this);
    if (m_complete)
        m_complete(copy);
    if (!copy.hasAnything())
        return;
    copy.m_batch.losses = Losses(); // are said once, in the end
    m_options.preview(copy.takeBatch());
}

/// @return false if there is no memory for more
bool ProfileBuilder::handOver(const std::string &place)
{
    Losses losses = std::exchange(m_batch.losses, Losses()); // are said once, in the end
    ++m_parts;
    const bool hasRoom = m_options.takePart(takeBatch()) > 0;
    m_batch.losses = std::move(losses);
    if (!hasRoom)
        m_batch.losses.add(Loss::SamplesOverBudget,
                           "memory budget reached at " + place + "; the rest was not read");
    return hasRoom;
}

/// Leaves the builder as it was at first, but for its blocks' texts and what is known of the whole.
Batch ProfileBuilder::takeBatch()
{
    const auto stacks = std::exchange(m_stacks, StackTree()).view();
    m_batch.stacks.assign(stacks.begin(), stacks.end());
    for (Block &block : m_blocks)
        if (block.rows.size() > 0 || !block.chunks.empty())
            m_batch.blocks.push_back(takeBlock(block));
    m_chunkBytes = 0;
    for (DigestMap *known : {&m_texts, &m_functions, &m_binaries, &m_mappings, &m_frames, &m_attributes,
                             &m_attributeSets, &m_contexts, &m_links})
        *known = DigestMap();
    m_recentTexts = {};
    m_recentSets.clear();
    Batch next;
    next.origin = m_batch.origin;
    return std::exchange(m_batch, std::move(next));
}

SampleBlock ProfileBuilder::takeBlock(Block &block)
{
    SampleBlock taken;
    for (const BlockText::SeriesText &series : block.text.series)
        taken.series.push_back({text(series.type), text(series.unit)});
    taken.periodType = text(block.text.periodType);
    taken.periodUnit = text(block.text.periodUnit);
    taken.period = block.text.period;
    taken.hasTimes = block.text.hasTimes;
    if (block.rows.size() > 0)
        block.chunks.emplace_back(block.rows);
    block.rows.clear();
    taken.chunks = std::exchange(block.chunks, {});
    return taken;
}

Result<Batch> ProfileBuilder::finish(const InputStream &input)
{
    if (m_watch.isCancelled())
        return failure(m_options.name + ": cancelled");
    if (const auto fault = input.fault())
        losses().add(fault->loss, fault->message);
    if (!hasAnything()) {
        const auto &details = losses().details();
        return failure(m_options.name + ": no samples in it" +
                       (details.empty() ? "" : ": " + details.front()));
    }
    return takeBatch();
}

bool ProfileBuilder::hasAnything() const
{
    return m_hasData || !m_batch.spans.rows.empty() || !m_batch.logs.rows.empty() ||
           !m_batch.points.rows.empty();
}

std::size_t ProfileBuilder::bytes() const
{
    const Batch &b = m_batch;
    std::size_t rowBytes = 0;
    for (const Block &block : m_blocks)
        rowBytes += block.rows.stacks.capacity() * (20 + 8 * block.rows.values.size());
    return rowBytes + m_chunkBytes + m_stacks.bytes() + b.arena.bytes() + b.spans.bytes() + b.logs.bytes() +
           b.points.bytes() +
           capacityOf(b.strings, b.functions, b.lines, b.binaries, b.mappings, b.frames, b.attributes,
                      b.attributeLists, b.attributeSets, b.contexts, b.links) +
           bytesOfMaps(m_texts, m_functions, m_binaries, m_mappings, m_frames, m_attributes, m_attributeSets,
                       m_contexts, m_links);
}

} // namespace hearth
