#include "ingest/bytes/wire.h"
#include "ingest/formats/folded_line.h"
#include "ingest/formats/format.h"
#include "ingest/formats/pprof_wire.h"
#include "ingest/formats/text_encoding.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace hearth {

namespace {

using Bytes = std::span<const std::uint8_t>;

struct Magic {
    std::string_view bytes;
    std::string_view name;
    std::size_t offset = 0;
};

// Literals with zeros in them need their length said.
#define HEARTH_MAGIC(text) std::string_view(text, sizeof(text) - 1)
constexpr std::array kMagics{
    Magic{HEARTH_MAGIC("\x1f\x8b"), "gzip file packed too often"},
    Magic{HEARTH_MAGIC("\x28\xb5\x2f\xfd"), "zstd file packed too often"},
    Magic{HEARTH_MAGIC("\xfd\x37zXZ\0"), "xz archive"},
    Magic{HEARTH_MAGIC("BZh"), "bzip2 archive"},
    Magic{HEARTH_MAGIC("\x04\x22\x4d\x18"), "lz4 archive"},
    Magic{HEARTH_MAGIC("PK\x03\x04"), "zip archive"},
    Magic{HEARTH_MAGIC("\xff\x06\0\0sNaPpY"), "snappy archive"},
    Magic{HEARTH_MAGIC("PERFILE2"), "perf.data recording"},
    Magic{HEARTH_MAGIC("2ELIFREP"), "perf.data recording of the other byte order"},
    Magic{HEARTH_MAGIC("PERFFILE"), "perf.data recording of an ancient version"},
    Magic{HEARTH_MAGIC("SIMPLEPERF"), "simpleperf report"},
    Magic{HEARTH_MAGIC("FLR\0"), "JFR recording"},
    Magic{HEARTH_MAGIC("JAVA PROFILE "), "Java heap dump"},
    Magic{HEARTH_MAGIC("\x74\x72\xfd\x50"), "Tracy trace"},
    Magic{HEARTH_MAGIC("tlZ\x04"), "Tracy trace"},
    Magic{HEARTH_MAGIC("tZst"), "Tracy trace"},
    Magic{HEARTH_MAGIC("Nettrace"), ".NET nettrace"},
    Magic{HEARTH_MAGIC("SLOW"), "Android method trace"},
    Magic{HEARTH_MAGIC("*version"), "Android method trace"},
    Magic{HEARTH_MAGIC("\x7f"
                       "ELF"),
          "program or library (ELF)"},
    Magic{HEARTH_MAGIC("\x89PNG"), "PNG picture"},
    Magic{HEARTH_MAGIC("\xff\xd8\xff"), "JPEG picture"},
    Magic{HEARTH_MAGIC("%PDF"), "PDF document"},
    Magic{HEARTH_MAGIC("SQLite format 3"), "SQLite database"},
    Magic{HEARTH_MAGIC("ustar"), "tar archive", 257},
    Magic{HEARTH_MAGIC("heap profile:"), "gperftools heap profile"},
    Magic{HEARTH_MAGIC("heap_v2/"), "jemalloc heap profile"},
    Magic{HEARTH_MAGIC("--- heapz"), "legacy Java heap profile"},
    Magic{HEARTH_MAGIC("--- contentionz"), "legacy contention profile"},
    Magic{HEARTH_MAGIC("--- contention:"), "legacy contention profile"},
    Magic{HEARTH_MAGIC("--- mutex:"), "legacy contention profile"},
    Magic{HEARTH_MAGIC("--- threadz"), "legacy thread profile"},
    Magic{HEARTH_MAGIC("goroutine profile: total"), "Go goroutine text"},
    Magic{HEARTH_MAGIC("threadcreate profile: total"), "Go thread creation text"},
    Magic{HEARTH_MAGIC("# callgrind format"), "callgrind output"},
    Magic{HEARTH_MAGIC("# ========"), "perf script text"},
    Magic{HEARTH_MAGIC("desc: "), "massif output"},
    Magic{HEARTH_MAGIC("v8-version,"), "V8 log"},
    Magic{HEARTH_MAGIC("<!DOCTYPE"), "HTML page"},
    Magic{HEARTH_MAGIC("<html"), "HTML page"},
    Magic{HEARTH_MAGIC("<?xml"), "XML file"},
};
#undef HEARTH_MAGIC

std::string_view textOf(Bytes bytes)
{
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

std::string_view nameByMagic(std::string_view head)
{
    for (const Magic &magic : kMagics)
        if (head.size() >= magic.offset && head.substr(magic.offset).starts_with(magic.bytes))
            return magic.name;
    if (head.starts_with("go 1.") && head.substr(0, 16).find(" trace") != std::string_view::npos)
        return "Go execution trace";
    const bool isZlib = head.size() > 2 && head[0] == 'x' &&
                        std::string_view("\x01\x5e\x9c\xda").find(head[1]) != std::string_view::npos;
    return isZlib ? "zlib stream" : "";
}

/// Words 0, 3, 0, period, 0 of 4 or 8 bytes, in either byte order.
bool isGperftoolsCpu(Bytes head)
{
    for (const std::size_t size : {std::size_t(4), std::size_t(8)})
        for (const bool isBig : {false, true}) {
            if (head.size() < 5 * size)
                continue;
            std::array<std::uint64_t, 5> words{};
            for (std::size_t word = 0; word < words.size(); ++word)
                for (std::size_t byte = 0; byte < size; ++byte)
                    words[word] |= static_cast<std::uint64_t>(head[word * size + byte])
                                   << (8 * (isBig ? size - 1 - byte : byte));
            if (words[0] == 0 && words[1] == 3 && words[2] == 0 && words[3] > 0 && words[4] == 0)
                return true;
        }
    return false;
}

struct JsonKeys {
    std::string_view name;
    std::array<std::string_view, 3> keys; ///< all must occur; empty ones always do
};
constexpr std::array kJsonFormats{
    JsonKeys{"speedscope profile", {"speedscope.app/file-format-schema"}},
    JsonKeys{"file of OTLP profiles in JSON", {"\"resourceProfiles\""}},
    JsonKeys{"file of OTLP profiles in JSON", {"\"resource_profiles\""}},
    JsonKeys{"file of OTLP traces in JSON", {"\"resourceSpans\""}},
    JsonKeys{"file of OTLP metrics in JSON", {"\"resourceMetrics\""}},
    JsonKeys{"file of OTLP logs in JSON", {"\"resourceLogs\""}},
    JsonKeys{"Chrome trace", {"\"traceEvents\""}},
    JsonKeys{"Chrome trace", {"\"ph\"", "\"ts\"", "\"pid\""}},
    JsonKeys{"V8 heap snapshot", {"\"snapshot\"", "\"node_fields\""}},
    JsonKeys{"V8 heap profile", {"\"head\"", "\"selfSize\""}},
    JsonKeys{"V8 CPU profile", {"\"nodes\"", "\"callFrame\""}},
    JsonKeys{"V8 CPU profile of an old version", {"\"head\"", "\"functionName\""}},
    JsonKeys{"V8 tick log", {"\"code\"", "\"functions\"", "\"ticks\""}},
    JsonKeys{"Firefox profile", {"\"meta\"", "\"processType\""}},
    JsonKeys{"Firefox profile", {"\"preprocessedProfileVersion\""}},
    JsonKeys{"stackprof profile", {"\"mode\"", "\"raw"}},
    JsonKeys{"Safari recording", {"\"sampleStackTraces\""}},
    JsonKeys{"GHC profile", {"\"rts_arguments\""}},
    JsonKeys{"DHAT profile", {"\"dhatFileVersion\""}},
    JsonKeys{"JSON file", {}},
};

std::string_view nameByJson(std::string_view head)
{
    const std::size_t begin = head.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || (head[begin] != '{' && head[begin] != '['))
        return {};
    const std::string_view behind =
        head.substr(std::min(head.find_first_not_of(" \t\r\n", begin + 1), head.size()));
    const bool isJson =
        behind.empty() || std::string_view("\"{[]}-0123456789tfn").find(behind[0]) != std::string_view::npos;
    if (!isJson)
        return {};
    for (const JsonKeys &format : kJsonFormats)
        if (std::ranges::all_of(
                format.keys, [&](std::string_view key) { return head.find(key) != std::string_view::npos; }))
            return format.name;
    return {};
}

/// Whether this is a message with fields 1 (and perhaps 2) only, as OTLP's and Perfetto's are.
std::string_view nameByWire(Bytes head)
{
    const std::uint8_t *at = head.data();
    const std::uint8_t *const end = at + head.size();
    std::size_t fields = 0;
    std::size_t small = 0;
    while (at != end) {
        WireField field;
        std::uint64_t length = 0;
        const WireOutcome outcome = readFieldHead(at, end, field, length);
        if (outcome == WireOutcome::Malformed || !field.isBytes() || field.number > 8)
            return {};
        ++fields;
        if (outcome == WireOutcome::Incomplete || length > static_cast<std::uint64_t>(end - at))
            break;
        small += field.number == 1 && length < 4096;
        at += length;
    }
    if (fields == 0 || head.size() < 8)
        return {};
    return small > 50 ? "Perfetto trace" : "OTLP file";
}

bool isText(std::string_view head)
{
    return std::ranges::none_of(head, [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' &&
               c != '\x1b';
    });
}

/// Calls `test` with each whole line. @return how many there were and how many passed
template <class Test>
std::pair<std::size_t, std::size_t> countLines(std::string_view text, bool isWhole, Test test)
{
    constexpr std::size_t kEnough = 200;
    std::size_t lines = 0;
    std::size_t passed = 0;
    while (!text.empty() && lines < kEnough) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos && !isWhole && lines > 0)
            break;
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.empty() || line.front() == '#')
            continue;
        ++lines;
        passed += test(line);
    }
    return {lines, passed};
}

bool isPerfScriptFrame(std::string_view line)
{
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == 0 || begin == std::string_view::npos)
        return false;
    const std::size_t end = line.find_first_not_of("0123456789abcdef", begin);
    return end != std::string_view::npos && end - begin >= 4 && line[end] == ' ' && line.ends_with(')');
}

Recognition recogniseText(std::string_view head, bool isWhole)
{
    if (head.find("\nfn=") != std::string_view::npos && head.find("events:") != std::string_view::npos)
        return {"callgrind output", nullptr};
    if (head.starts_with("@[") && head.find("]: ") != std::string_view::npos)
        return {"bpftrace output", nullptr};
    const auto [lines, frames] = countLines(head, isWhole, isPerfScriptFrame);
    if (frames * 2 > lines)
        return {"perf script text", nullptr};
    const auto isFolded = [](std::string_view line) {
        const auto parsed = parseFoldedLine(line);
        return parsed && (parsed->hasCount || parsed->stack.find(';') != std::string_view::npos) &&
               line.front() != ' ' && line.front() != '\t';
    };
    const auto [stackLines, stacks] = countLines(head, isWhole, isFolded);
    const bool hasPaths = head.find(';') != std::string_view::npos;
    if (stacks > 0 && stacks * 10 >= stackLines * (hasPaths ? 5U : 9U))
        return {"folded stacks", &kFolded};
    return {"text that is no profile", nullptr};
}

} // namespace

Recognition recognise(std::span<const std::uint8_t> head, bool isWhole)
{
    if (const std::string_view name = nameByMagic(textOf(head)); !name.empty())
        return {name, nullptr};
    if (isGperftoolsCpu(head))
        return {"gperftools CPU profile", nullptr};
    if (const std::string_view name = nameByJson(textOf(head)); !name.empty())
        return {name, nullptr};
    const TextEncoding encoding = encodingOf(head);
    if (encoding == TextEncoding::Utf16Little || encoding == TextEncoding::Utf16Big) {
        std::string decoded;
        appendUtf16(decoded, head.subspan(markLength(head, encoding)), encoding);
        if (isText(decoded))
            return recogniseText(decoded, isWhole);
    }
    const Bytes body = head.subspan(markLength(head, encoding));
    if (isText(textOf(body)))
        return recogniseText(textOf(body), isWhole);
    if (looksLikePprof(head, isWhole))
        return {"pprof profile", &kPprof};
    return {nameByWire(head), nullptr};
}

} // namespace hearth
