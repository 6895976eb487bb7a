#include "agent/bpf/sampler.h"

#include "agent/bpf/perf_event.h"
#include "agent/bpf/program.h"
#include "agent/bpf/row_space.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <unordered_map>
#include <vector>

namespace hearth::agent {

namespace {

constexpr std::uint32_t kIndexStep = 256;
constexpr std::size_t kMostLogText = 2000;
constexpr double kSecondsInRing = 0.5;
constexpr std::size_t kSmallestRing = std::size_t(1) << 20, kLargestRing = std::size_t(16) << 20;

/// What libbpf had to complain about since it was last asked.
std::string &complaints()
{
    static std::string text;
    return text;
}

int noteComplaint(libbpf_print_level level, const char *format, va_list arguments)
{
    if (level != LIBBPF_WARN)
        return 0;
    std::array<char, 1024> line{};
    const int length = std::vsnprintf(line.data(), line.size(), format, arguments);
    if (complaints().size() < kMostLogText)
        complaints() += line.data();
    return length;
}

std::string withComplaints(const std::string &what, int error)
{
    std::string text = what + ": " + std::strerror(error);
    if (!complaints().empty())
        text += "\n" + complaints();
    complaints().clear();
    return text;
}

struct CloseObject {
    void operator()(bpf_object *object) const { bpf_object__close(object); }
};
struct FreeRing {
    void operator()(ring_buffer *ring) const { ring_buffer__free(ring); }
};
struct DestroyLink {
    void operator()(bpf_link *link) const { bpf_link__destroy(link); }
};
using Object = std::unique_ptr<bpf_object, CloseObject>;
using Ring = std::unique_ptr<ring_buffer, FreeRing>;
using Link = std::unique_ptr<bpf_link, DestroyLink>;

/// Page faults and context switches come in crowds.
std::uint32_t ringSize(const SamplerOptions &options)
{
    const double samples =
        options.frequency * static_cast<double>(onlineProcessors().size()) * kSecondsInRing;
    const double bytes = samples * (sizeof(RecordHead) + kMostStackBytes);
    if (options.pageFaultPeriod != 0 || options.switchPeriod != 0)
        return kLargestRing;
    return static_cast<std::uint32_t>(
        std::bit_ceil(std::clamp(static_cast<std::size_t>(bytes), kSmallestRing, kLargestRing)));
}

/// Copies a table into a map at once; by system calls it takes twenty times as long.
bool copyIntoMap(int map, std::span<const UnwindRow> rows)
{
    void *memory = mmap(nullptr, rows.size_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
    if (memory == MAP_FAILED)
        return false;
    std::memcpy(memory, rows.data(), rows.size_bytes());
    return munmap(memory, rows.size_bytes()) == 0;
}

/// Of the kernel's own counts, one in so many.
perf_event_attr countedEvent(std::uint64_t which, std::uint32_t period)
{
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = which;
    attributes.sample_period = period;
    return attributes;
}

class KernelSampler : public Sampler {
public:
    KernelSampler(Object object, const SamplerOptions &options)
        : m_object(std::move(object)), m_options(options)
    {}

    Result<void> openMaps();

    Result<void> start() override;
    void read(const std::function<void(std::span<const std::uint8_t>)> &take) override;

    int descriptor() const override { return ring_buffer__epoll_fd(m_ring.get()); }

    void addTarget(std::uint32_t process) override
    {
        const std::uint8_t yes = 1;
        bpf_map_update_elem(map("targets"), &process, &yes, BPF_ANY);
    }
    void removeTarget(std::uint32_t process) override { bpf_map_delete_elem(map("targets"), &process); }

    void addRules(const RuleBook &book) override;
    std::optional<std::uint32_t> addTable(std::span<const UnwindRow> rows) override;
    void removeTable(std::uint32_t slot) override;
    std::uint16_t ruleInTable(std::uint32_t slot, std::uint32_t place) const override;
    bool setProcess(std::uint32_t process, std::span<const MappingRow> rows,
                    const ProcessFacts &facts) override;
    void removeProcess(std::uint32_t process) override;
    SamplerCounts counts() const override;

private:
    /// A map of rows, and every kIndexStep-th place in it, so that finding one takes few system calls.
    struct Table {
        FileDescriptor map;
        std::uint32_t rows = 0;
        std::vector<std::uint32_t> index;
    };

    int map(const char *name) const { return bpf_object__find_map_fd_by_name(m_object.get(), name); }

    template <class Row>
    static bool updateRows(int map, std::uint32_t first, std::span<const Row> rows);

    static int takeRecord(void *self, void *record, std::size_t size);
    Result<void> attachTicks();
    Result<void> attachEvent(const char *program, const perf_event_attr &attributes);
    Result<void> attachTracepoint(const char *program);
    std::uint64_t counter(std::uint32_t number) const;

    const Object m_object;
    const SamplerOptions m_options;
    Ring m_ring;
    const std::function<void(std::span<const std::uint8_t>)> *m_take = nullptr; ///< while read() runs
    std::vector<Link> m_links;
    std::uint32_t m_rulesKnown = 0;
    std::vector<std::uint32_t> m_freeSlots;
    std::unordered_map<std::uint32_t, Table> m_tables; ///< by slot
    RowSpace m_mappingRows{kMostMappingRows};
    std::unordered_map<std::uint32_t, ProcessRows> m_processes;
};

Result<void> KernelSampler::openMaps()
{
    m_ring.reset(ring_buffer__new(map("records"), takeRecord, this, nullptr));
    if (!m_ring)
        return failure(withComplaints("cannot map the ring buffer of samples", errno));
    m_freeSlots.resize(kMostTables);
    std::iota(m_freeSlots.rbegin(), m_freeSlots.rend(), 0);
    return {};
}

Result<void> KernelSampler::start()
{
    if (auto attached = attachTracepoint("onExec"); !attached)
        return attached;
    if (m_options.config.target == kTargetProcesses)
        if (auto attached = attachTracepoint("onFork"); !attached)
            return attached;
    if (m_options.config.offCpuChance != 0)
        if (auto attached = attachTracepoint("onSwitch"); !attached)
            return attached;
    if (m_options.pageFaultPeriod != 0)
        if (auto attached = attachEvent("onPageFault",
                                        countedEvent(PERF_COUNT_SW_PAGE_FAULTS, m_options.pageFaultPeriod));
            !attached)
            return attached;
    if (m_options.switchPeriod != 0)
        if (auto attached = attachEvent("onSwitchCount",
                                        countedEvent(PERF_COUNT_SW_CONTEXT_SWITCHES, m_options.switchPeriod));
            !attached)
            return attached;
    return attachTicks();
}

Result<void> KernelSampler::attachTicks()
{
    const bool isCycles = m_options.clock == ClockEvent::Cycles;
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = isCycles ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
    attributes.config =
        isCycles ? std::uint64_t(PERF_COUNT_HW_CPU_CYCLES) : std::uint64_t(PERF_COUNT_SW_CPU_CLOCK);
    attributes.freq = 1;
    attributes.sample_freq = m_options.frequency;
    auto attached = attachEvent("onTick", attributes);
    if (!attached && isCycles)
        return failure("this machine lets nobody count cycles, as is usual for virtual ones: " +
                       attached.error().message);
    return attached;
}

Result<void> KernelSampler::attachEvent(const char *name, const perf_event_attr &attributes)
{
    bpf_program *program = bpf_object__find_program_by_name(m_object.get(), name);
    for (const int processor : onlineProcessors()) {
        auto event = openPerfEvent(attributes, processor);
        if (!event)
            return tl::unexpected(event.error());
        Link link(bpf_program__attach_perf_event(program, event->get()));
        if (!link)
            return failure(
                withComplaints("cannot attach the sampler to processor " + std::to_string(processor), errno));
        event->release(); // the link closes it
        m_links.push_back(std::move(link));
    }
    return {};
}

Result<void> KernelSampler::attachTracepoint(const char *program)
{
    Link link(bpf_program__attach(bpf_object__find_program_by_name(m_object.get(), program)));
    if (!link)
        return failure(withComplaints(std::string("cannot attach ") + program, errno));
    m_links.push_back(std::move(link));
    return {};
}

int KernelSampler::takeRecord(void *self, void *record, std::size_t size)
{
    (*static_cast<KernelSampler *>(self)->m_take)({static_cast<const std::uint8_t *>(record), size});
    return 0;
}

void KernelSampler::read(const std::function<void(std::span<const std::uint8_t>)> &take)
{
    m_take = &take;
    ring_buffer__consume(m_ring.get());
    m_take = nullptr;
    m_mappingRows.recycle();
}

template <class Row>
bool KernelSampler::updateRows(int map, std::uint32_t first, std::span<const Row> rows)
{
    std::vector<std::uint32_t> keys(rows.size());
    std::iota(keys.begin(), keys.end(), first);
    auto count = static_cast<std::uint32_t>(rows.size());
    return count == 0 || bpf_map_update_batch(map, keys.data(), rows.data(), &count, nullptr) == 0;
}

void KernelSampler::addRules(const RuleBook &book)
{
    const std::span<const UnwindRule> rules(book.rules());
    if (updateRows(map("rules"), m_rulesKnown, rules.subspan(m_rulesKnown)))
        m_rulesKnown = static_cast<std::uint32_t>(rules.size());
}

std::optional<std::uint32_t> KernelSampler::addTable(std::span<const UnwindRow> rows)
{
    if (rows.empty() || m_freeSlots.empty())
        return std::nullopt;
    bpf_map_create_opts options{};
    options.sz = sizeof options;
    options.map_flags = BPF_F_INNER_MAP | BPF_F_MMAPABLE;
    FileDescriptor table(bpf_map_create(BPF_MAP_TYPE_ARRAY, "unwind_table", sizeof(std::uint32_t),
                                        sizeof(UnwindRow), static_cast<std::uint32_t>(rows.size()),
                                        &options));
    if (!table.isOpen() || !copyIntoMap(table.get(), rows))
        return std::nullopt;
    const std::uint32_t slot = m_freeSlots.back();
    const int descriptor = table.get();
    if (bpf_map_update_elem(map("tables"), &slot, &descriptor, BPF_ANY) != 0)
        return std::nullopt;
    m_freeSlots.pop_back();
    std::vector<std::uint32_t> index;
    for (std::size_t i = 0; i < rows.size(); i += kIndexStep)
        index.push_back(rows[i].place);
    m_tables.insert_or_assign(slot, Table{.map = std::move(table),
                                          .rows = static_cast<std::uint32_t>(rows.size()),
                                          .index = std::move(index)});
    return slot;
}

std::uint16_t KernelSampler::ruleInTable(std::uint32_t slot, std::uint32_t place) const
{
    const auto found = m_tables.find(slot);
    if (found == m_tables.end())
        return kRuleByFramePointer;
    const Table &table = found->second;
    const auto behind = std::ranges::upper_bound(table.index, place);
    if (behind == table.index.begin())
        return kRuleByFramePointer;
    auto low = static_cast<std::uint32_t>(behind - table.index.begin() - 1) * kIndexStep;
    std::uint32_t high = std::min(low + kIndexStep, table.rows);
    UnwindRow last{};
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        UnwindRow row{};
        if (bpf_map_lookup_elem(table.map.get(), &middle, &row) != 0)
            return kRuleByFramePointer;
        if (row.place <= place) {
            last = row;
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return last.rule;
}

void KernelSampler::removeTable(std::uint32_t slot)
{
    bpf_map_delete_elem(map("tables"), &slot);
    m_tables.erase(slot);
    m_freeSlots.push_back(slot);
}

bool KernelSampler::setProcess(std::uint32_t process, std::span<const MappingRow> rows,
                               const ProcessFacts &facts)
{
    const auto first = m_mappingRows.take(static_cast<std::uint32_t>(rows.size()));
    if (!first)
        return false;
    const bool hasPython =
        facts.python && bpf_map_update_elem(map("pythons"), &process, &*facts.python, BPF_ANY) == 0;
    const ProcessRows entry{.first = *first,
                            .count = static_cast<__u32>(rows.size()),
                            .threadContext = facts.threadContext,
                            .hasPython = static_cast<__u16>(hasPython),
                            .isWhole = static_cast<__u16>(facts.isWhole),
                            .pythonSamples = 0};
    if (!updateRows(map("mappings"), *first, rows) ||
        bpf_map_update_elem(map("processes"), &process, &entry, BPF_ANY) != 0) {
        m_mappingRows.giveBack(entry.first, entry.count);
        return false;
    }
    const auto [known, isNew] = m_processes.try_emplace(process, entry);
    if (!isNew) {
        m_mappingRows.giveBack(known->second.first, known->second.count);
        known->second = entry;
    }
    return true;
}

void KernelSampler::removeProcess(std::uint32_t process)
{
    const auto known = m_processes.find(process);
    if (known == m_processes.end())
        return;
    bpf_map_delete_elem(map("processes"), &process);
    bpf_map_delete_elem(map("pythons"), &process);
    m_mappingRows.giveBack(known->second.first, known->second.count);
    m_processes.erase(known);
}

std::uint64_t KernelSampler::counter(std::uint32_t number) const
{
    std::vector<std::uint64_t> values(static_cast<std::size_t>(std::max(libbpf_num_possible_cpus(), 1)));
    if (bpf_map_lookup_elem(map("counters"), &number, values.data()) != 0)
        return 0;
    return std::accumulate(values.begin(), values.end(), std::uint64_t(0));
}

SamplerCounts KernelSampler::counts() const
{
    return {.samples = counter(kCountSamples),
            .lost = counter(kCountLost) + counter(kCountNotParked),
            .copied = counter(kCountCopied)};
}

Result<void> configure(bpf_object *object, const SamplerOptions &options)
{
    bpf_map *config = bpf_object__find_map_by_name(object, ".rodata");
    bpf_map *records = bpf_object__find_map_by_name(object, "records");
    if (config == nullptr || records == nullptr || bpf_map__set_max_entries(records, ringSize(options)) != 0)
        return failure("the BPF programs are not those that this program was built with");
    std::size_t size = 0;
    void *value = const_cast<void *>(bpf_map__initial_value(config, &size));
    if (value == nullptr || size < sizeof options.config)
        return failure("the BPF programs have no configuration");
    std::memcpy(value, &options.config, sizeof options.config);
    const auto wants = [object](const char *program, bool isWanted) {
        bpf_program__set_autoload(bpf_object__find_program_by_name(object, program), isWanted);
    };
    wants("onFork", options.config.target == kTargetProcesses);
    wants("onSwitch", options.config.offCpuChance != 0);
    wants("onPageFault", options.pageFaultPeriod != 0);
    wants("onSwitchCount", options.switchPeriod != 0);
    return {};
}

} // namespace

Result<std::unique_ptr<Sampler>> Sampler::load(const SamplerOptions &options)
{
    libbpf_set_print(noteComplaint);
    complaints().clear();
    bpf_object_open_opts openOptions{};
    openOptions.sz = sizeof openOptions;
    openOptions.object_name = "hearth";
    const std::span<const std::uint8_t> program = bpfProgram();
    Object object(bpf_object__open_mem(program.data(), program.size(), &openOptions));
    if (!object)
        return failure(withComplaints("cannot read the BPF programs", errno));
    if (auto configured = configure(object.get(), options); !configured)
        return tl::unexpected(configured.error());
    if (const int error = bpf_object__load(object.get()); error != 0)
        return failure(withComplaints("the kernel does not take the BPF programs", -error));
    complaints().clear();
    auto sampler = std::make_unique<KernelSampler>(std::move(object), options);
    if (auto opened = sampler->openMaps(); !opened)
        return tl::unexpected(opened.error());
    return sampler;
}

} // namespace hearth::agent
