#pragma once

#include "app/cli/arguments.h"

#include <span>
#include <string_view>

namespace hearth::cli {

/// What a program tells its caller by its exit status.
enum class Exit : int { Done = 0, No = 1, WrongUse = 2, Unreadable = 3 };

/// A subcommand of `hearth`.
struct Command {
    std::string_view name;
    std::string_view usage;    ///< what follows `hearth NAME`
    std::string_view summary;  ///< one line
    std::string_view examples; ///< lines of commands with what they do
    std::span<const Option> options;
    Exit (*run)(const Arguments &arguments);
};

extern const Command kInfo;
extern const Command kTop;
extern const Command kTree;
extern const Command kFlame;
extern const Command kReport;
extern const Command kSource;
extern const Command kDiff;
extern const Command kCheck;
extern const Command kSymbols;
extern const Command kTraces;
extern const Command kSpans;
extern const Command kConvert;
extern const Command kServe;
extern const Command kSend;
extern const Command kRecord;
extern const Command kWire;
extern const Command kCompletion;

std::span<const Command *const> allCommands();

/// Whether these words are for the window: none, or files.
bool asksForWindow(std::span<const std::string> words);

/// Runs `hearth WORDS…`.
Exit run(std::span<const std::string> words);

} // namespace hearth::cli
