#include "ingest/formats/format.h"
#include "ingest/formats/pprof_wire.h"
#include "ingest/formats/recognise/kinds.h"
#include "ingest/formats/text_encoding.h"

#include <algorithm>
#include <array>
#include <string>

namespace hearth {

namespace {

using Bytes = std::span<const std::uint8_t>;

// Literals with zeros in them need their length said.
#define HEARTH_MAGIC(text) std::string_view(text, sizeof(text) - 1)

constexpr std::array kBinaryMagics{
    Magic{HEARTH_MAGIC("\x1f\x8b"), "file packed too often (gzip)"},
    Magic{HEARTH_MAGIC("\x28\xb5\x2f\xfd"), "file packed too often (zstd)"},
    Magic{HEARTH_MAGIC("\xfd\x37zXZ\0"), "compressed file (xz)"},
    Magic{HEARTH_MAGIC("1AY&SY"), "compressed file (bzip2)", 4},
    Magic{HEARTH_MAGIC("\x04\x22\x4d\x18"), "compressed file (lz4)"},
    Magic{HEARTH_MAGIC("PK\x03\x04"), "zip archive"},
    Magic{HEARTH_MAGIC("PK\x05\x06"), "zip archive"},
    Magic{HEARTH_MAGIC("\xff\x06\0\0sNaPpY"), "compressed file (snappy)"},
    Magic{HEARTH_MAGIC("PERFILE2"), "perf.data recording", 0, &kPerfData},
    Magic{HEARTH_MAGIC("2ELIFREP"), "perf.data recording of the other byte order", 0, &kPerfData},
    Magic{HEARTH_MAGIC("PERFFILE"), "perf.data recording of an ancient version"},
    Magic{HEARTH_MAGIC("SIMPLEPERF\1\0"), "simpleperf report"},
    Magic{HEARTH_MAGIC("FLR\0"), "JFR recording", 0, &kJfr},
    Magic{HEARTH_MAGIC("JAVA PROFILE 1."), "Java heap dump"},
    Magic{HEARTH_MAGIC("\xdc\xdfJSLB"), "Firefox profile in JsonSlabs"},
    Magic{HEARTH_MAGIC("\x74\x72\xfd\x50"), "Tracy trace"},
    Magic{HEARTH_MAGIC("tlZ\x04"), "Tracy trace"},
    Magic{HEARTH_MAGIC("tZst"), "Tracy trace"},
    Magic{HEARTH_MAGIC("Nettrace\x14"), ".NET trace (nettrace)"},
    Magic{HEARTH_MAGIC("SLOW\1\0"), "method trace of Android"},
    Magic{HEARTH_MAGIC("SLOW\2\0"), "method trace of Android"},
    Magic{HEARTH_MAGIC("SLOW\3\0"), "method trace of Android"},
    Magic{HEARTH_MAGIC("\x7f"
                       "ELF"),
          "program or library (ELF)"},
    Magic{HEARTH_MAGIC("\xcf\xfa\xed\xfe"), "program or library (Mach-O)"},
    Magic{HEARTH_MAGIC("\x89PNG"), "PNG picture"},
    Magic{HEARTH_MAGIC("\xff\xd8\xff"), "JPEG picture"},
    Magic{HEARTH_MAGIC("GIF8"), "GIF picture"},
    Magic{HEARTH_MAGIC("%PDF-"), "PDF document"},
    Magic{HEARTH_MAGIC("SQLite format 3\0"), "SQLite database"},
    Magic{HEARTH_MAGIC("ustar\0"), "tar archive", 257},
    Magic{HEARTH_MAGIC("ustar  "), "tar archive", 257},
};

#undef HEARTH_MAGIC

Recognition byFirstBytes(std::string_view head)
{
    if (const Recognition known = byMagic(kBinaryMagics, head); !known.name.empty())
        return known;
    if (head.starts_with("go 1.") && contains(head.substr(0, 16), " trace"))
        return {"Go execution trace", nullptr};
    return {};
}

bool isZlib(std::string_view head)
{
    return head.size() > 2 && head[0] == 'x' && contains("\x01\x5e\x9c\xda", head.substr(1, 1));
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

Recognition recogniseText(std::string_view head, bool isWhole)
{
    if (const Recognition json = byJson(head); !json.name.empty())
        return json;
    if (const Recognition text = byText(head, isWhole); !text.name.empty())
        return text;
    if (isFolded(head, isWhole))
        return {"folded stacks", &kFolded};
    return {"text that is no profile", nullptr};
}

} // namespace

Recognition byMagic(std::span<const Magic> magics, std::string_view head)
{
    for (const Magic &magic : magics)
        if (head.size() >= magic.offset && head.substr(magic.offset).starts_with(magic.bytes))
            return magic.recognition();
    return {};
}

Recognition recognise(std::span<const std::uint8_t> head, bool isWhole)
{
    if (head.empty())
        return {"file without content", nullptr};
    if (const Recognition known = byFirstBytes(textOf(head)); !known.name.empty())
        return known;
    if (isGperftoolsCpu(head))
        return {"gperftools CPU profile", &kGperftoolsCpu};
    const TextEncoding encoding = encodingOf(head);
    const Bytes body = head.subspan(markLength(head, encoding));
    if (encoding == TextEncoding::Utf16Little || encoding == TextEncoding::Utf16Big) {
        std::string decoded;
        appendUtf16(decoded, body, encoding);
        if (isText(decoded))
            return recogniseText(decoded, isWhole);
    }
    if (isText(textOf(body)))
        return recogniseText(textOf(body), isWhole);
    if (looksLikePprof(head, isWhole))
        return {"pprof profile", &kPprof};
    if (const Recognition known = byMessages(head, isWhole); !known.name.empty())
        return known;
    if (isZlib(textOf(head)))
        return {"compressed file (zlib)", nullptr};
    // Folded stacks stay readable with some damage in them.
    if (isText(textOf(body), body.size() / 1000) && isFolded(textOf(body), isWhole))
        return {"folded stacks", &kFolded};
    return {};
}

} // namespace hearth
