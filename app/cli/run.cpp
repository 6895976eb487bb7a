#include "app/cli/command.h"
#include "app/cli/terminal.h"
#include "app/cli/workspaces.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace hearth::cli {

namespace {

constexpr std::string_view kVersion = HEARTH_VERSION;

void printHelp()
{
    std::string text = "Hearth shows where programs spend time and memory.\n\n"
                       "Usage: hearth [FILE…]                      opens the window\n"
                       "       hearth COMMAND [OPTION…] FILE…      works in a terminal\n\nCommands:\n";
    for (const Command *command : allCommands())
        text += "  " + padded(command->name, 12) + std::string(command->summary) + '\n';
    text += "\n`hearth COMMAND --help` tells more. A FILE named - is standard input.\n"
            "Exit status: 0 done, 1 the answer is no, 2 wrong use, 3 unreadable input.\n";
    print(text);
}

void printHelp(const Command &command)
{
    std::string text = "Usage: hearth " + std::string(command.name) + ' ' + std::string(command.usage) +
                       "\n\n" + std::string(command.summary) + "\n\nOptions:\n";
    for (const Option &option : command.options) {
        std::string spelling =
            option.letter != 0 ? std::string("-") + option.letter + ", " : std::string("    ");
        spelling += "--" + std::string(option.name);
        if (!option.value.empty())
            spelling += ' ' + std::string(option.value);
        const std::string help =
            option.sameAs.empty() ? std::string(option.help) : "the same as --" + std::string(option.sameAs);
        text += "  " + padded(spelling, 28) + help + '\n';
    }
    text += "        --help              this text\n\nExamples:\n" + std::string(command.examples);
    print(text);
}

Exit wrongUse(const std::string &message)
{
    complain(message);
    return Exit::WrongUse;
}

} // namespace

std::span<const Command *const> allCommands()
{
    static constexpr std::array kCommands{&kInfo,  &kTop,   &kTree,   &kFlame,  &kReport,    &kSource,
                                          &kDiff,  &kCheck, &kTraces, &kSpans,  &kSymbols,   &kConvert,
                                          &kServe, &kSend,  &kWire,   &kRecord, &kCompletion};
    return kCommands;
}

bool asksForWindow(std::span<const std::string> words)
{
    if (words.empty() || words[0] == "--new" || words[0] == "--listen" || words[0].starts_with("--listen="))
        return true; // options of the window
    const auto commands = allCommands();
    // A file may be called like a command; ./top is the file.
    return std::ranges::find(commands, words[0], &Command::name) == commands.end() && words[0] != "help" &&
           !words[0].starts_with('-') && ::access(words[0].c_str(), F_OK) == 0;
}

Exit run(std::span<const std::string> words)
{
    if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
        printHelp();
        return words.empty() ? Exit::WrongUse : Exit::Done;
    }
    if (words[0] == "--version") {
        print("hearth " + std::string(kVersion) + '\n');
        return Exit::Done;
    }
    const auto commands = allCommands();
    const auto command = std::ranges::find(commands, words[0], &Command::name);
    if (command == commands.end())
        return wrongUse("no command and no file is called '" + words[0] + "'; hearth --help lists them");
    const std::span<const std::string> rest = words.subspan(1);
    const auto own = rest.first(static_cast<std::size_t>(std::ranges::find(rest, "--") - rest.begin()));
    if (std::ranges::find(own, "--help") != own.end() || std::ranges::find(own, "-h") != own.end()) {
        printHelp(**command);
        return Exit::Done;
    }
    Result<Arguments> arguments = Arguments::parse(rest, (*command)->options);
    if (!arguments)
        return wrongUse(arguments.error().message + "; see hearth " + words[0] + " --help");
    if (const Exit status = takeWorkspace(*arguments, **command); status != Exit::Done)
        return status;
    return (*command)->run(*arguments);
}

} // namespace hearth::cli
