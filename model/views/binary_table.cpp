#include "model/views/binary_table.h"

#include "model/views/top_table.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace hearth {

namespace {

std::optional<TopTable> rowsBy(Granularity granularity, Evaluator &evaluator,
                               const std::shared_ptr<const Snapshot> &snapshot, Lens lens,
                               const std::stop_token &stop)
{
    lens.granularity = granularity;
    lens.groupBy.clear();
    const auto evaluation = evaluator.evaluate(snapshot, lens, stop);
    if (!evaluation || *evaluation == nullptr)
        return std::nullopt;
    return topTable(*(*evaluation)->tree, TopOrder::Total, 0, 0, stop);
}

/// Adds what the addresses of each binary say of its names.
void addNames(const TopTable &addresses, std::unordered_map<std::string_view, BinaryRow *> &rowOf)
{
    struct Weights {
        double all = 0;
        double named = 0;
    };
    std::unordered_map<BinaryRow *, Weights> weights;
    for (const TopRow &address : addresses.rows) {
        const auto found = rowOf.find(address.binary);
        if (found == rowOf.end())
            continue;
        BinaryRow &row = *found->second;
        const auto weight = static_cast<double>(address.total);
        weights[&row].all += weight;
        weights[&row].named += address.isNameless ? 0 : weight;
        ++row.frames;
        row.namelessFrames += address.isNameless ? 1 : 0;
        if (address.isNameless)
            row.nameless += std::min(address.total, row.total - row.nameless);
    }
    for (const auto &[row, weight] : weights)
        row->named = weight.all == 0 ? 1 : weight.named / weight.all;
}

void addBuild(const Snapshot &snapshot, BinaryId build, BinaryRow &row)
{
    row.builds.push_back(build);
    const Binary &binary = snapshot.binaries[build.value];
    for (const StringId id : {binary.buildId, binary.goBuildId, binary.fileHash})
        if (const std::string_view text = snapshot.text(id); !text.empty()) {
            row.buildIds.push_back(text);
            break;
        }
    const BinarySymbols *const symbols = snapshot.symbolsOf(build);
    if (symbols != nullptr && (row.symbols == nullptr || symbols->source == SymbolSource::None))
        row.symbols = symbols;
}

/// Why some frames have no name though its symbols were found.
std::string_view gapOf(SymbolSource source)
{
    switch (source) {
    case SymbolSource::DebugInformation:
    case SymbolSource::SymbolTable:
    case SymbolSource::ExportedNames:
        return "no function is known at the addresses without a name, as of code that a linker added";
    case SymbolSource::GoTable:
        return "the addresses without a name are of no Go function, as of C that was linked in";
    case SymbolSource::Kernel:
        return "the kernel has no function at the addresses without a name now, as of modules and BPF "
               "programs "
               "that have gone";
    case SymbolSource::MadeAtRunTime:
        return "its process did not tell all of its functions";
    case SymbolSource::None:
        break;
    }
    return "its symbols were not found";
}

} // namespace

std::string_view nameOf(const BinaryRow &row)
{
    if (!row.path.empty())
        return baseName(row.path);
    return row.buildIds.empty() ? "memory without a file" : "files without a path";
}

std::string_view problemOf(const BinaryRow &row)
{
    if (row.symbols != nullptr && !row.symbols->problem.empty())
        return row.symbols->problem;
    if (row.namelessFrames == 0)
        return {};
    if (row.path.empty())
        return "the sender told no file for these addresses: code made at run time, or mapped by what it did "
               "not see";
    return row.symbols == nullptr ? "nobody looked for its symbols" : gapOf(row.symbols->source);
}

std::string_view adviceOf(const BinaryRow &row)
{
    if (row.symbols != nullptr)
        return row.symbols->advice;
    return row.path.empty() && row.namelessFrames > 0
               ? "run what makes code so that it tells its functions in a perf map or a jitdump"
               : std::string_view();
}

std::optional<BinaryTable> binaryTable(Evaluator &evaluator, const std::shared_ptr<const Snapshot> &snapshot,
                                       const Lens &lens, const std::stop_token &stop)
{
    const auto binaries = rowsBy(Granularity::Binary, evaluator, snapshot, lens, stop);
    const auto addresses =
        binaries ? rowsBy(Granularity::Address, evaluator, snapshot, lens, stop) : std::nullopt;
    if (!addresses)
        return std::nullopt;
    BinaryTable table{.rows = {}, .entries = {binaries->entries, addresses->entries}, .snapshot = snapshot};
    for (const TopRow &binary : binaries->rows)
        table.rows.push_back({.path = binary.binary,
                              .self = binary.self,
                              .total = binary.total,
                              .builds = {},
                              .buildIds = {}});
    std::unordered_map<std::string_view, BinaryRow *> rowOf;
    for (BinaryRow &row : table.rows)
        rowOf[row.path] = &row;
    addNames(*addresses, rowOf);
    for (std::size_t i = 0; i < snapshot->binaries.size(); ++i)
        if (const auto row = rowOf.find(snapshot->text(snapshot->binaries[i].path)); row != rowOf.end())
            addBuild(*snapshot, BinaryId(i), *row->second);
    // Frames without a binary are most often of interpreted code, which has names.
    std::erase_if(table.rows,
                  [](const BinaryRow &row) { return row.path.empty() && row.namelessFrames == 0; });
    std::ranges::stable_sort(table.rows, [](const BinaryRow &a, const BinaryRow &b) {
        return a.nameless != b.nameless ? a.nameless > b.nameless : a.total > b.total;
    });
    return table;
}

} // namespace hearth
