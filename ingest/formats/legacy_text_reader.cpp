#include "ingest/formats/format.h"
#include "ingest/formats/line_reader.h"
#include "ingest/formats/memory_maps.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

// Profiles as text, as pprof's predecessors had them: gperftools' and jemalloc's heap profiles, and what Go's
// net/http/pprof prints with debug=1.
//
//   heap profile: LIVE: BYTES [ALL: BYTES] @ heapprofile         of gperftools; Go: heap/RATE, its rate twice
//      8: 6848 [  800: 368000] @ 0x55ee0781429c 0x55ee07814357
//   heap_v2/524288                                               of jemalloc
//   @ 0x55ee0781429c 0x55ee07814357
//     t*: 8: 6848 [0: 0]
//   goroutine profile: total 6      threadcreate profile: total 4
//   5 @ 0x47dc2e 0x45f1c6
//   --- contention:     --- mutex:
//   cycles/second=1999999616
//   3876592512 99 @ 0x4d9bef
//   #  0x4d9bee  sync.(*Mutex).Lock+0xe  /usr/local/go/src/sync/mutex.go:46      of Go: what the addresses
//   are MAPPED_LIBRARIES: 55ee07814000-55ee07815000 r-xp 00001000 00:00 9980231 /usr/bin/prog

namespace hearth {

namespace {

using Values = std::array<std::int64_t, 4>;

/// What allocates and what locks is the end of nearly every stack and tells nothing: pprof cuts it off.
/// Functions of C and C++, of allocators, and of Go's runtime, but for those of it that call what users
/// write.
constexpr std::string_view kAllocation =
    R"(c?free|[cm]alloc|realloc|p?valloc|(do_)?memalign|(__)?posix_memalign|__libc_malloc|malloc_zone_.*|)"
    R"(operator new(\[\])?|__builtin_(vec_)?(new|delete)|_M_allocate|allocate|cpp_alloc|)"
    R"((__gnu_cxx::new_allocator|__malloc_alloc_template|simple_alloc)::allocate|)"
    R"(tcmalloc::.*|tc_(c?free|[cm]alloc|realloc|p?valloc|(posix_)?memalign|(new|delete)(array)?(_nothrow)?)|)"
    R"((::)?do_malloc(_no_errno|_pages)?|DoSampledAllocation|MallocedMemBlock::MallocedMemBlock|BaseArena::.*|)"
    R"(runtime\..*)";
constexpr std::string_view kCallsOfRuntime = R"(runtime\.(panic|reflectcall|call[0-9]*))";
constexpr std::string_view kLocking =
    R"((base::)?(RecordLockProfileData|Submit(Mutex|SpinLock)ProfileData).*|)"
    R"((base::)?(Mutex::)?(AwaitCommon|(Reader)?Unlock).*|(base::)?MutexLock::~MutexLock.*|)"
    R"((SpinLock::)?(Slow)?Unlock.*|(SpinLockHolder::)?~SpinLockHolder.*)";

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// Takes the number off that the text begins with, and what follows it of blanks and punctuation.
std::optional<std::int64_t> takeNumber(std::string_view &text)
{
    std::int64_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc())
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
    text.remove_prefix(std::min(text.find_first_not_of(" \t:[]"), text.size()));
    return number;
}

std::int64_t scaled(std::int64_t value, double factor)
{
    constexpr double kLimit = 9.2e18;
    const double product = static_cast<double>(value) * factor;
    return std::isfinite(product) ? static_cast<std::int64_t>(std::clamp(product, -kLimit, kLimit)) : value;
}

/// How much more there was than what was sampled, of objects of this size: as pprof estimates it.
double heapFactor(std::int64_t count, std::int64_t bytes, std::int64_t rate)
{
    if (rate <= 1 || count == 0 || bytes == 0)
        return 1;
    const double size = static_cast<double>(bytes) / static_cast<double>(count);
    return 1 / (1 - std::exp(-size / static_cast<double>(rate)));
}

class LegacyTextReader {
public:
    LegacyTextReader(InputStream &input, const ReadOptions &options)
        : m_input(input), m_builder(options, kLegacyText.name, ProfileBuilder::Delivery::Whole),
          m_lines(input, m_builder.watch(), m_builder.losses()), m_maps(m_builder)
    {}

    Result<Batch> read();

private:
    enum class Kind : std::uint8_t { Unknown, Heap, Jemalloc, Count, Contention };

    struct Record {
        StackId stack;
        Values values{};
    };
    bool takeHead(std::string_view line);
    void take(std::string_view line);
    bool takeSetting(std::string_view line);
    bool takeSample(std::string_view line);
    bool takeJemalloc(std::string_view line);
    void takeName(std::string_view line);
    StackId stackOf(std::string_view addresses);
    FrameId frameOf(std::size_t number);
    Values heapValues(std::int64_t count, std::int64_t bytes, std::int64_t allCount,
                      std::int64_t allBytes) const;
    BlockText blockText() const;
    void cutUninteresting();
    void addSamples();

    InputStream &m_input;
    ProfileBuilder m_builder;
    LineReader m_lines;
    MemoryMaps m_maps;
    Kind m_kind = Kind::Unknown;
    std::string m_countName; ///< of what lines count: goroutines, threads
    std::int64_t m_rate = 1;
    double m_cyclesPerSecond = 1e9;
    bool m_isInMaps = false;
    bool m_hasNames = false;
    LateStacks m_stacks;
    std::vector<std::uint64_t> m_addresses; ///< by frame
    std::vector<std::vector<Line>> m_names; ///< by frame, what Go says of it: what was inlined comes first
    FrameId m_named = FrameId::none();      ///< the frame whose names are being read
    std::vector<FrameId> m_path;
    StackId m_jemallocStack;
    std::vector<Record> m_records;
};

Result<Batch> LegacyTextReader::read()
{
    std::string_view line;
    while (m_builder.goesOn(m_lines.position(), [this] { return m_lines.place(); }) && m_lines.next(line))
        if (m_kind != Kind::Unknown || !takeHead(line))
            take(trimmed(line));
    addSamples();
    cutUninteresting();
    return m_builder.finish(m_input);
}

bool LegacyTextReader::takeHead(std::string_view line)
{
    constexpr std::array<std::string_view, 2> kContentions{"--- contention", "--- mutex"};
    if (line.starts_with("heap profile:")) {
        m_kind = Kind::Heap;
        const std::size_t slash = line.rfind('/');
        if (slash != std::string_view::npos) {
            std::from_chars(line.data() + slash + 1, line.data() + line.size(), m_rate);
            const bool isTwice = line.substr(0, slash).ends_with("heap"); // Go writes twice its rate
            m_rate = isTwice ? m_rate / 2 : m_rate;
        }
    } else if (line.starts_with("heap_v2/")) {
        m_kind = Kind::Jemalloc;
        std::from_chars(line.data() + 8, line.data() + line.size(), m_rate);
    } else if (const std::size_t name = line.find(" profile: total "); name != std::string_view::npos) {
        m_kind = Kind::Count;
        m_countName = line.substr(0, name);
    } else if (std::ranges::any_of(kContentions, [&](auto head) { return line.starts_with(head); })) {
        m_kind = Kind::Contention;
        m_rate = 1;
    }
    return m_kind != Kind::Unknown;
}

void LegacyTextReader::take(std::string_view line)
{
    if (line.empty())
        return;
    if (line.starts_with("MAPPED_LIBRARIES:") || line.starts_with("--- Memory map:")) {
        m_isInMaps = true;
        return;
    }
    if (m_isInMaps) {
        m_maps.addLine(line);
        return;
    }
    if (line.starts_with('#'))
        return takeName(line);
    const bool isTaken =
        takeSetting(line) || (m_kind == Kind::Jemalloc ? takeJemalloc(line) : takeSample(line));
    if (!isTaken)
        m_builder.losses().add(Loss::UnreadableLines, m_lines.place() + " is no sample");
}

/// "cycles/second=1999999616", "sampling period=1"
bool LegacyTextReader::takeSetting(std::string_view line)
{
    const std::size_t equals = line.find('=');
    if (m_kind != Kind::Contention || equals == std::string_view::npos)
        return false;
    const std::string_view key = trimmed(line.substr(0, equals));
    std::string_view value = trimmed(line.substr(equals + 1));
    const auto number = takeNumber(value);
    if (number && *number > 0 && key == "cycles/second")
        m_cyclesPerSecond = static_cast<double>(*number);
    else if (number && *number > 0 && key == "sampling period")
        m_rate = *number;
    return true;
}

bool LegacyTextReader::takeSample(std::string_view line)
{
    const std::size_t at = line.find('@');
    if (at == std::string_view::npos)
        return false;
    std::string_view numbers = line.substr(0, at);
    std::vector<std::int64_t> values;
    while (const auto number = takeNumber(numbers))
        values.push_back(*number);
    const std::size_t wanted = m_kind == Kind::Heap ? 4 : m_kind == Kind::Contention ? 2 : 1;
    if (values.size() != wanted)
        return false;
    Record record;
    m_named = FrameId::none();
    record.stack = stackOf(line.substr(at + 1));
    if (m_kind == Kind::Heap)
        record.values = heapValues(values[0], values[1], values[2], values[3]);
    else if (m_kind == Kind::Contention)
        record.values = {scaled(values[1], static_cast<double>(m_rate)),
                         scaled(values[0], static_cast<double>(m_rate) * 1e9 / m_cyclesPerSecond)};
    else
        record.values = {values[0]};
    m_records.push_back(record);
    return true;
}

/// A line of addresses, then one with values of all threads, and one of each.
bool LegacyTextReader::takeJemalloc(std::string_view line)
{
    if (line.starts_with('@')) {
        m_jemallocStack = stackOf(line.substr(1));
        return true;
    }
    if (!line.starts_with("t*:"))
        return line.starts_with('t'); // of one thread: part of the others
    line.remove_prefix(3);
    line = trimmed(line);
    std::array<std::int64_t, 4> values{};
    for (std::int64_t &value : values)
        value = takeNumber(line).value_or(0);
    if (m_jemallocStack != StackId())
        m_records.push_back({m_jemallocStack, heapValues(values[0], values[1], values[2], values[3])});
    return true;
}

Values LegacyTextReader::heapValues(std::int64_t count, std::int64_t bytes, std::int64_t allCount,
                                    std::int64_t allBytes) const
{
    const double live = heapFactor(count, bytes, m_rate);
    const double all = heapFactor(allCount, allBytes, m_rate);
    return {scaled(allCount, all), scaled(allBytes, all), scaled(count, live), scaled(bytes, live)};
}

/// An address is that behind a call; a call is what it stands for.
StackId LegacyTextReader::stackOf(std::string_view addresses)
{
    m_path.clear();
    for (;;) {
        addresses = trimmed(addresses);
        addresses.remove_prefix(addresses.starts_with("0x") ? 2 : 0);
        std::uint64_t address = 0;
        const auto parsed =
            std::from_chars(addresses.data(), addresses.data() + addresses.size(), address, 16);
        if (parsed.ec != std::errc())
            break;
        addresses.remove_prefix(static_cast<std::size_t>(parsed.ptr - addresses.data()));
        if (address == 0)
            continue;
        const FrameId frame = m_stacks.frame(--address);
        if (frame.value == m_addresses.size())
            m_addresses.push_back(address);
        m_path.push_back(frame);
    }
    return m_stacks.path(m_path);
}

/// "#	0x4d9bee	sync.(*Mutex).Lock+0xe	/usr/local/go/src/sync/mutex.go:46"
void LegacyTextReader::takeName(std::string_view line)
{
    line = trimmed(line.substr(1));
    std::uint64_t address = 0;
    const std::size_t tab = line.find('\t');
    if (!line.starts_with("0x") || tab == std::string_view::npos ||
        std::from_chars(line.data() + 2, line.data() + tab, address, 16).ptr != line.data() + tab)
        return;
    line = trimmed(line.substr(tab));
    std::string_view name = line.substr(0, line.find('\t'));
    std::string_view file = trimmed(line.substr(name.size()));
    name = name.substr(0, name.rfind("+0x"));
    Line known;
    if (const std::size_t colon = file.rfind(':'); colon != std::string_view::npos) {
        std::from_chars(file.data() + colon + 1, file.data() + file.size(), known.line);
        file = file.substr(0, colon);
    }
    known.function = m_builder.function({.name = name, .file = file});
    const FrameId frame = m_stacks.frame(address);
    if (frame.value == m_addresses.size())
        m_addresses.push_back(address);
    m_names.resize(std::max<std::size_t>(m_names.size(), frame.value + 1));
    std::vector<Line> &names = m_names[frame.value];
    constexpr std::size_t kMostInlined = 1000;
    const bool isNew = names.empty();
    if (isNew || (frame == m_named && names.size() < kMostInlined))
        names.push_back(known);
    m_named = isNew || frame == m_named ? frame : FrameId::none();
}

/// Of a stack in which anything else is, Go leaves out the lines of its runtime.
FrameId LegacyTextReader::frameOf(std::size_t number)
{
    Frame row;
    row.address = m_addresses[number];
    if (!m_names[number].empty())
        return m_builder.frame(row, m_names[number]);
    if (!m_hasNames)
        return m_maps.frame(m_addresses[number]);
    const Line hidden{.line = 0, .function = m_builder.function({.name = "runtime.(hidden)"}), .column = 0};
    return m_builder.frame(row, {&hidden, 1});
}

BlockText LegacyTextReader::blockText() const
{
    switch (m_kind) {
    case Kind::Heap:
    case Kind::Jemalloc:
        return {.series = {{"alloc_objects", "count"},
                           {"alloc_space", "bytes"},
                           {"inuse_objects", "count"},
                           {"inuse_space", "bytes"}},
                .periodType = "space",
                .periodUnit = "bytes",
                .period = m_rate};
    case Kind::Contention:
        return {.series = {{"contentions", "count"}, {"delay", "nanoseconds"}}};
    case Kind::Count:
    case Kind::Unknown:
        break;
    }
    return {.series = {{m_countName, "count"}}};
}

void LegacyTextReader::cutUninteresting()
{
    Origin &origin = m_builder.batch().origin;
    if (m_kind == Kind::Heap || m_kind == Kind::Jemalloc) {
        origin.dropFrames = kAllocation;
        origin.keepFrames = kCallsOfRuntime;
    } else if (m_kind == Kind::Contention) {
        origin.dropFrames = kLocking;
    }
}

void LegacyTextReader::addSamples()
{
    std::vector<FrameId> frames;
    m_names.resize(m_addresses.size());
    m_hasNames = std::ranges::any_of(m_names, [](const auto &names) { return !names.empty(); });
    for (std::size_t frame = 0; frame < m_addresses.size(); ++frame)
        frames.push_back(frameOf(frame));
    const std::vector<StackId> stacks = m_stacks.resolve(m_builder, frames);
    const BlockText text = blockText();
    const std::size_t block = m_builder.block(text);
    for (const Record &record : m_records)
        m_builder.add(block, stacks[record.stack.value], ContextId(), 0,
                      std::span(record.values).first(text.series.size()));
}

Result<Batch> readLegacyText(InputStream &input, const ReadOptions &options)
{
    return LegacyTextReader(input, options).read();
}

} // namespace

const Format kLegacyText{.name = "legacy text", .read = readLegacyText};

} // namespace hearth
