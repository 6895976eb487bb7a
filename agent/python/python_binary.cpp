#include "agent/python/python_binary.h"

#include "agent/process/process_memory.h"
#include "ingest/elf/cursor.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

// The numbers are those of the headers of each release, for 64-bit builds without debugging. They never
// change within a minor version: extensions are compiled against them.

namespace hearth::agent {

namespace {

constexpr std::uint32_t kOldest = 6, kNewestWithTable = 12, kNewest = 14;
constexpr std::uint32_t kFirstWithVersionSymbol = 11;

constexpr PythonLayout classicLayout(std::uint16_t threadId, std::uint16_t lastInstruction,
                                     std::uint16_t codeName)
{
    return {.interpreters = 0,
            .currentThread = 0,
            .interpreterNext = 0,
            .interpreterThreads = 8,
            .threadNext = 8,
            .threadId = threadId,
            .threadFrame = 24,
            .throughFrame = kNoMember,
            .frameBytes = static_cast<std::uint16_t>(lastInstruction + 8),
            .framePrevious = 24,
            .frameCode = 32,
            .frameInstruction = lastInstruction,
            .frameMark = 0,
            .entryRule = kEveryFrameIsEntry,
            .shimOwner = 0,
            .codeName = codeName,
            .codeFile = static_cast<std::uint16_t>(codeName - 8),
            .isNarrow = 1};
}

constexpr std::uint16_t kModernFile = 112, kModernName = 128;

constexpr PythonLayout k311{.interpreters = 0,
                            .currentThread = 0,
                            .interpreterNext = 0,
                            .interpreterThreads = 16,
                            .threadNext = 8,
                            .threadId = 152,
                            .threadFrame = 56,
                            .throughFrame = 8,
                            .frameBytes = 72,
                            .framePrevious = 48,
                            .frameCode = 32,
                            .frameInstruction = 56,
                            .frameMark = 68,
                            .entryRule = kEntryIsMarked,
                            .shimOwner = 0,
                            .codeName = kModernName,
                            .codeFile = kModernFile,
                            .isNarrow = 0};
constexpr PythonLayout k312{.interpreters = 0,
                            .currentThread = 0,
                            .interpreterNext = 0,
                            .interpreterThreads = 72,
                            .threadNext = 8,
                            .threadId = 136,
                            .threadFrame = 56,
                            .throughFrame = 0,
                            .frameBytes = 72,
                            .framePrevious = 8,
                            .frameCode = 0,
                            .frameInstruction = 56,
                            .frameMark = 70,
                            .entryRule = kEntryHasShim,
                            .shimOwner = 3,
                            .codeName = kModernName,
                            .codeFile = kModernFile,
                            .isNarrow = 0};

struct Release {
    PythonOffsets offsets;
    std::uint32_t interpreters;  ///< in _PyRuntime
    std::uint32_t currentThread; ///< the same; 0 where it is elsewhere
};

PythonOffsets classic(PythonLayout layout, std::uint16_t firstLine)
{
    return {.layout = layout,
            .codeFirstLine = firstLine,
            .codeLineTable = static_cast<std::uint16_t>(layout.codeName + 8),
            .codeInstructions = 0,
            .asciiHead = 48,
            .otherHead = 72};
}

PythonOffsets modern(PythonLayout layout, std::uint16_t firstLine, std::uint16_t instructions,
                     std::uint16_t asciiHead)
{
    return {.layout = layout,
            .codeFirstLine = firstLine,
            .codeLineTable = 136,
            .codeInstructions = instructions,
            .asciiHead = asciiHead,
            .otherHead = static_cast<std::uint16_t>(asciiHead == 48 ? 72 : 56)};
}

/// From 3.6 on.
Release release(std::uint32_t minorVersion)
{
    switch (minorVersion) {
    case 6:
        return {classic(classicLayout(152, 120, 104), 36), 0, 0};
    case 7:
        return {classic(classicLayout(176, 104, 104), 36), 24, 1480};
    case 8:
        return {classic(classicLayout(176, 104, 112), 40), 32, 1368};
    case 9:
        return {classic(classicLayout(176, 104, 112), 40), 32, 568};
    case 10:
        return {classic(classicLayout(176, 96, 112), 40), 32, 568};
    case 11:
        return {modern(k311, 72, 184, 48), 40, 576};
    default:
        return {modern(k312, 68, 192, 40), 40, 0};
    }
}

/// Since 3.13 _PyRuntime begins with a table of offsets: a signature, the version, and groups of numbers,
/// each of which begins with the size of the structure that it is about.
std::optional<PythonOffsets> toldOffsets(const PythonBinary &binary, std::uint32_t process,
                                         std::uint64_t runtime)
{
    constexpr std::size_t kTable = 1024;
    constexpr std::size_t kBehindVersion = 24;
    constexpr std::uint64_t kLargest = 65000, kLargestInFrame = kPythonFrameBytes - 8;
    std::array<std::byte, kTable> bytes{};
    if (!readMemory(process, runtime, bytes))
        return std::nullopt;
    Cursor cursor(std::span(reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()));
    const auto signature = cursor.bytes(8);
    const std::uint64_t version = cursor.u64();
    if (!std::ranges::equal(signature, std::string_view("xdebugpy")) || version >> 24 != 3 ||
        (version >> 16 & 0xff) != binary.minorVersion)
        return std::nullopt;
    cursor.seek(kBehindVersion);
    const bool isFirst = binary.minorVersion == 13;
    const auto group = [&cursor](std::size_t count) {
        std::vector<std::uint64_t> numbers(count);
        for (std::uint64_t &number : numbers)
            number = cursor.u64();
        return numbers;
    };
    const auto ofRuntime = group(3);
    const auto ofInterpreter = group(isFirst ? 13 : 16);
    const auto ofThread = group(9);
    const auto ofFrame = group(isFirst ? 6 : 8);
    const auto ofCode = group(isFirst ? 10 : 11);
    const std::array inFrame{ofFrame[1], ofFrame[2], ofFrame[3], ofFrame[5]};
    const std::array used{ofInterpreter[2], ofInterpreter[3], ofThread[2], ofThread[4], ofThread[5],
                          ofCode[1],        ofCode[3],        ofCode[4],   ofCode[5],   ofCode[9]};
    if (!cursor.isGood() || std::ranges::max(used) > kLargest || std::ranges::max(inFrame) > kLargestInFrame)
        return std::nullopt;
    const auto small = [](std::uint64_t number) { return static_cast<std::uint16_t>(number); };
    return PythonOffsets{.layout = {.interpreters = runtime + ofRuntime[2],
                                    .currentThread = 0,
                                    .interpreterNext = small(ofInterpreter[2]),
                                    .interpreterThreads = small(ofInterpreter[3]),
                                    .threadNext = small(ofThread[2]),
                                    .threadId = small(ofThread[5]),
                                    .threadFrame = small(ofThread[4]),
                                    .throughFrame = kNoMember,
                                    .frameBytes = small(std::max(
                                        {ofFrame[1] + 8, ofFrame[2] + 8, ofFrame[3] + 8, ofFrame[5] + 1})),
                                    .framePrevious = small(ofFrame[1]),
                                    .frameCode = small(ofFrame[2]),
                                    .frameInstruction = small(ofFrame[3]),
                                    .frameMark = small(ofFrame[5]),
                                    .entryRule = kEntryHasShim,
                                    .shimOwner = 3,
                                    .codeName = small(ofCode[3]),
                                    .codeFile = small(ofCode[1]),
                                    .isNarrow = 0},
                         .codeFirstLine = small(ofCode[5]),
                         .codeLineTable = small(ofCode[4]),
                         .codeInstructions = small(ofCode[9]),
                         .asciiHead = 40,
                         .otherHead = 56};
}

/// "python3.9", "libpython3.9m.so.1.0"
std::optional<std::uint32_t> versionInName(std::string_view name)
{
    constexpr std::string_view kBefore = "python3.";
    const std::size_t at = name.find(kBefore);
    if (at == std::string_view::npos)
        return std::nullopt;
    std::uint32_t version = 0;
    for (const char digit : name.substr(at + kBefore.size(), 2))
        if (std::isdigit(static_cast<unsigned char>(digit)) != 0)
            version = version * 10 + static_cast<std::uint32_t>(digit - '0');
    return version;
}

/// What Py_Version is: 0x030b07f0, in the file itself.
std::optional<std::uint32_t> versionInFile(const ElfFile &file, const ExportedSymbols &exported)
{
    const auto symbol = exported.find("Py_Version");
    const auto offset = symbol ? file.offsetOfAddress(symbol->value) : std::nullopt;
    const auto bytes = offset ? file.bytes().read(*offset, 8) : std::nullopt;
    if (!bytes)
        return std::nullopt;
    const std::uint64_t version = Cursor(*bytes).u64();
    return version >> 24 == 3 ? std::optional(static_cast<std::uint32_t>(version >> 16 & 0xff))
                              : std::nullopt;
}

} // namespace

std::optional<PythonBinary> pythonBinary(const ElfFile &file, const ExportedSymbols &exported,
                                         std::string_view name)
{
    const auto runtime = exported.find("_PyRuntime");
    const auto current = exported.find("_PyThreadState_Current");
    if (!runtime && !current)
        return std::nullopt;
    auto version = versionInFile(file, exported);
    if (!version && (version = versionInName(name)) && *version >= kFirstWithVersionSymbol)
        return std::nullopt;
    if (!version || *version < kOldest || *version > kNewest || (*version == kOldest) != !runtime)
        return std::nullopt;
    return PythonBinary{.minorVersion = *version,
                        .runtime = runtime ? runtime->value : 0,
                        .currentThread = runtime ? 0 : current->value};
}

std::optional<PythonOffsets> pythonOffsets(const PythonBinary &binary, std::uint32_t process,
                                           std::uint64_t shift)
{
    if (binary.minorVersion > kNewestWithTable)
        return toldOffsets(binary, process, binary.runtime + shift);
    const Release found = release(binary.minorVersion);
    PythonOffsets offsets = found.offsets;
    if (binary.runtime != 0)
        offsets.layout.interpreters = binary.runtime + shift + found.interpreters;
    if (found.currentThread != 0)
        offsets.layout.currentThread = binary.runtime + shift + found.currentThread;
    if (binary.currentThread != 0)
        offsets.layout.currentThread = binary.currentThread + shift;
    return offsets;
}

} // namespace hearth::agent
