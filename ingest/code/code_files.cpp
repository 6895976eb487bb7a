#include "ingest/code/code_files.h"

#include "ingest/code/disassembler.h"
#include "ingest/code/function_extents.h"
#include "ingest/code/source_file.h"
#include "ingest/elf/demangle.h"
#include "ingest/symbols/symbolizer.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_map>

namespace hearth {

namespace {

constexpr std::uint64_t kLargestFunction = std::uint64_t(4) << 20; ///< longer ones are cut

std::string hex(std::uint64_t number)
{
    std::string digits;
    do
        digits.insert(digits.begin(), "0123456789abcdef"[number & 0xfU]);
    while ((number >>= 4U) != 0);
    return digits;
}

std::int64_t writtenAt(const std::string &path)
{
    struct stat status{};
    return ::stat(path.c_str(), &status) == 0 ? status.st_mtim.tv_sec : 0;
}

std::string nameOf(const FunctionExtents::Extent &extent, const BinaryIdentity &binary)
{
    return extent.name.empty() ? binary.name() + "+0x" + hex(extent.begin) : demangled(extent.name);
}

/// "known::here()" or, inside of it, "known::here()+0x12".
std::string describe(std::uint64_t address, const SymbolTable &symbols)
{
    const auto symbol = symbols.find(address);
    if (!symbol)
        return {};
    const std::string name = demangled(symbol->name);
    return address == symbol->address ? name : name + "+0x" + hex(address - symbol->address);
}

/// Gives texts numbers, each text one.
class Numbers {
public:
    explicit Numbers(std::vector<std::string> &texts) : m_texts(texts) {}

    std::uint32_t operator()(const std::string &text)
    {
        const auto [known, isNew] = m_known.try_emplace(text, static_cast<std::uint32_t>(m_texts.size()));
        if (isNew)
            m_texts.push_back(text);
        return known->second;
    }

private:
    std::vector<std::string> &m_texts;
    std::unordered_map<std::string, std::uint32_t> m_known;
};

/// Gives each instruction its chain of lines; those that follow each other in one line share it.
void addPlaces(Disassembly &code, const Program &program, const std::stop_token &stop)
{
    const auto chains = program.namesOf(code.offsets, stop);
    Numbers functions(code.functions);
    Numbers files(code.files);
    std::vector<CodePlace> places;
    for (std::size_t i = 0; i < code.instructions.size(); ++i) {
        Instruction &instruction = code.instructions[i];
        places.clear();
        for (const SymbolLine &line : chains[i])
            places.push_back({functions(line.name.str()), files(line.file.str()), line.line});
        if (i > 0 && std::ranges::equal(places, code.placesOf(code.instructions[i - 1]))) {
            instruction.placeBegin = code.instructions[i - 1].placeBegin;
        } else {
            instruction.placeBegin = static_cast<std::uint32_t>(code.places.size());
            code.places.insert(code.places.end(), places.begin(), places.end());
        }
        instruction.placeCount = static_cast<std::uint32_t>(places.size());
    }
}

} // namespace

/// A binary whose file was looked for.
struct CodeFiles::Opened {
    std::string problem; ///< why there is none
    ProgramFiles files;
    std::unique_ptr<Program> program; ///< null without a file
    std::unique_ptr<FunctionExtents> extents;
};

CodeFiles::CodeFiles(SearchPlaces programs, SourcePlaces sources)
    : m_places(std::move(programs)), m_sources(std::move(sources))
{}

CodeFiles::~CodeFiles() = default;

const CodeFiles::Opened &CodeFiles::opened(const Snapshot &snapshot, BinaryId binary)
{
    const BinaryIdentity identity = identityOf(snapshot, binary);
    std::unique_ptr<Opened> &known =
        m_programs[identity.path + '\n' + identity.buildId + identity.goBuildId + identity.fileHash];
    if (known)
        return *known;
    known = std::make_unique<Opened>();
    if (isKernel(identity)) {
        known->problem = "the kernel's instructions are in no file that may be read";
        return *known;
    }
    if (!m_finder)
        m_finder = std::make_unique<ProgramFinder>(m_places);
    Symbolizer::Hints hints = Symbolizer::hintsIn(snapshot);
    if (const BinarySymbols *symbols = snapshot.symbolsOf(binary))
        hints.paths.push_back(symbols->file);
    ProgramFinder::Found found = m_finder->find(identity, hints.paths, hints.sampledNs);
    known->problem = std::move(found.problem);
    known->files = found.files;
    if (!found.files.program)
        return *known;
    known->program = std::make_unique<Program>(std::move(found.files));
    known->extents = std::make_unique<FunctionExtents>(known->files.program, known->program->table());
    return *known;
}

Result<std::vector<CodeExtent>> CodeFiles::extentsOf(const Snapshot &snapshot, BinaryId binary,
                                                     std::span<const std::uint64_t> offsets)
{
    const std::lock_guard lock(m_mutex);
    const Opened &file = opened(snapshot, binary);
    const BinaryIdentity identity = identityOf(snapshot, binary);
    if (!file.program)
        return failure(identity.name() + ": " + file.problem);
    std::vector<CodeExtent> extents;
    for (const std::uint64_t offset : offsets) {
        if (std::ranges::any_of(extents, [&](const CodeExtent &known) { return known.contains(offset); }))
            continue;
        const auto address = file.files.program->addressOfOffset(offset);
        const auto found = address ? file.extents->find(*address) : std::nullopt;
        const auto begin = found ? file.files.program->offsetOfAddress(found->begin) : std::nullopt;
        if (begin && found->end > *address)
            extents.push_back(
                {binary, *begin, *begin + (found->end - found->begin), nameOf(*found, identity)});
    }
    if (extents.empty())
        return failure(identity.name() + ": its file does not tell where the function begins and ends");
    std::ranges::sort(extents, {}, &CodeExtent::begin);
    return extents;
}

Result<Disassembly> CodeFiles::disassemble(const Snapshot &snapshot, const CodeExtent &extent,
                                           AssemblySyntax syntax, const std::stop_token &stop)
{
    const std::lock_guard lock(m_mutex);
    const Opened &opened = this->opened(snapshot, extent.binary);
    const BinaryIdentity identity = identityOf(snapshot, extent.binary);
    if (!opened.program)
        return failure(identity.name() + ": " + opened.problem);
    const ElfFile &file = *opened.files.program;
    const auto address = file.addressOfOffset(extent.begin);
    const std::uint64_t size = std::min(extent.end - extent.begin, kLargestFunction);
    const auto bytes = file.bytes().read(extent.begin, size);
    if (!address || !bytes)
        return failure(file.name() + " ends before the function does");
    auto instructions = instructionsOf(*bytes, *address, file.machine(), syntax);
    if (!instructions)
        return failure(identity.name() + ": " + instructions.error().message);
    Disassembly code{.extent = extent,
                     .file = file.name(),
                     .note = size < extent.end - extent.begin ? "only the first 4 MiB of it are shown" : "",
                     .instructions = std::move(*instructions),
                     .offsets = {},
                     .places = {},
                     .functions = {},
                     .files = {}};
    for (Instruction &instruction : code.instructions) {
        code.offsets.push_back(extent.begin + (instruction.address - *address));
        const std::uint64_t distance = instruction.reference - *address;
        const bool isInside = distance < extent.end - extent.begin;
        if (instruction.reference != 0 && (!isInside || instruction.kind == InstructionKind::Call))
            instruction.comment = describe(instruction.reference, opened.program->table());
    }
    addPlaces(code, *opened.program, stop);
    return code;
}

SourceFound CodeFiles::findSource(const Snapshot &snapshot, const SourceRequest &request,
                                  const std::stop_token &stop)
{
    const std::lock_guard lock(m_mutex);
    SourceFound found;
    std::string program;
    std::string buildId;
    if (request.binary) {
        const Opened &file = opened(snapshot, *request.binary);
        program = file.files.program ? file.files.program->name() : std::string();
        buildId = file.files.program ? file.files.program->buildId()
                                     : identityOf(snapshot, *request.binary).buildId;
    }
    const auto take = [&](const std::string &path) {
        struct stat status{};
        if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
            return false;
        auto text = readSource(path);
        found.path = path;
        found.problem = text ? std::string() : text.error().message;
        found.text = std::move(text).value_or(nullptr);
        return found.text != nullptr;
    };
    for (const std::string &path : candidatesFor(request.path, m_sources.places, program)) {
        found.tried.push_back(path);
        if (!take(path))
            continue;
        if (!program.empty() && writtenAt(path) > writtenAt(program))
            found.problem = "changed since " + std::filesystem::path(program).filename().string() +
                            " was built: lines may have moved";
        return found;
    }
    const auto fetched = m_sources.debuginfod.findSource(request.path, buildId, stop);
    if (fetched && take(*fetched))
        return found;
    found.canBeFetched = !buildId.empty() && request.path.starts_with('/');
    if (found.problem.empty())
        found.problem = request.path + " is not on this machine";
    return found;
}

} // namespace hearth
