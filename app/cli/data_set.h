#pragma once

#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "model/lens/lens.h"
#include "model/result.h"
#include "model/store/snapshot.h"
#include "model/views/evaluator.h"

#include <array>
#include <memory>
#include <span>
#include <string>

namespace hearth::cli {

// What the commands that read data sets have in common: opening files, and the options that make up a lens.

/// Options of every command that reads files.
inline constexpr std::array kInputOptions{
    Option{.name = "memory",
           .value = "SIZE",
           .help = "stop reading at this much memory, like 4G; by default half of the machine's"},
    Option{.name = "no-symbols", .value = "", .help = "take names as they are stored"},
};

/// Options of reports that show names.
inline constexpr std::array kSymbolOptions{
    Option{.name = "symbols-from",
           .value = "PATH",
           .help = "a program, a debug file, or a folder with such, to take names from"},
    Option{.name = "debuginfod", .value = "URL", .help = "a server that may be asked for debug information"},
};

/// Options of every report of weights.
inline constexpr std::array kLensOptions{
    Option{.name = "lens", .value = "TEXT", .help = "what to look at, as in the window's filter bar"},
    Option{.name = "series", .value = "S", .help = "which values: type, type/unit, or number"},
    Option{.name = "focus", .value = "RE", .help = "only stacks through what matches"},
    Option{.name = "ignore", .value = "RE", .help = "only stacks not through what matches"},
    Option{.name = "hide", .value = "RE", .help = "leave out the frames that match"},
    Option{.name = "show", .value = "RE", .help = "keep only the frames that match"},
    Option{.name = "from", .value = "RE", .help = "begin stacks at their outermost match"},
    Option{.name = "tagfocus",
           .value = "TAGS",
           .help = "only samples with these labels: RE, KEY=RE,RE or a range like 4kb:64kb"},
    Option{.name = "tagignore", .value = "TAGS", .help = "only samples without these labels"},
    Option{.name = "tagroot", .value = "KEYS", .help = "labels as frames above the stacks"},
    Option{.name = "tagleaf", .value = "KEYS", .help = "labels as frames below the stacks"},
    Option{.name = "noinlines", .value = "", .help = "leave out inlined functions"},
    Option{.name = "granularity",
           .value = "WORD",
           .help = "functions, filefunctions, files, lines or addresses"},
    Option{.name = "show-from", .value = "RE", .sameAs = "from"},
    Option{.name = "sample-index", .value = "S", .sameAs = "series"},
};

/// Options of every report.
inline constexpr std::array kReportOptions{
    Option{.name = "json", .value = "", .help = "as one JSON object"},
    Option{.name = "csv", .value = "", .help = "as comma-separated values"},
    Option{.name = "limit", .value = "N", .help = "at most so many rows; 0 for all", .letter = 'n'},
    Option{.name = "full", .value = "", .help = "do not shorten names"},
};

template <std::size_t... Sizes>
constexpr auto joined(const std::array<Option, Sizes> &...parts)
{
    std::array<Option, (Sizes + ...)> all{};
    std::size_t next = 0;
    ((std::ranges::copy(parts, all.begin() + static_cast<std::ptrdiff_t>(next)), next += Sizes), ...);
    return all;
}

/// What else openFiles() is to do.
enum class Opening : unsigned {
    Plain,
    Findings, ///< what writers of the files did against their standards, in Origin::findings
    Symbols,  ///< names for frames that came without, from this machine, unless told otherwise
};

/// Opens all files as one data set and complains of what was lost. @return null after complaining of a
/// failure
std::shared_ptr<const Snapshot> openFiles(const Arguments &arguments, Exit &status,
                                          Opening opening = Opening::Plain);
/// These files instead of those of the arguments.
std::shared_ptr<const Snapshot> openFiles(std::span<const std::string> files, const Arguments &arguments,
                                          Exit &status, Opening opening);

/// What files are called together: "cpu.pb.gz, 2 more".
std::string titleOf(std::span<const std::string> files);

/// The lens that the options describe. @return an error that names the option
Result<Lens> lensOf(const Arguments &arguments);
/// ... and what `--by` says. @return nothing after complaining
std::optional<Lens> lensOf(const Arguments &arguments, std::span<const std::string> by, Exit &status);

/// Complains of all that is not as one would expect in an evaluation.
void complainOf(const Evaluation &evaluation, const Lens &lens);

/// Opens files and evaluates the lens; what `--base` or `--diff-base` names is subtracted. @return null after
/// complaining
struct Opened {
    std::shared_ptr<const Snapshot> snapshot;
    std::shared_ptr<const Evaluation> evaluation;
    Lens lens;
};
std::optional<Opened> open(const Arguments &arguments, std::span<const std::string> by, Exit &status);

/// Writes an object's head: series, total and matched.
void writeHead(class Json &json, const Evaluation &evaluation);

/// "12.34 %" of a whole; "-" if there is none.
std::string percent(std::int64_t value, std::int64_t whole);

/// "cpu/nanoseconds, 12.4 s in view of 13.1 s"
std::string describe(const Evaluation &evaluation);

/// A field of a CSV row, quoted where it must be.
std::string csvField(std::string_view text);

std::vector<std::string> splitAtCommas(std::string_view text);

} // namespace hearth::cli
